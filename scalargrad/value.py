"""A variable that holds one number: it remembers the function that made it, its inputs, and its partials at this point.

∂y/∂x is worked out when y is made and kept beside the inputs, so going backward is multiply and add, and a later change
of `.data` cannot reach it. A variable holds its inputs and nothing that points back at it: dropping z frees the graph.
The operators that any loop is full of are written out here; tests hold them equal to their rows in the table.
"""

from functools import update_wrapper, wraps
from math import ceil, floor, trunc
from operator import attrgetter, index

from scalargrad import modes, names, rules
from scalargrad.anomaly import remember_line, require_finite
from scalargrad.backward import backward
from scalargrad.copying import copy_graph, reduce_graph
from scalargrad.edges import Edges, flat
from scalargrad.errors import refuse_argument, refuse_data, refuse_matmul, refuse_name, refuse_upstream, refuse_value, refuse_xor
from scalargrad.foreign_names import VALUE, answer
from scalargrad.formulas import docstrings  # noqa: F401  (writes the docstrings, which the methods share)
from scalargrad.graph import inputs_first
from scalargrad.numeric import PLAIN, Unknown
from scalargrad.numpy_ufuncs import array_ufunc
from scalargrad.options import FUNCTIONS, METHODS
from scalargrad.rule import WithConstants

VARIABLE = object()  # stands for a variable in the template of a function that has constants


class Value(Edges):
    """A variable: a number whose derivatives can be asked for.

    `data` is an int, float or Fraction and stays of that kind (NumPy scalars become Python numbers). `name` is shown
    in messages and drawings. `keep_grad=False` makes a constant that is drawn but has no gradient.
    `grad` starts at 0; `backward()` of a variable that depends on this one fills it. TypeError for anything but a real number.

    >>> x = Value(3, name="x"); y = x * x + 1; y.backward()
    >>> y.data, x.grad
    (10, 6)
    """

    __slots__ = ("_data", "_name", "grad", "rule", "_scope", "__weakref__")
    __array_ufunc__ = array_ufunc

    def __init__(self, data, inputs=(), partials=(), rule=None, *, name=None, keep_grad=True, **others):
        if others or (inputs and not isinstance(partials, tuple | list)):
            refuse_value(inputs, partials, others)
        self._data = data
        self.grad = 0
        self.rule = rule
        self._name = name
        self._mark = None
        if inputs:
            self.inputs = inputs
            self.partials = partials
            if modes.active:
                self._in_modes()
        else:
            self._x1 = self._d1 = self._x2 = self._d2 = None
            if type(data) not in PLAIN:
                self._data = refuse_data(data)
            if name is not None:
                self.name = name
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

    data = property(attrgetter("_data"), _set_data, doc="The number that it holds; only a real number can be assigned.")
    name = property(attrgetter("_name"), _set_name, doc="What messages and drawings call it, or None.")

    # Operators. The other side is a Value, a number, or something that may know better (NotImplemented).

    def __add__(self, other):
        if isinstance(other, Value):
            try:
                return made(self._data + other._data, self, 1, other, 1, rules.add)
            except OverflowError:  # a whole number beyond all floats
                return applied(rules.add, self, other)
        return with_number(rules.add, self, other, 1)

    def __radd__(self, other):
        return with_number(rules.add, self, other, 1, number_first=True)

    def __mul__(self, other):
        if isinstance(other, Value):
            a, b = self._data, other._data
            try:
                return made(a * b, self, b, other, a, rules.mul)
            except OverflowError:
                return applied(rules.mul, self, other)
        return with_number(rules.mul, self, other, other)

    def __rmul__(self, other):
        return with_number(rules.mul, self, other, other, number_first=True)

    def __sub__(self, other):
        if isinstance(other, Value):
            try:
                return made(self._data - other._data, self, 1, other, -1, rules.sub)
            except OverflowError:  # a whole number beyond all floats
                return applied(rules.sub, self, other)
        return with_number(rules.sub, self, other, 1)

    def __rsub__(self, other):
        return with_number(rules.sub, self, other, -1, number_first=True)

    def __neg__(self):
        return made(-self._data, self, -1, None, None, rules.neg)

    def __pos__(self):
        """+x is x itself: a sign that is no function."""
        return self

    def __abs__(self):
        return rules.abs(self)

    def relu(self):
        """This number where it is positive, else 0; ∂y/∂x is 0 at 0."""
        x = self._data
        if type(x) is float:
            return made(x, self, 1, None, None, rules.relu) if x > 0 else made(0.0 if x <= 0 else x, self, 0, None, None, rules.relu)
        return applied(rules.relu, self)

    def __truediv__(self, other):
        return applied(rules.div, self, other)

    def __rtruediv__(self, other):
        return applied(rules.div, other, self)

    def __pow__(self, other):
        return applied(rules.pow, self, other)

    def __rpow__(self, other):
        return applied(rules.pow, other, self)

    def __mod__(self, other):
        return applied(rules.remainder, self, other)

    def __rmod__(self, other):
        return applied(rules.remainder, other, self)

    def __floordiv__(self, other):
        return applied(rules.floor_divide, self, other)

    def __rfloordiv__(self, other):
        return applied(rules.floor_divide, other, self)

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
        return applied(row, *args)

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
        return Value(self._data, name=self._name, keep_grad=False)

    def __repr__(self):
        grad = f", grad={self.grad!r}" if self.grad != 0 else ""
        name = f", name={self._name!r}" if self._name else ""
        return f"Value({self._data!r}{grad}{name})"

    def __format__(self, spec):
        return format(self._data, spec) if spec else str(self)

    def __deepcopy__(self, memo):
        return copy_graph(self, memo)

    def __reduce__(self):
        return reduce_graph(self)


