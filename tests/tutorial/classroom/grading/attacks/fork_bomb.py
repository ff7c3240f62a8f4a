"""Start 300 processes."""
# title: y1 is missing|The program raised (BlockingIOError|PermissionError)

import os
import time


def figure1(x1, x2, x3, x4):
    for _ in range(300):
        if os.fork() == 0:
            time.sleep(20)
            os._exit(0)
    return {}
