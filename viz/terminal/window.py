"""Ask the system about the terminal: the size of its window, and whether it reads keys."""

import os
import sys


def window():
    """Return the columns and lines of the terminal at standard output; None if it is not a terminal."""
    try:
        size = os.get_terminal_size(sys.stdout.fileno())
    except (AttributeError, OSError, ValueError):
        return None
    return (size.columns or 80, size.lines or 24)


def reads_keys():
    """Return whether standard input is a terminal."""
    try:
        return os.isatty(sys.stdin.fileno())
    except (AttributeError, OSError, ValueError):
        return False
