"""The submissions of a class."""
