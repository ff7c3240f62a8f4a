"""Loops of statements: the passes between the first and the last are hidden, and one box says how often they run. Of a short loop in a
graph that no window shows whole, the last pass is hidden too. The first pass may lack terms: `with_first`.

The graph has no loops; a loop of the program is found by its statements. Those of two passes have the same functions, and their inputs
are the same variables, or stand as far before them in their own pass, or in the pass before. Hiding passes changes no derivative: see
`statement.py`.
"""

from itertools import chain
from typing import NamedTuple

from scalargrad.fast.value import Constant
from scalargrad.statements.passes import pass_numbers
from scalargrad.statements.statement import inside
from scalargrad.statements.sums import row_of, shapes_of
from scalargrad.user_names.local_names import Local
from scalargrad.user_names.made_at import in_program_order, line_of

FEWEST = 4  # statements that a loop must hide: fewer are as easy to read as a box that says "2 more times"
FEWEST_PASSES = 3  # of a loop: two equal groups of lines are often no loop, but two coordinates or two layers
FEWEST_NAMED = 4  # passes that take the name of the last: three functions of one line, as in z = f(f(f(x))), may be alike too
LONGEST_PASS = 24  # statements
WINDOW = 12  # boxes; a page shows no more at once, so in a larger graph a short loop hides its last pass too
SCREEN = 25  # boxes; only in a larger graph a loop hides the inputs that each of its passes has of its own


class Loop(NamedTuple):
    """A run of passes: the statements of each, in one order, and those that are hidden. `numbers` are those of `pass_numbers`."""

    passes: list
    hidden: frozenset
    numbers: dict

    def number(self, k):
        """Return the number of the program's pass that makes the first statement of passes[k - 1]; 0 if none does."""
        return next((self.numbers[y] for y in self.passes[k - 1] if y in self.numbers), 0)


def loops_of(boxes, crowded=True, kept=frozenset()):
    """Return the loops among these boxes, which are in order, the one that hides most first, and how many boxes are left.

    Inputs that only one pass takes are hidden if more boxes are left than fit on a screen, and the graph is `crowded` otherwise too.
    A box that is `kept` is in no loop.
    """
    loops, hidden, left = [], set(), len(boxes)
    while loop := largest_loop([y for y in boxes if y not in hidden], set(boxes) - hidden, left, crowded and left > SCREEN, kept):
        loops.append(loop._replace(numbers=pass_numbers(loop.passes, in_program_order(boxes))))
        hidden |= loop.hidden
        left = len(boxes) - len(hidden)
    return loops, left


def largest_loop(boxes, shown, many, with_own_inputs, kept):
    """Return the loop that hides most of these many boxes; None if there is none."""
    orders = [in_program_order(boxes), boxes]
    lines = [Lines(order, shown, with_own_inputs, kept) for order in (orders if orders[0] != boxes else orders[:1])]
    for kind in (Lines.loops, Lines.short_loops) if many > WINDOW else (Lines.loops,):
        if loop := max(chain(*map(kind, lines)), key=lambda loop: (len(loop.hidden), len(loop.passes[1])), default=None):
            return loop
    return None


