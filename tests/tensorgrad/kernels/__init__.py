"""Tests of the kernels: their registry, and those in C beside those of NumPy."""
