"""Compare two traces of one graph step by step: the tutorial's loop, and a loop that may be wrong. Find the first difference."""

from functools import partial
from math import isclose

from scalargrad.checking.diagnosis import likely_cause, mistakes_in_function, mistakes_in_total, value_for_slope
from scalargrad.tracing.quantities import ROUNDING, add, mul, same
from scalargrad.tracing.trace import Trace
from viz.page.comparison.source_lines import shown
from viz.questions.mistakes import products
from viz.text.array_text import is_array, numbers_of
from viz.text.formatter import UNICODE, enumerated, listed, name_of, total_of
from viz.text.narration import facts

MOST_TOTALS = 4  # that a sentence names


def first_difference(trace: Trace, other: Trace, formatter=UNICODE) -> tuple[int, str] | None:
    """Return the first step, from 0, at which `other` differs from `trace`, and sentences that say how; None if they agree.

    The sentences say what was expected and what came, and the likely cause if it is known.

    >>> from scalargrad import Value
    >>> from scalargrad.tracing.gathering import steps
    >>> def doubled(graph, on):
    ...     return (s._replace(term=s.term + s.term) if s.term is not None else s for s in steps(graph, on))
    >>> x = Value(3, name="x"); y = x * 3; y.name = "y"
    >>> first_difference(Trace(y), Trace(y, steps=doubled))
    (7, 'The term of y in dy/dx should be 3. The other loop has 6. Likely cause: it is counted twice.')
    """
    require_same_graph(trace, other)
    for i in range(max(len(trace), len(other))):
        said = difference(trace, other, i, formatter)
        if said is not None:
            cause = cause_of(trace, other, i, formatter) if i < min(len(trace), len(other)) else ""
            return i, formatter(f"{said} {cause}".strip())
    return None


def require_same_graph(trace, other):
    """Raise ValueError unless both are traces of one graph by loops of one form."""
    if not isinstance(other, Trace):
        raise TypeError(f"beside= takes a Trace, not a {type(other).__name__}: for your own loop, Trace(z, steps=loop)")
    if trace.graph.z is not other.graph.z:
        raise ValueError("beside= takes a trace of the same graph: both must start at the same variable")
    if trace.schedule != other.schedule:
        raise ValueError(
            f"beside=: both traces need the same schedule, got {trace.schedule.name} and {other.schedule.name}; pass your own loop "
            "to Trace(z, steps=loop)"
        )


def difference(trace, other, i, formatter):
    """Return what differs at step i, in a sentence; None if nothing does."""
    does = lambda trace: facts(trace, i, formatter)[1]
    if i >= len(trace):
        return f"Here the loop should end. The other loop goes on: {does(other)}"
    if i >= len(other):
        return f"This step is missing: {does(trace)} The other loop has ended."
    right, wrong = trace[i], other[i]
    if wrong.act == "stop":
        return f"{does(other).replace('The loop', 'The other loop', 1)} This step should be: {does(trace)}"
    if right.act != wrong.act:
        return f"This step should be: {does(trace)} The other loop does this: {does(other)}"
    for what, expected, got in other_places(trace, right, wrong, formatter):
        return f"{what} should be {expected}. The other loop has {got}."
    for what, expected, got in quantities(trace, right, wrong, formatter):
        if not alike(expected, got):
            return f"{what} should be {quantity_text(expected, formatter)}. The other loop has {quantity_text(got, formatter)}."
    return totals_that_differ(trace, right.computed, wrong.computed, formatter)


def totals_that_differ(trace, right, wrong, formatter):
    """Return which known totals differ: all of them at once, if arrays are shared. None if none does."""
    found = [v for v in dict.fromkeys([*right, *wrong]) if not alike(right.get(v), wrong.get(v))]
    if not found:
        return None
    row = enumerated if len(found) <= MOST_TOTALS else partial(listed, most=MOST_TOTALS)
    expected, got = (row([quantity_text(known.get(v), formatter) for v in found]) for known in (right, wrong))
    return f"{row([total_of(trace, v, formatter) for v in found])} in computed should be {expected}. The other loop has {got}."


