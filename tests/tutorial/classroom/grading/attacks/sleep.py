"""Sleep, which takes no time of the processor."""
# title: The program takes too long

import time


def figure1(x1, x2, x3, x4):
    time.sleep(100_000)
