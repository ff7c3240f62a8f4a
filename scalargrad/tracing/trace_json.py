"""A trace as dictionaries and lists that JSON can hold; `Trace.to_dict` says what each field holds."""

import math
import re
from decimal import Decimal

from scalargrad.formulas.notations import LATEX, MATHML, TEXT
from scalargrad.formulas.operators import ADD, MUL
from scalargrad.formulas.symbols import Application, Name, render
from scalargrad.tracing.quantities import LONGEST, is_long

SCHEMA, VERSION = "gradsteps/trace", 1
MOST_ENTRIES = 10_000  # entries of an array that is written in full
LARGEST_INTEGER = 2**53  # larger integers lose digits in JavaScript and in other languages
LONE_SURROGATE = re.compile("[\ud800-\udfff]")  # half of a pair, which UTF-8 cannot hold: written as \ud800
ELLIPSIS = Name("…")  # stands for the beginning of a long sum or product


def trace_data(trace):
    """Return all of a trace, as `Trace.to_dict` describes it."""
    place = {v: i for i, v in enumerate(trace.graph.variables)}
    quantity = Quantities()
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "schedule": trace.schedule.name,
        "listing": [{"line": line, "text": text} for line, text in trace.schedule.listing.items()],
        "z": place[trace.graph.z],
        "order": [place[v] for v in trace.graph.order],
        "variables": [variable_data(trace, v, place) for v in trace.graph.variables],
        "edges": [
            {"input": place[x], "output": place[y], "slot": slot, "partial": quantity(trace.on.partial(y, slot))}
            for x in trace.graph.variables
            for y, slot in trace.graph.children[x]
        ],
        "steps": [{"step": number, **step_data(s, place, quantity)} for number, s in enumerate(trace, 1)],
        "insertions": [{"variable": place[v], "total": quantity(total)} for v, total in trace[-1].log],
    }


def variable_data(trace, v, place):
    return {
        "name": trace.names[v],
        **json_data("data", trace.on.data(v)),
        "function": v.rule.name if v.rule else None,
        "formula": in_notations(trace.on.written(v)) if v.rule else None,
        "inputs": [place[x] for x in v.inputs],
        "distance": trace.graph.distance[v],
        **({"passes": trace.passes[v]._asdict()} if v in trace.passes else {}),
    }


def step_data(s, place, quantity):
    at = lambda v: None if v is None else place[v]
    return {
        "line": s.line,
        "act": s.act,
        "iteration": s.iteration,
        "x": at(s.x),
        "y": at(s.y),
        "slot": s.slot,
        "partial": quantity(s.partial),
        "upstream": quantity(s.upstream),
        "term": quantity(s.term),
        "total": quantity(s.total),
        "known": s.known,
    }


def in_notations(formula):
    return {"text": render(formula, TEXT), "latex": render(formula, LATEX), "mathml": render(formula, MATHML)}


class Quantities:
    """Quantities as dictionaries. Steps share formulas, so each is rendered once."""

    def __init__(self):
        self.known: dict = {}

    def __call__(self, q):
        if q is None:
            return None
        if id(q.symbol) not in self.known:
            self.known[id(q.symbol)] = q.symbol, in_notations(abbreviated(q.symbol))  # keeps the symbol, so that its id stays its own
        return {**json_data("number", q.number), **self.known[id(q.symbol)][1]}


def abbreviated(formula):
    """Return a formula, but of a long sum or product only the last part, after an ellipsis: it grows with each step."""
    if not is_long(formula):
        return formula
    grown = isinstance(formula, Application) and formula.head in (ADD, MUL)
    return Application(formula.head, (ELLIPSIS, formula.args[-1])) if grown and not is_long(formula.args[-1], 2 * LONGEST) else ELLIPSIS


def json_data(field, x):
    """Return {field: a number}, or {field: the nested lists of an array, "shape": its shape}."""
    if x is None or not hasattr(x, "tolist"):
        return {field: None if x is None else json_number(x)}
    shape = {"shape": list(x.shape)}
    if x.size <= MOST_ENTRIES:
        return {field: json_entries(x.tolist()), **shape}
    return {field: None, **shape, "range": json_entries([x.min().tolist(), x.max().tolist()])}


def json_entries(entries):
    return list(map(json_entries, entries)) if isinstance(entries, list) else json_number(entries)


def json_number(x):
    if isinstance(x, float):
        return x if math.isfinite(x) else str(x)
    if x.denominator != 1:
        return f"{Decimal(x.numerator)}/{Decimal(x.denominator)}"
    return int(x) if abs(x) <= LARGEST_INTEGER else str(Decimal(x.numerator))
