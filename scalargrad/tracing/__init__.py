"""Backpropagation step by step: the schedules, and the trace that keeps their steps."""
