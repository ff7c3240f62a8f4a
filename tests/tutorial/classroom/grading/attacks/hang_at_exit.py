"""Hang when Python ends."""
# title: y1 is missing

import atexit
import time

atexit.register(time.sleep, 100_000)


def figure1(x1, x2, x3, x4):
    return {}
