"""named: give variables the names of the locals that hold them, in the functions that make them.

A function's locals are gone when it returns. So while a block `with named():` is open, each new variable calls its Witness,
which looks at the locals of the running functions, and once more at those of a function that has returned since. Outside such
a block nothing is recorded.
"""

import sys
from functools import cache
from inspect import CO_OPTIMIZED, signature
from types import ModuleType
from weakref import ref

from scalargrad import modes
from scalargrad.callers import called_function, is_users, is_written_with_variables
from scalargrad.graph import is_function

GENERIC = {"other", "_"}
OURS = 10**6  # more than the depth of any stack
MOST_ITEMS = 1000  # of a list or a dictionary whose items get names


class Local(str):
    """A name that a variable has from a local. Its own name, and a name where the picture is asked for, take precedence."""

    __slots__ = ()


class named(modes.Mode):
    """Give each variable that is made in this block the name of the local variable that holds it.

    Pictures, steps and messages then call variables as the functions that made them do. A variable keeps a name of its own. If
    it has several names, that in the function that made it counts, and then that in the outermost function. An item of a list
    is hs[0], of a dictionary its key, an attribute of self its name. It is also a decorator. A picture of a function of no
    arguments, such as play(lambda: loss(w, x)), calls it in such a block. `most` is the number of variables after which it stops.

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
    """A variable that was made in the block: the function that made it, and how good the name is that it has from a local."""

    __slots__ = ("variable", "function", "rank")

    def __init__(self, variable, function):
        self.variable, self.function, self.rank = ref(variable), function, float("inf")


class Running:
    """A running function (or module) that uses variables: its place among these, the outermost first, and its names.

    A name in a function of ours, such as attention's `scores`, counts less than all names in the user's code: `below`.
    """

    __slots__ = ("frame", "depth", "names", "below")

    def __init__(self, frame, depth):
        self.frame, self.depth, code = frame, depth, frame.f_code
        self.below = OURS if is_written_with_variables(code.co_filename) else 0
        names = (*code.co_varnames, *code.co_cellvars) if code.co_flags & CO_OPTIMIZED else code.co_names
        self.names = list(filter(is_a_name, names))

    def held(self):
        """Return (name, object) for its locals, or for the names that the code of a module uses."""
        held = self.frame.f_locals
        return [(name, held[name]) for name in self.names if name in held]


class Witness:
    """Sees each new variable of a block, and names those that the locals of the running functions hold."""

    def __init__(self, block):
        self.block, self.made, self.running = block, {}, {}  # {id of a variable: its Made}, {frame: its Running}, the outermost first

    def __call__(self, v):
        """Look at the locals that may have changed since the last new variable, and remember which function made this one."""
        if self.block.most is not None and len(self.made) >= self.block.most:
            self.block.__exit__()
            return
        frame, new = sys._getframe(1), []
        while frame is not None and frame not in self.running:
            if holds_variables(frame.f_code.co_filename):
                new.append(frame)
            frame = frame.f_back
        while self.running and next(reversed(self.running)) is not frame:
            self.finish()
        if frame is not None:
            self.look(self.running[frame])
        for frame in reversed(new):
            self.running[frame] = Running(frame, len(self.running))
        if self.block.leaves is not None:
            self.block.leaves |= {id(x): getattr(x, "tensor", x) for x in (v, *v.inputs) if not x.inputs}
        if self.running:
            self.made[id(v)] = Made(v, next(reversed(self.running.values())))

    def finish(self):
        """Look for the last time at the locals of the innermost function, and forget it."""
        function = self.running.popitem()[1]
        self.look(function)
        for name, held in function.held():
            for written, item in within(name, held):
                self.name(item, written, function, 0.5)
        function.frame = None

    def look_at_last(self):
        while self.running:
            self.finish()

    def look(self, function):
        for name, x in function.held():
            if id(x) in self.made:
                self.name(x, name, function)

    def name(self, x, name, function, less=0.0):
        """Give a variable made in this block the name of a local, unless it has a name of its own or a better name from another local."""
        made = self.made.get(id(x))
        if made is None or made.variable() is not x or (x.name and type(x.name) is not Local):
            return
        rank = less + function.below + (0 if made.function is function else 1 + function.depth)
        if rank < made.rank:
            made.rank, x.name = rank, Local(name)


@cache
def holds_variables(filename):
    """Return whether the functions of a file have locals that name variables: the user's, and ours that are made of other functions."""
    return is_users(filename) or is_written_with_variables(filename)


def is_a_name(text):
    """Return whether code calls a variable so, and not Python or a test's own machinery."""
    return text.isidentifier() and not text.startswith("__") and text not in GENERIC


def within(name, held):
    """Yield (how code writes it, object) for what a list, a dictionary or an object that code calls `name` holds."""
    if isinstance(held, list | tuple):
        if len(held) <= MOST_ITEMS:
            yield from ((f"{name}[{i}]", item) for i, item in enumerate(held))
    elif type(held) is dict:
        if len(held) <= MOST_ITEMS:
            yield from ((key, item) for key, item in held.items() if type(key) is str)
    elif hasattr(held, "__dict__") and not isinstance(held, type | ModuleType) and not hasattr(type(held), "__get__"):
        own = "" if name == "self" else f"{name}."
        yield from ((own + key, item) for key, item in vars(held).items() if not key.startswith("_"))


# A picture of a function


def result_of(z):
    """Return z and {}; of a function of no arguments, what it returns, and the leaves that it uses, whose arrays would else be lost.

    The variables that the function makes get the names of its locals.
    """
    if not is_function(z):
        return z, {}
    try:
        signature(getattr(z, "forward", z)).bind()  # the call of a module takes what its forward takes
    except TypeError:
        function, name = called_function(), getattr(z, "__name__", "model" if hasattr(z, "forward") else "f").replace("<lambda>", "f")
        raise TypeError(f"{function}: {name} is a function that takes arguments; write {function}(lambda: {name}(x))") from None
    except ValueError:
        pass  # a function of C that does not say what it takes
    block = named()
    block.leaves = {}
    with block:
        return z(), block.leaves
