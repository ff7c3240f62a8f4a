"""The numbers, the formulas, the variables and the edges of a graph as data of its page: each formula once, large arrays cut."""

import re
from functools import partial
from math import isfinite, prod

from scalargrad.formulas.lost_entries import without_lost
from scalargrad.formulas.operators import PRODUCT, SUM
from scalargrad.formulas.rounding_error import is_lost
from scalargrad.formulas.symbols import Name
from scalargrad.formulas.text import isolated, shown_in_full
from scalargrad.tracing.quantities import HOLE
from scalargrad.tracing.trace_json import json_data
from scalargrad.user_names.made_at import made_at
from scalargrad.user_names.remarks import remarks_of
from viz.array_picture import picture_data
from viz.graphs.marks import REMARK, mark_of
from viz.page.live.numbers import LiveMathML, LiveNumber, LiveNumbers, LivePlaceFormatter, at_start
from viz.page.scenes.box_sizes import with_brief_names
from viz.text.array_text import entries, is_array, statistics
from viz.text.formatter import UNICODE, remembered, remembering
from viz.text.mathml import MathFormatter, PlaceFormatter, ShortNames, is_short, runs
from viz.text.short_names import short_names


class Table:
    """A list that holds each thing once; `table[x]` is the place of x."""

    def __init__(self):
        self.place, self.items = {}, []

    def __getitem__(self, x):
        if x not in self.place:
            self.place[x] = len(self.items)
            self.items.append(x)
        return self.place[x]


class NumberData:
    """The numbers and formulas of a trace. `strings` and `quantities` are the page's lists of that name."""

    def __init__(self, trace):
        self.trace, self.on = trace, trace.on
        self.strings, self.quantities, self.known = Table(), [], {}
        self.live = isinstance(trace.on, LiveNumbers)
        self.cut = CutArrays()
        place_formatter, mathml = (LivePlaceFormatter, LiveMathML) if self.live else (PlaceFormatter, ShortNames)
        notation = mathml(short_names(trace.names.values()))
        self.formatter = remembering(place_formatter(self.strings, notation, self.cut))
        self.mathml = remembering(MathFormatter(notation, self.cut))
        self.plain = remembering(UNICODE)
        self.is_short = remembered(partial(is_short, written=self.plain.formula))
        self.formatter.is_short = self.mathml.is_short = self.is_short

    def math(self, formula):
        return self.strings[self.mathml.formula(formula)]

    def number(self, x):
        """Return a number or an array as JSON, as text and as MathML. Add the entries of a small array, or statistics of a large one."""
        found = {"text": self.plain.number(at_start(x)), "mathml": self.strings[self.mathml.number(x)]}
        if isinstance(x, LiveNumber):
            return {**found, **json_data("number", x.data), "n": x.place}
        if is_array(x) and not shown_in_full(x.shape):
            return {**found, "number": None, "summary": statistics(x, UNICODE), **picture_data(x), "array": self.cut[x]}
        return {
            **found,
            **json_data("number", without_lost(x) if is_array(x) else x),
            **({"cells": entries(x, UNICODE)} if is_array(x) else {}),
        }

    def quantity(self, q):
        """Return the place of a number with its formula in `quantities`."""
        if q is None:
            return None
        key = id(q.number) if hasattr(q.number, "tolist") else (type(q.number), q.number, is_lost(q.number)), id(q.symbol)
        if key not in self.known:
            says_more = self.is_short(q.symbol)
            self.known[key] = len(self.quantities), q  # keep q: a new object may get the id of a deleted one
            self.quantities.append({**self.number(q.number), "symbol": self.math(q.symbol) if says_more else None})
        return self.known[key][0]


MOST_ENTRIES, MOST_OF_PAGE, LEAST = 4_096, 60_000, 64  # of an array; of all arrays of a page together; of an array in any case
DIGITS = 6  # of a number


