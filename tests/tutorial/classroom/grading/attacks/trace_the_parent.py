"""Become the debugger of the parent, which starts the processes of the next students."""
# title: y1 is missing
# bwrap: y1 is wrong|y1 is missing
# from: landlock

import ctypes
import os
import signal

ATTACH = 16


def figure1(x1, x2, x3, x4):
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.ptrace(ATTACH, os.getppid(), None, None) == 0:
        os.kill(os.getppid(), signal.SIGKILL)
        return dict.fromkeys(("y1", "y2"), 0)
    return {}
