"""Single keys from a terminal, as they are pressed.

On Windows readchar reads them. Elsewhere we do: between two keys readchar gives the terminal back, which echoes what is
typed then and drops it, and it cannot tell Esc from the beginning of an arrow key.
"""

import codecs
import os
import sys
from contextlib import contextmanager

ESCAPE = "\x1b"
REST_OF_KEY = 0.1  # seconds to wait for the rest of an arrow key after its Esc
LOOK_UP = 0.25  # seconds without a key after which the caller may look whether the terminal has a new size


@contextmanager
def keyboard():
    """Keys come one at a time and unechoed, until the end of the `with`; gives the function that waits for one.

    It returns the key's characters, "" after a while without a key, and raises EOFError when there will be none.
    """
    if os.name == "nt":
        import readchar

        yield readchar.readkey
        return
    import termios
    import tty

    fd = sys.stdin.fileno()
    before = termios.tcgetattr(fd)
    try:
        tty.setcbreak(fd, termios.TCSADRAIN)
        ours = termios.tcgetattr(fd)
        ours[6][termios.VSUSP] = bytes([os.fpathconf(fd, "PC_VDISABLE") & 0xFF])  # Ctrl-Z would leave the shell on our screen
        termios.tcsetattr(fd, termios.TCSADRAIN, ours)
        yield lambda: _key(fd)
    finally:
        termios.tcsetattr(fd, termios.TCSADRAIN, before)


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
        except OSError:  # the terminal has gone
            byte = b""
        if not byte:
            raise EOFError
        if character := decoder.decode(byte):
            return character
