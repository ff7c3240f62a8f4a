"""The questions that a class is asked."""
