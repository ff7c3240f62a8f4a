"""Read memory that is not there."""
# title: The program ended before it answered

import ctypes


def figure1(x1, x2, x3, x4):
    ctypes.string_at(0)
