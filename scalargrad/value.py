"""A variable that holds one number: it remembers the function that made it, its inputs, and its partials at this point.

∂y/∂x is worked out when y is made and kept beside the inputs, so going backward is multiply and add, and a later change
of `.data` cannot reach it. A variable holds its inputs and nothing that points back at it: dropping z frees the graph.
The operators that any loop is full of are written out here; tests hold them equal to their rows in the table.
"""

import operator
from functools import wraps
from math import ceil, floor, trunc

from scalargrad import engine, modes, names
from scalargrad.anomaly import remember_line, require_finite
from scalargrad.backward import backward
from scalargrad.copying import copy_graph, reduce_graph
from scalargrad.engine import made_by
from scalargrad.errors import refuse_argument, refuse_data, refuse_matmul, refuse_name, refuse_upstream, refuse_value, refuse_xor
from scalargrad.foreign_names import VALUE, answer
from scalargrad.formulas import docstrings  # noqa: F401  (writes the docstrings, which the methods share)
from scalargrad.graph import inputs_first
from scalargrad.numeric import PLAIN, Unknown
from scalargrad.numpy_ufuncs import array_ufunc
from scalargrad.options import METHODS


class Value(engine.Value):
    """A variable: a number whose derivatives can be asked for.

    `data` is an int, float or Fraction and stays of that kind (NumPy scalars become Python numbers). `name` is shown
    in messages and drawings. `keep_grad=False` makes a constant that is drawn but has no gradient.
    `grad` starts at 0; `backward()` of a variable that depends on this one fills it. TypeError for anything but a real number.

    >>> x = Value(3, name="x"); y = x * x + 1; y.backward()
    >>> y.data, x.grad
    (10, 6)
    """

    __slots__ = ("_name", "_scope", "__weakref__")
    __array_ufunc__ = array_ufunc

    def __init__(self, data, inputs=(), partials=(), rule=None, *, name=None, keep_grad=True, **others):
        if others or (inputs and not isinstance(partials, tuple | list)):
            refuse_value(inputs, partials, others)
        self._data = data
        self.grad = 0
        self.rule = rule
        self._mark = None
        if name is not None:
            self.name = name
        if inputs:
            self.inputs = inputs
            self.partials = partials
            if modes.active:
                self._in_modes()
        else:
            self._x1 = self._d1 = self._x2 = self._d2 = None
            if type(data) not in PLAIN:
                self._data = refuse_data(data)
            if not keep_grad:
                self.__class__ = Constant
            if modes.active:
                self._scope = modes.open_scopes.get()

    def _in_modes(self):
        self._scope = modes.open_scopes.get()
        if modes.anomalies_on.get():
            require_finite(self)
            remember_line(self)
        if modes.recording_off.get():
            self.inputs = self.partials = ()
            self.rule = None
            self.__class__ = Constant

    # What is assigned is checked as what a Value is made of.

    def _set_data(self, data):
        self._data = data if type(data) in PLAIN else refuse_data(data, self)

    def _set_name(self, name):
        self._name = name if type(name) is str else refuse_name(name)

    data = property(operator.attrgetter("_data"), _set_data, doc="The number that it holds; only a real number can be assigned.")

    def _get_name(self):
        return getattr(self, "_name", None)  # most have none, and bear no cost

    name = property(_get_name, _set_name, doc="What messages and drawings call it, or None.")

    # Operators of the engine are for variables and numbers; these are for variables only, or are refused.

    def __pos__(self):
        """+x is x itself: a sign that is no function."""
        return self

    def __divmod__(self, other):
        return self // other, self % other

    def __rdivmod__(self, other):
        return other // self, other % self

    def __round__(self, decimals=None):
        return self.round(decimals or 0)

    __xor__ = __rxor__ = refuse_xor
    __matmul__ = __rmatmul__ = refuse_matmul

    # Comparisons look at the numbers; as keys of a dictionary variables are told apart by identity.

    def __lt__(self, other):
        return self._data < number_of(other)

    def __le__(self, other):
        return self._data <= number_of(other)

    def __gt__(self, other):
        return self._data > number_of(other)

    def __ge__(self, other):
        return self._data >= number_of(other)

    def __eq__(self, other):
        return self._data == (other._data if isinstance(other, Value) else other)

    __hash__ = object.__hash__

    def __bool__(self):
        return bool(self._data)

    def _cut(self):
        x = names.called_one(self)
        raise TypeError(
            f"cannot convert {x} to a plain number: its derivative would be lost; use the method or scalargrad's function "
            f"(x.exp(), scalargrad.exp(x)) instead of math's, or write {x}.data for its number"
        )

    __float__ = __int__ = __complex__ = __index__ = __trunc__ = __floor__ = __ceil__ = _cut

    @staticmethod
    def __apply__(row, args):
        """Return y = row(*args). A row calls this method if one of its arguments is a variable."""
        numbers = []
        for x in args:
            if isinstance(x, Value):
                numbers.append(x._data)
            elif type(x) in PLAIN or isinstance(x, Unknown):
                numbers.append(x)
            elif hasattr(x, "__apply__"):  # a variable of another kind of graph decides
                return x.__apply__(row, args)
            else:
                numbers.append(refuse_argument(row, x, args))
        if Value not in map(type, args) and all(isinstance(x, Constant) for x in args if isinstance(x, Value)):
            return Value(row(*numbers), keep_grad=False)
        return made_by(Value, row, args, numbers)

    # The graph

    @property
    def keep_grad(self):
        """Whether this variable has a gradient: false for a constant.

        Setting it freezes a leaf, whose gradient is then gone, or makes a constant a leaf. ValueError for False where a function
        made the variable: numbers keep the gradients of all variables in between.
        """
        return not isinstance(self, Constant)

    @keep_grad.setter
    def keep_grad(self, keep):
        if self.inputs and not keep:
            raise ValueError(
                f"{names.called_one(self)}.keep_grad = False: a function made it, and gradients in between are kept; freeze a leaf, or "
                "use .detach()"
            )
        if bool(keep) != self.keep_grad:
            self.__class__ = Value
            self.grad = 0
            self.__class__ = Value if keep else Constant

    @property
    def scope(self):
        """The names of the scopes that this variable was made in, the outermost first."""
        return getattr(self, "_scope", ())  # most are made in none, and bear no cost

    @property
    def arguments(self):
        """What the function that made this variable was called with: variables, and plain numbers where it had constants."""
        return self.rule.arguments(self.inputs) if self.rule else ()

    def backward(self, upstream=1, create_graph=False):
        """Fill `.grad` of every ancestor x with dz/dx, where z is this variable (times `upstream`).

        Gradients of inputs of the graph add up over calls until `zero_grad`; those of variables in between show the last
        call. With create_graph=True gradients are Values that can be differentiated again.
        """
        if not isinstance(upstream, Value):
            upstream = refuse_upstream(upstream)
        backward(self, upstream, create_graph)

    def zero_grad(self):
        """Set the gradient of this variable and of all its ancestors to 0."""
        for v in inputs_first(self):
            v.grad = 0

    def detach(self):
        """The same number as a constant, cut off from the graph."""
        return Value(self._data, name=self.name, keep_grad=False)

    def __repr__(self):
        grad = f", grad={self.grad!r}" if self.grad != 0 else ""
        name = f", name={self.name!r}" if self.name else ""
        return f"Value({self._data!r}{grad}{name})"

    def __format__(self, spec):
        return format(self._data, spec) if spec else str(self)

    def __deepcopy__(self, memo):
        return copy_graph(self, memo)

    def __reduce__(self):
        return reduce_graph(self)


