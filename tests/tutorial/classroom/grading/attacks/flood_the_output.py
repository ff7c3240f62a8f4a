"""Write 200 MB on standard output and standard error."""
# title: y1 is missing

import os


def figure1(x1, x2, x3, x4):
    for _ in range(100):
        os.write(1, bytes(1_000_000))
        os.write(2, bytes(1_000_000))
    return {}
