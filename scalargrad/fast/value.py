"""Added: the Value that users import, with names, constants, scopes and modes. Refused: what is not a real number.

It has the engine's operators. The files beside this one say what each makes faster, adds or refuses.
"""

import operator
from functools import wraps
from math import ceil, floor, trunc

from scalargrad import modes
from scalargrad.engine import Operators
from scalargrad.fast.backward import backward
from scalargrad.fast.comparing import Comparing
from scalargrad.fast.copying import copy_graph, reduce_graph
from scalargrad.fast.edges import Edges
from scalargrad.fast.numpy_ufuncs import array_ufunc
from scalargrad.formulas import docstrings  # noqa: F401  (writes the docstrings, which the methods share)
from scalargrad.graph import inputs_first
from scalargrad.messages.anomaly import remember_line, require_finite
from scalargrad.messages.errors import refuse_argument, refuse_data, refuse_matmul, refuse_name, refuse_value, refuse_xor
from scalargrad.messages.foreign_names import VALUE, answer
from scalargrad.numeric import PLAIN, Unknown
from scalargrad.options import METHODS
from scalargrad.rule import WithConstants
from scalargrad.user_names import names


class Value(Edges, Comparing, Operators):
    """A variable: a number, and the function that made it. Derivatives with respect to it can be computed.

    `data` is an int, float or Fraction, and keeps that type; NumPy scalars become Python numbers. Messages and drawings show `name`.
    keep_grad=False makes a constant, which is drawn but has no gradient. `grad` starts at 0. If z depends on this variable,
    z.backward() sets its `grad`. Raises TypeError if data is not a real number.

    >>> x = Value(3, name="x"); y = x * x + 1; y.backward()
    >>> y.data, x.grad
    (10, 6)
    """

    __slots__ = ("_data", "grad", "rule", "_name", "_scope", "__weakref__")
    __array_ufunc__ = array_ufunc

    def __init__(self, data, inputs=(), partials=(), rule=None, *, name=None, keep_grad=True, **others):
        if others or (inputs and not (isinstance(partials, tuple | list) and len(partials) == len(inputs))):
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
                modes.show_to_witness(self)

    def _in_modes(self):
        self._scope = modes.open_scopes.get()
        if modes.anomalies_on.get():
            require_finite(self)
            remember_line(self)
        if modes.recording_off.get():
            self.inputs = self.partials = ()
            self.rule = None
            self.__class__ = Constant
        modes.show_to_witness(self)

    # An assignment makes the same checks as Value(...).

    def _set_data(self, data):
        self._data = data if type(data) in PLAIN else refuse_data(data, self)

    def _set_name(self, name):
        self._name = name if type(name) is str else refuse_name(name)

    data = property(operator.attrgetter("_data"), _set_data, doc="The number. Only a real number can be assigned.")

    def _get_name(self):
        return getattr(self, "_name", None)  # most variables leave this slot unset, which saves time

    name = property(_get_name, _set_name, doc="The name in messages and drawings, or None.")

    # The other operators are the engine's.

    def __pos__(self):
        """Return x itself: +x does not make a variable."""
        return self

    # fmt: off
    def __divmod__(self, other):        return self // other, self % other
    def __rdivmod__(self, other):       return other // self, other % self
    def __round__(self, decimals=None): return self.round(decimals or 0)
    # fmt: on

    __xor__ = __rxor__ = refuse_xor
    __matmul__ = __rmatmul__ = refuse_matmul

    @staticmethod
    def __apply__(row, args):
        """Return y = row(*args). A row calls this method if one of its arguments is a variable."""
        numbers = []
        for x in args:
            if isinstance(x, Value):
                numbers.append(x._data)
            elif type(x) in PLAIN or isinstance(x, Unknown):
                numbers.append(x)
            elif hasattr(x, "__apply__"):  # a Tensor, which says how to combine the two
                return x.__apply__(row, args)
            else:
                numbers.append(refuse_argument(row, x, args))
        if Value not in map(type, args) and all(isinstance(x, Constant) for x in args if isinstance(x, Value)):
            return Value(row(*numbers), keep_grad=False)
        y, slots = row(*numbers), [i for i, x in enumerate(args) if isinstance(x, Value)]
        partials = row.partials_at(slots, numbers, y)
        if len(slots) < len(args):
            row = WithConstants(row, tuple(numbers), tuple(slots))
        return Value(y, [args[i] for i in slots], partials, row)

    # The graph

    @property
    def keep_grad(self):
        """Whether this variable has a gradient: false for a constant.

        False freezes a leaf and drops its gradient. True makes a constant a leaf. Raises ValueError for False if a function made the
        variable, because intermediate variables keep their gradients.
        """
        return not isinstance(self, Constant)

    @keep_grad.setter
    def keep_grad(self, keep):
        if self.inputs and not keep:
            raise ValueError(
                f"{names.called_one(self)}.keep_grad = False: a function made it, and intermediate variables keep their gradients; "
                "freeze a leaf, or use .detach()"
            )
        if bool(keep) != self.keep_grad:
            self.__class__ = Value
            self.grad = 0
            self.__class__ = Value if keep else Constant

    @property
    def scope(self):
        """The names of the scopes in which this variable was made, the outermost first."""
        return getattr(self, "_scope", ())  # most variables leave this slot unset, which saves time

    @property
    def arguments(self):
        """The arguments of the function that made this variable: variables and plain numbers. () for a leaf."""
        return self.rule.arguments(self.inputs) if self.rule else ()

    backward = backward

    def zero_grad(self):
        """Set the gradient of this variable and of all its ancestors to 0."""
        for v in inputs_first(self):
            v.grad = 0

    def detach(self):
        """Return a constant with the same number and name. It is not connected to the graph."""
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
    """Return a method that applies a function of plain numbers to the number."""
    return lambda self: function(self._data)


class Constant(Value):
    """A variable without a gradient. It is drawn, but a function of constants alone records nothing."""

    __slots__ = ()

    grad = property(lambda self: 0, lambda self, total: None, doc="Always 0: a constant has no gradient, whatever is assigned.")

    # A constant may become a plain number, because it has no derivative to lose.

    __float__, __int__, __complex__, __index__ = map(of_data, (float, int, complex, operator.index))
    __trunc__, __floor__, __ceil__ = map(of_data, (trunc, floor, ceil))

    def backward(self, upstream=1, create_graph=False):
        raise ValueError(
            f"backward(): {names.called_one(self)} is a constant: it was made from constants, detached, or made under no_grad, "
            "so it does not depend on a variable; make it from Values, outside no_grad"
        )


def method(function):
    """Return a function as a method: x.exp() is exp(x)."""

    @wraps(function, updated=())
    def call(self, *others, **named):
        return function(self, *others, **named)

    return call


def in_place(operation):
    """Return the method of an in-place operator, such as x += y.

    It makes a new variable, as x = x + y does. Under no_grad, where parameters are updated, it assigns the new number to a leaf.
    """

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