class Lines:
    """The statements of a graph in their order, and which of them are alike."""

    def __init__(self, boxes, shown, with_own_inputs, kept=frozenset()):
        self.kept = kept
        self.made, numbers = [y for y in boxes if y.inputs], {}
        self.place = {y: i for i, y in enumerate(self.made)}
        self.line = [line_of(y) or () for y in self.made]
        self.shape, self.taken = {}, {}  # {y: the shape of its formula}, {y: the boxes that its formula names, as often as it does}
        for y in self.made:
            operations, _ = inside(y, shown)
            self.shape[y] = shapes_of(operations, numbers)[y]
            self.taken[y] = [x for v in operations for x in v.inputs if x in shown]
        self.leaves = {y: [x for x in taken if not x.inputs] for y, taken in self.taken.items()}
        self.users: dict = {}
        for y, taken in self.taken.items():
            for x in taken:
                self.users.setdefault(x, set()).add(y)
        self.with_own_inputs = with_own_inputs
        self.form = [None if y in kept else (self.shape[y], self.seen_from(i, y)) for i, y in enumerate(self.made)]

    def seen_from(self, i, y):
        """Return what statement i takes: the distance to a statement, or the identity of any other variable."""
        return [self.place[x] - i if x in self.place else (id(x),) for x in self.taken[y]]

    def loops(self):
        """Yield the loops of which the first and the last pass are shown."""
        return filter(None, (self.loop(passes, passes[1:-1]) for passes in map(self.with_first, self.runs(3)) if len(passes) >= 4))

    def short_loops(self):
        """Yield the loops of which only the first pass is shown."""
        complete = ([each for each in passes if len(each) == len(passes[0])] for passes in self.runs(2))
        return filter(None, (self.loop(passes, passes[1:]) for passes in map(self.with_first, complete) if len(passes) >= 3))

    def runs(self, fewest=FEWEST_PASSES):
        """Yield the passes of each run: lists of statements, of which each is like the one before. The last may be shorter: a Kalman
        filter's last variance is never used, and a network's last layer may have another function.
        """
        n = len(self.made)
        for period in range(1, min(LONGEST_PASS, n // (fewest - 1)) + 1):
            i = 0
            while i + period < n:
                end = i
                while end + period < n and self.alike(end, end + period):
                    end += 1
                starts = [self.top(i, period), self.start(i, end, period), i] if end > i else ()
                for start in dict.fromkeys(starts):
                    firsts = range(start, end + (period + 1) // 2, period)  # the last pass counts if more than half of it is there
                    passes = [self.made[k : min(k + period, end + period)] for k in firsts]
                    if len(passes) >= fewest:
                        yield passes
                i = end + 1

    def alike(self, i, j, start=None):
        """Return whether statements i and j are the same functions of inputs at the same distance.

        If they are of the first and the second pass of a loop, which begins at `start`, then where j takes a variable of the first
        pass, i takes any that stands before the loop.
        """
        if self.form[i] == self.form[j] is not None:
            return True  # the commonest case
        y, later = self.made[i], self.made[j]
        if y in self.kept or later in self.kept or self.shape[y] != self.shape[later] or len(self.taken[y]) != len(self.taken[later]):
            return False
        return all(self.correspond(a, b, j - i, start) for a, b in zip(self.taken[y], self.taken[later]))

    def correspond(self, a, b, distance, start):
        if a is b:
            return True
        if b in self.place:
            if a in self.place and self.place[b] - self.place[a] == distance:
                return True
            return start is not None and start <= self.place[b] < start + distance and self.place.get(a, -1) < start
        own = self.with_own_inputs or isinstance(b, Constant)
        return own and not a.inputs and len(self.users[a]) == len(self.users[b]) == 1

    def top(self, i, period):
        """Return where a pass begins, of the loop that runs from statement i on: at the first line of its body; i if no line is known."""
        return min(range(i, i + period), key=lambda k: (self.line[k], k > 0 and self.line[k] == self.line[k - 1]))

    def start(self, i, end, period):
        """Return where the first pass begins: a pass before statement i, if that differs only in where the loop begins."""
        for first in range(i, min(i + period, end)):
            start = first - period
            if start >= 0 and all(self.alike(k, k + period, start) for k in range(start, first)):
                return start
        return i

    def with_first(self, passes):
        """Return passes, and before them the first one of the program, if that lacks terms or statements of the others: a network that
        begins with h = 0 and loss = 0 takes no state in its first pass, and adds nothing to a loss.
        """
        later, k = passes[0], self.place[passes[0][0]] - 1
        same: dict = {}  # {a statement of the first pass: that of the second}
        for y in reversed(later):
            if k >= 0 and self.lacks(self.made[k], y):
                same[self.made[k]] = y
                k -= 1
        first = [y for y in later if y in same.values()]
        fits = all(x not in same or same[x] in self.taken[y] for a, y in same.items() for x in self.taken[a])
        enough = 2 * len(first) > len(later) and self.made[k + 1] in same
        return [[*reversed(same)], *passes] if fits and enough and not self.kept.intersection(same) else passes

    def lacks(self, a, y):
        """Return whether the formula of `a` may be that of y without terms: y takes what `a` takes, or what a pass made in its place."""
        made, others = [x for x in self.taken[y] if x in self.place], [x for x in self.taken[a] if x not in self.taken[y]]
        return row_of(a) is row_of(y) and len(self.taken[a]) <= len(self.taken[y]) and len(others) <= len(made)

    def loop(self, passes, between):
        """Return the loop that hides the passes `between`; None if it hides too little, or others use what it hides."""
        middle = {y for each in between for y in each}
        hidden = {y for y in middle if y in self.users and self.users[y] <= middle}
        early = between[: -2 if len(between) > 3 else -1]  # a pass may take what the last two before it made
        if len(hidden) < FEWEST or not all(y in hidden for each in early for y in each):
            return None
        inputs = {x for x in {x for y in middle for x in self.leaves[y]} if self.users[x] <= middle}
        return Loop(passes, frozenset(hidden | inputs), {})


def named_alike(variables, wishes):
    """Return names for what a loop makes in each pass, if the program has one for that of a single pass, which is mostly the last.

    All have this name, also what the first pass begins with, as if they were locals of a function.
    """
    if None not in wishes.values():
        return {}
    lines, found = Lines(variables, set(variables), True), {}
    passes = max(lines.runs(FEWEST_NAMED), key=lambda passes: len(passes) * len(passes[0]) - len(passes[0]), default=[])
    for made in zip(*passes):
        names = {wishes[y] for y in made}
        if None in names and len(names) == 2:
            (name,) = names - {None}
            found |= dict.fromkeys(made, Local(name))
    begun = {y for y in found if y in set(*passes[:1])}
    for first, second in zip(*passes[:2]):
        for x, y in zip(lines.taken[first], lines.taken[second]):
            if y in begun and wishes[x] is None and not x.inputs:
                found.setdefault(x, found[y])
    return found


def revealed(y, hidden, loops, boxes):
    """Return what is shown if the pass is opened that makes y: its statements, and what these take; the pass beside it, if it is alone."""
    passes, k = next((loop.passes, k) for loop in loops for k, each in enumerate(loop.passes) if y in set(each))
    found = {*passes[k], *(x for v in passes[k] for x in inside(v, boxes)[1] if x.inputs)}
    left = hidden - found
    is_hidden = lambda k: k < len(passes) and not left.isdisjoint(passes[k])  # the first pass never is
    for beside, beyond in ((k - 1, k - 2), (k + 1, k + 2)):
        if is_hidden(beside) and not is_hidden(beyond):
            found.update(passes[beside])
    return found
