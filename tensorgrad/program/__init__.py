"""A graph of tensors as a program of few kinds of operations, for pages that compute without NumPy."""
