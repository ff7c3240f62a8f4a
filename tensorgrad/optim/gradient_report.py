"""The gradient report: for each layer, how large its weights, gradients and updates are, and how many of its gradients are 0."""

from math import hypot
from typing import NamedTuple

import numpy as np

from scalargrad.formulas.text import columns
from scalargrad.messages.errors import brief
from tensorgrad.optim.clipping import norm
from tensorgrad.tensor import array_of


class Row(NamedTuple):
    """What the report says of one layer. `update` and `ratio` are None if no step was made in its block."""

    layer: str
    numbers: int  # how many the layer has
    weight: float  # norm of the parameters
    gradient: float | None  # norm of the gradients; None if there are none
    zeros: float | None  # share of gradients that are 0
    update: float | None  # norm of the change that the step made
    ratio: float | None  # update / weight


class GradientReport:
    """A report on the gradients of a model, layer by layer. Make it after backward(); to see updates, make the step in its block.

    `model` is a module, or pairs (name, tensor). A layer is the part of a name before its last dot; parameters of the model itself have
    the name of its class. `rows` has the numbers. Printing gives a table, and below it a line for each kind of layer that does not learn.
    An update is usually about a thousandth of the weight: a ratio far above says that lr is too large.
    Raises TypeError if `model` is neither.

    >>> from tensorgrad import Tensor, optim
    >>> w, b = Tensor([3.0, 4.0]), Tensor([0.0]); sgd = optim.SGD([w, b], lr=0.1)
    >>> (w * [1.0, 0.0] + b).sum().backward()
    >>> with GradientReport([("layer1.w", w), ("layer1.b", b)]) as report: sgd.step()
    >>> print(report)
    layer   numbers  |weight|  |gradient|  zeros  |update|  update/weight
    layer1        3         5       2.236   33 %    0.2236         0.0447
    """

    def __init__(self, model):
        pairs, own = (model.named_parameters(), type(model).__name__) if hasattr(model, "named_parameters") else (model, "")
        try:
            self.layers = {}
            for name, p in pairs:
                self.layers.setdefault(name.rpartition(".")[0] or own or name, []).append((p, array_of(p.grad)))
        except (TypeError, ValueError, AttributeError):
            raise TypeError(f"GradientReport: {brief(model)} is not a module or a list of pairs (name, tensor)") from None
        self.rows = [self.row(layer, members) for layer, members in self.layers.items()]

    def row(self, layer, members, before=None):
        """Return the row of a layer. `before` are the arrays that its parameters had."""
        grads = [g for _, g in members if g is not None]
        count = sum(g.size for g in grads)
        weight = hypot(*[norm(x) for x in before or [p.data for p, _ in members]])
        update = hypot(*[norm(p.data - x) for (p, _), x in zip(members, before)]) if before else None
        return Row(
            layer,
            sum(p.size for p, _ in members),
            weight,
            hypot(*[norm(g) for g in grads]) if grads else None,
            1 - sum(np.count_nonzero(g) for g in grads) / count if count else None,
            update,
            update / weight if update is not None and weight else None,
        )

    def __enter__(self):
        self._before = [[p.data.copy() for p, _ in members] for members in self.layers.values()]
        return self

    def __exit__(self, *exc):
        if exc[0] is None:
            self.rows = [self.row(layer, members, before) for (layer, members), before in zip(self.layers.items(), self._before)]
        del self._before

    def __str__(self):
        table = ["  ".join(cells).rstrip() for cells in aligned([HEADER, *map(texts, self.rows)])]
        return "\n".join(table + remarks(self.rows))


NAMED = 5  # layers of a remark
HEADER = ("layer", "numbers", "|weight|", "|gradient|", "zeros", "|update|", "update/weight")


def remarks(rows):
    """Return a line for each kind of layer that does not learn, with its likely cause."""
    moved = any(row.update for row in rows)  # else the learning rate may be 0
    kinds = {
        "no gradient: the loss does not depend on it, or it is frozen, or backward() was not called": lambda row: row.gradient is None,
        "all gradients are 0, so it does not learn": lambda row: row.zeros == 1,
        "a gradient, but no update: are its parameters in the optimiser?": lambda row: row.gradient and row.update == 0 and moved,
    }
    found = {said: [row.layer for row in rows if of_kind(row)] for said, of_kind in kinds.items()}
    return [f"{', '.join(layers[:NAMED])}{' and others' * (len(layers) > NAMED)}: {said}" for said, layers in found.items() if layers]


def texts(row):
    numbers = [f"{x:.4g}" if x is not None else "–" for x in (row.weight, row.gradient, row.update)]
    zeros, ratio = ("–" if x is None else form(x) for x, form in ((row.zeros, "{:.0%}".format), (row.ratio, "{:.3g}".format)))
    return row.layer, f"{row.numbers:,}", numbers[0], numbers[1], zeros.replace("%", " %"), numbers[2], ratio


def aligned(rows):
    """Return the rows with cells of equal width in each column, the first column to the left and the others to the right."""
    widths = [max(map(columns, column)) for column in zip(*rows)]
    return [
        [row[0] + " " * (widths[0] - columns(row[0])), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))] for row in rows
    ]
