"""What a row of the table of rules is: the name, the value and the partials of one function, for numbers of every class.

This file does not know any function or formula. A class of variables or formulas
(Value, Symbol, Tensor) has a method `__apply__(row, args)`, which applies a row to them.
"""

from functools import partial
from inspect import Parameter, signature

from scalargrad import numeric

#: {the name of an argument in another library, or its former name here: its name here}
CALLED = {
    **{"input": "x", "other": "b", "exponent": "b"},  # PyTorch
    **{"a_min": "min", "a_max": "max", "low": "min", "high": "max", "slope": "negative_slope", "c": "condition"},
}

#: {row: a function that computes its value on arrays}, where that is not the row's own formula; tensorgrad fills it
KERNELS: dict = {}


class Row:
    """One function with a fixed number of inputs: y = value(*inputs) and ∂y/∂input = partials[slot](*inputs, y).

    Calling a row applies the function to whatever it is given: plain numbers and arrays give a value, variables of a
    graph give a new variable, symbols give a formula. The parameters of `value`, with their defaults, are those of the row.
    `numpy` is its name in NumPy, if that differs. `option_of` names the function of which it is an option; users call that
    one. `formula` says what `value` computes where that is Python's own function.
    """

    def __init__(self, name, value, *partials, written=None, numpy="", option_of="", formula="", kinks="", about="", example=""):
        self.name, self.value, self.partials = name, value, partials
        self.numpy, self.option_of = numpy or name, option_of
        self.formula, self.kinks, self.about, self.example = formula, kinks, about, example
        self.written = written  # writes its formula; None writes a call, sin(x)
        self.__name__ = name
        self.__signature__ = callable_by_name(signature(value))

    def __call__(self, *args, **named):
        if named or len(args) != len(self.partials):
            args = self.bound(args, named)
        return applied_by_kind(self, args)

    def __get__(self, owner, kind=None):
        """Return the row itself, in a class too. Because of this method help() treats a row as a function, and shows its signature."""
        return self

    @property
    def parameters(self):
        """The names of its inputs."""
        return tuple(self.__signature__.parameters)

    def bound(self, args, named):
        """Return all arguments of a call in order, with the defaults. TypeError for a call that does not fit the signature."""
        given = dict(zip(self.parameters, args))
        for name in named:
            if name not in self.parameters:
                raise unknown_argument(self.name, name, self.__signature__)
            if name in given:
                raise TypeError(f"{self.name}: {name} is given twice; signature: {self.name}{self.__signature__}")
        defaults = {n: p.default for n, p in self.__signature__.parameters.items() if p.default is not Parameter.empty}
        found = defaults | given | named
        if len(found) < len(self.partials) or len(args) > len(self.partials):
            most = len(self.partials)
            least = f"{most - len(defaults)} or " * bool(defaults)
            raise TypeError(f"{self.name} takes {least}{most} number{'s' * (most > 1)}, got {len(args) + len(named)}")
        return [found[name] for name in self.parameters]

    def evaluate(self, *args):
        """Return the value at plain numbers."""
        return on_numbers(self.value, args)

    def of_arrays(self, *args):
        """Return the value at arrays, or at arrays and plain numbers."""
        return on_numbers(KERNELS.get(self, self.value), args)

    def partial(self, slot, args, y):
        """Return ∂y/∂args[slot] at `args`, where y is the value there. Numbers give a number, formulas a formula, variables a variable."""
        return self.partials[slot](*args, y)

    def partials_for(self, slots, args, y):
        """Return a list of ∂y/∂args[slot] for each of `slots`."""
        return [self.partial(slot, args, y) for slot in slots]

    def partials_at(self, slots, args, y):
        """Return ∂y/∂args[slot] for each of `slots`, at plain numbers."""
        try:
            found = self.partials_for(slots, args, y)
        except (ZeroDivisionError, OverflowError):
            found = [on_numbers(partial(self._partial, slot), (*args, y)) for slot in slots]
        return tuple([numeric.nan if type(number) is complex else +number for number in found])  # + makes True 1

    def _partial(self, slot, *args_and_y):
        return self.partial(slot, args_and_y[:-1], args_and_y[-1])

    def arguments(self, inputs):
        """Return the arguments of the call: the inputs, and the constants if there are any."""
        return inputs

    def __repr__(self):
        return f"<function {self.name}>"

    def __reduce__(self):
        return self.name  # its name in its module: a copy of a row is the row itself