def of_data(function):
    """`function` of the plain number as a method."""
    return lambda self: function(self._data)


class Constant(Value):
    """A variable without a gradient: it is drawn and stepped over, but nothing is recorded or kept for it."""

    __slots__ = ()

    @property
    def grad(self):
        return 0

    @grad.setter
    def grad(self, total):
        pass

    # Nothing is lost where a constant becomes a plain number.

    __float__, __int__, __complex__, __index__ = map(of_data, (float, int, complex, operator.index))
    __trunc__, __floor__, __ceil__ = map(of_data, (trunc, floor, ceil))

    def backward(self, upstream=1, create_graph=False):
        raise ValueError(
            f"backward(): {names.called_one(self)} is a constant: it was made from constants, detached, or made under no_grad, "
            "so no variable leads to it; make it from Values, outside no_grad"
        )


def number_of(x):
    return x._data if isinstance(x, Value) else x


def method(function):
    """`function` as a method: v.exp() is exp(v)."""

    @wraps(function, updated=())
    def call(self, *others, **named):
        return function(self, *others, **named)

    return call


def in_place(operation):
    """x += ... gives the name x to a new variable; but under no_grad, where parameters are updated, a leaf takes the new number."""

    def call(self, other):
        y = operation(self, other)
        if modes.active and modes.recording_off.get() and self.keep_grad and not self.inputs and isinstance(y, Value):
            self.data = y.data
            return self
        return y

    return call


for _name in ("add", "sub", "mul", "truediv", "pow"):
    setattr(Value, f"__i{_name}__", in_place(getattr(operator, _name)))
for _name, _function in METHODS.items():
    setattr(Value, _name, method(_function))
answer(Value, VALUE)
