"""Calls that PyTorch allows and that are seldom meant: a loss that broadcasts, scores that are probabilities already, a view for a move.

They are found while the program runs, from the numbers that a function was given and the function that made them; from the program's
own code, for an activation that writes to what is used again; and from the graph, for a layer norm without its mean.
"""

import re
from bisect import bisect
from dis import get_instructions, hasjabs, hasjrel
from functools import cache, partial
from typing import NamedTuple

import numpy as np
import torch
from torch.utils.weak import WeakTensorKeyDictionary

from scalargrad.callers import callers
from scalargrad.user_names.remarks import Remark, note
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


ACTIVATIONS = {"relu", "relu6", "leaky_relu", "elu", "selu", "celu", "silu", "mish", "hardswish", "hardtanh", "hardsigmoid", "threshold"}
USES = re.compile(r"(LOAD|STORE|DELETE)_(?:FAST|DEREF|NAME)")
ENDS = ("RETURN", "RAISE", "RERAISE")


class Instruction(NamedTuple):
    """An instruction of Python: [(LOAD or STORE, the local)], of which it may join two, and the places of those that may run next."""

    name: str
    uses: list
    next: list


def read_later(frame, t):
    """Return the local of a frame that holds a tensor and is read after the call that runs, on some way on; "" if there is none.

    If the program drops the call's result, it wants the write.
    """
    offsets, instructions = instructions_of(frame.f_code)
    after = bisect(offsets, frame.f_lasti)
    if instructions[after].name == "POP_TOP":
        return ""
    return next((name for name, x in frame.f_locals.items() if x is t and is_read(name, instructions, after)), "")


def is_read(name, instructions, first):
    """Return whether a local is read from instruction number `first` on, before something else is stored in it."""
    ready, met = [first], {first}
    while ready:
        at = instructions[ready.pop()]
        use = next((what for what, local in at.uses if local == name), "")
        if use == "LOAD":
            return True
        new = [place for place in at.next if place not in met] if not use else []
        met.update(new)
        ready += new
    return False


@cache
def instructions_of(code):
    """Return the offsets and the Instructions of a code object."""
    found = list(get_instructions(code))
    places = {each.offset: place for place, each in enumerate(found)}
    instructions = []
    for place, each in enumerate(found):
        names = each.argval if isinstance(each.argval, tuple) else (each.argval,)
        jumps = [places[each.argval]] if each.opcode in hasjrel or each.opcode in hasjabs else []
        goes_on = not each.opname.startswith((*ENDS, "JUMP")) and place + 1 < len(found)
        instructions.append(Instruction(each.opname, list(zip(USES.findall(each.opname), names)), [place + 1] * goes_on + jumps))
    return list(places), instructions


DEVIATIONS, QUOTIENTS, MEANS = {"std", "var"}, {"div", "divide", "truediv", "true_divide", "mul"}, {"mean"}
NEAR = 4  # functions from a deviation to the division by it: + eps, sqrt, a factor


def half_normalised(calls, is_used):
    """Yield (call, what is odd about it) for each division of x by its deviation, if the mean of x is computed and not used.

    is_used(call) says whether anything outside of the graph uses what a call gives.
    """
    made = {v.node: call for call in calls for v in call.results}
    used = {x for y in made for x in y.inputs}
    of_mean = [call for call in calls if call.name in MEANS and call.results and call.results[0].node not in used and not is_used(call)]
    means = {call.results[0].node.inputs[0]: call for call in of_mean}
    for y, call in made.items():
        if call.name in QUOTIENTS and len(y.inputs) == 2:
            over, under = (before(x, made) for x in y.inputs)
            for x in (x for x, name in under if name in DEVIATIONS):
                mean = means.get(x)
                if mean and any(x is top for top, _ in over):
                    yield (
                        call,
                        f"divides by the deviation of what {mean.title} ({mean.place}) takes the mean of, and nothing uses that mean",
                    )


def before(x, made):
    """Return [(variable, the function that it is given to)] on the ways back from x over a few functions; x itself is given to none."""
    found, ready = [(x, "")], [(x, 0)]
    while ready:
        y, far = ready.pop()
        for given in y.inputs if far < NEAR else ():
            found.append((given, made[y].name if y in made else ""))
            ready.append((given, far + 1))
    return found
