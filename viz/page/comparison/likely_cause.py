"""What a loop probably does wrong at the step where it first differs: the causes that the gradient checks know too."""

from scalargrad.checking.diagnosis import likely_cause, mistakes_in_function, mistakes_in_total, value_for_slope
from scalargrad.tracing.quantities import add, mul, same
from viz.questions.mistakes import products
from viz.text.array_text import is_array
from viz.text.formatter import listed, name_of, total_of


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
