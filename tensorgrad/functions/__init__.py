"""Tensor functions that are composed of rules, one family per file."""
