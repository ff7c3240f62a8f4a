"""Kill the process that compares."""
# title: The program raised PermissionError|y1 is missing|The program ended before it answered
# from: landlock
# needs: signals

import os
import signal


def figure1(x1, x2, x3, x4):
    os.kill(os.getppid(), signal.SIGKILL)
    return {}
