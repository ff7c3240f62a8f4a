"""Find the user's code on the call stack: the line that called us, and which of our functions it called."""

import os
import re
import sys
from functools import cache

_ROOT = os.path.dirname(os.path.dirname(__file__))
_OURS = tuple(os.path.join(_ROOT, room, "") for room in ("scalargrad", "tensorgrad", "viz"))
_WITH_KNOWN_NAMES = os.path.join(_ROOT, "tensorgrad", "functions", "sequences", ""), os.path.join(_ROOT, "scalargrad", "nn.py")
_WITH_OWN_VARIABLES = tuple(
    os.path.join(_ROOT, *room, "")
    for room in (
        ("viz",),
        *(("scalargrad", wing) for wing in ("tracing", "statements", "checking")),
        *(("tensorgrad", wing) for wing in ("inspection", "statements", "checking")),
    )
)
_TUTORIAL = os.path.join(_ROOT, "tutorial", "")  # counts as the user's code, even if it is installed
_LIBRARY = os.path.join(os.path.dirname(os.__file__), "")
_INSTALLED = re.compile(r"[\\/](site|dist)-packages[\\/]|^<frozen ")


def is_ours(filename):
    return filename.startswith(_OURS)


@cache  # asked for each frame below each call of a program that is recorded
def is_users(filename):
    """Return whether a file is the user's: not ours, not of Python, and not of an installed package."""
    if is_ours(filename):
        return False
    return filename.startswith(_TUTORIAL) or not (filename.startswith(_LIBRARY) or _INSTALLED.search(filename))


def has_known_names(filename):
    """Return whether the locals of a file of ours are variables under their names in the literature: q, k and v, gates, neurons."""
    return filename.startswith(_WITH_KNOWN_NAMES)


@cache
def only_looks(filename):
    """Return whether a file of ours makes pictures, runs or checks of a graph: the variables that it computes are not the user's."""
    return filename.startswith(_WITH_OWN_VARIABLES)


def callers():
    """Yield the frames of the user's code, innermost first."""
    frame = sys._getframe(1)
    while frame is not None:
        if is_users(frame.f_code.co_filename):
            yield frame
        frame = frame.f_back


def source_line():
    """Return the innermost line of the user's code, as file:line."""
    frame = next(callers(), None)
    return f"{frame.f_code.co_filename}:{frame.f_lineno}" if frame else "<unknown>"


def place(filename, number):
    """Return a line of a file as text, without its folder: model.py:35; In[2]:6 for a line of a notebook's cell."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    cell = shell and shell.compile.format_code_name(filename)
    return f"{cell[1] if cell else filename.replace(chr(92), '/').rpartition('/')[2]}:{number}"


def called_function():
    """Return the name of our function or class that the user's code called."""
    frame, ours = sys._getframe(1), None
    while frame is not None and not is_users(frame.f_code.co_filename):
        if frame.f_code.co_filename.startswith(_OURS):
            ours = frame
        frame = frame.f_back
    if ours.f_code.co_name == "__init__":
        return type(ours.f_locals["self"]).__name__
    return ours.f_code.co_name
