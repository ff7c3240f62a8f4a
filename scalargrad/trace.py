"""A run of backpropagation kept as a list of steps, to walk forwards and backwards in time, and to export as JSON."""

import json
import math
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from itertools import islice

from scalargrad.callers import called_function
from scalargrad.errors import brief, refuse_name
from scalargrad.formulas.notations import LATEX, MATHML, TEXT
from scalargrad.formulas.operators import ADD, MUL
from scalargrad.formulas.symbols import Application, Name, render
from scalargrad.formulas.text import printable
from scalargrad.graph import Graph
from scalargrad.names import name_all
from scalargrad.quantities import LONGEST, is_long, quantities
from scalargrad.schedules import MOST_PATHS, SCHEDULES
from scalargrad.steps import Step

A_LOOP = "must be a generator function of (graph, on) that yields a Step for each executed line, at least one"
SCHEMA, VERSION = "gradsteps/trace", 1
MOST_IN_JSON = 10_000  # entries of an array that is written in full
LONE_SURROGATE = re.compile("[\ud800-\udfff]")  # half of a pair, which UTF-8 cannot hold: written as \ud800
ELLIPSIS = Name("…")  # what stands for the beginning of a long sum or product
LARGEST_IN_JSON = 2**53  # larger whole numbers lose digits in JavaScript, and in other languages


class EndlessLoop(RuntimeError):
    """A user-defined loop went on beyond the steps that its graph could need."""


