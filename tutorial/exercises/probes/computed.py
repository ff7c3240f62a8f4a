"""The items of an iterator as a sequence: each is computed when it is first read."""

from collections.abc import Iterator, Sequence


class Computed(Sequence):
    """A sequence of the `length` items of an iterator.

    >>> squares = Computed((print(k) or k * k for k in range(3)), 3)
    >>> squares[1]
    0
    1
    1
    """

    def __init__(self, items: Iterator, length: int):
        self.items, self.length = items, length
        self.found: list = []

    def __getitem__(self, k):
        k = range(self.length)[k]  # counts a negative one from the end, and raises IndexError
        while len(self.found) <= k:
            self.found.append(next(self.items))
        return self.found[k]

    def __len__(self):
        return self.length