class CutArrays:
    """Arrays, each with its place among them: `cut[array]` is the place, of a new array the next one."""

    def __init__(self):
        self.arrays, self.place = [], {}

    def __getitem__(self, array):
        if id(array) not in self.place:
            self.place[id(array)] = len(self.arrays)
            self.arrays.append(array)  # keep the array: a new one may get the id of a deleted one
        return self.place[id(array)]

    def data(self, names):
        """Return [{name, said, shape, dtype, summary, rows, columns, numbers}].

        `name` is the place of a formula and `said` the same as text, of an array in `names`, {id: (name, said)}. `numbers` are the
        entries of the first matrices of the last two axes, row by row: of each its first `rows` and `columns`. All of a small array;
        of a large one a corner.
        """
        most = max(LEAST, min(MOST_ENTRIES, MOST_OF_PAGE // max(len(self.arrays), 1)))
        named = lambda a: dict(zip(("name", "said"), names.get(id(a), ())))
        return [{**named(a), **numbers_of(a, most)} for a in self.arrays]


def numbers_of(array, most):
    """Return what the dialog shows of an array, at most about `most` of its numbers.

    >>> import numpy as np
    >>> found = numbers_of(np.ones((2, 8, 4)), 40); found["rows"], found["columns"], len(found["numbers"])
    (8, 4, 32)
    """
    found = {"shape": list(array.shape), "dtype": str(array.dtype), "summary": statistics(array, UNICODE)}
    if 0 in array.shape:
        return found | {"rows": 0, "columns": 0, "numbers": []}
    high, wide = array.shape[-2:] if array.ndim > 1 else (1, len(array))
    side = int(most**0.5)
    rows = min(high, max(side, most // min(wide, side)))
    columns = min(wide, max(1, most // rows))
    count = min(max(1, most // (rows * columns)), prod(array.shape) // (high * wide))
    shown = without_lost(array).reshape(-1, high, wide)[:count, :rows, :columns]
    return found | {"rows": rows, "columns": columns, "numbers": [entry(n) for n in shown.reshape(-1).tolist()]}


def entry(number):
    """Return a number for JSON in six digits; text if it is not finite. An integer that fits has no decimal point."""
    if not isfinite(number):
        return UNICODE.number(number)
    short = float(format(number, f".{DIGITS}g"))
    return int(short) if short == int(short) and abs(short) < 10**DIGITS else short


LONG = 90  # characters of a remark: a longer one is folded
FACT = re.compile(r"(.+?[:;]) (.+)|(.+)", re.DOTALL)


class VariableData(NumberData):
    """The variables and edges of a trace's graph. `place` has the place of each variable, `edges` of each edge, in the page's lists."""

    def __init__(self, trace):
        super().__init__(trace)
        self.brief = with_brief_names(trace)
        self.place = {v: i for i, v in enumerate(trace.graph.variables)}
        edges = [(y, slot) for x in trace.graph.variables for y, slot in trace.graph.children[x]]
        self.edges = {edge: k for k, edge in enumerate(edges)}

    def variable(self, v):
        data = self.on.data(v)
        return {
            "name": isolated(self.trace.names[v]),
            "written": self.strings[self.mathml.name(self.trace.names[v])],
            "total": self.math(self.trace.total(v)),
            **{("data" if key == "number" else key): value for key, value in self.number(data).items()},
            "shape": list(getattr(v, "shape", ())),
            "function": v.rule.name if v.rule else None,
            "formula": self.math(self.on.written(v)) if v.rule else None,
            "equation": self.plain.formula(self.on.written(v)) if v.rule else None,
            "label": runs(Name(self.brief.name(v))),
            "totalLabel": runs(self.brief.total(v)),
            "formulaLabel": self.formula_label(v) if v.rule else None,
            "inputs": [self.place[x] for x in v.inputs],
            **({"madeAt": f"{line} {line.text}"} if (line := made_at(v)) else {}),
            **({"mark": list(filter(None, mark))} if (mark := mark_of(v)) else {}),
            **({"remarks": self.remarks(found)} if (found := remarks_of(v)) else {}),
        }

    def remarks(self, found):
        """Return the sentences of remarks, as [fact, more]: a long one is a fact, and what follows after its colon or semicolon."""
        parts = [FACT.match(remark.text).groups() if len(remark.text) > LONG else [remark.text] for remark in found]
        return [[self.formatter(self.formatter.words(part)) for part in filter(None, one)] for one in parts]

    def formula_label(self, v):
        """Return v's function as runs of a label, after its mark, if it has one."""
        mark = mark_of(v)
        prefix = "! " if mark and mark.kind == REMARK else f"{mark.short}: " if mark else ""
        return ([[prefix, ""]] if prefix else []) + runs(self.brief.written(v))

    def edge(self, y, slot):
        partial = self.on.partial(y, slot)
        return {
            "input": self.place[y.inputs[slot]],
            "output": self.place[y],
            "slot": slot,
            "ratio": self.math(self.trace.ratio(y, slot)),
            "text": self.plain.formula(self.trace.ratio(y, slot)),
            "label": runs(self.brief.ratio(y, slot)),
            "partial": self.quantity(partial),
            "chain": self.product(self.on.factors(y, slot)[0], y, slot),
        }

    def product(self, factors, y, slot):
        """Return the factors of an edge's term of equation (1), in brackets if needed; None for a factor that is not known yet."""
        edges = self.trace.graph.children[y.inputs[slot]]
        first, alone = edges[0].child is y and edges[0].slot == slot, len(edges) == len(factors) == 1
        loosest = SUM if alone else PRODUCT
        return [None if f is HOLE else self.strings[self.mathml.factor(f, first and not k, loosest)] for k, f in enumerate(factors)]

    def names_of_arrays(self):
        """Return {id of an array: its name, as the place of a formula and as text}: of variables, contributions and total derivatives."""
        trace, formula = self.trace, lambda f: (self.math(f), UNICODE.formula(f))
        found = {id(s.term.number): formula(trace.ratio(s.y, s.slot)) for s in trace if s.term is not None and (s.y, s.slot) in self.edges}
        found |= {id(q.number): formula(trace.total(v)) for v, q in trace.computed.items() if v in self.place}
        return found | {id(self.on.data(v)): formula(Name(trace.names[v])) for v in self.place}
