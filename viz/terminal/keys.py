"""The keys of the stepper: the table ACTIONS says what each does, and single keys are read from the terminal, as the user presses them.

A key that the page has too does the same there.
On Windows readchar reads them. Elsewhere readchar restores the terminal between two keys: the terminal then echoes and drops what
is typed, and readchar takes the Esc at the start of an arrow key for the key Esc. So there we read the keys ourselves.
"""

import codecs
import os
import sys
from contextlib import contextmanager
from time import monotonic, sleep
from typing import NamedTuple

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


ENTER, BACKSPACE, ESCAPE = {"\r", "\n"}, {"\x7f", "\b"}, "\x1b"
INTERRUPT = {"\x03", "\x04"}  # Ctrl-C and Ctrl-D


class Action(NamedTuple):
    """The keys of an action, as terminals ("\\x1b…") and the Windows console ("\\x00…") send them; their names; what they do."""

    keys: set
    written: str
    does: str


# fmt: off
ACTIONS = {
    "next":               Action({"\x1b[C", "\x1bOC", "\x00M", "\x1b[6~", "\x00Q", *ENTER},     "→  PgDn  Enter",     "next step"),
    "back":               Action({"\x1b[D", "\x1bOD", "\x00K", "\x1b[5~", "\x00I", *BACKSPACE}, "←  PgUp  Backspace", "previous step"),
    "next_iteration":     Action({"\x1b[B", "\x1bOB", "\x00P"},                                 "↓",                  "next iteration"),
    "previous_iteration": Action({"\x1b[A", "\x1bOA", "\x00H"},                                 "↑",                  "previous iteration"),
    "after_loop":         Action({"l"},                                                         "l",                  "run over a loop"),
    "first":              Action({"\x1b[H", "\x1bOH", "\x1b[1~", "\x1b[7~", "\x00G"},           "Home",               "first step"),
    "last":               Action({"\x1b[F", "\x1bOF", "\x1b[4~", "\x1b[8~", "\x00O"},           "End",                "last step"),
    "play":               Action({" ", "p"},                                                    "space  p",           "play, pause"),
    "predict":            Action({"q"},                                                         "q",                  "predict numbers"),
    "why":                Action({"y"},                                                         "y",                  "show or hide why"),
    "help":               Action({"?"},                                                         "?",                  "show these keys"),
    "quit":               Action({ESCAPE, *INTERRUPT},                                          "Esc  Ctrl-C",        "quit"),
}
# fmt: on
DOES = {key: name for name, action in ACTIONS.items() for key in action.keys}

# What the last line of the screen shows, the most important first: a key that has no room is left out.
LINE = [("→", "next"), ("←", "back"), ("q", "predict"), ("?", "keys"), ("Esc", "quit"), ("↓ ↑", "node"), ("space", "play"), ("y", "why")]
ANSWER_LINE = [("Enter", "check"), ("Esc", "show answer"), ("9, −2.5, 1/3", "are numbers")]
ARRAY_ANSWER_LINE = [*ANSWER_LINE[:2], ("1 2; 3 4", "is a matrix")]
TALLY_LINE = [("Enter", "do these again"), ("Esc", "close")]
HELP_LINE = [("any key", "goes back to the step")]


def window():
    """Return the columns and lines of the terminal at standard output; None if it is not a terminal."""
    try:
        size = os.get_terminal_size(sys.stdout.fileno())
    except (AttributeError, OSError, ValueError):
        return None
    return (size.columns or 80, size.lines or 24)


def reads_keys():
    """Return whether standard input is a terminal."""
    try:
        return os.isatty(sys.stdin.fileno())
    except (AttributeError, OSError, ValueError):
        return False
