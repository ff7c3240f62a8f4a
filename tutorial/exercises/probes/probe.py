"""A probe: the arguments for which an answer is compared with the solution; and probes of which each is computed when it is read."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple


class Probe(NamedTuple):
    """The arguments of one call, what the sentences of the wrong answers need, and how many calls of functions the answer may use.

    `facts` are fields of the sentences, {name: value}; a value that is a dictionary gives its entry for the wrong component. The fact
    `which`, if there is one, says what components are called: {"[0]": "dz/dA"}. `about` is one clause that says what the probe is. `shown`
    is the call as the learner would write it, where a frame stands between. `question` is what is asked about a wrong answer where many
    answers are right: then none of them is told. `part` is the component that the answer to this probe is, if the probes are of several
    kinds, and a program may be wrong for one of them alone.

    >>> Probe((2, 3), about="two numbers").calls
    100000
    """

    arguments: tuple
    facts: dict = {}
    calls: int = 100_000
    about: str = ""
    shown: str = ""
    question: str = ""
    part: str = ""


class Marks(NamedTuple):
    """A graph to draw: z, or what `small_graphs.whole` returns; and {name: what was got}, {name: what is right} at its variables.

    `steps` says whether these are derivatives that the steps of a backward pass would give.
    """

    z: Any
    got: dict
    right: dict
    steps: bool = True


class Computed(Sequence):
    """A sequence of the `length` items of an iterator.

    >>> squares = Computed((print(k) or k * k for k in range(3)), 3)
    >>> squares[1]
    0
    1
    1
    """

    def __init__(self, items: Iterator, length: int):
        self.items, self.length = items, length
        self.found: list = []

    def __getitem__(self, k):
        k = range(self.length)[k]  # counts a negative one from the end, and raises IndexError
        while len(self.found) <= k:
            self.found.append(next(self.items))
        return self.found[k]

    def __len__(self):
        return self.length
