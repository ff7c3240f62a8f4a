"""@function: a Python function of tensors becomes one function of the graph, however much it computes inside.

Its contributions come from the chain rule inside it, or from vjps or partials that are given by hand. What is between the
leaves and the result of a function applied in this way is called its inside: a graph of its own.
"""

import functools
import inspect
from collections.abc import Callable, Sequence

import numpy as np

import scalargrad
from scalargrad.graph import inputs_first
from scalargrad.modes import recording
from tensorgrad import operands
from tensorgrad.backward import of_own_graph
from tensorgrad.errors import calls, errors
from tensorgrad.inspection.zoom import replay
from tensorgrad.modes import telling
from tensorgrad.node import Node
from tensorgrad.object_arrays import numbers_of, objects
from tensorgrad.rule import ARRAY, Rule, in_modes
from tensorgrad.rules.elementwise import add
from tensorgrad.tensor import Tensor, made
from tensorgrad.variadic import VariadicRule


def leaf(data):
    """A variable of our own around an array, without a copy: where an inside begins."""
    t = made(data)
    t.node = Node(t)
    return t


def contributions_through(z, G, leaves, inputs, differentiable, retain=False):
    """The contributions of a function to `inputs`, given the end `z` and the `leaves` of its inside, by the chain rule there.

    With `differentiable`, the leaves become at the end what they stand for, so that the contributions can be differentiated.
    """
    found = {} if z is None else dict(of_own_graph(z, G, retain or differentiable, differentiable, set(leaves)))
    passed = [found[x] if x in found else np.zeros(x.shape, x.dtype) for x in leaves]
    if differentiable:
        for x, outer in zip(leaves, inputs):
            x.rule, x.edges, x.arguments = add, ((outer, 0, ()),), (outer, 0)  # outer + 0
    return passed


def replayed_inside(y, given):
    """The end `y` of an inside on arrays of Values: `given` are those for its leaves, {node: array}."""
    if getattr(y, "node", None) is None:
        return objects(y._data if type(y) is Tensor else y)
    return replay(inputs_first(y.node), given.get)[y.node]


def is_objects(x):
    return type(x) is ARRAY and x.dtype == object


class Function(Rule):
    """A rule made from a Python function of tensors: its vjps are the chain rule inside it."""

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
                    f"@function {self.name}: {name}= can only be given by name and takes no tensor; make it an ordinary parameter"
                )
        return self.applied(call.args, tuple(call.kwargs.values()))

    def applied(self, args, options):
        own = [leaf(x._data) if type(x) is Tensor and x.node is not None else shown(x) for x in args]
        y = self.run(own, options)
        if not any(type(x) is Tensor for x in args):
            return y._data if type(y) is Tensor else y
        if isinstance(y, np.ndarray | np.generic) and any(type(x) is Tensor and x.node is not None for x in args):
            raise TypeError(
                f"@function {self.name} returned a {type(y).__name__} and no tensor, so its derivative would be lost: compute with the "
                "tensors themselves, not with their .data (detach() says that a part is meant as a constant)"
            )
        end = y.node if type(y) is Tensor else None
        t = made(y._data if type(y) is Tensor else self.array(y, args))
        arguments = [x.node if type(x) is Tensor and x.node is not None else seen for x, seen in zip(args, own)]
        if any(type(x) is Node for x in arguments) and not scalargrad.modes.recording_off.get():
            edges = tuple([(x, slot, ()) for slot, x in enumerate(arguments) if type(x) is Node])
            t.node = Node(t, self, edges, arguments, options)
            t.node.aux = Inside(end, [own[slot] for _, slot, _ in edges])
        if scalargrad.modes.active:
            in_modes(t, self, [x._data if type(x) is Tensor else x for x in own])
        return t

    def run(self, own, options):
        """What the function makes of leaves of our own; ValueError if it uses a variable from elsewhere."""
        with recording(), telling(None):
            y = self.forward(*own, **self.named(options))
        if type(y) is Tensor and y.node is not None:
            refuse_outside(self, y.node, {x.node for x in own if type(x) is Tensor})
        elif type(y) is not Tensor and (isinstance(y, (list, tuple)) or np.asarray(y).dtype.kind not in "fiub"):
            raise TypeError(f"@function {self.name} returned a {type(y).__name__}; it must return one tensor")
        return y

    def named(self, options):
        return dict(zip(self.option_names, options))

    def array(self, y, args):
        """A result that is no tensor, as an array of the tensors' kind."""
        return np.asarray(y, next(x.dtype for x in args if type(x) is Tensor))

    def of_arrays(self, args, options):
        """The value at plain arrays; at arrays of Values, what the inside is there."""
        own = [leaf(numbers_of(x)) if is_objects(x) else shown(x) for x in args]
        y = self.run(own, options)
        if any(map(is_objects, args)):
            return replayed_inside(y, {a.node: x for a, x in zip(own, args) if is_objects(x)})
        return y._data if type(y) is Tensor else y

    def contributions(self, y, G, differentiable=False):
        inputs = [x for x, _, _ in y.edges]
        if not differentiable:
            return contributions_through(y.aux.end, G, [x.node for x in y.aux.leaves], inputs, False, retain=True)
        held = iter(y.aux.leaves)
        own = [leaf(next(held)._data) if type(x) is Node else x for x in y.arguments]
        z = self.run(own, y.options)
        return contributions_through(getattr(z, "node", None), G, [own[slot].node for _, slot, _ in y.edges], inputs, True)

    def formula(self, slot):
        name = self.input_names[slot] if slot < len(self.input_names) else f"x{slot + 1}"
        return f"dz/d{name} = dz/d{self.name} ∂{self.name}/∂{name}, by the chain rule inside {self.name}"

    def saved(self, y):
        """{name: array} of what the functions inside have saved."""
        inside = [v for v in inputs_first(y.aux.end) if v.rule] if y.aux is not None and y.aux.end is not None else []
        return {f"{v.rule.name}{i}.{name}": array for i, v in enumerate(inside, 1) for name, array in v.rule.saved(v).items()}

    def __reduce__(self):
        return self.__qualname__  # pickled by name, as Python's own functions are


