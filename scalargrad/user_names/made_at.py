"""Where in the program a variable was made: a table beside the variables, which have no room for it, while they live.

Who records a graph that the user wants to look at fills it: `named`, for a picture of a function, and a recorder of another library's
calls. No other variable pays for it.
"""

import linecache
from typing import NamedTuple
from weakref import ref

from scalargrad.callers import place
from scalargrad.graph import node_of


class SourceLine(NamedTuple):
    """A line of the program. `text` is what stands there, without its indentation; "" if the source is not known."""

    file: str
    number: int
    text: str

    def __str__(self):
        return place(self.file, self.number)


WRITTEN: dict = {}  # {id of a variable: (a weak reference to it, how the program writes its function)}
PLACES: dict = {}  # {id of a variable: (a weak reference to it, file, number of the line)}


def note(v, file, number):
    """Remember the line of the program that made a variable; the first one stays."""
    v = node_of(v)
    key = id(v)
    if key not in PLACES:
        PLACES[key] = ref(v, lambda _: PLACES.pop(key, None)), file, number


def note_written(v, text):
    """Remember how the program writes the function of a variable: F.softmax, or .view for a method of its first argument."""
    v = node_of(v)
    key = id(v)
    WRITTEN[key] = ref(v, lambda _: WRITTEN.pop(key, None)), text


def written_as(v):
    """Return how the program writes the function of a variable; "" if nobody noted it."""
    reference, text = WRITTEN.get(id(v), (lambda: None, ""))
    return "" if reference() is None else text


def made_at(v):
    """Return the SourceLine that made a variable, or None. A statement is made where its last operation is."""
    y = node_of(v)
    last = (getattr(y.rule, "operations", None) or [y])[-1]
    reference, file, number = PLACES.get(id(last), (lambda: None, "", 0))
    if reference() is None:
        return None
    return SourceLine(file, number, linecache.getline(file, number).strip())
