"""Kernels of convolution, and the choice between them."""
