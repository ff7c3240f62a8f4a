"""Leave processes in sessions of their own, so that the next student's program can start none."""
# title: y1 is missing|The program raised (BlockingIOError|PermissionError)

import os
import time


def figure1(x1, x2, x3, x4):
    for _ in range(50):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(600)
            os._exit(0)
    return {}
