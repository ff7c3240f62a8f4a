"""Exercises without their solutions: a recording holds what a check needs for some seeds, as values and not as code."""
