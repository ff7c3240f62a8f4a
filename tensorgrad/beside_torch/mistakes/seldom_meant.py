"""Calls that PyTorch allows and that are seldom meant: a loss that broadcasts, scores that are probabilities already, a view for a move.

They are found while the program runs, from the numbers that a function was given and the function that made them.
"""

from functools import partial
from typing import NamedTuple

import numpy as np
import torch
from torch.utils.weak import WeakTensorKeyDictionary

from scalargrad.callers import callers
from scalargrad.user_names.remarks import Remark, note
from tensorgrad.beside_torch.mistakes.aliases import ACTIVATIONS, read_later
from tensorgrad.beside_torch.mistakes.future import LOSSES, Predicted, is_next
from tensorgrad.beside_torch.mistakes.reshapes import RESHAPES, mixed_axes

PAIRED = {"mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "soft_margin_loss", "poisson_nll_loss", "kl_div"}
PAIRWISE = {
    *["add", "sub", "subtract", "mul", "multiply", "div", "divide", "truediv", "pow", "maximum", "minimum"],
    *["radd", "rsub", "rmul", "rtruediv"],
}
SCORES = {"cross_entropy", "multi_margin_loss"}
SAME_NUMBERS = {"view", "reshape", "squeeze", "flatten", "contiguous", "clone", "to", "float", "double"}
PADS, PARTS = {"cat", "concat", "pad", "constant_pad_nd"}, {"getitem", "narrow"}
GIVES_AXIS = {"unsqueeze", "getitem", "expand", "expand_as"}
SURE = 1e-4  # how near to 1 the sums of probabilities are


class Odd(NamedTuple):
    """A call, where it is, and what is odd about it."""

    name: str
    place: str
    text: str

    def __str__(self):
        return f"{self.name} ({self.place}) {self.text}"


class SeldomMeant:
    """Looks at each recorded call. `remarks` are what it found."""

    def __init__(self):
        self.remarks: list = []
        self.before = WeakTensorKeyDictionary()  # {tensor without a gradient: the Remark on the call that made it}
        self.padded = WeakTensorKeyDictionary()  # {tensor with a row or column more: True}, which a reshape may shift on purpose
        self.nodes = WeakTensorKeyDictionary()  # {tensor: its variable}
        self.embedded, self.predicted = [], []  # (tokens, their variable), and losses of next tokens
        self.made_by = WeakTensorKeyDictionary()  # {tensor: the function that computed its numbers}

    def see(self, call, given, results):
        name = call.name.strip("_")
        for label, text in remarks_on(name, given, results, self.made_by) if len(given) and len(results) else ():
            self.add(call, label, text)
        is_padded = name in PADS or (name in RESHAPES | PARTS and given[0] in self.padded)
        self.padded |= dict.fromkeys(results if is_padded else (), True)
        if name in RESHAPES and not is_padded and (text := mixed_axes(call, tuple(given[0].shape), tuple(results[0].shape))):
            self.add(call, "mixes axes", text, results)
        self.see_tokens(call, name, given, results)
        for v in call.results[:1]:
            for remark in [self.before[t] for t in given if t in self.before] if len(self.before) else ():
                note(v, partial(list, [remark]))
        by = self.made_by.get(given[0], "") if name in SAME_NUMBERS and given else name
        for t in results:
            self.made_by[t] = by

    def see_tokens(self, call, name, given, results):
        """Look for a loss whose targets are the embedded tokens, moved by one."""
        if self.embedded:
            self.nodes |= {t: v.node for t, v in zip(results, call.results)}
        if name == "embedding" and call.results:
            self.embedded += [(t.detach().cpu().numpy(), call.results[0].node) for t in given if not t.is_floating_point()][:1]
        elif name in LOSSES and len(given) > 1 and given[0] in self.nodes and given[0].ndim in (2, 3):
            targets, scores = given[1].detach().cpu().numpy(), self.nodes[given[0]]
            self.predicted += [Predicted(call, scores, x) for tokens, x in self.embedded if is_next(tokens, targets)]

    def wrote(self, call, t, before, after):
        """Look at a call that has written to a tensor whose numbers were `before`."""
        changes = call.name.strip("_") in ACTIVATIONS and not np.array_equal(before, after)
        if changes and (frame := next(callers(), None)) is not None and (name := read_later(frame, t)):
            text = f"writes to its input, which is used again as {name}, with the changed numbers; give it inplace=False"
            self.add(call, "changes what is used again", text)

    def add(self, call, label, text, made=()):
        """Add a remark on a call. If it is not in the graph, the call that is given what it has made, a tensor, says it in the picture."""
        self.remarks.append(Odd(call.title, call.place, text))
        remark = Remark(label, f"{call.title} ({call.place}) {text}.")
        for v in call.results[:1]:
            note(v, partial(list, [remark]))
        if not call.results:
            self.before |= dict.fromkeys(made, remark)


def remarks_on(name, given, results, made_by):
    """Yield (a label, what is odd about a call of the function `name`)."""
    x, y = given[0].detach(), results[0].detach()
    of = made_by.get(given[0], "")
    if name in PAIRED and len(given) > 1 and given[1].shape != x.shape:
        shapes = broadcast(x, given[1])
        yield "broadcasts", f"is given {shapes}: each entry meets every other; bring both to one shape, with .squeeze(-1) or [:, None]"
    elif name in PAIRWISE and len(given) == 2 and is_column_and_row(given, y, made_by):
        yield "broadcasts", f"is given {broadcast(*given)}: each entry meets every other; if that is not meant, bring both to one shape"
    elif name in SCORES and (of == "softmax" or are_probabilities(x)):
        yield (
            "softmax twice",
            "takes scores (logits) and applies log_softmax itself, but it is given probabilities: softmax is applied twice",
        )
    elif name in SCORES and of == "sigmoid":
        yield "sigmoid before softmax", "takes scores (logits) and applies log_softmax itself, but it is given the results of sigmoid"
    elif name in ("binary_cross_entropy_with_logits", "multilabel_soft_margin_loss") and of in ("sigmoid", "softmax"):
        yield f"sigmoid after {of}", f"applies sigmoid itself, but it is given the results of {of}"
    elif name in ("nll_loss", "kl_div") and x.numel() and x.max() > 0:
        did = "; log_softmax is meant" if of == "softmax" or are_probabilities(x) else ""
        yield "no log-probabilities", f"takes log-probabilities, which are not above 0, but it is given up to {x.max():.4g}{did}"
    elif name in ("softmax", "log_softmax") and y.numel() > 1 and bool((y == (name == "softmax")).all()):
        yield (
            "an axis of one entry",
            f"runs along an axis of one entry: it is {y.flatten()[0]:.0f} everywhere; sigmoid, or another dim, is meant",
        )
    elif name in ("softmax", "log_softmax") and of in ("linear", "addmm") and is_over_batch(y if name == "softmax" else y.exp()):
        yield (
            "runs over the batch",
            f"runs along axis 0 of {tuple(y.shape)}, the batch: its rows compete with each other; dim=-1 is meant for classes",
        )


def broadcast(a, b):
    """Return the shapes of two tensors in words, and what they are broadcast to."""
    return f"{tuple(a.shape)} and {tuple(b.shape)}, which are broadcast to {tuple(torch.broadcast_shapes(a.shape, b.shape))}"


def is_column_and_row(given, y, made_by):
    """Return whether (n, 1) meets (n,), and the program has not just made the axis of 1 for it."""
    column, row = sorted(given, key=lambda t: -t.ndim)
    n = row.shape[0] if row.ndim == 1 else 1
    fits = n > 1 and column.ndim == 2 and tuple(column.shape) == (n, 1) and tuple(y.shape) == (n, n)
    return fits and made_by.get(column, "") not in GIVES_AXIS and (column._base is None or column._base.ndim != 1)


def are_probabilities(x):
    """Return whether the entries along the axis of classes are at least 0 and have the sum 1."""
    if x.ndim < 2 or x.shape[1] < 2 or not x.is_floating_point() or x.min() < 0:
        return False
    return bool(((x.sum(1) - 1).abs() < SURE).all())


def is_over_batch(p):
    """Return whether the columns of a matrix have the sum 1, and its rows have not."""
    if p.ndim != 2 or min(p.shape) < 2:
        return False
    return bool(((p.sum(0) - 1).abs() < SURE).all()) and not bool(((p.sum(1) - 1).abs() < SURE).all())
