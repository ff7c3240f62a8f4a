"""Leave a process behind that writes a file after the check."""
# title: y1 is missing|The program raised (BlockingIOError|PermissionError)
# from: landlock

import os
import time


def figure1(x1, x2, x3, x4):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for _ in range(50):
                time.sleep(0.1)
                with open("/tmp/gradsteps-attack", "w") as file:
                    file.write('{"score": 100}')
        os._exit(0)
    return {}
