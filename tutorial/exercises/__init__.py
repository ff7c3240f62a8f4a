"""Exercises: one authored file each, with its solution and its typical wrong answers."""
