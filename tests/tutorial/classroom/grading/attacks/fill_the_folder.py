"""Leave files in every folder that can be written, so that there is no space for the next student."""
# title: y1 is missing|The program raised (OSError|PermissionError)
# from: landlock

import os
from contextlib import suppress


def figure1(x1, x2, x3, x4):
    for folder in (os.getcwd(), "..", "/", "/dev", "/dev/shm", "/tmp", *__import__("sys").path):
        for k in range(30):
            with suppress(OSError), open(f"{folder}/left-{k}", "wb") as file:
                file.write(bytes(900_000))
    return {}