class VariadicRow(Row):
    """A function of any number of inputs: y = value(*inputs) and ∂y/∂input = each(slot, inputs, y, common).

    `common(inputs, y)` is the part that the partials of all inputs share. It is computed once.
    """

    def __init__(self, name, value, each, common=lambda xs, y: None, inputs=("x1", "x2"), **columns):
        self.each, self.common, self.some_inputs = each, common, inputs
        super().__init__(name, value, **columns)

    parameters = property(lambda self: self.some_inputs, doc="Names of inputs, for its formulas; it takes any number of them.")

    def __call__(self, *args, **named):
        if named:
            raise unknown_argument(self.name, next(iter(named)), self.__signature__)
        return applied_by_kind(self, args)

    def partial(self, slot, args, y):
        return self.each(slot, args, y, self.common(args, y))

    def partials_for(self, slots, args, y):
        common = self.common(args, y)
        return [self.each(slot, args, y, common) for slot in slots]


class WithConstants:
    """A row with plain numbers among its arguments: `x ** 2` is pow with 2 as its second argument."""

    __slots__ = ("row", "template", "positions")

    def __init__(self, row, template, positions):
        self.row, self.template, self.positions = row, template, positions

    @property
    def name(self):
        return self.row.name

    def __call__(self, *inputs):
        return self.row(*self.arguments(inputs))

    def partial(self, slot, args, y):
        return self.row.partial(self.positions[slot], args, y)

    def partials_for(self, slots, args, y):
        return self.row.partials_for([self.positions[slot] for slot in slots], args, y)

    def arguments(self, inputs):
        args = list(self.template)
        for position, x in zip(self.positions, inputs):
            args[position] = x
        return tuple(args)

    def __repr__(self):
        return repr(self.row)

    def __reduce__(self):
        return WithConstants, (self.row, self.template, self.positions)


def callable_by_name(found):
    """Return the signature with parameters that can also be given by name. Those of Python's own abs cannot."""
    return found.replace(
        parameters=[p.replace(kind=p.POSITIONAL_OR_KEYWORD) if p.kind is p.POSITIONAL_ONLY else p for p in found.parameters.values()]
    )


def unknown_argument(function, word, signature, advice=None):
    """Return the TypeError for an argument that a function does not have, with advice or the name that it has here."""
    if advice is None:
        ours = CALLED.get(word)
        advice = f"here: {ours}" if ours in signature.parameters else ""
    called = function.removeprefix("@function ")
    return TypeError(f"{function}: unknown argument {word}={advice and f' ({advice})'}; signature: {called}{signature}")


def applied_by_kind(row, args):
    """Apply `row` to `args`. The first variable among them decides how; else a formula does, if there is one."""
    formula, arrays, others = None, False, []
    for x in args:
        if type(x) in numeric.PLAIN:
            continue
        if isinstance(x, numeric.Unknown):
            formula = x
        elif hasattr(x, "__apply__"):
            return x.__apply__(row, args)
        elif hasattr(x, "__array_namespace__"):
            arrays = True
        else:
            others.append(x)
    for x in others:
        require_number(row, x)
    if formula is not None:
        return formula.__apply__(row, args)
    return row.of_arrays(*args) if arrays else row.evaluate(*args)


def require_number(row, x):
    """Raise TypeError for an argument that is not a real number."""
    if isinstance(x, list | tuple):
        raise TypeError(f"{row.name} takes its numbers one by one, not in a {type(x).__name__}; write {row.name}(*numbers)")
    try:
        numeric.plain(x)
    except TypeError:
        raise TypeError(f"{row.name}: {' '.join(repr(x).split()):.40} is not a number; it takes real numbers and Values") from None


def on_numbers(formula, args):
    """Return `formula` of plain numbers or arrays. Where Python's arithmetic raises, use that of IEEE 754."""
    try:
        y = formula(*args)
    except (ZeroDivisionError, OverflowError):
        y = numeric.bare(formula(*map(numeric.Ieee, args)))
    return numeric.nan if type(y) is complex else y
