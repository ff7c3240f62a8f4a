"""Run an engine beside the right one on growing graphs, until the first, smallest difference; shrink the graph; name the mistake."""

import sys
from collections.abc import Callable, Mapping
from functools import partial
from math import isclose
from typing import NamedTuple

from tutorial.exercises.broken_engine.engines import ClassEngine, Outcome, engine_in
from tutorial.exercises.broken_engine.facts import facts
from tutorial.exercises.broken_engine.known_mistakes import AGAIN, RULES, STRUCTURAL, mistakes_of
from tutorial.exercises.broken_engine.probes import chain, many_paths, probes, structural
from tutorial.exercises.broken_engine.programs import EVERYWHERE, OPERATORS, Line, Numbers, Program
from tutorial.misconceptions import MISTAKES, Mistake, of_one_function

DEEP = 200  # links beyond the limit of recursion
SIZES = 8, 18  # functions of the graphs on which speed is compared


class Row(NamedTuple):
    """A variable of the graph: its value, what the engine has for dz/dx, and what is right."""

    name: str
    value: float
    got: float | None
    expected: float
    wrong: bool


class Found(NamedTuple):
    """A difference on one program. `rows` are the variables, `first` the first that differs; `what` is value, derivative or error."""

    program: Program
    numbers: Numbers
    what: str
    rows: tuple = ()
    error: BaseException | None = None
    changed: str = ""

    @property
    def first(self) -> Row | None:
        return next((row for row in self.rows if row.wrong), None)


class Comparison(NamedTuple):
    """An engine beside the right one: on how many graphs they agreed, the difference that was found, and its mistake if it has a name.

    `said` is the mistake in words, with the numbers of the graph. `remarks` are about a right engine. `untried` are functions that
    the engine does not have.
    """

    engine: object
    agreed: int
    found: Found | None = None
    name: str | None = None
    said: Mistake | None = None
    remarks: tuple = ()
    untried: tuple = ()


def compare(engine, trying: Callable[[Program], object] = lambda program: None) -> Comparison:
    """Run an engine, or that of a namespace, beside the right one and return what was found. `trying` is called with each program.

    Raises NoEngine if the namespace has none.

    >>> def backprop(order, children, partial):
    ...     computed = {order[0]: 1}
    ...     for x in order[1:]:
    ...         for y in children[x]:
    ...             computed[x] = computed[y] * partial[y, x]
    ...     return computed
    >>> found = compare({"__name__": __name__, "backprop": backprop})
    >>> print(found.found.program)
    a = Value(3)
    z = a + a
    z.backward()
    >>> found.said.title
    'The engine overwrites instead of adding'
    """
    engine = engine_in(engine) if isinstance(engine, Mapping) else engine
    agreed = 0
    for program in probes(engine.operators):
        if engine.can_run(program):
            trying(program)
            if found := difference(engine, program):
                return explained(engine, smallest(engine, found), agreed)
            agreed += 1
    untried = tuple(name for name in OPERATORS if name not in engine.operators and isinstance(engine, ClassEngine))
    return Comparison(engine, agreed, remarks=tuple(remarks(engine, trying)), untried=untried)


# The difference on one program


def difference(engine, program) -> Found | None:
    """Return how an engine differs from the right one on a program, or None."""
    numbers, outcome = Numbers(program), engine.run(program)
    if outcome.error is not None:
        return Found(program, numbers, "error", error=outcome.error)
    for what, rows in (("value", rows_of_values(numbers, outcome)), ("derivative", rows_of_totals(engine, numbers, outcome))):
        if any(row.wrong for row in rows):
            return Found(program, numbers, what, rows)
    return Found(program, numbers, "changed", changed=outcome.changed) if outcome.changed else None


def rows_of_values(numbers, outcome: Outcome):
    """Return a row for each variable whose value the engine has; got and expected are values."""
    values = [(name, outcome.values[name], numbers.values[name]) for name in numbers.made if name in outcome.values]
    return tuple(Row(name, expected, got, expected, not same(got, expected)) for name, got, expected in values)


def rows_of_totals(engine, numbers, outcome: Outcome):
    """Return a row for each variable, in the order of the backward pass. After a second call only leaves are compared."""
    names = [*numbers.order, *(name for name in numbers.made if name not in numbers.children)]
    if numbers.program.calls > 1:
        names = [name for name in names if not numbers.inputs[name]]
        times = next((n for n in (1, numbers.program.calls) if all(same(outcome.totals.get(x), n * numbers.totals[x]) for x in names)), 1)
    else:
        times = 1
    rows = []
    for name in names:
        got, expected = outcome.totals.get(name), times * numbers.totals[name]
        may_miss = name not in numbers.children or isinstance(engine, ClassEngine) and bool(numbers.inputs[name]) and name != numbers.z
        wrong = not (same(got, expected) or got is None and may_miss)
        rows.append(Row(name, numbers.values[name], got, expected, wrong))
    return tuple(rows)


def same(got, expected):
    return got is not None and (got == expected or isclose(got, expected, rel_tol=1e-9, abs_tol=1e-12))


