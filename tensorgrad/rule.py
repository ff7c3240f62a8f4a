"""What a rule is: one function of arrays, with a vjp for each of its inputs, which says what the input receives in the backward pass."""

import inspect
import sys
from collections.abc import Callable
from functools import update_wrapper
from pickle import PicklingError
from typing import NamedTuple

import numpy as np

from scalargrad import modes
from tensorgrad import anomaly
from tensorgrad.arrays import operands
from tensorgrad.arrays.errstate import silence
from tensorgrad.arrays.floats import as_floats
from tensorgrad.errors import calls, errors
from tensorgrad.modes import listener
from tensorgrad.node import Node
from tensorgrad.tensor import Tensor, made
from tensorgrad.vjp import Vjp, guarded, vjp_by_names, with_formulas

TABLE: list = []  # all rules of this library, in the order in which they are made
RENAMED: dict = {}  # {(rule, name of a public function): the rule under this name}

# A new rule enters TABLE if its function is from one of these packages. The value of the row `abs` is Python's own abs, from builtins.
LIBRARY = ("tensorgrad", "scalargrad", "builtins")
ARRAY = np.ndarray
_new = object.__new__
PLAIN = frozenset({type(None), bool, int, float, str})  # types of options that cannot change afterwards


class Rule:
    """A function of arrays y = forward(*inputs, options) with a vjp for each input.

    Its first inputs, as many as there are vjps, are arrays or tensors; the rest are options with defaults. Plain arrays
    give a plain array; a tensor gives a tensor. `entries` computes it on arrays of scalargrad's
    Values, if NumPy's own arithmetic on objects would give something else. `fast` is a Fast: kernels for plain arrays.
    """

    conditions = ()  # places of inputs that may be truth values
    parameters = None  # of the function whose name the rule bears; None if they are its own
    elsewhere = None  # who computes its derivative, if this is not known here: an Elsewhere
    wider = None  # a function of the same name that takes further arguments; with_more sets it

    def __init__(self, forward, *vjps, entries=None, fast=None, name=None):
        update_wrapper(self, forward)
        self.name = self.__name__ = name or forward.__name__
        self.forward, self.entries, self.fast = forward, entries or forward, fast
        parameters = list(inspect.signature(forward).parameters.values())
        self.arity = len(vjps)
        self.input_names = [p.name for p in parameters[: self.arity]]
        self.option_names = [p.name for p in parameters[self.arity :]]
        self.defaults = tuple([p.default for p in parameters[self.arity :]])
        self.may_lack_inputs = any(p.default is None for p in parameters[: self.arity])  # a bias, say
        self.places = {n: i for i, n in enumerate([*self.input_names, "y", *self.option_names])}
        self.vjps = [f if isinstance(f, Vjp) else vjp_by_names(f, self.places) for f in vjps]
        self.__doc__ = with_formulas(self.__doc__, [vjp.formula for vjp in self.vjps])
        if forward.__module__.partition(".")[0] in LIBRARY:
            TABLE.append(self)
        else:  # the table does not keep a user's rule, and its vjps are guarded
            self.vjps = [Vjp(guarded(vjp.function), vjp.sources, vjp.formula) for vjp in self.vjps]

    def __call__(self, *args, **options):
        if options or len(args) != self.arity:
            found = self.bound(args, options)
            return self.wider(*args, **options) if found is None else self.applied(*found)
        return self.applied(args, self.defaults)

    def bound(self, args, options):
        """Return (inputs, options), each in the order of the signature, or None for a call that the wider function takes."""
        given = args[self.arity :]
        names, defaults = self.option_names[len(given) :], self.defaults[len(given) :]
        if len(args) >= self.arity and len(given) <= len(self.option_names) and options.keys() <= set(names):
            found = (*given, *[options.get(n, default) for n, default in zip(names, defaults)]) if names else given
            if not names or not any(option is inspect.Parameter.empty for option in found):
                return args[: self.arity], found  # without inspect, which takes four times as long
        if self.wider is not None:
            return None
        call = calls.must_bind(self.name, self.signature, args, options)
        call.apply_defaults()
        found = tuple(call.arguments.values())
        return found[: self.arity], found[self.arity :]

    @property
    def signature(self):
        return inspect.signature(self)

    def applied(self, args, options):
        """Return a new variable, or a constant if nothing is recorded. For plain arrays alone, return a plain array."""
        values, arguments = [*args], [*args]  # for the kernel, and for the node
        slots, beside, mixed = [], None, False  # the places of variables; any tensor; whether some arguments are not tensors
        for slot, x in enumerate(args):
            if type(x) is Tensor:
                beside, values[slot] = x, x._data
                if x.node is not None:
                    arguments[slot] = x.node
                    slots.append(slot)
            else:
                mixed = True
        if beside is None:
            return self.of_arrays(args, options)
        if modes.active and modes.recording_off.get():
            slots = []
        if mixed:
            self.accept(args, beside, values, arguments, slots)
        aux = None
        if self.fast is None:
            y = self.evaluated(values, options)
        else:
            y, aux = self.evaluated(values, options, slots)
        t = _new(Tensor)
        t._data = y if type(y) is ARRAY else np.asarray(y)
        t.node = t._name = None
        if slots:
            if options and not PLAIN.issuperset(map(type, options)):
                options = tuple([kept_option(self, option) for option in options])
            t.node = Node(t, self, self.edges(slots, arguments, values, t._data, options), arguments, options, aux)
        if modes.active:
            in_modes(t, self, values, options)
        return t

    def accept(self, args, beside, values, arguments, slots):
        """Replace arguments that are not tensors by arrays and numbers that the kernel computes with.

        If a node keeps an array, it keeps a copy: the user may change the array later.
        """
        for i, x in enumerate(args):
            if type(x) is not Tensor:
                x = self.accepted(x, beside)
                values[i] = arguments[i] = x.copy() if slots and type(x) is ARRAY else x

    def edges(self, slots, arguments, values, y, options):
        """Return (input node, slot, what is saved for its vjp) for each of `slots`."""
        known, vjps = (*values, y, *options, None), self.vjps
        return tuple([(arguments[slot], slot, vjps[slot].gathered(known)) for slot in slots])

    def of_arrays(self, args, options):
        """Return the value at plain arrays and numbers, or at arrays of Values."""
        if any(type(x) is ARRAY and x.dtype == object for x in args):
            return self.of_objects(args, dict(zip(self.option_names, options)))
        args = as_floats(self.name, args, self.may_lack_inputs, self.conditions)
        return self.evaluated(args, options) if self.fast is None else self.evaluated(args, options, [])[0]

    def of_tensors(self, args, y):
        """Return the function of the node y at other tensors in the place of its arguments, as a new variable."""
        return self.applied(args, y.options)

    def of_objects(self, args, options):
        """Return the value at arrays of Values, computed entry by entry."""
        try:
            return self.entries(*args, **options)
        except calls.FROM_WITHIN as wrong:
            raise calls.in_name_of(self.name, wrong) from None

    def accepted(self, x, beside):
        """Return x, which is not a tensor but stands `beside` one, as an array or a number that the kernel computes with."""
        if type(x) is ARRAY and (x.dtype in operands.FLOATS or x.dtype == bool):
            return x
        if x is None and self.may_lack_inputs:
            return None
        return of_the_tensors_kind(operands.operand(self.name, x, ()), beside)

    def evaluated(self, values, options=(), slots=None):
        """Return the array that the kernel computes from plain arrays. Errors of NumPy are raised again in our words.

        With `slots`, the inputs that need a gradient, return what the fast kernel gives: the array, and aux for its `backward`.
        """
        try:
            if slots is None:
                return silence.copy().run(self.forward, *values, *options)
            return silence.copy().run(self.fast.forward, slots, *values, *options)
        except calls.FROM_WITHIN as wrong:
            asked = calls.wrong_kind(self.name, self.signature, dict(zip(self.option_names, options)))
            raise calls.in_name_of(self.name, asked or self.reworded(wrong, values)) from None

    def reworded(self, wrong, values):
        """Return an error of the kernel with the name of the function and the shapes."""
        return calls.reworded(self, wrong, values)

    # What a node of this rule needs

    def contributions(self, y, G, differentiable=False):
        """Return what y passes along each of its edges: the vjp of the slot, applied to the upstream gradient G."""
        vjps = self.vjps
        if differentiable:
            return [vjps[slot].recorded(G, *self.attached(y, slot, saved)) for _, slot, saved in y.edges]
        if self.fast is not None:
            return self.fast.backward(G, [*y.aux] if self.frees else y.aux, [slot for _, slot, _ in y.edges])
        return [vjps[slot].function(G, *saved) for _, slot, saved in y.edges]

    @property
    def frees(self):
        """Return whether the last pass uses `last_contributions`."""
        return bool(self.fast) and self.fast.frees

    def last_contributions(self, y):
        """Return (contributions, edges without arrays) for the total of y, which gives up the total, its edges and what it saved."""
        edges, aux = tuple([(x, slot, ()) for x, slot, _ in y.edges]), [*y.aux]
        G, y._total, y.edges, y.aux = y._total, None, None, None
        return self.fast.backward(G, aux, [slot for _, slot, _ in edges]), edges

    def attached(self, y, slot, saved):
        """Return what a vjp saved as variables of the graph, so that the derivative can be differentiated."""
        return [self.at_its_place(y, source, value) for source, value in zip(self.vjps[slot].sources, saved)]

    def at_its_place(self, y, source, value):
        if source == self.arity:
            return made(value, y)
        if 0 <= source < self.arity and isinstance(y.arguments[source], Node):
            return made(value, y.arguments[source])
        return value

    def formula(self, slot):
        """Return the formula of the vjp of a slot, from its docstring."""
        return self.vjps[slot].formula

    def constants_inside(self, y):
        """Return the constants that functions inside the function of the node y were given, or a Dropped if they are not known.

        A rule has no functions inside. y is None if nothing was recorded.
        """
        return ()

    def saved(self, y):
        """Return {name: array} for the arrays that are saved for the vjps of y."""
        found = {}
        names = [*self.input_names, "y", *self.option_names]
        for _, slot, saved in y.edges or ():
            for source, value in zip(self.vjps[slot].sources, saved):
                if source >= 0 and type(value) is ARRAY:
                    found[names[source]] = value
        return found

    def under(self, name, parameters=None):
        """Return the same rule under the name of a public function, which pictures and errors show.

        With `parameters`, its names of arguments, formulas show only those options of the rule that the function has too.
        """
        if name == self.origin.name:
            return self.origin
        if (self.origin, name) not in RENAMED:
            found = RENAMED[self.origin, name] = object.__new__(type(self))
            found.__dict__.update(self.__dict__, name=name, __name__=name, origin=self.origin, parameters=parameters)
        return RENAMED[self.origin, name]

    @property
    def origin(self):
        """The rule itself, or the one that it is under another name."""
        return self.__dict__.get("origin", self)

    def __get__(self, owner, kind=None):
        """Return the rule itself, in a class too. Because of this method help() treats a rule as a function, and shows its signature."""
        return self

    def __repr__(self):
        return f"<function {self.name}>"

    def __reduce__(self):  # pickle its name, as of any function; if its module lacks that name, find it in the table
        if getattr(sys.modules.get(self.__module__), name := getattr(self, "__qualname__", ""), None) is self:
            return name
        if self.origin is not self:
            return self.origin.under, (self.name, self.parameters)
        if rule_named(self.name) is not self:
            raise PicklingError(f"{self.name} cannot be pickled: its module has no rule of that name; define it at the top of a module")
        return rule_named, (self.name,)


