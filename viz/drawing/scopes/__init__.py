"""Scopes as boxes: which stand in which, and in which order."""
