"""Nodes of autograd's graph that hold variables of ours, one for each function that a program calls; and our function for each."""

from types import SimpleNamespace

import autograd
import numpy as np
from autograd.builtins import container_take
from autograd.core import SparseObject, VJPNode
from autograd.tracer import Node, isbox, new_box, notrace_primitives, trace_stack
from autograd.util import subvals

import tensorgrad as tg
from scalargrad import callers
from scalargrad.checking.check import names_of
from scalargrad.user_names.local_names import Witness
from tensorgrad.beside.call import OURS, YOURS, Call, Library, Unsupported, is_ours
from tensorgrad.beside.recording import Recording
from tensorgrad.tensor import Tensor

AUTOGRAD = Library("autograd")


class Beside(Node):
    """A node with our `variable` for its value: a list of them for a list or tuple, and an array for a value that has no derivative.

    `inputs` are the nodes of its inputs.
    """

    __slots__ = ["variable", "run", "inputs", "__weakref__"]

    def initialize_root(self, variable, run):
        self.variable, self.run, self.inputs = variable, run, ()

    def __init__(self, value, fun, args, kwargs, argnums, parents):
        self.run, self.inputs = parents[0].run, parents
        ours = subvals(args, zip(argnums, [p.variable for p in parents]))
        if fun is container_take:  # one result of a function that has several
            self.variable = ours[0][ours[1]]
        else:
            found = self.beside(value, fun, args, kwargs, ours, [i for i in argnums if is_ours(ours[i])])
            self.variable = found if isinstance(value, list | tuple) else found[0]
        if is_ours(self.variable):
            self.run.witness(self)

    def beside(self, value, fun, args, kwargs, ours, slots):
        """Return our variable, or an array, for each result of a call, whose arguments at `slots` are variables."""
        function, values = fun.fun, results_of(value)
        results = {i: np.array(y) for i, y in enumerate(values) if is_float(y)}
        call = Call(function.__name__, *line_of(next(callers.callers(), None)))
        if any([type(x) is list and any(map(is_ours, x)) for x in ours]):
            raise cannot_record(call, "takes a list of arrays as one variable")
        if not slots or not results and all([y.dtype.kind in "biu" for y in values]):
            return values
        if len(results) < len(values):
            raise cannot_record(call, "makes complex numbers" if np.iscomplexobj(values[0]) else f"makes a {type(value).__name__}")
        self.run.calls.append(call)

        def at(place, *xs):
            return np.array(results_of(function(*subvals(args, zip(slots, xs)), **kwargs))[place])

        def vjp(place, G, xs, wanted):
            several = [G if i == place else np.zeros(y.shape, y.dtype) for i, y in results.items()]
            upstream = several if type(value) is list else tuple(several) if isinstance(value, tuple) else G
            given = subvals(args, zip(slots, xs))
            node = VJPNode(function(*given, **kwargs), fun, given, kwargs, tuple([slots[i] for i in wanted]), ())
            return [results_of(g)[0] for g in node.vjp(upstream)]

        code = getattr(function, "__code__", None)
        own, counterpart = code is not None and callers.is_users(code.co_filename), COUNTERPARTS.get(call.name, function)
        library = YOURS if own else AUTOGRAD
        beside = None if own or counterpart is None else lambda: items(counterpart(*ours, **kwargs))
        found = library.variables(call, beside, results, [ours[i] for i in slots], at, vjp)
        if call.by != OURS:
            VJPNode(value, fun, args, kwargs, tuple(slots), ())  # raises autograd's error for a function without a derivative
        return found


class AutogradWitness(Witness):
    """Sees each node, and gives our variable the name of the local that holds autograd's box of this node."""

    def held_by(self, function):
        return [(name, x._node if isbox(x) and type(x._node) is Beside else x, walks) for name, x, walks in function.held()]

    def name_of(self, x):
        return x.variable.name

    def give_name(self, x, name):
        x.variable.name = name

    def note_line(self, x):
        """Do nothing: the call notes the line."""


class Run:
    """The calls of a run, and the witness of its names."""

    def __init__(self):
        self.calls: list = []
        self.witness = AutogradWitness(SimpleNamespace(most=None, leaves=None))


