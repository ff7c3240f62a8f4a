"""A run of backpropagation kept as a list of steps: walk through them in both directions, or write them as JSON."""

import json
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from functools import cached_property
from itertools import islice

from scalargrad.callers import called_function
from scalargrad.formulas.operators import ADD, MUL
from scalargrad.formulas.symbols import Application
from scalargrad.formulas.text import printable
from scalargrad.graph import Graph, by_key
from scalargrad.messages.errors import brief, refuse_name, unknown_choice, wrong_type
from scalargrad.statements.statement_graph import shown_in
from scalargrad.tracing.quantities import quantities
from scalargrad.tracing.schedules import MOST_PATHS, SCHEDULES
from scalargrad.tracing.steps import Schedule, Step
from scalargrad.tracing.trace_json import LONE_SURROGATE, trace_data
from scalargrad.user_names.branches import compares
from scalargrad.user_names.function_result import result_of
from scalargrad.user_names.names import name_all

A_LOOP = "must be a generator function of (graph, on) that yields a Step for each executed line, at least one"


class EndlessLoop(RuntimeError):
    """A user-defined loop made more steps than its graph could need."""


class Trace:
    """Every step of backpropagation from z, in numbers and in symbols; `trace[i]` is step i, from 0.

    z may be a function of no arguments that returns it. Its variables then have the names of the locals that hold them.
    `order` is a topological order of your own. `schedule` names the algorithm: "topological" (the tutorial's loop, the default),
    "propagate", "counting", "tape", "paths", or another key of `scalargrad.tracing.schedules.SCHEDULES`; or it is a
    `scalargrad.tracing.steps.Schedule` of your own. `options` are those of the schedule's loop: `keep_grad` for "propagate", `queue` and
    `seed` for "counting", `recorded` and `first` for "tape".
    `names` maps variables to names; by default they have their names in the caller's code, or those that `named` gave them.
    names="numbers" calls them v0, v1, … in the order in which they were made, which is that of a tape.
    `steps` is a loop of your own, right or wrong, that runs in place of the schedule's. It is a generator function like
    `scalargrad.tracing.gathering.steps`, or like `scalargrad.tracing.counting.counting` for that schedule.
    detail="statements" shows a variable for each name of the program, with the formula of its whole statement, and "operations", the
    default, every operation; None is statements for a graph of more than ten variables, unless arrays of it are in scopes. `opened` are
    variables, or their names, whose operations are shown. `statements` is then what is shown in place of which variable, or None.
    If this loop raises, or makes far more steps than the graph needs, the trace ends in a step "stop" that says so. Then `error`
    is the exception; otherwise `error` is None.

    >>> from scalargrad import Value
    >>> x = Value(3); y = x * x
    >>> t = Trace(y); len(t), t[-1].computed[x].number, str(t.computed[x].symbol)
    (13, 6, 'x + x')

    The shortest wrong loop is the right one on a wrong graph. This one sees only the first child of each variable:

    >>> from copy import copy
    >>> from scalargrad.tracing.gathering import steps
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
        schedule: str | Schedule = "topological",
        names: Mapping | str | None = None,
        steps: Callable | None = None,
        detail: str | None = "operations",
        opened=(),
        **options,
    ):
        if not isinstance(schedule, str | Schedule):
            raise TypeError(f"{called_function()}: schedule={brief(schedule)} is not text; use one of {', '.join(SCHEDULES)}")
        if names != "numbers":
            refuse_names(names)
        if steps is not None and not callable(steps):
            raise TypeError(f"{called_function()}: steps={brief(steps)} {A_LOOP}")
        if isinstance(schedule, str) and schedule not in SCHEDULES:
            raise unknown_choice(called_function(), "schedule", schedule, SCHEDULES)
        self.schedule = SCHEDULES[schedule] if isinstance(schedule, str) else schedule
        if order is not None and not self.schedule.takes_order:
            raise ValueError(
                f"{called_function()}: schedule={self.schedule.name!r} finds its own order; leave order= out, or use 'topological'"
            )
        self.compares = compares(z)  # so at other numbers the program may take another way
        z, self.leaves = result_of(z)  # which live as long as the trace: a drawing of it reads their arrays
        as_made = order is not None or names == "numbers" or steps is not None or "recorded" in options
        self.statements = shown_in(z, "operations" if detail is None and as_made else detail, names, opened)
        if self.statements:
            order = order and [self.statements.variable[v] for v in Graph(z, order).order if v in self.statements.variable]
            self.graph, self.names = Graph(self.statements.z, order), self.statements.names
            if "recorded" in options:
                options["recorded"] = [there for v in options["recorded"] if (there := self.statements.variable.get(v)) is not None]
        else:
            self.graph = Graph(z, order)
            tape = options.get("recorded") or self.graph.variables
            self.names = {v: f"v{i}" for i, v in enumerate(tape)} if names == "numbers" else name_all(self.graph, names)
        self.on = quantities(self.graph, self.names)
        self.on.require_saved()
        self.loop = self.schedule.loop if steps is None else steps
        self.error: Exception | None = None
        self.options = options
        self.steps = self._run(options, self.is_user_defined)
        if not self.is_user_defined:
            self.steps = self.on.with_lost_entries(self.steps)
        if not all(isinstance(step, Step) for step in self.steps) or not self.steps:
            raise TypeError(f"{called_function()}: steps= {A_LOOP}")

    @classmethod
    def of(cls, z, **options):
        """Return z if it is a Trace, else `Trace(z, **options)`. Raises TypeError if a Trace is given options.

        >>> from scalargrad import Value
        >>> x = Value(3); trace = Trace(x * x); Trace.of(trace) is trace, len(Trace.of(x * x))
        (True, 13)
        """
        if not isinstance(z, cls):
            return cls(z, **options)
        if options:
            given = ", ".join(f"{name}={value!r}" for name, value in options.items())
            raise TypeError(f"the options of a trace cannot change; make a new one: Trace(z, {given})")
        return z

    @property
    def passes(self):
        """{variable: the Passes of a folded loop that it stands for}. Nothing is folded where operations are shown."""
        return self.statements.passes if self.statements else {}

    @property
    def is_user_defined(self):
        """Whether the steps are those of a loop of the user."""
        return self.loop is not self.schedule.loop

    def run_on(self, on):
        """Return a trace of the same loop on other quantities: on numbers, say, that know what they are computed from."""
        found = copy(self)
        for name in ("computed", "_inserted"):
            vars(found).pop(name, None)
        found.on = on
        found.steps = found._run(self.options, self.is_user_defined)
        return found

    def _run(self, options, may_stop):
        """Return the steps of the loop. If a user-defined loop raises or does not end, the last step says so."""
        steps: list = []
        try:
            made = self.loop(self.graph, self.on, **options)
            if may_stop and not isinstance(made, Iterable):
                raise TypeError(f"{called_function()}: steps= {A_LOOP}; it returned {brief(made)}")
            loop = iter(made)
            steps.extend(islice(loop, self._most_steps()) if may_stop else loop)
            if may_stop and next(loop, None) is not None:
                raise EndlessLoop(
                    f"{len(steps):,} steps and no end, for {len(self.graph.variables):,} variables; check what ends its `while`"
                )
        except Exception as error:
            if not (may_stop and steps):
                raise
            self.error = error
            said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            steps.append(steps[-1]._replace(act="stop", state={"error": said}))
        return steps

    def _most_steps(self):
        """Return a number of steps that no correct loop needs. The tutorial's makes about 3 for each variable and each edge."""
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
        """{x: dz/dx} after the last step; each is a Quantity, with a number and a symbol."""
        return self.steps[-1].computed

    @cached_property
    def _inserted(self):
        """{x: the places of the log at which dz/dx was inserted}."""
        return by_key((x, place) for place, (x, _) in enumerate(self.steps[-1].log))

    def known_total(self, x, i):
        """Return dz/dx in computed after step i, or None: `self[i].computed.get(x)` without the whole dictionary."""
        step, places = self.steps[i], self._inserted.get(x, ())
        inserted = bisect_left(places, step.known)
        return step.log[places[inserted - 1]][1] if inserted else None

    def is_final(self, x, i):
        """Return whether dz/dx is in computed after step i, and is complete."""
        terms = len(self.graph.children[x]) if self.schedule.scatters else 1
        return bisect_left(self._inserted.get(x, ()), self.steps[i].known) >= max(terms, 1)

    @property
    def iterations(self):
        return self.steps[-2].iteration if len(self) > 1 else 0

    def total(self, x):
        """Return dz/dx as a formula, not as a number."""
        return self.on.total(x)

    def ratio(self, y, slot):
        """Return ∂y/∂x (between tensors: G_XY) as a formula, not as a number."""
        return self.on.ratio(y, slot)

    def terms(self, i):
        """Return the terms of the sum for step i's variable that are known after step i: for each, the latest step at its edge."""
        step = self.steps[i]
        found = {}
        for past in map(self.steps.__getitem__, range(i % len(self), -1, -1)):
            if past.x is step.x and past.y is not None:
                found.setdefault((past.y, past.slot), past)
            elif past.state and "given" in past.state:
                found.update({(s.y, s.slot): s for s in past.state["given"] if s.x is step.x})
            elif past.iteration != step.iteration and not self.schedule.scatters:
                break
        return list(reversed(found.values()))

    def factors(self, i):
        """Return equation (1) for step i's variable: for each term its factors in three forms, chain rule, symbols and numbers."""
        known = {(t.y, t.slot): t for t in self.terms(i)}
        return [self.on.factors(*edge, known.get(edge)) for edge in self.graph.children[self.steps[i].x]]

    def equation(self, i):
        """Return equation (1) for step i's variable as three formulas: chain rule, symbols, numbers.

        A `?` stands for a factor that step i does not know yet.
        """
        return [_sum(list(map(_product, row))) for row in zip(*self.factors(i))] or [0, 0, 0]

    def to_json(self, indent: int | None = None) -> str:
        """Return the whole trace as JSON text; `to_dict` says what each field holds."""
        text = json.dumps(self.to_dict(), ensure_ascii=False, indent=indent, allow_nan=False)
        return LONE_SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", text)

    def to_dict(self) -> dict:
        """Return the whole trace as JSON-ready dictionaries and lists.

        schema, version  "gradsteps/trace", 1; the version grows when a field changes its meaning or is removed
        schedule, listing  the schedule's name and its pseudocode: [{line, text}]
        z, order         numbers of variables (places in `variables`)
        variables        [{name, data, function, formula, inputs, distance}], inputs before outputs;
                         `inputs` are numbers of variables, `formula` is null for a leaf, `distance` the longest path to z;
                         in a folded loop also `passes`, {loop, first, last, many}: those that it stands for, from 1
        edges            [{input, output, slot, partial}], a variable's edges in the order of its sum
        steps            [{step, line, act, iteration, x, y, slot, partial, upstream, term, total, known}], step from 1;
                         x, y are numbers of variables; the first `known` of the `insertions` have happened
        insertions       [{variable, total}]: the entries of `computed`; a later entry replaces an earlier one
        A quantity is {number, text, latex, mathml}; a formula is {text, latex, mathml}. If the formula of a quantity has more
        than 100 names and numbers, only its last term is written, after an ellipsis: … + x·y. A number that JSON does not have
        is a string: "inf", "-inf", "nan", a fraction such as "1/3", or an integer beyond 2**53.
        For tensors, `data` and `number` are nested lists, and `shape` gives their shape: [] for a single number. An array of
        more than 10,000 entries is null, with its `range` [least, greatest]. `data` is also null if the array is freed.
        `number` is null for a partial between tensors: it is a vjp, and its text is the rule's formula for the contribution `term`.
        """
        return trace_data(self)


def refuse_names(names):
    """Raise TypeError unless `names` is None, or maps variables to text."""
    if not isinstance(names, Mapping | None):
        raise wrong_type(called_function(), "names", names, 'a dictionary {variable: name}, or "numbers"')
    for name in (names or {}).values():
        refuse_name(name)


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
