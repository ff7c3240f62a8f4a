"""Take from this process what a learner's program does not need: time, memory, children, files, and the rights of root.

The process does this itself, before it reads the program.
"""

import ctypes
import os
import signal
import sys
import time

NOBODY = 65534
SECOND = 1  # of CPU time between the signal that a program may catch and the end that it cannot catch
LARGEST_FILE, OPEN_FILES = 1_000_000, 64  # bytes; descriptors
KEEP_CAPABILITIES, CAPABILITY_VERSION, READ_ANY_FILE = 8, 0x20080522, 1 << 2


class TimeUp(BaseException):
    """The program has used up its CPU time. It is not an Exception, which the program may catch."""


def limit(seconds, memory) -> None:
    """Bound CPU time in seconds from now, memory in bytes, files and processes. What a system does not know is left out."""
    import resource

    seconds += round(time.process_time())
    bounds = {"CPU": (seconds, seconds + SECOND), "AS": memory, "FSIZE": LARGEST_FILE, "CORE": 0, "NOFILE": OPEN_FILES, "NPROC": 1}
    for name, most in bounds.items():
        soft, hard = most if isinstance(most, tuple) else (most, most)
        try:
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (soft, hard))
        except (AttributeError, ValueError, OSError):  # macOS refuses to bound memory
            continue
    signal.signal(signal.SIGXCPU, out_of_time)


def out_of_time(number, frame):
    raise TimeUp("the program did not end")


def become_nobody() -> None:
    """Give up the rights of root, if this process has them: the number of processes does not bound root, and root may kill any process.

    Reading any file stays allowed if the kernel permits it, because Python may lie where only root can read.
    """
    if sys.platform != "linux" or os.geteuid() != 0:
        return
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(KEEP_CAPABILITIES, 1, 0, 0, 0)
    try:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    except OSError:  # a user namespace in which there is no other user
        pass
    words = ctypes.c_uint32 * 2
    for kept in (READ_ANY_FILE, 0):
        if not libc.capset(words(CAPABILITY_VERSION, 0), (ctypes.c_uint32 * 6)(kept, kept, 0, 0, 0, 0)):
            return
