"""Counts of bytes: how many exist at each step of a run, and the count in readable form."""

from itertools import accumulate

UNITS = ("B", "kB", "MB", "GB", "TB")


def bytes_at_steps(arrays, steps):
    """Return how many bytes exist at each step. Each array has a `size` and the steps `made` and `freed`, None if it stays."""
    change = [0] * (steps + 1)
    for a in arrays:
        change[a.made] += a.size
        change[steps if a.freed is None else a.freed + 1] -= a.size
    return list(accumulate(change))[:steps]


def readable(size):
    """Return a number of bytes in readable form.

    >>> readable(512), readable(2_100_000)
    ('512 B', '2.1 MB')
    """
    power = 0
    while size >= 1000 and power < len(UNITS) - 1:
        size, power = size / 1000, power + 1
    return f"{size:.{1 if power and size < 100 else 0}f} {UNITS[power]}"
