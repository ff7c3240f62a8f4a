"""checkpoint(f, *args): save only the inputs of f, and compute f again in the backward pass. It trades time for memory.

f may use variables besides its arguments, such as the parameters of a layer. A listener finds them while f runs, and they
become inputs of the one node that stands for f.
"""

from collections.abc import Callable

import numpy as np

from scalargrad import modes
from scalargrad.graph import inputs_first
from scalargrad.messages.errors import not_a_function, wrong_result
from scalargrad.modes import recording
from tensorgrad.arrays.draws import Draws, drawing_from
from tensorgrad.arrays.object_arrays import numbers_of
from tensorgrad.calling import in_modes, kept_option
from tensorgrad.errors import errors
from tensorgrad.modes import again, telling
from tensorgrad.node import Dropped, Node, node_of
from tensorgrad.rule import Rule
from tensorgrad.tensor import Tensor, is_variable, leaf, made
from tensorgrad.transformations.custom_function import as_constant, constants_of, contributions_through, is_objects, replayed_inside

SAMPLE = 64  # entries of the result, at least, to compare after computing it again


def checkpoint(f: Callable, *args):
    """Return f(*args) but save only the inputs. The backward pass computes f again.

    f returns one tensor, and must return the same one again. Variables that f uses besides its arguments get their gradients too.
    Dropout drops the same entries both times. Checkpoints nest and can be differentiated twice. Under no_grad this is f(*args).

    Gradients have the same bits as without checkpoints if each variable is used in one segment only. If several segments use a
    parameter, its contributions are added in another order: first within each segment. Then the last bits may differ.

    Raises RuntimeError if the data of a variable that f uses has changed in between, or if f returns something else the second time.
    The comparison looks at 64 to 127 entries of the result at equal distances (at all if there are fewer) and accepts a relative
    difference of 1/1000. A smaller change, or one between these entries, is not found. The gradient is then that of the second call.

    >>> w, x = Tensor([2.0, 3.0]), Tensor([1.0, 1.0])
    >>> checkpoint(lambda x: (x * w).tanh(), x).sum().backward(); w.grad.round(4)
    array([0.0707, 0.0099])
    """
    if not callable(f):
        raise not_a_function("checkpoint", f, "checkpoint(f, x, ...) for f(x, ...)")
    if modes.recording_off.get():
        return f(*args)
    call = Call(f)
    own = [made(x._data) if type(x) is Tensor else kept_option(CHECKPOINT, x) for x in args]
    with recording(), telling(call), drawing_from(call.draws.first):
        y = f(*own)
    call.result(y)
    arguments = [x.node if is_variable(x) else seen for x, seen in zip(args, own)]
    arguments += call.captured
    t = made(y._data)
    data = [x._data if type(x) is Tensor else x for x in own] + [*call.captured.values()]
    edges = tuple([(x, slot, (data[slot],)) for slot, x in enumerate(arguments) if type(x) is Node])
    if edges:
        t.node = node_of(t, CHECKPOINT, edges, [*arguments, call])
    if modes.active:
        in_modes(t, CHECKPOINT, [x._data for x in own if type(x) is Tensor])
    return t


