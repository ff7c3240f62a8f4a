"""The report on a recording: what `seen.report()` returns and prints. Each part is a field, and a file beside this one."""

from collections import Counter
from textwrap import wrap
from typing import NamedTuple

import numpy as np

from scalargrad.formulas.text import in_columns, shape_text
from scalargrad.graph import Graph, by_key
from scalargrad.tracing.byte_counts import readable
from scalargrad.user_names.names import name_all
from scalargrad.user_names.remarks import remarks_of
from tensorgrad import backward
from tensorgrad.beside_torch.custom.own_functions import OF_OWN
from tensorgrad.beside_torch.report.dead_units import dead_units_of
from tensorgrad.beside_torch.report.not_finite import first_gradient, first_value
from tensorgrad.beside_torch.report.of_modules import remarks_on_modules
from tensorgrad.beside_torch.report.parameters import parameters_of, some
from tensorgrad.beside_torch.report.path import far_gradients, layers_of
from tensorgrad.beside_torch.report.saved_by_torch import saved_by_torch, written_after
from tensorgrad.errors import errors
from tensorgrad.inspection.both_passes import backward_order
from tensorgrad.inspection.memory import memory

WIDTH = 80
NAME = 36  # columns of a parameter's name
MOST_PARAMETERS, MOST_CALLS = 60, 5  # that are printed; the fields have all
TOO_LARGE = 2  # times the gradient of one pass: what .grad holds is more than the pass before has left
OVERWRITTEN = "{} ({}) needs numbers in the backward pass that are written to after it, so backward() raises: write to a copy, .clone()"
SILENT = (
    "{} has other numbers at {} than when it was computed: .data, NumPy or no_grad wrote to it, which PyTorch does not differentiate; "
    "compute a new tensor"
)
HALF = ("float16", "bfloat16")


class View(NamedTuple):
    """A view that the program uses after another call wrote to its memory: its name and place, and the writer's."""

    name: str
    place: str
    writer: str
    written_at: str

    def __str__(self):
        writer = f"{self.writer} ({self.written_at})"
        return f"{self.name} ({self.place}) shares its memory with what {writer} writes to: it then holds other numbers"


