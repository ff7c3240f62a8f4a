"""Close all descriptors, then go on."""
# title: The program takes too long|The program ended before it answered

import os


def figure1(x1, x2, x3, x4):
    os.closerange(3, 100)
    while True:
        pass
