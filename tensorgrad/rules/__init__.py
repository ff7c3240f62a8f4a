"""The rules of tensor functions, one family per file."""