class Elsewhere(NamedTuple):
    """Who computes the derivative of a rule that is a closed box here: its kind, a label for pictures, a short one, and a sentence."""

    kind: str
    label: str
    short: str
    said: str


class Fast(NamedTuple):
    """Kernels for plain arrays that share work between the slots; tests check that they agree with the rule and its vjps.

    `forward(slots, *inputs, *options)` gives (y, aux), where aux is what `backward(G, aux, slots)` needs to give one
    contribution for each of `slots`, the inputs that need one. If it `frees`, aux is a list that it empties: the arrays in it that
    nothing else needs are freed before it returns.
    """

    forward: Callable
    backward: Callable
    frees: bool = False


def of_the_tensors_kind(x, beside):
    """Return an array of integers (or of a dtype that tensors do not have) in the dtype of the tensor beside it."""
    return x.astype(beside.dtype) if type(x) is ARRAY and x.dtype.kind != "b" and x.dtype not in operands.FLOATS else x


def kept_option(rule, option):
    """Return an option as the node keeps it: arrays are copied, also within an index. Raise TypeError for a tensor."""
    if type(option) is ARRAY:
        return option.copy()
    if type(option) is tuple:
        return option if PLAIN.issuperset(map(type, option)) else tuple([kept_option(rule, o) for o in option])
    if type(option) is list:
        return [kept_option(rule, o) for o in option]
    if type(option) is Tensor:
        name = errors.called(option)
        raise TypeError(f"{rule.name}: {name} is a Tensor in the place of an option; give its array, {name}.data")
    return option


