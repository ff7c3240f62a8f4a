"""The gradient check of graphs of arrays: each vjp beside finite differences, and why one is wrong."""