notrace_primitives[Beside] = notrace_primitives[VJPNode]  # what has no derivative in autograd, such as argmax, makes no node


def recorded(f, args):
    leaves: dict = {}
    numbers: list = []
    run = Run()
    parameters = names_of(f, len(args))[1]
    called = lambda leaf: f(*[replaced(x, name, leaf) for x, name in zip(args, parameters)])

    def boxed(name, x):
        numbers.append(x)
        leaves[name] = Tensor(np.array(x), name=name)
        return new_box(x, level, Beside.new_root(leaves[name], run))

    with trace_stack.new_trace() as level:
        y = called(boxed)
    if not isbox(y) or y._trace != level or not is_ours(y._node.variable):
        raise RuntimeError("from_autograd: the result does not depend on a float or an array of floats among the arguments")
    run.witness.look_at_last()
    z, value = y._node.variable, y._value
    if z.shape != ():
        raise TypeError(f"from_autograd: the function returned an array of shape {z.shape}; it must return the loss, one number")
    z.name = z.name or "loss"

    def of_leaves(xs):
        given = iter([xs[i] for i in range(len(numbers))])
        return called(lambda name, x: next(given))

    return Recording("from_autograd", AUTOGRAD, z, value, leaves, run.calls, lambda: autograd.grad(of_leaves)(numbers))


def replaced(x, name, leaf):
    """Return an argument with leaf(name, it) in the place of each float and each array of floats in it: params.0.w for params[0]["w"]."""
    if type(x) is dict:
        return {key: replaced(item, f"{name}.{key}", leaf) for key, item in x.items()}
    if type(x) in (list, tuple):
        return type(x)([replaced(item, f"{name}.{i}", leaf) for i, item in enumerate(x)])
    return leaf(name, x) if is_float(x) else x


def is_float(x):
    return type(x) is float or (isinstance(x, np.ndarray | np.generic) and x.dtype.kind == "f")


def items(y):
    return list(y) if isinstance(y, tuple | list) else [y]


def results_of(value):
    """Return what a function of autograd returned as a list of arrays. The derivative of an index is a function that adds to entries."""
    found = value.mut_add(value.vs.zeros()) if isinstance(value, SparseObject) else value
    return [np.asarray(y) for y in items(found)]


def cannot_record(call, what):
    where = f" at {call.place}" if call.line else ""
    return RuntimeError(f"from_autograd: {call.name}{where} {what}, which our tensors do not; record a part of the program without it")


def line_of(frame):
    return (frame.f_code.co_filename, frame.f_lineno) if frame else ("", 0)


def logsumexp(x, axis=None, b=None, keepdims=False, return_sign=False):
    if b is not None or return_sign:
        raise Unsupported("logsumexp with b or return_sign")
    return tg.logsumexp(x, axis=axis, keepdims=keepdims)


def reshape(x, shape, order="C"):
    if order not in ("C", None):
        raise Unsupported(f"reshape in the order {order}")
    return tg.reshape(x, shape)


COUNTERPARTS = {  # None if autograd's derivative is another choice than ours
    "concatenate_args": lambda axis, *xs: tg.concatenate(xs, axis=axis),
    "array_from_args": lambda args, options, *xs: tg.stack(xs),
    "_array_from_scalar_or_array": lambda args, options, x: x,
    "astype": lambda x, dtype: x.astype(dtype),
    "erf": lambda x: tg.erf(x),
    "expit": lambda x: tg.sigmoid(x),
    "logsumexp": logsumexp,
    "slogdet": lambda a: (tg.sign(tg.det(a)), tg.slogdet(a)[1]),
    "untake": lambda x, index, space: tg.index_put(np.zeros(space.shape, space.dtype), index, x, accumulate=True),
    "sparse_add": lambda space, x, y: y if x is None else x + y,
    "mut_add": lambda space, x, y: y if x is None else x + y,
    "reshape": reshape,
    "eigh": None,  # autograd takes the entries on one side of the diagonal as given, and passes all of the gradient to these
}
