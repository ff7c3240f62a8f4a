"""Statements of arrays: a graph of tensors folded into one function for each name of the program."""
