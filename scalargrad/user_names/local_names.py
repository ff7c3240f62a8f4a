"""named: give variables the names of the locals that hold them, in the functions that make them.

A function's locals are gone when it returns. So while a block `with named():` is open, each new variable calls its Witness,
which looks at the locals of the running functions, and once more at those of a function that has returned since. Outside such
a block nothing is recorded. A picture of a function, see function_result.py, also needs names for the leaves that it was given. They
stand where it was written: in the globals of its module, and in the functions around it.
"""

import sys
from collections import Counter
from contextlib import suppress
from functools import cache
from itertools import count
from weakref import ref

from scalargrad import modes
from scalargrad.callers import callers, has_known_names, is_users, only_looks
from scalargrad.user_names.array_names import fitting_rows, is_array, name_arrays, numbered
from scalargrad.user_names.held_items import (
    Item,
    alike,
    container_of,
    holds_items,
    is_a_name,
    item_of,
    items_of,
    names_in,
    path_of,
    within,
    written_in,
)
from scalargrad.user_names.made_at import note, note_result

OURS = 10**6  # more than the depth of any stack
MOST_KEYS = 32  # of a dictionary that is looked at again and again, since a loop may replace what it holds
LARGEST_KEPT = 10_000  # entries of a plain array of a loop that is kept for its name; of a larger one only the last is
COMPREHENSIONS = {"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"}
PASSES, MORE = 20, 100  # passes of a line that look for names, though there are many variables; times so many are named at all
ITEM, FORMER, WALKS = 0.1, 0.2, 0.4  # how much less a name counts: as an item, as one that a local held before, of a local that walks


class Local(str):
    """A name that a variable has from a local. Its own name, and a name where the picture is asked for, take precedence.

    `place` says how many variables had been made before: the passes of a loop are numbered in the order in which they ran. The items
    of a list that each pass replaces know its `number`, since not all of them may be in a graph. `path` is as in `Item`.
    """

    __slots__ = ("number", "path", "place")
    number: int | None
    path: str
    place: int

    def __new__(cls, text, place=0, number=None):
        name = super().__new__(cls, text)
        name.place, name.number, name.path = place, number, path_of(text)
        return name


class named(modes.Mode):
    """Give each variable that is made in this block the name of the local variable that holds it.

    Pictures, steps and messages then call variables as the functions that made them do. A variable keeps a name of its own. If
    it has several names, that in the function that made it counts, and then that in the outermost function; there the first that was
    assigned. An item of a list is hs[0] or theta[1][2], of a dictionary its key, params[w] if others have the key w too, an attribute of
    self its name, and the variable of a loop over it gives it no name. It is also a decorator. A picture of a function of no arguments,
    such as play(lambda: loss(w, x)), calls it in such a block. `most` is the number of variables after which a line no longer looks for
    names: its variables have the name that it gave before.

    >>> from scalargrad import Value
    >>> def loss(w, x):
    ...     h = w * x
    ...     return h * h
    >>> with named(): z = loss(Value(2.0), Value(3.0))
    >>> z.inputs[0]
    Value(6.0, name='h')
    """

    setting = modes.witness

    def __init__(self, most=None):
        super().__init__()
        self.most, self._open, self.leaves = most, [], None  # leaves: {id: leaf}, which keeps them alive, if anyone wants it

    @property
    def value(self):
        return self._open[-1]

    def __enter__(self):
        self._open.append(Witness(self))
        return super().__enter__()

    def __exit__(self, *exc):
        if self._open:  # else it has stopped by itself
            self._open.pop().look_at_last()
            super().__exit__(*exc)

    def _recreate_cm(self):
        return named(self.most)


class Made:
    """A variable that was made in the block: the function that made it, and how good the name is that it has from a local.

    A leaf that the function of a picture was given has none.
    """

    __slots__ = ("variable", "function", "line", "place", "rank")

    def __init__(self, variable, function, place, line=None):
        self.variable, self.function, self.place, self.rank = ref(variable), function, place, float("inf")
        self.line = line  # where its code stands, (id of code, offset): it is there in each pass


