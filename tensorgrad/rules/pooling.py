"""Pooling: the largest, the mean, the smooth maximum of each window."""

__all__: list = []
