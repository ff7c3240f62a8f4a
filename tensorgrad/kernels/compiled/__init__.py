"""Kernels in C, an optional part: kernels.c, the build that makes a library of it, and the calls of that library."""