class Running:
    """A running function (or module) that uses variables: its place among these, the outermost first, and its names.

    A name in a function of ours, such as attention's `scores`, counts less than all names in the user's code: `below`. A comprehension
    belongs to the function, `owner`, that it is written in.
    """

    __slots__ = ("frame", "depth", "names", "below", "owner", "containers", "numbers", "given", "last")

    def __init__(self, frame, depth, around):
        self.frame, self.depth = frame, depth
        self.containers, self.numbers = {}, {}  # {name: the list or dictionary that it held at the last look}, {name: its number}
        self.below = OURS if has_known_names(frame.f_code.co_filename) else 0
        self.owner = around.owner if around and frame.f_code.co_name in COMPREHENSIONS else self
        self.names = names_in(frame.f_code)
        self.given: Counter = Counter()  # {name of a local: the variables that it has named}
        self.last = None  # the variable that its own code made last, weakly, and the place in the code

    def held(self):
        """Return (name, object, whether it only walks over items) for its locals, or for the names that the code of a module uses."""
        held = self.frame.f_locals
        return [(name, held[name], walks) for name, walks in self.names.items() if name in held]


class Witness:
    """Sees each new variable of a block, and names those that the locals of the running functions hold."""

    def __init__(self, block):
        self.block, self.places = block, count(1)
        self.made, self.running = {}, {}  # {id of a variable: its Made}, {frame: its Running}, the outermost first
        self.arrays = []  # plain arrays that functions took
        self.held_arrays = {}  # {(name, id): (a plain array of a local, its function)}
        self.seen, self.passes = 0, Counter()  # {line: its passes}
        self.named = {}  # {line: the names of its variables, None for an item with a number}
        self.codes = {}  # {id of code: the code}, which keeps its id
        self.given = {}  # {name of variables: the functions whose locals they are}
        self.alike: set = set()  # names of dictionaries of which others have a key too
        self.calls: dict = {}  # {where the running functions stood: the same}, so that all passes of a loop share it
        self.around = {}  # {code, or id of globals: the names that the functions of the user take from around them}

    def __call__(self, v):
        """Look at the locals that may have changed since the last new variable, and remember which function made this one."""
        self.seen += 1
        if self.block.most is not None and self.seen > self.block.most and self.recall(v):
            return
        frame, new = sys._getframe(1), []
        while frame is not None and frame not in self.running:
            if holds_variables(frame.f_code.co_filename):
                new.append(frame)
            elif not new and only_looks(frame.f_code.co_filename):
                return  # a picture computes at other numbers; these are not the user's variables
            frame = frame.f_back
        while self.running and next(reversed(self.running)) is not frame:
            self.finish()
        if frame is not None:
            self.look(self.running[frame])
        for frame in reversed(new):
            self.running[frame] = Running(frame, len(self.running), next(reversed(self.running.values()), None))
        if self.block.leaves is not None:
            self.look_around(reversed(new))
            for x in (getattr(x, "tensor", x) for x in (v, *self.inputs_of(v)) if not self.inputs_of(x)):
                if x is not None and not self.knows(x):
                    self.made[id(x)] = Made(x, None, next(self.places))
                    self.block.leaves[id(x)] = x
            self.see_arrays(getattr(v, "node", None))
        self.note_line(v)
        if self.running:
            frame, running = next(reversed(self.running.items()))
            self.made[id(v)] = Made(v, running.owner, next(self.places), (id(frame.f_code), frame.f_lasti))
            self.codes[id(frame.f_code)] = frame.f_code
            running.last = ref(v), frame.f_lasti

    def recall(self, v):
        """Give a variable the name that its line gave before. Return whether that is all: not for a line that has had few passes."""
        if self.seen > MORE * self.block.most:
            with suppress(ValueError):  # another task began the block
                self.block.__exit__()
            return True
        frame = sys._getframe(2)
        while frame is not None and not holds_variables(frame.f_code.co_filename):
            if only_looks(frame.f_code.co_filename):
                return True
            frame = frame.f_back
        line = frame and (id(frame.f_code), frame.f_lasti)
        self.passes[line] += 1
        names = self.named.get(line, ())
        if len(names) != 1 and self.passes[line] <= PASSES:
            return False
        if self.running and frame is not next(reversed(self.running)):
            self.running.clear()  # what has returned would keep its variables alive
        if len(names) == 1 and None not in names and self.may_name(v):
            self.give_name(v, Local(*names, next(self.places)))
        return True

    def see_arrays(self, node):
        """Remember the plain arrays that the function of a node took, as arguments and as options, such as the classes of a batch."""
        self.arrays += filter(is_array, (*getattr(node, "arguments", ()), *getattr(node, "options", ())))

    def knows(self, x):
        """Return whether x was made in the block, and does not only have the id of a variable that is gone."""
        made = self.made.get(id(x))
        return made is not None and made.variable() is x

    # What a variable is. A recorder of another library's variables says it for those.

    def inputs_of(self, x):
        return x.inputs

    def held_by(self, function):
        """Return what a running function holds, as `Running.held` does, with what this witness was called with."""
        return function.held()

    def name_of(self, x):
        return x.name

    def may_name(self, x):
        """Return whether a variable has no name of its own."""
        return not self.name_of(x) or type(self.name_of(x)) is Local

    def give_name(self, x, name):
        x.name = name

    def note_line(self, x):
        """Remember the line of the program that made a variable."""
        if (frame := next(callers(), None)) is not None:
            calls = tuple([(running.f_code.co_firstlineno, running.f_lasti) for running in self.running])
            note(x, frame.f_code.co_filename, frame.f_lineno, self.calls.setdefault(calls, calls))

    def finish(self):
        """Look for the last time at the locals of the innermost function, and forget it."""
        function = self.running.popitem()[1]
        self.look(function)
        last, place = function.last or (None, None)
        if last and not function.below and (v := last()) is not None:
            note_result(v, function.frame.f_code, place)
        self.see_alike(function)
        for name, held, walks in self.held_by(function):
            self.name_items(name, held, function, WALKS * walks + ITEM, function.numbers.get(name))
            if self.arrays and is_array(held):
                self.held_arrays.setdefault((name, id(held)), (held, function))
        function.frame, function.containers = None, {}

    def look_around(self, frames):
        """Remember what the user's functions take from around them: from the functions they are written in, and from their module."""
        for frame in frames:
            code = frame.f_code
            if code not in self.around and is_users(code.co_filename):
                held = frame.f_locals
                self.around[code] = {name: held[name] for name in code.co_freevars if name in held}
                self.around.setdefault(id(frame.f_globals), frame.f_globals)

    def catch_up(self):
        """Name what functions that have returned held, and what the running ones hold now: a picture is asked for before the block ends."""
        frame, on_stack = sys._getframe(1), set()
        while frame is not None:
            on_stack.add(frame)
            frame = frame.f_back
        while self.running and next(reversed(self.running)) not in on_stack:
            self.finish()
        for function in reversed(self.running.values()):
            self.look(function)
            self.see_alike(function)
        self.write_paths()

    def see_alike(self, function):
        """Remember the dictionaries of a function of which others have a key too."""
        held = [(name, x) for name, x, _ in self.held_by(function)]
        if any(isinstance(x, dict) for _, x in held):
            self.alike |= alike(held)

    def write_paths(self):
        """Write the items of these dictionaries with their container: weights[age] beside house["age"]."""
        for x in (made.variable() for made in self.made.values() if self.alike):
            own = None if x is None else self.name_of(x)
            if type(own) is Local and container_of(own.path) in self.alike:
                self.give_name(x, Local(own.path, own.place, own.number))

    def look_at_last(self):
        while self.running:
            self.finish()
        self.write_paths()
        leaves = {i for i, made in self.made.items() if made.function is None}
        for held in self.around.values():
            for name, x in written_in(list(held.items()), lambda x: id(x) in leaves):
                if id(x) in leaves:
                    leaves.remove(id(x))
                    self.name(x, name, None)
        if self.arrays:
            around = [(name, x) for held in self.around.values() for name, x in held.items() if is_a_name(name) and name not in self.given]
            held = [(self.name_beside(name, function), x) for (name, _), (x, function) in self.held_arrays.items() if is_a_name(name)]
            beside = numbered((name, x) for name, x in held if name)
            name_arrays(name_arrays(name_arrays(self.arrays, around), beside), around + beside, fitting_rows)

    def name_beside(self, name, function):
        """Return the name of a plain array that a function calls so: x_0, if it then gives the name to variables; None if others do."""
        return name if name not in self.given else f"{name}_0" if function in self.given[name] else None

    def look(self, function):
        """Name what the locals hold: variables, inputs in a new list, and the items of a list that another has replaced.

        What is computed into a list has a name if it is still there in the end.
        """
        containers, numbers, replaced = function.containers, function.numbers, []
        for name, x, walks in self.held_by(function):
            if self.block.leaves is not None and is_array(x) and x.size <= LARGEST_KEPT:
                self.held_arrays.setdefault((name, id(x)), (x, function))
            if id(x) in self.made:
                self.name(x, name, function, WALKS * walks)
            if (before := containers.get(name)) is not None and before is not x:
                if numbers[name] == 0 and any(self.inputs_of(item) for _, item in within(name, before, self.knows)):
                    numbers[name] = 1  # it began with what is given, and the loop has appended to it
                replaced.append((name, containers.pop(name), walks, numbers[name]))
            if type(x) is dict and len(x) <= MOST_KEYS:
                self.name_values(name, x, function, WALKS * walks + FORMER)
            if holds_items(x) and name not in containers:
                made = within(name, x, self.knows)
                # A list of what is given has number 0, if a loop makes numbers 1, 2, … of it.
                begins = any(True for _ in items_of(x)) and not any(self.inputs_of(item) for _, item in made)
                containers[name], numbers[name] = x, numbers[name] + 1 if name in numbers else int(not begins)
                for written, item in made:
                    if not self.inputs_of(item):
                        self.name(item, written, function, WALKS * walks + FORMER, numbers[name])
        for name, before, walks, number in replaced:
            if not any(before is held for held in containers.values()):
                self.name_items(name, before, function, WALKS * walks + FORMER, number)

    def name_values(self, name, held, function, less):
        """Name what a dictionary holds under its keys now; a loop may replace it: state["v"] = ..."""
        for key, x in held.items():
            if type(key) is str and self.knows(x) and self.inputs_of(x):
                self.name(x, item_of(name, held, key), function, less)

    def name_items(self, name, held, function, less, number):
        """Name the items of a list. If some have no other name, those of a local that has held several variables are named so too: of
        s in `w.append(s)`, only the last value may have been seen.
        """
        items = list(within(name, held, self.knows))
        nameless = any(self.made[id(item)].rank > less + function.below and self.inputs_of(item) for _, item in items)
        for written, item in items:
            passing = nameless and self.inputs_of(item) and function.given[str(self.name_of(item))] > 1
            self.name(item, written, function, -ITEM if passing else less, number)

    def name(self, x, name, function, less=0.0, number=None):
        """Give a variable made in this block the name of a local, unless it has a name of its own or a better name from another local."""
        if not self.knows(x) or not self.may_name(x):
            return
        made = self.made[id(x)]
        if function is None:
            rank = -1  # what the function takes from around it has the name that it has there
        elif "]." in name:  # bodies[0].x: its place tells it from the x of another object, whose __init__ only knows x
            rank = max(less - FORMER, ITEM / 2) + function.below
        else:
            rank = less + function.below + (0 if made.function is function.owner else 1 + function.owner.depth)
        if rank < made.rank:
            made.rank = rank
            if made.line in self.named:
                self.named[made.line].discard(self.name_of(x))
            self.named.setdefault(made.line, set()).add(name if number is None else None)
            self.give_name(x, Local(name, made.place, number))
            self.given.setdefault(name, set()).add(function)
            if function is not None:
                function.given[name] += 1
        elif made.rank >= 0 and type(own := self.name_of(x)) is Local:
            self.give_name(x, extended(own, name))


def extended(local, name):
    """Return a Local with the longer path of another name, if this leads to it from an object around. If it tells of which of several
    objects, it is the name.

    >>> extended(Local("neurons[0].b"), "layers[1].neurons[0].b"), extended(Local("b"), "net.b").path
    ('layers[1].neurons[0].b', 'net.b')
    """
    path = path_of(name)
    if path.endswith(f".{local}") and "]." in path[: -len(local)]:
        return Local(path, local.place, local.number)
    return Local(Item(local, path), local.place, local.number) if path.endswith(f".{local.path}") else local


@cache
def holds_variables(filename):
    """Return whether the functions of a file have locals that name variables: the user's, and ours that the literature names."""
    return is_users(filename) or has_known_names(filename)
