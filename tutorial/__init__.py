"""Chapters, exercises and the command line: `python -m tutorial`."""
