"""Kernels of the norms of layers, and of lengths of vectors."""
