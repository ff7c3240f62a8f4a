"""Two traces of one graph beside each other: a loop that may be wrong against the right one, up to the first step that differs."""

from math import isclose

from scalargrad.trace import Trace
from viz.narration import UNICODE, facts, name_of, total_of
from viz.page.source_lines import running

ROUNDING = 1e-9  # how far apart two numbers may be that were only rounded differently


def first_difference(trace: Trace, other: Trace, ink=UNICODE) -> tuple[int, str] | None:
    """The first step, from 0, at which `other` does not do what `trace` does, and what differs, in a sentence; None if nothing does.

    >>> from scalargrad import Value
    >>> from scalargrad.backpropagation import steps
    >>> def doubled(graph, on):
    ...     return (s._replace(term=s.term + s.term) if s.term is not None else s for s in steps(graph, on))
    >>> x = Value(3, name="x"); y = x + 1; y.name = "y"
    >>> first_difference(Trace(y), Trace(y, steps=doubled))
    (7, 'the term of y in dy/dx: expected 1, got 2')
    """
    check(trace, other)
    for i in range(max(len(trace), len(other))):
        said = difference(trace, other, i, ink)
        if said is not None:
            return i, said
    return None


def check(trace, other):
    """ValueError unless both are traces of one graph by loops of one form."""
    if not isinstance(other, Trace):
        raise TypeError(f"beside= takes a Trace, not a {type(other).__name__}: for a loop of your own Trace(z, steps=loop)")
    if trace.graph.z is not other.graph.z:
        raise ValueError("beside= takes a trace of the same graph: both must start at the same variable")
    if trace.schedule != other.schedule:
        raise ValueError(
            f"beside=: both traces need the same schedule, got {trace.schedule.name} and {other.schedule.name}; a loop of your own goes "
            "into Trace(z, steps=loop)"
        )


def difference(trace, other, i, ink=UNICODE):
    """What differs at step i, in a sentence; None if nothing does."""
    if i >= len(trace) or i >= len(other):
        late, early = ("got", "expected") if i >= len(trace) else ("expected", "got")
        longer = other if late == "got" else trace
        return ink(f"{early} the end, {late}: {facts(longer, i, ink)[1]}")
    right, wrong = trace[i], other[i]
    name = lambda v: "none" if v is None else name_of(trace, v, ink)
    if right.act != wrong.act:
        return ink(f"expected: {facts(trace, i, ink)[1]}; got: {facts(other, i, ink)[1]}")
    if right.x is not wrong.x:
        return ink(f"the current node: expected {name(right.x)}, got {name(wrong.x)}")
    if right.y is not wrong.y:
        return ink(f"the node y at the current node {name(right.x)}: expected {name(right.y)}, got {name(wrong.y)}")
    if right.slot != wrong.slot:
        return ink(f"the edge between {name(right.x)} and {name(right.y)}: expected {input_of(right)}, got {input_of(wrong)}")
    for what, expected, got in quantities(trace, right, wrong, ink):
        if not alike(expected, got):
            written = [
                ink("nothing") if q is None else ink.formula(q.symbol) if q.number is None else ink.number(q.number)
                for q in (expected, got)
            ]
            return ink(f"{what}: expected {written[0]}, got {written[1]}")
    return None


def input_of(step):
    return "none" if step.slot is None else f"input {step.slot + 1}"


def quantities(trace, right, wrong, ink):
    """What the two steps hold: (what it is, in words; of the one; of the other)."""
    total = lambda v: total_of(trace, v, ink)
    if right.partial is not None or wrong.partial is not None:
        yield ink.formula(trace.ratio(right.y, right.slot)), right.partial, wrong.partial
    if right.y is not None:
        yield f"{total(right.y)}, looked up", right.upstream, wrong.upstream
        yield (
            f"the term of {name_of(trace, right.y, ink)} in {total(right.x) if right.x is not None else 'the sum'}",
            right.term,
            wrong.term,
        )
    if right.x is not None:
        yield total(right.x), right.total, wrong.total
    expected, got = right.computed, wrong.computed
    for v in dict.fromkeys([*expected, *got]):
        yield f"{total(v)} in computed", expected.get(v), got.get(v)


def alike(a, b):
    """Whether two quantities are the same number, or array, but for rounding; of vjps, which have no number, the same formula."""
    if a is None or b is None:
        return a is b
    if a.number is None or b.number is None:
        return a.number is b.number and UNICODE.formula(a.symbol) == UNICODE.formula(b.symbol)
    ours, theirs = entries_of(a.number), entries_of(b.number)
    return len(ours) == len(theirs) and shape_of(a.number) == shape_of(b.number) and all(map(same, ours, theirs))


def entries_of(x):
    return x.reshape(-1).tolist() if hasattr(x, "reshape") else [x]


def shape_of(x):
    return tuple(getattr(x, "shape", ()))


def same(a, b):
    return a == b or (a != a and b != b) or isclose(a, b, rel_tol=ROUNDING)


def beside_data(pages, other: Trace) -> dict:
    """What the page shows of the trace that stands beside; places are those of `pages`, in which its formulas are kept.

    python      the lines of its loop
    steps       [{code, where, said, x, total, known}], as in `frames.page_data`
    insertions  [{variable, total}]
    first       {step, said}: the first step, from 0, at which it differs; null if it does not
    """
    found = first_difference(pages.trace, other, pages.ink)
    lines, line_of = running(other.loop)
    steps = []
    for i, s in enumerate(other.steps):
        where, said = facts(other, i, pages.ink)
        step = {"code": line_of.get(s.act), "where": where or None, "said": said, "x": pages.place.get(s.x), "known": s.known}
        steps.append({key: value for key, value in {**step, "total": pages.quantity(s.total)}.items() if value is not None})
    return {
        "python": lines,
        "steps": steps,
        "insertions": [{"variable": pages.place[v], "total": pages.quantity(q)} for v, q in other[-1].log if v in pages.place],
        "first": None if found is None else {"step": found[0], "said": found[1]},
    }
