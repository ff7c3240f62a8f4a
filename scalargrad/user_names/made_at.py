"""Where in the program a variable was made: a table beside the variables, which have no room for it, while they live.

Who records a graph that the user wants to look at fills it: `named`, for a picture of a function, and a recorder of another library's
calls. No other variable pays for it.
"""

import linecache
from dis import get_instructions
from functools import cache
from itertools import count, pairwise
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
RESULTS: dict = {}  # {id of a variable: (a weak reference to it, the name of the function of the user that returned it)}
PLACES: dict = {}  # {id of a variable: (a weak reference to it, file, number of the line, the calls, how many were made before)}
made_before = count()


def note(v, file, number, calls=()):
    """Remember the line of the program that made a variable; the first one stays. `calls` says where each running function of the user
    stood, the outermost first: a pair of numbers that grows along its code.
    """
    v = node_of(v)
    key = id(v)
    if key not in PLACES:
        PLACES[key] = ref(v, lambda _: PLACES.pop(key, None)), file, number, calls, next(made_before)


def note_written(v, text):
    """Remember how the program writes the function of a variable: F.softmax, or .view for a method of its first argument."""
    v = node_of(v)
    key = id(v)
    WRITTEN[key] = ref(v, lambda _: WRITTEN.pop(key, None)), text


def note_result(v, code, offset):
    """Remember the name of the function of the user that made a variable at an offset of its code, if it returns it at once."""
    if not has_telling_name(code) or offset not in returned_places(code):
        return
    v = node_of(v)
    key = id(v)
    RESULTS[key] = ref(v, lambda _: RESULTS.pop(key, None)), code.co_name


def has_telling_name(code):
    """Return whether the name of a function says what it returns: not that of a lambda, a method or a helper."""
    return code.co_name.isidentifier() and not code.co_name.startswith("_") and code.co_varnames[:1] not in (("self",), ("cls",))


@cache
def returned_places(code):
    """Return the offsets in a function's code, with those of what is cached there, whose results it returns at once."""
    found = list(get_instructions(code))
    return {k for now, then in pairwise(found) if then.opname == "RETURN_VALUE" for k in range(now.offset, then.offset)}


def returned_by(v):
    """Return the name of the function of the user that returned a variable as it made it; None if nobody noted it."""
    reference, function = RESULTS.get(id(node_of(v)), (lambda: None, None))
    return None if reference() is None else function


def written_as(v):
    """Return how the program writes the function of a variable; "" if nobody noted it."""
    reference, text = WRITTEN.get(id(v), (lambda: None, ""))
    return "" if reference() is None else text


def made_at(v):
    """Return the SourceLine that made a variable, or None. A statement is made where its last operation is."""
    y = node_of(v)
    last = (getattr(y.rule, "operations", None) or [y])[-1]
    if (noted := PLACES.get(id(last))) is None or noted[0]() is None:
        return None
    _, file, number, *_ = noted
    return SourceLine(file, number, linecache.getline(file, number).strip())


def line_of(v):
    """Return (file, number) of the line of the program that made a variable; None if nobody noted it."""
    noted = PLACES.get(id(node_of(v)))
    return noted and noted[1:3]


def calls_of(v):
    """Return where each running function stood when it made a variable, as for `note`; () if nobody noted it."""
    noted = PLACES.get(id(node_of(v)))
    return noted[3] if noted else ()


def in_program_order(variables):
    """Return variables in the order in which the program made them; as they are given, if nobody noted that of one that is not a leaf."""
    noted = [PLACES.get(id(node_of(v))) for v in variables]
    if any(v.inputs and (place is None or place[0]() is None) for v, place in zip(variables, noted)):
        return variables
    numbers = [place[-1] if place else -1 for place in noted]
    return [variables[i] for i in sorted(range(len(variables)), key=numbers.__getitem__)]
