"""Write 16 MB without an end of line on every descriptor."""
# title: The program ended before it answered

import os
from contextlib import suppress


def figure1(x1, x2, x3, x4):
    for _ in range(16):
        for descriptor in range(3, 20):
            with suppress(OSError):
                os.write(descriptor, b"x" * 1_000_000)
    return {}
