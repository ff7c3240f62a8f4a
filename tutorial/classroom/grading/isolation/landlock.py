"""Confine this process with Landlock, a security module of Linux: it can read only the given paths and write nothing.

From ABI 4 on it can open no TCP connection, and from ABI 6 on it cannot send a signal to a process outside. It needs no
privileges. Source: docs.kernel.org/userspace-api/landlock.html
"""

import ctypes
import os
import struct
import sys

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the numbers of the system calls, on all machines
VERSION, PATH_BENEATH, NO_NEW_PRIVILEGES = 1, 1, 38
READ_FILE, READ_DIRECTORY = 1 << 2, 1 << 3
FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}  # ABI: how many rights on files it knows
TCP = 0b11  # bind and connect, from ABI 4
SCOPES = 0b11  # abstract sockets and signals, from ABI 6
NETWORK_ABI, SIGNAL_ABI = 4, 6


def system_call(*arguments) -> int:
    """Return what a system call returns. Raises OSError."""
    libc = ctypes.CDLL(None, use_errno=True)
    result = libc.syscall(*(ctypes.c_long(a) if isinstance(a, int) else a for a in arguments))
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def abi() -> int:
    """Return the version of Landlock that this kernel has, from 1; 0 if it has none."""
    if sys.platform != "linux":  # there the same number is another call
        return 0
    try:
        return system_call(CREATE_RULESET, None, 0, VERSION)
    except OSError:
        return 0


def refused_in_words(version) -> str:
    """Return what a version of Landlock keeps a program from.

    >>> refused_in_words(3)
    'nothing to read but Python and NumPy, nothing to write'
    """
    more = ", no TCP" * (version >= NETWORK_ABI) + ", no signals outside" * (version >= SIGNAL_ABI)
    return f"nothing to read but Python and NumPy, nothing to write{more}"


def ruleset(readable) -> int | None:
    """Return the descriptor of a set of rules: only these files and folders can be read. None if there are none; one that does not exist
    is left out. Raises OSError.
    """
    if not readable:
        return None
    version = abi()
    refused = [(1 << FILE_RIGHTS.get(version, 16)) - 1, *[TCP] * (version >= NETWORK_ABI), *[SCOPES] * (version >= SIGNAL_ABI)]
    rules = struct.pack(f"={len(refused)}Q", *refused)  # what is refused unless a rule allows it
    made = system_call(CREATE_RULESET, rules, len(rules), 0)
    for path in filter(os.path.exists, readable):
        rights = READ_FILE | READ_DIRECTORY if os.path.isdir(path) else READ_FILE
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        system_call(ADD_RULE, made, PATH_BENEATH, struct.pack("=Qi", rights, place), 0)
        os.close(place)
    return made


def restrict(ruleset) -> None:
    """Confine this process and its children by a set of rules, and close it. Raises OSError."""
    ctypes.CDLL(None).prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    system_call(RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)