# The smallest program


def smallest(engine, found) -> Found:
    """Return the difference on the smallest program that one gets by leaving out lines, or by making a variable a leaf."""
    for smaller in sorted(shorter(found.program), key=lambda p: len(p.lines)):
        less = difference(engine, smaller) if engine.can_run(smaller) else None
        if less and less.what == found.what and type(less.error) is type(found.error):
            return smallest(engine, less)
    return found


def shorter(program):
    """Yield the programs with one line less, or with a leaf in place of a function."""
    values = Numbers(program).values
    for k, line in enumerate(program.lines):
        used = line.name == program.z or any(line.name in other.inputs for other in program.lines)
        if not used:
            yield program.without(k)
        elif line.inputs and line.name != program.z:
            lines = list(program.lines)
            lines[k] = Line(line.name, value=values[line.name])
            yield Program(tuple(lines), program.z, program.calls)
        for other in dict.fromkeys(earlier.name for earlier in program.lines[:k]) if used else ():
            yield program.without(k, other)


# The name of the mistake


def explained(engine, found: Found, agreed) -> Comparison:
    """Return a Comparison with the name of the mistake, if a known mistake gives the same numbers on all graphs that were tried."""
    name, mistake = mistake_of(engine, found)
    said = mistake and Mistake(*(text.format_map(facts(found)) for text in mistake))
    return Comparison(engine, agreed, found, name, said)


def mistake_of(engine, found: Found):
    """Return the name of the mistake, and the Mistake with its fields; None, None if the numbers are those of no known mistake."""
    if found.what == "changed":
        return known("changes what it reads")
    if found.what == "error":
        return known(name_of_error(found))
    if found.what == "value":
        return None, None
    if found.program.calls > 1:
        return known(matching(engine, AGAIN, [found.program]))
    if found.program.operators <= set(EVERYWHERE) and (name := matching(engine, likely(engine), [*structural(), found.program])):
        return known(name)
    for operator in sorted(found.program.operators & set(RULES)):
        tried = [p for p in probes(engine.operators) if p.calls == 1 and operator in p.operators and p.operators <= {operator, *EVERYWHERE}]
        if name := matching(engine, dict(mistakes_of(operator)), [*tried, found.program]):
            return name, of_one_function(name, OPERATORS[operator].written.format("a", "b"))
    return None, None


def likely(engine):
    """Return the known mistakes of such an engine. "leaves first" gives the numbers of "only the direct edge": the order decides."""
    return {name: ways for name, ways in STRUCTURAL.items() if engine.has_own_order or name != "leaves first"}


def known(name):
    return name, MISTAKES[name] if name else None


def name_of_error(found):
    """Return the mistake behind an exception, if it is known: a key that is not known yet, or that is turned round."""
    key = found.error.args[0] if isinstance(found.error, KeyError) and found.error.args else None
    if isinstance(key, tuple) and len(key) == 2 and key[1] in found.numbers.children and key[1] in found.numbers.made:
        return "partial transposed" if key[0] in found.numbers.inputs.get(key[1], ()) else None
    if isinstance(key, str) and key in found.numbers.children:
        return "not known yet"
    return None


def matching(engine, mistakes, programs):
    """Return the name of the first of these mistakes that gives the engine's derivatives on all these programs."""
    runs = [(Numbers(program), engine.run(program)) for program in programs if engine.can_run(program)]
    runs = [(numbers, outcome.totals) for numbers, outcome in runs if outcome.error is None]
    for name, ways in mistakes.items():
        if runs and all(any(fits(way, numbers, got) for way in ways) for numbers, got in runs):
            return name
    return None


def fits(mistake, numbers, got):
    """Return whether a mistake explains all derivatives that an engine gave for a program."""
    return any(
        all(any(same(got.get(x) or 0, number) for number in numbers_of_x) for x, numbers_of_x in result.items() if x in got)
        for result in mistake(numbers, {x: total or 0 for x, total in got.items()})
    )


# What is to be said of a right engine


def remarks(engine, trying):
    """Yield what is slow or not possible in an engine whose derivatives are right."""
    calls = []
    for functions in SIZES:
        program = many_paths(functions)
        trying(program)
        calls.append(counted(partial(engine.run, program)))
    if calls[1] > 10 * calls[0]:
        few, many = SIZES
        yield (
            f"It is right but slow: a graph of {many} functions took {calls[1]:,} calls, one of {few} functions {calls[0]:,}. The engine "
            "follows every path. Remember dz/dy once it is computed."
        )
    links = sys.getrecursionlimit() + DEEP
    trying(chain(2))
    if isinstance(engine.run(chain(links)).error, RecursionError):
        mistake = MISTAKES["too deep"]
        yield f"{mistake.said.format(links=f'{links:,}')} {mistake.asked} [{mistake.id}]"


def counted(run):
    """Return the number of calls of Python functions in run()."""
    calls = 0

    def count(frame, event, arg):
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        run()
    finally:
        sys.setprofile(before)
    return calls
