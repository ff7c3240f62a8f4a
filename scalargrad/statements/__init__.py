"""Statements: a graph of operations folded into one function for each name of the program."""
