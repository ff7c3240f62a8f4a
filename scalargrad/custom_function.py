"""@function: turn a Python function of numbers into one function of the graph.

Its partials come from the chain rule inside it, or the user gives them; then the gradient check can verify them.
"""

import functools
from collections.abc import Callable

from scalargrad.fast.totals import total_derivatives
from scalargrad.fast.value import Constant, Value
from scalargrad.graph import inputs_first, show
from scalargrad.messages import errors
from scalargrad.modes import recording
from scalargrad.numeric import plain
from scalargrad.rule import applied_by_kind, on_numbers


class Function:
    """A function of the graph made from a Python function, with the same interface as a row of the table."""

    def __init__(self, f):
        functools.update_wrapper(self, f)
        self.f, self.name = f, f.__name__

    def __call__(self, *args):
        return applied_by_kind(self, args)

    def evaluate(self, *numbers):
        y = self._inside(numbers)[1]
        return y.data if isinstance(y, Value) else plain(y)

    of_arrays = evaluate

    def written(self, *symbols):
        return self.f(*symbols)

    def partials_at(self, slots, numbers, y):
        xs, y = self._inside(numbers)
        totals = total_derivatives(y) if isinstance(y, Value) else {}
        return tuple(totals.get(xs[slot], 0) for slot in slots)

    def partial(self, slot, args, y):
        return self.partials_for([slot], args, y)[0]

    def partials_for(self, slots, args, y):
        """Return ∂y/∂args[slot] for each of `slots` from the chain rule inside; `args` are numbers, variables or formulas."""
        if not any(isinstance(x, Value) for x in args):
            return self.partials_at(slots, args, y)
        xs = [on_its_own(x) for x in args]
        y = self.f(*xs)
        totals = total_derivatives(y, leaves=[x for x in xs if isinstance(x, Value)], create_graph=True) if isinstance(y, Value) else {}
        return [totals.get(xs[slot], 0) for slot in slots]

    def arguments(self, inputs):
        return inputs

    def _inside(self, numbers):
        """Run the function on new variables. Return those variables and the result."""
        xs = [Value(x) for x in numbers]
        with recording():
            y = self._checked(self.f(*xs))
        if isinstance(y, Value):
            refuse_outside(f"@function {self.name}", y, xs)
        return xs, y

    def _checked(self, y):
        if isinstance(y, Value):
            return y
        try:
            return plain(y)
        except TypeError:
            raise errors.wrong_result(f"@function {self.name}", y, "one number") from None

    def __repr__(self):
        return f"<function {self.name}>"

    def __reduce__(self):
        return self.__qualname__  # pickled by name, as Python's own functions are


def refuse_outside(what, z, own):
    """Raise ValueError if z depends on a variable that is not in `own`: its derivative would be lost silently."""
    own = set(own)
    for v in inputs_first(z):
        if not v.inputs and v not in own and not isinstance(v, Constant):
            raise errors.from_outside(what, show(v))


def on_its_own(x):
    """Return `x` as a new variable for one slot. So f(x, x) has a partial for each use, also if x is a constant."""
    return Value(x.data) if isinstance(x, Constant) else x + 0 if isinstance(x, Value) else x


class FunctionByHand(Function):
    """A function of the graph whose partials the user gives."""

    def __init__(self, f, partials):
        super().__init__(f)
        self.partials = partials

    def evaluate(self, *numbers):
        return self._checked(on_numbers(self.f, numbers))

    def partials_at(self, slots, numbers, y):
        found = self._all(numbers)
        return tuple(plain(found[slot]) for slot in slots)

    def partials_for(self, slots, args, y):
        found = self._all(args)
        return [found[slot] for slot in slots]

    def _all(self, args):
        found = self.partials(*args)
        found = tuple(found) if isinstance(found, (tuple, list)) else (found,)
        if len(found) != len(args):
            raise errors.wrong_number_of_partials(self.name, len(found), len(args))
        return found


def function(f: Callable | None = None, *, partials: Callable | None = None):
    """Turn a Python function of numbers into one function of the graph: one node, whatever it computes inside.

    `f` may use Python's operators and scalargrad's functions. Its partials follow from the chain rule inside it. Or give
    `partials`, a function of the same inputs that returns one partial for each. Then `f` may compute in any way, for example
    with `math`, and `check` verifies the partials. Raises ValueError if their number is wrong.

    >>> @function
    ... def f3(x1, y1, y2): return x1 * y1 + y2
    >>> z = f3(Value(3), Value(6), Value(16)); z.data, z.partials
    (34, (6, 3, 1))
    """
    if f is None:
        return lambda f: function(f, partials=partials)
    if isinstance(f, Function) or not callable(f):
        raise errors.not_a_function("function", f, "@function above a Python function")
    return Function(f) if partials is None else FunctionByHand(f, partials)