class Trace:
    """Every step of backpropagation from z, in numbers and in symbols; `trace[i]` is step i, from 0.

    `order` is a topological order of your own; `schedule` is "topological" (the tutorial's loop, default), "counting",
    "tape" or "paths", with that schedule's own options; `names` maps variables to names, the caller's names are the default.
    `steps` is a loop of your own, right or wrong, to run in the place of the schedule's: a generator function in the form
    of `scalargrad.backpropagation.steps` for the tutorial's loop, of `scalargrad.schedules.counting` for counting, and so on.
    Where it raises, or goes on far beyond the steps that the graph needs, the trace ends in a step "stop" that says so, and
    `error` is the exception; otherwise `error` is None.

    >>> from scalargrad import Value
    >>> x = Value(3); y = x * x
    >>> t = Trace(y); len(t), t[-1].computed[x].number, str(t.computed[x].symbol)
    (13, 6, 'x + x')

    The shortest wrong loop is the right one on a wrong graph, here with the first child of each variable only:

    >>> from copy import copy
    >>> from scalargrad.backpropagation import steps
    >>> def one_child(graph, on):
    ...     graph = copy(graph)
    ...     graph.children = {x: edges[:1] for x, edges in graph.children.items()}
    ...     return steps(graph, on)
    >>> Trace(y, steps=one_child)[-1].computed[x].number
    3
    """

    def __init__(
        self,
        z,
        order: Sequence | None = None,
        schedule: str = "topological",
        names: Mapping | None = None,
        steps: Callable | None = None,
        **options,
    ):
        if not isinstance(schedule, str):
            raise TypeError(f"{called_function()}: schedule={brief(schedule)} is not text; choose one of {', '.join(SCHEDULES)}")
        if not isinstance(names, Mapping | None):
            raise TypeError(f"{called_function()}: names={brief(names)} is not a dictionary {{variable: name}}")
        for name in (names or {}).values():
            refuse_name(name)
        if steps is not None and not callable(steps):
            raise TypeError(f"{called_function()}: steps={brief(steps)} {A_LOOP}")
        if schedule not in SCHEDULES:
            raise ValueError(f"there is no schedule {schedule!r}; choose one of {', '.join(SCHEDULES)}")
        self.schedule = SCHEDULES[schedule]
        if order is not None and not self.schedule.takes_order:
            raise ValueError(f"the schedule {schedule!r} finds its own order; leave order= out, or choose the schedule topological")
        self.graph = Graph(z, order)
        self.names = name_all(self.graph, names)
        self.on = quantities(self.graph, self.names)
        self.on.require_saved()
        self.loop = self.schedule.loop if steps is None else steps
        self.error: Exception | None = None
        self.steps = self._run(options, self.loop is not self.schedule.loop)
        if not all(isinstance(step, Step) for step in self.steps) or not self.steps:
            raise TypeError(f"{called_function()}: steps= {A_LOOP}")

    @classmethod
    def of(cls, z, **options):
        """z itself where it is a trace, and z's trace otherwise; TypeError where a trace is given options, for it was made by its own.

        >>> from scalargrad import Value
        >>> x = Value(3); trace = Trace(x * x); Trace.of(trace) is trace, len(Trace.of(x * x))
        (True, 13)
        """
        if not isinstance(z, cls):
            return cls(z, **options)
        if options:
            given = ", ".join(f"{name}={value!r}" for name, value in options.items())
            raise TypeError(f"a trace is made with its options, and cannot get others later: {given} goes into Trace(z, {given})")
        return z

    def _run(self, options, may_stop):
        """The steps of the loop. Of a user-defined loop that raises, or does not end, those before, and a step that says so."""
        steps: list = []
        try:
            made = self.loop(self.graph, self.on, **options)
            if may_stop and not isinstance(made, Iterable):
                raise TypeError(f"{called_function()}: steps= {A_LOOP}; it returned {brief(made)}")
            loop = iter(made)
            steps.extend(islice(loop, self._most_steps()) if may_stop else loop)
            if may_stop and next(loop, None) is not None:
                raise EndlessLoop(
                    f"{len(steps):,} steps and no end, for {len(self.graph.variables):,} variables; "
                    "does a `while` wait for what never comes?"
                )
        except Exception as error:
            if not (may_stop and steps):
                raise
            self.error = error
            said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            steps.append(steps[-1]._replace(act="stop", state={"error": said}))
        return steps

    def _most_steps(self):
        """More steps than any loop that ends makes: the tutorial's makes about 3 for each variable and each edge."""
        paths = 10 * MOST_PATHS if self.schedule.along_paths else 0
        return 1_000 + 20 * (len(self.graph.variables) + sum(map(len, self.graph.children.values()))) + paths

    def __len__(self):
        return len(self.steps)

    def __repr__(self):
        return f"<trace of {printable(self.names[self.graph.z])}: {len(self)} steps of {self.schedule.name}>"

    def __getitem__(self, i):
        return self.steps[i]

    @cached_property
    def computed(self):
        """{x: dz/dx} at the end; each has a number and a symbol."""
        return self.steps[-1].computed

    @cached_property
    def _inserted(self):
        """{x: the places of the log at which dz/dx was inserted}."""
        found: dict = {}
        for place, (x, _) in enumerate(self.steps[-1].log):
            found.setdefault(x, []).append(place)
        return found

    def known_total(self, x, i):
        """dz/dx as it stands in computed after step i: `self[i].computed[x]` without making the whole dictionary."""
        step, places = self.steps[i], self._inserted[x]
        return step.log[places[bisect_left(places, step.known) - 1]][1]

    def is_final(self, x, i):
        """Whether dz/dx stands in computed after step i, and is complete."""
        terms = len(self.graph.children[x]) if self.schedule.scatters else 1
        return bisect_left(self._inserted.get(x, ()), self.steps[i].known) >= max(terms, 1)

    @property
    def iterations(self):
        return self.steps[-2].iteration if len(self) > 1 else 0

    def total(self, x):
        """dz/dx as it is written before it is worked out."""
        return self.on.total(x)

    def ratio(self, y, slot):
        """∂y/∂x (of tensors: G_XY) as it is written before it is worked out."""
        return self.on.ratio(y, slot)

    def terms(self, i):
        """The terms of the sum for step i's variable, as far as they are known then, as steps (their latest lines)."""
        step = self.steps[i]
        found = {}
        for past in self.steps[i - len(self) :: -1] if i < 0 else self.steps[i::-1]:
            if past.x is step.x and past.y is not None:
                found.setdefault((past.y, past.slot), past)
            elif past.iteration != step.iteration and not self.schedule.scatters:
                break
        return list(reversed(found.values()))

    def factors(self, i):
        """Equation (1) for step i's variable, term by term, each in three forms: chain rule, symbols, numbers, as their factors."""
        known = {(t.y, t.slot): t for t in self.terms(i)}
        return [self.on.factors(*edge, known.get(edge)) for edge in self.graph.children[self.steps[i].x]]

    def equation(self, i):
        """Equation (1) for step i's variable in three formulas: chain rule, symbols, numbers.

        What is not known yet at step i is a `?`.
        """
        return [_sum(list(map(_product, row))) for row in zip(*self.factors(i))] or [0, 0, 0]

    def to_json(self, indent: int | None = None) -> str:
        """The whole trace as JSON text; `to_dict` says what each field holds."""
        text = json.dumps(self.to_dict(), ensure_ascii=False, indent=indent, allow_nan=False)
        return LONE_SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", text)

    def to_dict(self) -> dict:
        """The whole trace as JSON-ready dictionaries and lists.

        schema, version  "gradsteps/trace", 1; the version grows when a field changes its meaning or goes
        schedule, listing  the schedule's name and its pseudocode: [{line, text}]
        z, order         numbers of variables (places in `variables`)
        variables        [{name, data, function, formula, inputs, distance}], inputs before outputs;
                         `inputs` are numbers of variables, `formula` is null for a leaf, `distance` the longest path to z
        edges            [{input, output, slot, partial}], a variable's edges in the order of its sum
        steps            [{step, line, act, iteration, x, y, slot, partial, upstream, term, total, known}], step from 1;
                         x, y are numbers of variables; `known` says how many entries of `insertions` have happened
        insertions       [{variable, total}]: what `computed` is made of; a later entry replaces an earlier one
        A quantity is {number, text, latex, mathml}; a formula {text, latex, mathml}. The formula of a quantity that has more
        than 100 names and numbers is its last term after an ellipsis, … + x·y. A number that JSON does not have is
        a string: "inf", "-inf", "nan", a fraction such as "1/3", or a whole number beyond 2**53.
        Of tensors `data` and `number` are nested lists, and `shape` stands beside them: [] for a single number. An array of
        more than 10,000 entries is null, with its `range` [least, greatest]; `data` is null too where the array is freed,
        and `number` for a partial, which is a vjp: its text is the rule's formula for the contribution `term`.
        """
        place = {v: i for i, v in enumerate(self.graph.variables)}
        quantity = Quantities()
        at = lambda v: None if v is None else place[v]
        return {
            "schema": SCHEMA,
            "version": VERSION,
            "schedule": self.schedule.name,
            "listing": [{"line": line, "text": text} for line, text in self.schedule.listing.items()],
            "z": place[self.graph.z],
            "order": [place[v] for v in self.graph.order],
            "variables": [
                {
                    "name": self.names[v],
                    **json_data("data", self.on.data(v)),
                    "function": v.rule.name if v.rule else None,
                    "formula": written(self.on.written(v)) if v.rule else None,
                    "inputs": [place[x] for x in v.inputs],
                    "distance": self.graph.distance[v],
                }
                for v in self.graph.variables
            ],
            "edges": [
                {"input": place[x], "output": place[y], "slot": slot, "partial": quantity(self.on.partial(y, slot))}
                for x in self.graph.variables
                for y, slot in self.graph.children[x]
            ],
            "steps": [
                {
                    "step": number,
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
                for number, s in enumerate(self.steps, 1)
            ],
            "insertions": [{"variable": place[v], "total": quantity(total)} for v, total in self.steps[-1].log],
        }


def _product(factors):
    formula, *more = factors
    for factor in more:
        formula = Application(MUL, (formula, factor))
    return formula


def _sum(terms):
    formula = terms[0] if terms else 0
    for term in terms[1:]:
        formula = Application(ADD, (formula, term))
    return formula


def written(formula):
    return {"text": render(formula, TEXT), "latex": render(formula, LATEX), "mathml": render(formula, MATHML)}


class Quantities:
    """Quantities as dictionaries; a formula that several steps have is written once, a long one in short."""

    def __init__(self):
        self.known: dict = {}

    def __call__(self, q):
        if q is None:
            return None
        if id(q.symbol) not in self.known:
            self.known[id(q.symbol)] = q.symbol, written(in_short(q.symbol))  # the symbol is kept, so that its id stays its own
        return {**json_data("number", q.number), **self.known[id(q.symbol)][1]}


def in_short(formula):
    """A formula, a long sum or product as an ellipsis and its last part: it grows step by step, and so would the text of each step."""
    if not is_long(formula):
        return formula
    grown = isinstance(formula, Application) and formula.head in (ADD, MUL)
    return Application(formula.head, (ELLIPSIS, formula.args[-1])) if grown and not is_long(formula.args[-1], 2 * LONGEST) else ELLIPSIS


def json_data(field, x):
    """A number, or an array with its shape, under the name `field`."""
    if x is None or not hasattr(x, "tolist"):
        return {field: None if x is None else json_number(x)}
    shape = {"shape": list(x.shape)}
    if x.size <= MOST_IN_JSON:
        return {field: json_entries(x.tolist()), **shape}
    return {field: None, **shape, "range": json_entries([x.min().tolist(), x.max().tolist()])}


def json_entries(entries):
    return list(map(json_entries, entries)) if isinstance(entries, list) else json_number(entries)


def json_number(x):
    if isinstance(x, float):
        return x if math.isfinite(x) else str(x)
    if x.denominator != 1:
        return f"{Decimal(x.numerator)}/{Decimal(x.denominator)}"
    return int(x) if abs(x) <= LARGEST_IN_JSON else str(Decimal(x.numerator))
