"""Which variable of ours stands for which tensor of PyTorch's, also after a tensor, or one that shares its memory, was written to.

PyTorch counts the writes to a tensor and to the views of its memory, its version, and notes with each tensor the function that it is
differentiated by, its grad_fn. A variable stands for a tensor as long as both are as they were. If not, then
- a view is gathered again from the tensor that it is a view of, so that a write reaches all who see it;
- a tensor with the same grad_fn was written to where PyTorch does not record it (`silent`): its gradient is that of the old one;
- any other was computed where no recorder is asked, by a scripted function or in torch.func (`unseen`): PyTorch differentiates it.
"""

from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
import torch
from torch.utils.weak import WeakTensorKeyDictionary

from scalargrad import callers
from tensorgrad.beside_torch.calls.arrays import array, differentiable, grad_fn_of, is_leaf, positions, version_of
from tensorgrad.beside_torch.calls.refusals import refuse, refused
from tensorgrad.beside_torch.counterparts.table import KINDS
from tensorgrad.beside_torch.flow import line_of
from tensorgrad.beside_torch.unrecorded_functions import Functions
from tensorgrad.beside_torch.unrecorded_writes import Silent, after_silent_write
from tensorgrad.rules.indexing import getitem, index_put
from tensorgrad.rules.shapes import broadcast_to, reshape
from tensorgrad.tensor import Tensor, array_of, constant, leaf

UNASKED = object()  # the grad_fn of a view that was written to: PyTorch makes it when asked


class Known(NamedTuple):
    """A variable of ours, and the state of PyTorch's tensor that it stands for."""

    variable: Tensor
    version: tuple
    grad_fn: object


class Variables:
    """The table of a recording. `leaves` are the tensors that the graph begins at: [(PyTorch's, ours)].

    `constants` are what stands for tensors that need no gradient: one for all uses of a tensor, unless its numbers have changed.
    """

    def __init__(self, tell):
        """`tell` is a weak reference to tell(tensor, variable), called for each tensor that was computed where nobody saw it."""
        self.tell = tell
        self.known, self.constants = WeakTensorKeyDictionary(), WeakTensorKeyDictionary()
        self.leaves = []
        self.writers, self.views = {}, []  # {memory: the last call that wrote to it}, and views used afterwards
        self.silent, self.functions = Silent(), Functions()
        self.hooks = Hooks()

    def __getitem__(self, t):
        """Return the variable for a tensor; a constant for one that needs no gradient; an array for integers and truth values."""
        refuse(t)
        known = self.known.get(t) if t.requires_grad else None
        current = known is not None and known.version == self.version(t)
        if current and known.grad_fn is UNASKED:
            return known.variable
        if not differentiable(t):
            return self.constant(t)
        if current and known.grad_fn is t.grad_fn:
            return known.variable
        base = t._base
        if comes_from(t, base) and (places := positions(t, base)) is not None:
            found = gathered(self[base], places, called(known))
            if known is not None and found.node is not None and known.variable.node is not None:
                found.node.name = known.variable.node.name  # the program calls it as before
                writer = self.writers.get(t.untyped_storage().data_ptr())
                if writer is not None and not np.array_equal(found._data, known.variable._data, equal_nan=True):
                    self.views.append((known.variable.node, found.node, writer))
        elif known is not None and known.grad_fn is t.grad_fn:
            if known.variable.shape != t.shape:
                raise refused(
                    t, "got another shape where PyTorch does not record it", "change its shape outside of no_grad, and not by .data"
                )
            found = after_silent_write(known.variable, array(t))
            self.silent.changes.append((known.variable.node, found.node, callers.place(*line_of(next(callers.callers(), None)))))
        elif t.grad_fn is None:
            found = leaf(array(t))
            found.keep_grad = True
            self.leaves.append((t, found))
        else:
            found = self.unseen(t)
        self[t] = found
        if t.grad_fn is None:
            self.take_hooks(t)
        return found

    def unseen(self, t):
        """Return the variable for a tensor that was computed where nobody saw it."""
        found = self.functions.unseen(t, array(t), self)
        if found.node is not None:
            self.tell()(t, found)
        return found

    def constant(self, t):
        """Return the constant, or the array of integers or truth values, for a tensor that needs no gradient."""
        now, before = array(t), self.constants.get(t)
        if before is None or not np.array_equal(array_of(before), now):
            before = self.constants[t] = constant(now) if t.dtype in KINDS else now
        return before

    def __setitem__(self, t, variable):
        self.note(t, variable, t.grad_fn)

    def note(self, t, variable, grad_fn):
        self.known[t] = Known(variable, self.version(t), grad_fn)
        if grad_fn is not None and grad_fn is not UNASKED and getattr(variable, "node", None) is not None:
            self.functions.nodes.setdefault((grad_fn, t.output_nr), variable.node)

    def take_hooks(self, t):
        """Let the hooks of a tensor change the gradient of its variable: of the first that stood for it with this grad_fn."""
        leaf = next((x.node for leaf, x in self.leaves if leaf is t), None)
        self.hooks.take(t, leaf or self.functions.nodes.get((t.grad_fn, t.output_nr)) or self[t].node)

    def version(self, t):
        return version_of(t), t.data_ptr(), self.silent.writes(t)

    def current(self, t):
        """Return the variable that stands for a tensor as it is now; None if there is none yet."""
        if self.is_behind(t):
            return None
        known = self.known[t]
        fits = known.grad_fn is UNASKED or known.grad_fn is grad_fn_of(t)
        return known.variable if fits and known.variable.node is not None else None

    def is_leaf(self, t):
        """Return whether nothing is known of a tensor that comes before it."""
        return t not in self.known or self.known[t].grad_fn is None

    def is_behind(self, t):
        known = self.known.get(t)
        return known is None or known.version != self.version(t)

    def before_write(self, given, targets):
        """Return {id: variable or constant} for the tensors that a call is given that writes to its first argument.

        PyTorch refuses to write to some views that another view of their memory was written to, but no longer once their grad_fn
        was asked for. So it is not asked here.
        """
        found = {}
        for t in targets if isinstance(targets, list | tuple) else [targets]:
            base = getattr(t, "_base", None)
            if base is not None and base.requires_grad and self.is_behind(t):
                places = positions(t, base)
                found |= {} if places is None else {id(t): gathered(self[base], places)}
            elif base is None and isinstance(t, torch.Tensor) and t not in self.known and is_leaf(t):
                found[id(t)] = self.constant(t)  # a leaf that is not used yet begins with what is written to it
        return found | {id(t): self[t] for t in given if id(t) not in found}

    def wholes(self, tensors):
        """Return the variables for the tensors that some are views of, before these are written to: {id: variable}."""
        bases = [t._base for t in tensors if t._base is not None]
        return {id(base): self[base] for base in bases if base in self.known or base.grad_fn is None}  # others only PyTorch sees

    def stand_for(self, t, variable, wholes):
        """Let a variable stand for a tensor. If it is a view that was written to, `wholes` has what it was a view of."""
        base = t._base
        self.note(t, variable, UNASKED if base is not None and id(base) in wholes else t.grad_fn)
        if base is not None and id(base) in wholes and (places := positions(t, base)) is not None:
            whole = wholes[id(base)]
            if isinstance(whole, Tensor):  # not an array of integers
                self[base] = wholes[id(base)] = scattered(whole, places, variable)


