"""Practise alone: a folder of programs to write, what was reached, and what a check says at the first, second and third time."""