def other_places(trace, right, wrong, formatter):
    """Yield what differs in where the two steps are: (what it is, in words; of the one; of the other)."""
    xs, ys = ("The input", "The current node") if trace.schedule.scatters else ("The current node", "The child")
    name = lambda v: "none" if v is None else name_of(trace, v, formatter)
    number = lambda slot: "none" if slot is None else f"input {slot + 1}"
    for what, expected, got in ((xs, right.x, wrong.x), (ys, right.y, wrong.y)):
        if expected is not got:
            yield what, name(expected), name(got)
    if right.slot != wrong.slot:
        yield f"The edge between {name(right.x)} and {name(right.y)}", number(right.slot), number(wrong.slot)


def quantities(trace, right, wrong, formatter):
    """Yield the numbers of the two steps: (what it is, in words; of the one; of the other)."""
    total = lambda v: total_of(trace, v, formatter)
    if right.partial is not None or wrong.partial is not None:
        yield formatter.formula(trace.ratio(right.y, right.slot)), right.partial, wrong.partial
    if right.y is not None:
        yield f"The upstream gradient {total(right.y)}", right.upstream, wrong.upstream
        into = total(right.x) if right.x is not None else "the sum"
        yield f"The term of {name_of(trace, right.y, formatter)} in {into}", right.term, wrong.term
    if right.x is not None:
        yield total(right.x), right.total, wrong.total


def quantity_text(q, formatter):
    if q is None:
        return "nothing"
    return formatter.formula(q.symbol) if q.number is None else formatter.number(q.number)


def alike(a, b):
    """Return whether two quantities are the same number or array, up to rounding; for vjps, which have no number, the same formula."""
    if a is None or b is None:
        return a is b
    if a.number is None or b.number is None:
        return a.number is b.number and UNICODE.formula(a.symbol) == UNICODE.formula(b.symbol)
    ours, theirs = numbers_of(a.number), numbers_of(b.number)
    return len(ours) == len(theirs) and shape_of(a.number) == shape_of(b.number) and all(map(same_number, ours, theirs))


def shape_of(x):
    return tuple(getattr(x, "shape", ()))


def same_number(a, b):
    return a == b or (a != a and b != b) or isclose(a, b, rel_tol=ROUNDING)


def beside_data(page, other: Trace) -> dict:
    """Return what the page shows of the trace beside `page.trace`. Places are those of `page`, which keeps its formulas too.

    python      the lines of its loop
    steps       [{code, where, said, x, total, known}], as in `page_data`
    insertions  [{variable, total}]
    first       {step, said}: the first step, from 0, at which it differs; null if it does not
    raised      whether it raised an exception, which the last step's `said` names
    """
    found = first_difference(page.trace, other, page.formatter)
    lines, line_of = shown(other)
    steps = []
    for i, s in enumerate(other.steps):
        where, said = facts(other, i, page.formatter)
        step = {"code": line_of.get(s.act), "where": where or None, "said": said, "x": page.place.get(s.x), "known": s.known}
        steps.append({key: value for key, value in {**step, "total": page.quantity(s.total)}.items() if value is not None})
    return {
        "python": lines,
        "steps": steps,
        "insertions": [{"variable": page.place[v], "total": page.quantity(q)} for v, q in other[-1].log if v in page.place],
        "raised": other.error is not None,
        "first": None if found is None else {"step": found[0], "said": found[1]},
    }


def cause_of(trace, other, i, formatter):
    """Return the likely cause of the first difference, at step i, as a sentence; "" if it is not known."""
    right, wrong = trace[i], other[i]
    if wrong.act == "stop":
        return lookup_cause(other.error)
    if right.act != wrong.act:
        return ""
    if right.x is not wrong.x:
        return "" if trace.schedule.scatters else order_cause(trace, wrong, formatter)
    if any(q is not None and (q.number is None or is_array(q.number)) for q in (right.partial, wrong.partial, right.total, wrong.total)):
        return array_cause(trace, right, wrong, formatter)
    if differ(right.partial, wrong.partial):
        return partial_cause(trace, right, wrong.partial.number, formatter)
    if differ(right.upstream, wrong.upstream):
        return upstream_cause(trace, right, wrong.upstream.number, formatter)
    if differ(right.term, wrong.term):
        return term_cause(right, wrong.term.number)
    if differ(right.total, wrong.total):
        return total_cause(trace, i, wrong.total.number, formatter)
    return ""


