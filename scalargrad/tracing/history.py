"""A dictionary and a queue that remember every earlier state. They keep changes, not copies.

Each step of a trace can show the whole state, and a run of n steps still takes memory in proportion to n.
"""

import math
from bisect import bisect_right
from collections import deque
from collections.abc import Mapping, Sequence


class Record(dict):
    """A dictionary. `now()` returns a read-only view of its present state, which later changes do not affect.

    >>> pending = Record(x=2, y=1); before = pending.now(); pending["x"] -= 1
    >>> pending, before
    ({'x': 1, 'y': 1}, {'x': 2, 'y': 1})
    """

    def __init__(self, *items, **more):
        super().__init__(*items, **more)
        self.first, self.changes, self.moment = dict(self), {}, 0

    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        self.moment += 1
        moments, values = self.changes.setdefault(key, ([], []))
        moments.append(self.moment)
        values.append(value)

    def now(self):
        return RecordThen(self, self.moment)


class RecordThen(Mapping):
    """A record at one moment. To look up a value that changed n times takes log n steps."""

    __slots__ = ("record", "moment")

    def __init__(self, record, moment):
        self.record, self.moment = record, moment

    def __getitem__(self, key):
        moments, values = self.record.changes.get(key, ((), ()))
        changed = bisect_right(moments, self.moment)
        return values[changed - 1] if changed else self.record.first[key]

    def __iter__(self):
        return iter(self.record.first)

    def __len__(self):
        return len(self.record.first)

    def __repr__(self):
        return repr(dict(self))


class Queue(deque):
    """A queue to which each item is added once. `now()` returns a read-only view of its present items, oldest first.

    >>> ready = Queue(); ready.append("y"); before = ready.now(); ready.append("x"); ready.popleft(), before, ready.now()
    ('y', ['y'], ['x'])
    """

    def __init__(self):
        super().__init__()
        self.put, self.taken, self.moment, self.oldest = [], {}, 0, 0  # all items of `put` before place `oldest` are taken

    def append(self, item):
        super().append(item)
        self.moment += 1
        self.put.append(item)

    def popleft(self):
        return self._took(super().popleft())

    def pop(self):
        return self._took(super().pop())

    def _took(self, item):
        self.moment += 1
        self.taken[item] = self.moment
        while self.oldest < len(self.put) and self.put[self.oldest] in self.taken:
            self.oldest += 1
        return item

    def now(self):
        return QueueThen(self, self.moment, slice(self.oldest, len(self.put)))


class QueueThen(Sequence):
    """The items of a queue at one moment."""

    __slots__ = ("moment", "places", "queue")

    def __init__(self, queue, moment, places):
        self.queue, self.moment, self.places = queue, moment, places

    def _items(self):
        taken = self.queue.taken
        return [item for item in self.queue.put[self.places] if taken.get(item, math.inf) > self.moment]

    def __getitem__(self, place):
        return self._items()[place]

    def __iter__(self):
        return iter(self._items())

    def __len__(self):
        return len(self._items())

    def __eq__(self, other):
        return isinstance(other, Sequence) and self._items() == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self):
        return repr(self._items())
