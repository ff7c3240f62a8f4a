"""Convolutions and their transposes in one, two and three dimensions."""

__all__: list = []