def differ(a, b):
    return a is not None and b is not None and not near(a.number, b.number)


def near(a, b):
    return same(a, b, abs(a))


def lookup_cause(error):
    if not isinstance(error, KeyError):
        return ""
    return "Likely cause: computed does not have this key yet. A variable must come after all its children."


def order_cause(trace, wrong, formatter):
    """Return which children of the loop's variable are not computed yet."""
    if wrong.x not in trace.graph.children:
        return ""
    waiting = [y for y in dict.fromkeys(edge.child for edge in trace.graph.children[wrong.x]) if y not in wrong.computed]
    if not waiting:
        return "This may be right: another topological order. Give both traces the same order."
    names = listed([total_of(trace, y, formatter) for y in waiting])
    return f"Likely cause: the order is not topological. {name_of(trace, wrong.x, formatter)} needs {names} first."


def partial_cause(trace, right, got, formatter):
    y = right.y
    others = [(name_of(trace, x, formatter), trace.on.partial(y, k).number) for k, x in enumerate(y.inputs) if x is not right.x]
    mistakes = [*mistakes_in_function(right.partial.number, others), value_for_slope(name_of(trace, y, formatter), trace.on.data(y))]
    return likely(got, mistakes)


def upstream_cause(trace, right, got, formatter):
    totals = [(total_of(trace, v, formatter), q.number) for v, q in trace.computed.items() if v is not right.y]
    mistakes = [(right.partial.number, "it is the partial derivative")] if right.partial is not None else []
    mistakes += [(trace.on.data(right.y), f"it is the value of {name_of(trace, right.y, formatter)}, not its derivative")]
    mistakes += [(1, "it is 1: is the upstream gradient left out?")]
    return likely(got, [*mistakes, *((number, f"it is {name}: is another key looked up?") for name, number in totals)])


def term_cause(right, got):
    upstream, partial = right.upstream.number, right.partial.number
    return likely(
        got,
        [
            (partial, "the upstream gradient is ignored: the contribution of a child y is dz/dy · ∂y/∂x"),
            (upstream, "the partial derivative is ignored: the contribution of a child y is dz/dy · ∂y/∂x"),
            (add(upstream, partial), "the two factors are added instead of multiplied"),
            (-right.term.number, "the sign is wrong"),
            (mul(2, right.term.number), "it is counted twice"),
        ],
    )


def total_cause(trace, i, got, formatter):
    right = trace[i]
    known = [(t.y, t.slot) for t in trace.terms(i)]
    terms = [t for t in products(trace, right.x) if (t.y, t.slot) in known]
    children = [name_of(trace, t.y, formatter) for t in terms]
    found = mistakes_in_total([t.term.number for t in terms], sum(t.partial.number for t in terms), children)
    overwritten = [(terms[-1].term.number, OVERWRITTEN.format(children[-1]))] if len(terms) > 1 else []
    return likely(got, [*overwritten, *found])


OVERWRITTEN = "only the contribution of {}, the latest child, is there: is the sum overwritten instead of added to?"


def array_cause(trace, right, wrong, formatter):
    """Return the one cause that can be seen without numbers of partials: the sum of arrays is overwritten."""
    if None in (right.total, wrong.total, wrong.term, right.term) or len(trace.graph.children[right.x]) < 2:
        return ""
    equal = getattr(wrong.total.number == wrong.term.number, "all", bool)
    return f"Likely cause: {OVERWRITTEN.format(name_of(trace, right.y, formatter))}" if equal() else ""


def likely(got, mistakes):
    """Return the cause of the first mistake that gives the number `got`, as a sentence; "" if there is none."""
    cause = likely_cause(lambda wrong: near(wrong, got), mistakes, "")
    return f"Likely cause: {cause}{'' if cause.endswith('?') else '.'}" if cause else ""