def in_modes(t, rule, values, options=()):
    """Do what open blocks (name scopes, detect_anomaly, a listener) require for a new tensor that `rule` computed from `values`."""
    if modes.anomalies_on.get():
        anomaly.require_finite(t, rule, values, options)
    if t.node is not None:
        t.node.scope = modes.open_scopes.get()
        if (told := listener.get()) is not None:
            told(t)
    if (sees := modes.witness.get()) is not None:
        sees(t)


def rule_named(name):
    return next((rule for rule in TABLE if rule.name == name), None)


def with_more(rule):
    """Decorate a function of the same name that takes further arguments: the rule calls it if one of them is given.

    So the rule itself, which is called most, stays short and fast. The docstring is added to that of the rule.
    """

    def widened(function):
        rule.wider, rule.__signature__ = function, inspect.signature(function)
        rule.__doc__ = "\n\n".join(inspect.cleandoc(f.__doc__) for f in (rule, function) if f.__doc__)  # none under python -OO
        return rule

    return widened


def rule(*vjps, **settings):
    """Make a function of arrays a rule, with one vjp for each of its inputs.

    >>> def twice_vjp(G):
    ...     '''dz/dx = 2 dz/dy'''
    ...     return 2 * G
    >>> @rule(twice_vjp)
    ... def twice(x): return 2 * x
    >>> x = Tensor([1.0, 2.0]); twice(x).sum().backward(); x.grad
    array([2., 2.])
    """

    def made_a_rule(forward):
        if isinstance(forward, Tensor) or not callable(forward):
            raise TypeError("rule: write @rule(vjp, ...) above the function, with one vjp for each of its inputs; not @rule alone")
        return Rule(forward, *vjps, **settings)

    return made_a_rule
