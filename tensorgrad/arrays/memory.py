"""Memory for the largest results: it is used again, and it begins at a line of the cache.

The system gives an array of LARGEST bytes or more other pages each time, and fills them with zeros first: that takes as long as a product.
So if nothing refers to such an array any more, its memory waits for the next one of its size. Only one waits.

NumPy's own arrays begin 16, 32 or 48 bytes past a line of the cache, unless by chance. A vector of 64 bytes then lies on two lines, and a
product within the cache takes up to twice as long. Arrays of less than LARGEST bytes stay NumPy's: to find the line takes what it saves.
"""

from collections import deque
from contextlib import suppress
from weakref import finalize

import numpy as np

LINE = 64  # bytes of a line of the cache
LARGEST = 1 << 25  # bytes from which glibc asks the system each time
MOST = 1 << 27  # bytes that may wait
WAITING: deque = deque(maxlen=1)  # the room that waits, the last that was left; its methods need no lock


class Room(np.ndarray):
    """The bytes below an array. Because of this class NumPy lets views of the array refer to the array, not to its bytes."""


def aligned(size, dtype):
    """Return a vector that begins at a line of the cache."""
    return lined(size, dtype, None, Room(size * np.dtype(dtype).itemsize + LINE, np.uint8))


def lined(shape, dtype, strides, room):
    return np.ndarray(shape, dtype, room, -room.ctypes.data % LINE, strides)


def new_like(x):
    """Return np.empty_like(x): an array of the shape, the dtype and the memory order of x, with whatever numbers were there."""
    if x.nbytes < LARGEST:
        return np.empty_like(x)
    strides = x.strides if x.flags.forc else np.empty_like(x).strides
    room = waiting(x.nbytes + LINE)
    y = lined(x.shape, x.dtype, strides, room)
    finalize(y, wait, room).atexit = False
    return y


def waiting(size):
    """Return a room of so many bytes: the one that waits if it fits; otherwise that one is freed first."""
    with suppress(IndexError):
        room = WAITING.pop()
        if room.size == size:
            return room
        del room
    return Room(size, np.uint8)


def wait(room):
    """Keep the room of an array that is gone, and so are its views."""
    if room.size <= MOST:
        WAITING.append(room)


def own(x):
    """Return whether nothing but x and its views shows its memory."""
    return x.flags.owndata or type(x.base) is Room
