"""Kernels in C, an optional part: kernels.c and its threads.c, the build that makes a library of them, and the calls of that library."""