class Inside:
    """The graph inside one application of a function: the node it ends in (None for a constant), and its leaves, one for each edge."""

    def __init__(self, end, leaves):
        self.end, self.leaves = end, leaves


def shown(x):
    """A constant as the function sees it: an array of floats as a constant tensor with a copy of it."""
    return made(x.copy()) if type(x) is ARRAY and x.dtype in operands.FLOATS else made(x._data) if type(x) is Tensor else x


def refuse_outside(rule, z, own):
    """ValueError if z depends on a variable that is not one of `own`: its derivative would be lost without a word."""
    for v in inputs_first(z):
        if not v.inputs and v not in own:
            raise ValueError(
                f"@function {rule.name}: {errors.called(v)} comes from outside and its derivative would be lost: pass it in as an "
                "argument, or detach() it if it is meant as a constant"
            )


class FunctionByHand(VariadicRule):
    """A rule whose partials the user has written down, entry by entry."""

    def __init__(self, f, partials):
        def each(G, slot, xs):
            """dz/dx = dz/dy · ∂y/∂x"""
            found = partials(*xs)
            found = found if isinstance(found, (tuple, list)) else (found,)
            if len(found) != len(xs):
                raise ValueError(
                    f"@function {f.__name__}: its partials gave {len(found)} for {len(xs)} input{'s' * (len(xs) != 1)}; return one "
                    "partial for each input, in their order"
                )
            return G * found[slot]

        numbers = scalargrad.function(partials=partials)(f)
        super().__init__(f, each, entries=lambda *xs: np.frompyfunc(numbers, len(xs), 1)(*xs))

    def __reduce__(self):
        return self.__qualname__


def function(f: Callable | None = None, *, vjps: Sequence[Callable] | None = None, partials: Callable | None = None):
    """Make a Python function of tensors one function of the graph: one node, whatever it computes inside.

    Its arguments may be tensors, arrays (arrays of floats it sees as constant tensors) and anything else; parameters that can
    only be given by name are options. It returns one tensor. Contributions follow from the chain rule inside it; or from
    `vjps`, one for each input, as `rule` takes them; or from `partials`, a function of the same inputs that returns ∂y/∂x,
    entry by entry, for each of them: then `f` may compute as it likes with plain arrays, and works on one entry as it does on
    arrays. ValueError if it uses a variable from outside.

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
        raise TypeError(f"function: {errors.brief(f)} is not a plain Python function")
    if vjps is not None:
        return Rule(f, *vjps)
    return Function(f) if partials is None else FunctionByHand(f, partials)
