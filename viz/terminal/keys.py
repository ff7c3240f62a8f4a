"""Read single keys from a terminal, as the user presses them.

On Windows readchar reads them. Elsewhere readchar restores the terminal between two keys: the terminal then echoes and drops what
is typed, and readchar takes the Esc at the start of an arrow key for the key Esc. So there we read the keys ourselves.
"""

import codecs
import os
import sys
from contextlib import contextmanager
from time import monotonic, sleep

from viz.terminal.actions import ESCAPE

REST_OF_KEY = 0.1  # seconds to wait after Esc for the rest of an arrow key
LOOK_UP = 0.25  # seconds; then the caller can check whether the size of the terminal has changed
WAIT = 0.01  # seconds between two looks for a key on Windows


@contextmanager
def keyboard():
    """Switch the terminal to single keys without echo inside the `with`, and return a function that waits for a key.

    The function returns the characters of the key, or "" after a while without a key. It raises EOFError at the end of the input.
    """
    if os.name == "nt":
        yield _windows_key
        return
    import termios
    import tty

    fd = sys.stdin.fileno()
    before = termios.tcgetattr(fd)
    try:
        tty.setcbreak(fd, termios.TCSADRAIN)
        ours = termios.tcgetattr(fd)
        ours[6][termios.VSUSP] = bytes([os.fpathconf(fd, "PC_VDISABLE") & 0xFF])  # otherwise Ctrl-Z shows the shell on our screen
        termios.tcsetattr(fd, termios.TCSADRAIN, ours)
        yield lambda: _key(fd)
    finally:
        termios.tcsetattr(fd, termios.TCSADRAIN, before)


def _windows_key():
    import msvcrt

    import readchar

    end = monotonic() + LOOK_UP
    while not msvcrt.kbhit():
        if monotonic() > end:
            return ""
        sleep(WAIT)
    return readchar.readkey()


def _key(fd):
    if not _ready(fd, LOOK_UP):
        return ""
    key = _character(fd)
    if key == ESCAPE and _ready(fd, REST_OF_KEY):
        key += _character(fd)
        while key[1] in "[O" and (len(key) == 2 or not "@" <= key[-1] <= "~") and _ready(fd, REST_OF_KEY):
            key += _character(fd)
    return key


def _ready(fd, seconds):
    import select

    return bool(select.select([fd], [], [], seconds)[0])


def _character(fd):
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    while True:
        try:
            byte = os.read(fd, 1)
        except OSError:  # the terminal was closed
            byte = b""
        if not byte:
            raise EOFError
        if character := decoder.decode(byte):
            return character
