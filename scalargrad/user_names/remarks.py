"""What is odd about a variable, in words: a table beside the variables, which have no room for it, while they live.

Who records a program fills it. Pictures mark the box of such a variable, and the step of the backward pass at it says the sentence.
"""

from collections.abc import Callable
from typing import NamedTuple
from weakref import ref

from scalargrad.graph import node_of


class Remark(NamedTuple):
    """`label` is a few words for the box of the variable, `text` a sentence. `slot` is the input that it is about; None for any."""

    label: str
    text: str
    slot: int | None = None


FOUND: dict = {}  # {id of a variable: (a weak reference to it, [a function that returns Remarks, or what it returned])}


def note(v, find: Callable):
    """Remember for a variable a function of no arguments that returns Remarks. It is called once, if a picture asks. It must not hold v."""
    v = node_of(v)
    key = id(v)
    if key not in FOUND:
        FOUND[key] = ref(v, lambda _: FOUND.pop(key, None)), []
    FOUND[key][1].append(find)


def remarks_of(v):
    """Return the Remarks on a variable; on a statement those on its operations, which are not about one of its inputs.

    >>> from scalargrad import Value
    >>> x = Value(3); note(x, lambda: [Remark("frozen", "x is frozen.")]); remarks_of(x)
    [Remark(label='frozen', text='x is frozen.', slot=None)]
    """
    y = node_of(v)
    operations = getattr(getattr(y, "rule", None), "operations", None)
    if operations is None:
        return remarks_on(y)
    return [remark._replace(slot=None) for inner in operations for remark in remarks_on(inner)]


def remarks_on(y):
    reference, finds = FOUND.get(id(y), (lambda: None, ()))
    if reference() is None:
        return []
    for k, find in enumerate(finds):
        finds[k] = list(find()) if callable(find) else find
    return list(dict.fromkeys(remark for found in finds for remark in found))
