"""Counterparts of the functions that layers call."""