def comes_from(t, base):
    """Return whether PyTorch passes the gradient of t to `base`, which it is a view of. It does so after each write that it records."""
    if t.grad_fn is None or base is None or not base.requires_grad:
        return False
    if not t.grad_fn.name().startswith("AsStrided"):
        return False
    (function, number), *others = t.grad_fn.next_functions
    to_base = number == base.output_nr and function is (base.grad_fn or torch.autograd.graph.get_gradient_edge(base).node)
    return to_base and not others


def called(known):
    """Return the name of the function that made a view before it was written to."""
    node = known and known.variable.node
    return node.rule.name if node and node.rule else "view"


def gathered(whole, places, name="getitem"):
    """Return the entries of a variable at places among all its entries: one box, called `name`."""
    if whole.size == places.size and np.array_equal(places.ravel(), np.arange(whole.size)):
        return reshape.under(name, ())(whole, places.shape)
    if not whole.shape:
        return broadcast_to.under(name, ())(whole, places.shape)
    return getitem.under(name, ())(whole, np.unravel_index(places, whole.shape))


def scattered(whole, places, part):
    """Return a variable with the entries of another one written at places among all its entries: one box."""
    if not whole.shape:
        return reshape(part, whole.shape)
    return index_put(whole, np.unravel_index(places, whole.shape), part)


class Hooks:
    """The hooks that our variables call. `taken` are PyTorch's dictionaries of them, so that each is taken once: {id: it}."""

    def __init__(self):
        self.taken = {}

    def take(self, t, node):
        """Let a node call the hooks of a tensor, those that are added later too, and not those that are removed."""
        hooks = t._backward_hooks
        if hooks and node is not None and id(hooks) not in self.taken:
            self.taken[id(hooks)] = hooks
            dtype = t.dtype
            node.hooks = [*(node.hooks or ()), lambda G: changed(torch.tensor(np.asarray(G)).to(dtype), hooks)]

    @contextmanager
    def silenced(self):
        """Keep PyTorch from calling the hooks in this block, since our variables call them."""
        kept = [(hooks, hooks.copy()) for hooks in self.taken.values()]
        for hooks, _ in kept:
            hooks.clear()
        try:
            yield
        finally:
            for hooks, before in kept:
                hooks.update(before)


def changed(g, hooks):
    """Return the gradient that hooks make of g, one after the other; None if they change nothing."""
    before = g
    for hook in [*hooks.values()]:
        other = hook(g)
        g = g if other is None else other
    return None if g is before else array(g)
