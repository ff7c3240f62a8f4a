"""Stop the parent, so that it does not answer."""
# title: The program raised PermissionError|y1 is missing|The program ended before it answered|The program takes too long
# from: landlock
# needs: signals
# wait: 5

import os
import signal


def figure1(x1, x2, x3, x4):
    os.kill(os.getppid(), signal.SIGSTOP)
    return {}
