"""Losses, with `reduction`: mean, sum or none."""

__all__: list = []
