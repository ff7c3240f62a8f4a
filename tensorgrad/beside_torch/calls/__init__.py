"""Calls of PyTorch's functions, and what of them is refused."""
