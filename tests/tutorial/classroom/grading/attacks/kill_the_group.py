"""Kill all processes of the group."""
# title: The program ended before it answered|The program raised PermissionError

import os
import signal


def figure1(x1, x2, x3, x4):
    os.killpg(0, signal.SIGKILL)