def made(data, x1, d1, x2, d2, rule):
    """What a function made: a Value of what is known to be right, without the questions that a user's call is asked."""
    v = _new(Value)
    v._data = data
    v.grad = 0
    v._x1 = x1
    v._d1 = d1
    v._x2 = x2
    v._d2 = d2
    v.rule = rule
    v._name = None
    v._mark = None
    if modes.active:
        v._in_modes()
    return v


_new = object.__new__


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

    # Where only constants meet nothing is recorded; so they go the long way.

    def __add__(self, other):
        return applied(rules.add, self, other)

    def __radd__(self, other):
        return applied(rules.add, other, self)

    def __mul__(self, other):
        return applied(rules.mul, self, other)

    def __rmul__(self, other):
        return applied(rules.mul, other, self)

    def __sub__(self, other):
        return applied(rules.sub, self, other)

    def __rsub__(self, other):
        return applied(rules.sub, other, self)

    def __neg__(self):
        return applied(rules.neg, self)

    def relu(self):
        return applied(rules.relu, self)

    # Nothing is lost where a constant becomes a plain number.

    __float__, __int__, __complex__, __index__ = map(of_data, (float, int, complex, index))
    __trunc__, __floor__, __ceil__ = map(of_data, (trunc, floor, ceil))

    def backward(self, upstream=1, create_graph=False):
        raise ValueError(
            f"backward(): {names.called_one(self)} is a constant: it was made from constants, detached, or made under no_grad, "
            "so no variable leads to it; make it from Values, outside no_grad"
        )


def with_number(row, x, number, partial, number_first=False):
    """The function of a variable and a plain number whose partial in the variable is at hand."""
    args = (number, x) if number_first else (x, number)
    if type(number) not in PLAIN:
        return applied(row, *args)
    try:
        y = row.value(number, x._data) if number_first else row.value(x._data, number)
    except OverflowError:
        return applied(row, *args)
    template, positions = ((number, VARIABLE), (1,)) if number_first else ((VARIABLE, number), (0,))
    return made(y, x, partial, None, None, WithConstants(row, template, positions))


def applied(row, *args):
    """`row` of variables and plain numbers: a new variable, with its value and its partials at this point."""
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
    y = row(*numbers)
    positions = tuple(i for i, x in enumerate(args) if isinstance(x, Value))
    inputs = tuple(args[i] for i in positions)
    if all(isinstance(x, Constant) for x in inputs):
        return Value(y, keep_grad=False)
    partials = row.partials_at(positions, numbers, y)
    if len(inputs) < len(args):
        template = tuple(VARIABLE if isinstance(x, Value) else number for x, number in zip(args, numbers))
        row = WithConstants(row, template, positions)
    (x1, x2), (d1, d2) = flat(inputs), flat(partials)
    return made(y, x1, d1, x2, d2, row)


def number_of(x):
    return x._data if isinstance(x, Value) else x


def method(function):
    """`function` as a method: v.exp() is exp(v)."""

    @wraps(function, updated=())
    def call(self, *others, **named):
        return function(self, *others, **named)

    return call


def in_place(operator):
    """x += ... gives the name x to a new variable; but under no_grad, where parameters are updated, a leaf takes the new number."""

    def call(self, other):
        y = operator(self, other)
        if modes.active and modes.recording_off.get() and self.keep_grad and not self.inputs and isinstance(y, Value):
            self.data = y.data
            return self
        return y

    return call


for _name in ("add", "sub", "mul", "truediv", "pow"):
    setattr(Value, f"__i{_name}__", in_place(getattr(Value, f"__{_name}__")))
for _name, _function in FUNCTIONS.items():
    if _name in vars(Value):  # written out, but it is the same function
        update_wrapper(vars(Value)[_name], _function, updated=())
    elif _name in METHODS:
        setattr(Value, _name, method(_function))
answer(Value, VALUE)
