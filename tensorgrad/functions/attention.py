"""Attention: scaled dot products, many heads."""

__all__: list = []
