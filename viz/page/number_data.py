"""The numbers and the formulas of a page as data: each number as JSON, as text and as MathML; each formula once."""

from scalargrad.formulas.lost_entries import without_lost
from scalargrad.formulas.rounded import is_lost
from scalargrad.formulas.text import shown_in_full
from scalargrad.tracing.trace_json import json_data
from viz.array_picture import picture_data
from viz.page.cut_arrays import CutArrays
from viz.page.live.numbers import LiveMathML, LiveNumber, LiveNumbers, LivePlaceFormatter, at_start
from viz.page.typeset.mathml import MathFormatter, PlaceFormatter, ShortNames, is_short
from viz.text.array_text import entries, is_array, statistics
from viz.text.formatter import UNICODE, remembered, remembering
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
        self.is_short = remembered(is_short)

    def math(self, formula):
        return self.strings[self.mathml.formula(formula)]

    def number(self, x):
        """Return a number or an array as JSON, as text and as MathML. Add the entries of a small array, or statistics of a large one."""
        found = {"text": UNICODE.number(at_start(x)), "mathml": self.strings[self.mathml.number(x)]}
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
