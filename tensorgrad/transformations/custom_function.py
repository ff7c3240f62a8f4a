"""@function: make a Python function of tensors one function of the graph, whatever it computes inside.

Its contributions come from the chain rule inside it, or from vjps or partials that the user writes. The inside of one call
is a graph of its own, from its leaves to its result.
"""

import functools
import inspect
from collections.abc import Callable, Sequence
from contextlib import nullcontext

import numpy as np

import scalargrad
from scalargrad import modes
from scalargrad.graph import inputs_first
from scalargrad.messages.errors import from_outside, not_a_function, wrong_number_of_partials, wrong_result
from scalargrad.modes import recording
from tensorgrad.arrays import operands
from tensorgrad.arrays.draws import Draws, drawing_from
from tensorgrad.arrays.floats import ARRAY
from tensorgrad.arrays.object_arrays import numbers_of, objects
from tensorgrad.backward import of_own_graph
from tensorgrad.calling import in_modes
from tensorgrad.errors import calls, errors
from tensorgrad.inspection.zoom import replay
from tensorgrad.modes import again, telling
from tensorgrad.node import Droppable, Dropped, Node, node_of
from tensorgrad.rule import Rule
from tensorgrad.rules.elementwise import add
from tensorgrad.rules.variadic import VariadicRule
from tensorgrad.tensor import Tensor, is_variable, leaf, made


def contributions_through(z, upstream, leaves, inputs, differentiable, retain=False):
    """Return a function's contributions to `inputs`, by the chain rule from the end `z` of its inside to the `leaves`.

    `upstream` is a list of one array, dz/dy. It is emptied, so that the array is freed as soon as it has been passed on.
    With `differentiable`, each leaf then becomes a function of the input it stands for, so the contributions can be differentiated.
    """
    found = {} if z is None else dict(of_own_graph(z, upstream.pop(), retain or differentiable, differentiable, set(leaves)))
    passed = [found[x] if x in found else np.zeros(x.shape, x.dtype) for x in leaves]
    if differentiable:
        for x, outer in zip(leaves, inputs):
            x.rule, x.edges, x.arguments = add, ((outer, 0, ()),), (outer, 0)  # outer + 0
    return passed


def replayed_inside(y, given):
    """Return the end `y` of an inside, computed again on arrays of Values: `given` is {leaf: array}."""
    if getattr(y, "node", None) is None:
        return objects(y._data if type(y) is Tensor else y)
    return replay(inputs_first(y.node), given.get)[y.node]


def is_objects(x):
    """Return whether x is an array of Values."""
    return type(x) is ARRAY and x.dtype == object


class Function(Rule):
    """A rule made from a Python function of tensors. Its vjps are the chain rule inside it."""

    fast = ()  # not None: all contributions of a node are computed together
    vjps = ()

    def __init__(self, f):
        functools.update_wrapper(self, f)
        self.name, self.forward = f.__name__, f
        parameters = inspect.signature(f).parameters.values()
        self.input_names = [p.name for p in parameters if p.kind not in (p.KEYWORD_ONLY, p.VAR_POSITIONAL, p.VAR_KEYWORD)]
        options = [p for p in parameters if p.kind is p.KEYWORD_ONLY]
        self.option_names, self.defaults = [p.name for p in options], tuple([p.default for p in options])
        self.arity = len(self.input_names)

    def __call__(self, *args, **options):
        call = calls.must_bind(f"@function {self.name}", self.signature, args, options)
        call.apply_defaults()
        for name, x in call.kwargs.items():
            if type(x) is Tensor:
                raise TypeError(
                    f"@function {self.name}: {name}= is an option and cannot be a tensor; make {name} a parameter that can be given "
                    "by position"
                )
        return self.applied(call.args, tuple(call.kwargs.values()))

    def applied(self, args, options):
        """Return one tensor for the whole call: a constant if no argument is a variable. Plain arguments give a plain array."""
        own, draws = [leaf(x._data) if is_variable(x) else as_constant(x) for x in args], Draws()
        with drawing_from(draws.first):
            y = self.run(own, options)
        if draws.states:
            options = (*options, draws)
        beside = next((x for x in args if type(x) is Tensor), None)
        if beside is None:
            return y._data if type(y) is Tensor else y
        variables = any(map(is_variable, args))
        if variables:
            self.refuse_array(y)
        t = made(y._data if type(y) is Tensor else np.asarray(y, beside.dtype))
        if variables and not modes.recording_off.get():
            t.node = self.node_of(t, y, args, own, options)
        if modes.active:
            in_modes(t, self, [x._data if type(x) is Tensor else x for x in own])
        return t

    def run(self, own, options):
        """Return what the function makes of leaves of its own. Raises ValueError if it uses a variable from outside.

        `options` of a call that drew random numbers end with its Draws: the same numbers are drawn again.
        """
        drawn = options[-1] if options and type(options[-1]) is Draws else None
        with recording(), telling(None), drawing_from(drawn.again()) if drawn else nullcontext():
            y = self.forward(*own, **self.named(options))
        if is_variable(y):
            refuse_outside(self, y.node, {x.node for x in own if type(x) is Tensor})
        elif type(y) is not Tensor and (isinstance(y, (list, tuple)) or np.asarray(y).dtype.kind not in "fiub"):
            raise wrong_result(f"@function {self.name}", y, "one tensor")
        return y

    def refuse_array(self, y):
        """Raise TypeError for an array that a function of variables returned."""
        if isinstance(y, np.ndarray | np.generic):
            raise TypeError(
                f"@function {self.name} returned a {type(y).__name__} and not a tensor, so its derivative would be lost; compute with "
                "the tensors themselves, not with their .data, or write detach() for a part that is meant as a constant"
            )

    def node_of(self, t, y, args, own, options):
        """Return the node of the result t: an edge to each variable among `args`, and the inside from `own` to y."""
        arguments = [x.node if is_variable(x) else seen for x, seen in zip(args, own)]
        edges = tuple([(x, slot, ()) for slot, x in enumerate(arguments) if type(x) is Node])
        node = node_of(t, self, edges, arguments, Droppable(options))
        node.aux = Inside(y.node if type(y) is Tensor else None, [own[slot] for _, slot, _ in edges])
        return node

    def named(self, options):
        return dict(zip(self.option_names, options))

    def of_arrays(self, args, options):
        """Return the value at plain arrays. At arrays of Values, compute the inside on them."""
        own = [leaf(numbers_of(x)) if is_objects(x) else as_constant(x) for x in args]
        y = self.run(own, options)
        if any(map(is_objects, args)):
            return replayed_inside(y, {a.node: x for a, x in zip(own, args) if is_objects(x)})
        return y._data if type(y) is Tensor else y

    def contributions(self, y, G, differentiable=False):
        inputs = [x for x, _, _ in y.edges]
        if not differentiable:
            return contributions_through(y.aux.end, [G], [x.node for x in y.aux.leaves], inputs, False, retain=True)
        held = iter(y.aux.leaves)
        own = [leaf(next(held)._data) if type(x) is Node else x for x in y.arguments]
        with again():
            z = self.run(own, y.options)
        return contributions_through(getattr(z, "node", None), [G], [own[slot].node for _, slot, _ in y.edges], inputs, True)

    def formula(self, slot):
        name = self.input_names[slot] if slot < len(self.input_names) else f"x{slot + 1}"
        return f"dz/d{name} = dz/d{self.name} ∂{self.name}/∂{name}, by the chain rule inside {self.name}"

    def constants_inside(self, y):
        return [Dropped()] if y is None or y.aux is None else constants_of(functions_inside(y))

    def saved(self, y):
        """Return {name: array} of what the functions inside have saved."""
        inside = functions_inside(y)
        return {f"{v.rule.name}{i}.{name}": array for i, v in enumerate(inside, 1) for name, array in v.rule.saved(v).items()}

    def __reduce__(self):
        return self.__qualname__  # pickled by name, as Python's own functions are


