"""Ask the check without an end, and read no reply."""
# title: The program ended before it answered|The program takes too long|The program raised \w+Error
# wait: 3

import os
import sys


def figure1(x1, x2, x3, x4):
    frame = sys._getframe()
    while "answers" not in frame.f_locals:
        frame = frame.f_back
    while True:
        os.write(frame.f_locals["answers"], b'{"question":{"tuple":["f"]}}\n')
