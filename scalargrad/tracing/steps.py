"""What a schedule is, and the step that each executed line of its pseudocode leaves behind."""

from collections.abc import Callable, Mapping
from inspect import signature
from typing import NamedTuple

STATE = {  # what a step's `state` may hold; terminal, page and narration know how to show each
    "pending": "{variable: how many contributions it still waits for}",
    "ready": "the variables whose total derivatives are complete but not yet passed on",
    "tape": "all variables, in the order in which they were made",
    "place": "the place on the tape that the loop reads",
    "given": "the steps of the entries that are not shown; they come before all others",
    "ordering": "the nodes that are still to pass on their gradients",
    "nodes": "{variable: its gradient, and whether it is still connected to its inputs}",
    "path": "the edges of the path that the loop follows",
}


class Step(NamedTuple):
    """One executed line of a schedule. What a line does not touch is None.

    `act` says what the line did; `x` is the current variable, `y` its child, and x is input number `slot` of y's function.
    `total` is the sum for dz/dx so far. `log` holds (variable, total) for every insertion of the whole run; the first `known`
    of them have happened. `state` is what else the schedule keeps; STATE lists what there is.
    """

    line: int | None
    act: str
    iteration: int = 0
    x: object = None
    y: object = None
    slot: int | None = None
    partial: object = None
    upstream: object = None
    term: object = None
    total: object = None
    known: int = 0
    log: list | tuple = ()
    state: dict | None = None

    @property
    def computed(self):
        """Return the dictionary {x: dz/dx} after this step."""
        return dict(self.log[: self.known])


class Schedule:
    """One way to evaluate equation (1), and everything that terminal, page, quiz and command line must know about it.

    `listing` is its pseudocode, {line number: text}. `loop` is a generator function of (graph, on) and of its own options; it
    yields a Step for each executed line. `plain` is the same loop as a plain function, with one line for each line of the
    listing; None if there is none. If a schedule `scatters`, each variable y passes a contribution to each of its inputs x;
    otherwise each x collects a term from each of its children y. If it `takes_order`, the user may choose `graph.order`.
    `keeps` names what its steps hold in `state`.
    """

    def __init__(
        self,
        name: str,
        listing: Mapping[int, str],
        loop: Callable,
        plain: Callable | None,
        scatters: bool,
        takes_order: bool,
        keeps: tuple[str, ...],
    ):
        self.name, self.listing, self.loop, self.plain = name, listing, loop, plain
        self.scatters, self.takes_order, self.keeps = scatters, takes_order, keeps
        unknown = sorted(set(keeps) - set(STATE))
        if unknown:
            raise ValueError(f"schedule {name!r} keeps {', '.join(unknown)}, which nothing shows; choose from {', '.join(STATE)}")

    @property
    def called(self):
        """Return the name that the listing gives to the dictionary of total derivatives."""
        return "grad" if "nodes" in self.keeps else "total" if self.scatters else "computed"

    @property
    def along_paths(self):
        """Return whether a term of the sum belongs to a path from x to z, not to an edge."""
        return "path" in self.keeps

    @property
    def gathers(self):
        """Return whether each iteration computes one total derivative, edge by edge, as the tutorial does."""
        return not (self.scatters or self.along_paths)

    @property
    def options(self):
        """Return the names of the options that the loop takes."""
        return list(signature(self.loop).parameters)[2:]
