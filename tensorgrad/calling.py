"""How a rule is called: its arguments are bound, the value is computed with errors in our words, and a new variable is recorded."""

import inspect

import numpy as np

from scalargrad import modes
from tensorgrad import anomaly
from tensorgrad.arrays import operands
from tensorgrad.arrays.errstate import silence
from tensorgrad.arrays.floats import ARRAY, all_fit, as_floats
from tensorgrad.errors import calls, errors
from tensorgrad.modes import listener
from tensorgrad.node import Droppable, is_plain, node_of
from tensorgrad.tensor import Tensor

_new = object.__new__


class Calling:
    """What a call of a rule does. Plain arrays give a plain array; a tensor gives a tensor."""

    conditions = ()  # places of inputs that may be truth values
    every = None  # how many arguments there are with all options
    wider = None  # a function of the same name that takes further arguments; with_more sets it

    def __call__(self, *args, **options):
        if options or len(args) != self.arity or self.required:
            if not options and len(args) == self.every:
                return self.applied(args[: self.arity], args[self.arity :])
            found = self.bound(args, options)
            return self.wider(*args, **options) if found is None else self.applied(*found)
        return self.applied(args, self.defaults)

    def bound(self, args, options):
        """Return (inputs, options), each in the order of the signature, or None for a call that the wider function takes."""
        given = args[self.arity :]
        if not options and len(args) >= self.arity and len(self.required) <= len(given) <= len(self.defaults):
            return args[: self.arity], given + self.defaults[len(given) :]
        named = {**dict(zip(self.option_names, given)), **options} if given else options
        found, once = self.settings | named, len(named) == len(given) + len(options)  # once: no option is given by place and by name
        if once and len(args) >= self.arity and len(found) == len(self.settings) and self.required.issubset(named):
            return args[: self.arity], tuple(found.values())  # without inspect, which takes four times as long
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
        y, aux = self.evaluated(values, options, slots)
        t = _new(Tensor)
        t._data = y if type(y) is ARRAY else np.asarray(y)
        t.node = t._name = None
        if slots:
            if options is not self.defaults and not is_plain(options):
                options = Droppable([kept_option(self, option) for option in options])
            t.node = node_of(t, self, self.edges(slots, arguments, values, t._data, options), arguments, options, aux)
        if modes.active:
            in_modes(t, self, values, options)
        return t

    def accept(self, args, beside, values, arguments, slots):
        """Replace arguments that are not tensors by arrays and numbers that the kernel computes with.

        If a node keeps an array, it keeps a copy: the user may change the array later.
        """
        for i, x in enumerate(args):
            if type(x) is not Tensor:
                x = x if type(x) is float else self.accepted(x, beside)
                values[i] = arguments[i] = x.copy() if slots and type(x) is ARRAY else x

    def edges(self, slots, arguments, values, y, options):
        """Return (input node, slot, what is saved for its vjp) for each of `slots`."""
        known, vjps, found = (*values, y, *options, None), self.vjps, []
        for slot in slots:
            found.append((arguments[slot], slot, vjps[slot].gathered(known)))
        return tuple(found)

    def of_arrays(self, args, options):
        """Return the value at plain arrays and numbers, or at arrays of Values."""
        if not all_fit(args, self.conditions):
            if any(type(x) is ARRAY and x.dtype == object for x in args):
                return self.of_objects(args, dict(zip(self.option_names, options)))
            args = as_floats(self.name, args, self.may_lack_inputs, self.conditions)
        return self.evaluated(args, options)[0]

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
        """Return x, which is not a tensor but stands `beside` one, as an array or a number that the kernel computes with.

        An array of integers, or of a dtype that tensors do not have, gets the dtype of the tensor.
        """
        if (type(x) is ARRAY and (x.dtype in operands.FLOATS or x.dtype == bool)) or (x is None and self.may_lack_inputs):
            return x
        x = operands.operand(self.name, x, ())
        return x.astype(beside.dtype) if type(x) is ARRAY and x.dtype.kind != "b" and x.dtype not in operands.FLOATS else x

    def evaluated(self, values, options=(), slots=()):
        """Return (y, aux): the array that the kernel computes from plain arrays, and what the backward pass of a fast kernel needs.

        `slots` are the inputs that need a gradient. Errors of NumPy are raised again in our words.
        """
        try:
            if self.fast is None:
                return silence.copy().run(self.forward, *values, *options), None
            return silence.copy().run(self.fast.forward, slots, *values, *options)
        except calls.FROM_WITHIN as wrong:
            asked = calls.wrong_kind(self.name, self.signature, dict(zip(self.option_names, options)))
            raise calls.in_name_of(self.name, asked or self.reworded(wrong, values)) from None

    def reworded(self, wrong, values):
        """Return an error of the kernel with the name of the function and the shapes."""
        return calls.reworded(self, wrong, values)


def kept_option(rule, option):
    """Return an option as the node keeps it: arrays are copied, also within an index. Raise TypeError for a tensor."""
    if type(option) is ARRAY:
        return option.copy()
    if type(option) is tuple:
        return option if is_plain(option) else tuple([kept_option(rule, o) for o in option])
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


def with_more(rule):
    """Decorate a function of the same name that takes further arguments: the rule calls it if one of them is given.

    So the rule itself, which is called most, stays short and fast. The docstring is added to that of the rule.
    """

    def widened(function):
        rule.wider, rule.__signature__ = function, inspect.signature(function)
        rule.__doc__ = "\n\n".join(inspect.cleandoc(f.__doc__) for f in (rule, function) if f.__doc__)  # none under python -OO
        return rule

    return widened