class Call:
    """One call of a function whose inside is not kept. `captured` are the variables that it used besides its arguments."""

    def __init__(self, f):
        self.f, self.captured, self.draws = f, {}, Draws()

    def __call__(self, t):
        """Drop the node of a variable that was just recorded, but note its inputs. Only inputs from outside f still have nodes."""
        for x in t.node.inputs:
            self.captured[x] = x._tensor()._data
        t.node = None

    def result(self, y):
        """Keep the shape and some entries of the result, to tell whether f returns the same again."""
        if type(y) is not Tensor:
            raise wrong_result(f"checkpoint: {self.name}", y, "one tensor")
        if y.node is not None:
            self.captured[y.node] = y._data
        self.shape, self.sample = y.shape, sample(y._data)

    @property
    def name(self):
        return getattr(self.f, "__name__", type(self.f).__name__)

    def __repr__(self):
        return self.name

    def again(self, own):
        """Compute f with its inside recorded. Return the leaves that stand for what it captured, and its result."""
        stand_ins = {}
        for x, data in self.captured.items():
            tensor = x._tensor()
            if tensor is not None and tensor._data is not data:
                raise RuntimeError(
                    f"checkpoint: {errors.called(x)} was given other data after {self.name} had used it, so {self.name} cannot be "
                    "computed again as it was; change parameters after backward()"
                )
            stand_ins[x] = leaf(data)

        def stand_in(t):
            """Replace, in the node of a variable that was just recorded, what the leaves stand for by the leaves."""
            at_home = lambda x: stand_ins[x].node if type(x) is Node and x in stand_ins else x
            t.node.edges = tuple([(at_home(x), slot, saved) for x, slot, saved in t.node.edges])
            t.node.arguments = [at_home(x) for x in t.node.arguments]

        with recording(), telling(stand_in), again(), drawing_from(self.draws.again()):
            z = self.f(*own)
        if z.shape != self.shape or not np.allclose(sample(z._data), self.sample, 1e-3, 1e-6, equal_nan=True):
            raise RuntimeError(
                f"checkpoint: {self.name} gave another result when it was computed again, so its gradient is not known; draw random "
                "numbers outside and pass them in"
            )
        return list(stand_ins.values()), stand_ins.get(z.node, z)

    def __deepcopy__(self, memo):
        return self  # f is shared by all copies, and so is what it captured

    def __reduce__(self):
        raise TypeError(
            f"a checkpoint of {self.name} cannot be pickled: {self.name} would compute with its own variables, not with their copies; "
            "pickle the leaves, or .detach() the result"
        )


def sample(array):
    """Return a few entries of an array at equal distances."""
    return array.flat[:: max(1, array.size // SAMPLE)]


class Checkpoint(Rule):
    """The rule of all checkpoints. The last argument of a node is its Call."""

    name = __name__ = "checkpoint"
    fast = ()  # not None: all contributions of a node are computed together
    frees = True
    vjps = input_names = option_names = defaults = ()
    arity = 0

    def __init__(self):
        pass

    def inside(self, y):
        """Compute f again and record its inside. Return the leaves that stand for y's inputs, one for each edge, and the result."""
        *arguments, call = y.arguments
        data = {slot: saved[0] for _, slot, saved in y.edges}
        own = [leaf(data[slot]) if slot in data else x for slot, x in enumerate(arguments[: len(arguments) - len(call.captured)])]
        stand_ins, z = call.again(own)
        return [[*own, *stand_ins][slot].node for slot in data], z

    def contributions(self, y, G, differentiable=False):
        leaves, z = self.inside(y)
        return contributions_through(z.node, [G], leaves, [x for x, _, _ in y.edges], differentiable)

    def last_contributions(self, y):
        """Return (contributions, edges without arrays). Neither y nor the tensor of the result holds an array during the pass inside."""
        leaves, z = self.inside(y)
        edges, upstream, z = tuple([(x, slot, ()) for x, slot, _ in y.edges]), [y._total], z.node
        y._total = y.edges = None
        return contributions_through(z, upstream, leaves, [], False), edges

    def of_arrays(self, args, options):
        """Return f at plain arrays. At arrays of Values, compute the inside on them."""
        *args, call = args
        count = len(args) - len(call.captured)
        own = [leaf(numbers_of(x)) if is_objects(x) else as_constant(x) for x in args[:count]]
        if not any(map(is_objects, args)):
            with again(), drawing_from(call.draws.again()):
                return call.f(*own)._data
        stand_ins, z = call.again(own)
        return replayed_inside(z, {a.node: x for a, x in zip([*own, *stand_ins], args) if is_objects(x)})

    def of_tensors(self, args, y):
        *args, call = args
        t = made(np.asarray(self.of_arrays([*[x._data if type(x) is Tensor else x for x in args], call], ())))
        nodes = [x.node if type(seen) is Node else seen for x, seen in zip(args, y.arguments)]
        edges = tuple([(x, slot, (args[slot]._data,)) for slot, x in enumerate(nodes) if type(x) is Node])
        t.node = node_of(t, self, edges, [*nodes, call])
        return t

    def constants_inside(self, y):
        return constants_of(v for v in inputs_first(self.inside(y)[1].node) if v.rule) if y is not None and y.edges else [Dropped()]

    def formula(self, slot):
        return f"dz/dx{slot + 1} = dz/dy ∂y/∂x{slot + 1}, by the chain rule inside, which is computed again"

    def saved(self, y):
        return {f"x{slot}": saved[0] for _, slot, saved in y.edges or ()}

    def __reduce__(self):
        return "CHECKPOINT"


CHECKPOINT = Checkpoint()