def constants_of(nodes):
    """Return the constants and the options that the functions of these nodes were given."""
    return [a for v in nodes for a in (*v.arguments, *v.options) if type(a) is not Node]


def functions_inside(y):
    """Return the nodes that functions computed inside the call that made the node y; none after a backward pass released it."""
    return [v for v in inputs_first(y.aux.end) if v.rule] if y.aux is not None and y.aux.end is not None else []


class Inside:
    """The graph inside one call of a function: the node where it ends (None for a constant) and its leaves, one for each edge."""

    def __init__(self, end, leaves):
        self.end, self.leaves = end, leaves


def as_constant(x):
    """Return x as the function sees it: an array of floats becomes a constant tensor, which holds a copy."""
    return made(x.copy()) if type(x) is ARRAY and x.dtype in operands.FLOATS else made(x._data) if type(x) is Tensor else x


def refuse_outside(rule, z, own):
    """Raise ValueError if z depends on a variable that is not one of `own`: its derivative would be lost silently."""
    for v in inputs_first(z):
        if not v.inputs and v not in own:
            raise from_outside(f"@function {rule.name}", errors.called(v))


class FunctionByHand(VariadicRule):
    """A rule with partials that the user writes, entry by entry."""

    def __init__(self, f, partials):
        def each(G, slot, xs):
            """dz/dx = dz/dy · ∂y/∂x"""
            found = partials(*xs)
            found = found if isinstance(found, (tuple, list)) else (found,)
            if len(found) != len(xs):
                raise wrong_number_of_partials(f.__name__, len(found), len(xs))
            return G * found[slot]

        numbers = scalargrad.function(partials=partials)(f)
        super().__init__(f, each, entries=lambda *xs: np.frompyfunc(numbers, len(xs), 1)(*xs))

    def __reduce__(self):
        return self.__qualname__


def function(f: Callable | None = None, *, vjps: Sequence[Callable] | None = None, partials: Callable | None = None):
    """Make a Python function of tensors one function of the graph: one node, whatever it computes inside.

    Its arguments may be tensors, arrays and anything else. It sees an array of floats as a constant tensor. Parameters that
    can only be given by name are options. It must return one tensor.

    By default its contributions follow from the chain rule inside it. `vjps` gives one vjp for each input, as `rule` takes
    them. `partials` is a function of the same inputs that returns ∂y/∂x, entry by entry, for each of them. With `vjps` or
    `partials`, `f` gets plain arrays. With `partials`, `f` must also work on one entry.

    Raises ValueError if the function uses a variable from outside.

    >>> @function
    ... def length(x): return (x * x).sum().sqrt()
    >>> x = Tensor([3.0, 4.0]); y = length(x); y.inputs == (x.node,)
    True
    >>> y.backward(); x.grad
    array([0.6, 0.8])
    """
    if f is None:
        return lambda f: function(f, vjps=vjps, partials=partials)
    if isinstance(f, Rule) or not callable(f):
        raise not_a_function("function", f, "@function above a Python function")
    if vjps is not None:
        return Rule(f, *vjps)
    return Function(f) if partials is None else FunctionByHand(f, partials)