class Report:
    """What a recorded program did. Printing it gives a text of 80 columns; the fields have everything.

    `parameters`: each with the norm of its gradient, or why it has none. `layers`: the norm of dz/d(result) of each module in turn.
    `dead_units`: of each ReLU. `value` and `gradient`: the first that is nan or infinite, or None. `memory`: what our functions
    save, as `memory(z)`; `saved_by_torch`: what PyTorch's do. `boxes`: the calls whose derivative PyTorch computes, `own` those of
    the program's own functions, `half` those of half precision, which are computed in float32 here. `views`: those that are used
    after a write to their memory. `remarks`: what is seldom meant, such as a loss that broadcasts.
    """

    def __init__(self, seen):
        graph = Graph(seen.z.node)
        errors.refuse_released("report", graph.variables)
        seen.look_ahead()
        self.loss, self.calls = float(seen.loss.detach()), seen.calls
        z, names = graph.z, name_all(graph)
        found = dict(backward.totals(z, np.ones(z.shape, z.dtype), retain=True, wanted=set(graph.variables)))
        gradients = {x: found[x] for x in graph.variables}
        arrays = {x.node: x.data for _, x in seen.leaves} | {v.node: v.data for call in seen.calls for v in call.results}
        self.layers, self.dead_units = layers_of(seen, gradients), dead_units_of(seen)
        dead = {found.call.number for found in self.dead_units if found.share == 1}
        self.parameters = list(parameters_of(seen, gradients, arrays, dead))
        self.far_gradients = far_gradients(self.layers)
        self.value, self.gradient = first_value(seen.calls, arrays), first_gradient(seen.calls, arrays, gradients, names)
        self.memory, self.saved_by_torch = memory(seen.z), saved_by_torch(seen.loss, [t for t, _ in seen.leaves])
        self.largest = largest(graph, self.memory, seen.calls)
        self.boxes, self.own = ([call for call in seen.calls if call.by.startswith(who)] for who in ("PyTorch", "a function of your own"))
        made = {v.node: call for call in seen.calls for v in call.results}
        views = {
            new: View(v.name or new.name or made[v].title, made[v].place, writer.title, writer.place)
            for v, new, writer in seen.views
            if v in made
        }
        self.views = list(dict.fromkeys(views.values()))
        called = lambda v, new: v.name or new.name or (made[v].title if v in made else "a tensor")
        silent = {new: SILENT.format(called(v, new), line) for v, new, line in seen.silent_changes}
        lost = {call.results[0].node: OVERWRITTEN.format(call.title, call.place) for call in written_after(seen)}
        of_modules = remarks_on_modules(seen, gradients)
        wrong = [remark.text for call in self.own for v in call.results for remark in remarks_of(v) if remark.label in OF_OWN]
        self.remarks = [
            *lost.values(),
            *dict.fromkeys(wrong),
            *map(str, dict.fromkeys(seen.remarks)),
            *dict.fromkeys(silent.values()),
            *[found.text for found in of_modules],
        ]
        for found in of_modules:
            seen.note(found.label, found.text, found.places(seen))
        for label, texts in ("needs what is overwritten", lost), ("changed unseen", silent), ("shares memory", views):
            for v, text in texts.items():
                seen.note(label, str(text), [v])
        for found in self.dead_units:
            if found.is_odd:
                seen.note("dead units", str(found), [v.node for v in found.call.results])
        if (far := self.far_gradients) and far.is_odd:
            seen.note(f"gradients {far.what}", f"On the way from the loss, {far}", [far.begin.variable])
        seen.reported = True
        self.half = [call for call in seen.calls if call.dtype in HALF]

    def __repr__(self):
        return f"<report on {len(self.calls)} calls and {len(self.parameters)} parameters>"

    def __str__(self):
        by = ", ".join(f"{count} by {who}" for who, count in Counter(call.by for call in self.calls).items())
        parts = [
            [f"loss {self.loss:.6g} from {len(self.calls)} calls: {by}"],
            self.of_numbers(),
            self.remarks,
            self.of_parameters(),
            self.of_path(),
            self.of_calls(),
            self.of_memory(),
        ]
        return "\n\n".join("\n".join(line for text in part for line in wrapped(text)) for part in parts if part)

    def of_numbers(self):
        found = [("value", self.value), ("gradient", self.gradient)]
        return [*[f"first {what} that is not finite: {it}" for what, it in found if it], *map(str, self.views[:MOST_CALLS])]

    def of_parameters(self):
        lines = [in_columns("parameter", NAME) + f"{'shape':<16}{'|value|':>12}{'|gradient|':>14}"]
        for p in self.parameters[:MOST_PARAMETERS]:
            size = "none" if p.gradient is None else f"{p.gradient:.4g}"
            lines.append(f"{in_columns(ending(p.name, NAME - 1), NAME)}{in_columns(shape_text(p.shape), 16)}{p.weight:>12.4g}{size:>14}")
        if len(self.parameters) > MOST_PARAMETERS:
            lines.append(f"... and {len(self.parameters) - MOST_PARAMETERS} more in .parameters")
        reasons = by_key((p.why, p.name) for p in self.parameters if p.why)
        made = by_key((p.made, p.name) for p in self.parameters if p.made)
        return [
            *lines,
            *[f"{some(names)}: {why}" for why, names in reasons.items()],
            *[f"{some(names)}: made inside the program at {place}; each run makes new ones" for place, names in made.items()],
            *self.of_former_passes(),
        ]

    def of_former_passes(self):
        """Return a line if .grad holds much more than one pass gives: backward() adds to it."""
        held, given = (sum((size or 0) ** 2 for size in sizes) ** 0.5 for sizes in zip(*[(p.held, p.gradient) for p in self.parameters]))
        if not held or not held > TOO_LARGE * given:
            return []
        return [f".grad holds {held:.4g} for all parameters, where this pass gives {given:.4g}: it adds up until zero_grad() empties it"]

    def of_path(self):
        units = sorted(self.dead_units, key=lambda u: -u.share)
        more = [f"... and {len(units) - MOST_CALLS} more in .dead_units"] if len(units) > MOST_CALLS else []
        return [*[str(self.far_gradients)] * bool(self.far_gradients), *[f"dead units: {u}" for u in units[:MOST_CALLS]], *more]

    def of_memory(self):
        ours, theirs = self.memory, self.saved_by_torch
        if theirs.saved is None:
            beside = "PyTorch has freed what it saved"
        else:
            beside = f"PyTorch saved {readable(theirs.saved)}, {readable(theirs.of_leaves)} of it the leaves themselves"
        lines = [f"saved for the backward pass: {readable(ours.saved)} here; {beside}"]
        for call, size, turn in self.largest[:MOST_CALLS]:
            where = f"{'.'.join(call.scope)}: " if call.scope else ""
            lines.append(f"  {where}{call.title} ({call.place}) {readable(size)}, freed at step {turn} of {len(ours.rows)}")
        return lines

    def of_calls(self):
        lines = [f"{call}: {call.by}; {call.why or 'it has no counterpart here'}" for call in self.boxes[:MOST_CALLS]]
        if len(self.boxes) > MOST_CALLS:
            lines.append(f"... and {len(self.boxes) - MOST_CALLS} more in .boxes")
        if self.half:
            lines.append(f"{len(self.half)} calls in half precision were computed in float32 here, the first is {self.half[0]}")
        return lines


def largest(graph, report, calls):
    """Return (call, bytes that its functions save, the turn in the backward pass that frees them), the largest first."""
    called = {v.node: call for call in calls for v in call.results}
    turns = [y for y in backward_order(graph.variables) if y.inputs]
    found = [(called[y], sum(row.saved.values()), i + 1) for i, (y, row) in enumerate(zip(turns, report.rows)) if y in called]
    return sorted([item for item in found if item[1]], key=lambda item: -item[1])


def ending(text, most):
    return text if len(text) <= most else "…" + text[len(text) - most + 1 :]


def wrapped(text):
    return [text] if len(text) <= WIDTH else wrap(text, WIDTH, subsequent_indent="    ", break_on_hyphens=False)
