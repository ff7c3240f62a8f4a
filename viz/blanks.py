"""Which numbers of a handout are blank, and the list of a handout with only a few blanks.

A fact is what a blank asks for: a total derivative, (x, None, None), or a partial at an edge, (x, y, slot).
"""

from math import prod

from scalargrad.formulas.symbols import Symbol, names_in
from scalargrad.formulas.text import shown_in_full
from viz.page.transcript import in_three_rows
from viz.questions.quiz import EASY
from viz.text.array_text import is_array
from viz.text.formatter import UNICODE, name_of, product, says_more, total_of
from viz.text.mathml import is_short
from viz.text.narration import partials_at

UNNAMED = "array "  # in a formula, before the shape of an array that has no name
LINE = '<span class="blank line">____</span>'  # room for a calculation


def facts_to_find(trace, order, most):
    """Return the facts that are blank, so that a sheet has at most `most` blanks: totals first, then the partials that teach most.

    `order` are the variables, in the order of the pass, whose derivatives the sheet asks for. If not all totals have room, those of the
    inputs come first: they are the answers that the pass is for.
    """
    totals = [(x, None, None) for x in order if is_solvable(trace, x)]
    blanks = lambda hidden: count(trace, order, hidden)
    if blanks(set(totals)) > most:
        totals.sort(key=lambda fact: bool(fact[0].inputs))
    edges = [(x, y, slot) for x in order for y, slot in trace.graph.children[x] if can_be_computed(trace.on.partial(y, slot))]
    found = added(set(), totals, most, blanks)
    found = unsaid(trace, order, found)
    more = [fact for fact in totals if fact in unsaid(trace, order, found | {fact})]  # in the room of those that are said
    found = unsaid(trace, order, added(found, more, most, blanks))
    hard = sorted((e for e in edges if not is_easy(trace, *e[1:])), key=lambda edge: blanks(found | {edge}))
    return added(added(found, hard, most, blanks), [e for e in edges if is_easy(trace, *e[1:])], most, blanks)


def can_be_computed(q):
    """Return whether a partial is a number, and the sheet writes the formula that leads to it: not that of passes of a folded loop."""
    return q.number is not None and (not isinstance(q.symbol, Symbol) or (says_more(q.symbol) and is_short(q.symbol)))


def is_solvable(trace, x):
    """Return whether the sheet has what dz/dx follows from: of arrays, formulas, and every number of what these name."""
    if not hasattr(x, "shape"):
        return True
    in_full = lambda shape: shape == () or shown_in_full(shape)
    if not all(in_full(v.shape) for v in (x, *(y for y, _ in trace.graph.children[x]))):
        return False
    written = [edge for edge in trace.graph.children[x] if has_formula(trace, edge)]
    return bool(written) and all(a is not None and in_full(a.shape) for a in ingredients(trace, written).values())


def has_formula(trace, edge):
    """Return whether the contribution over an edge has a formula of arrays with names. One that has none is given in numbers."""
    said = UNICODE.formula(trace.on.partial(*edge).symbol)
    return said != UNICODE.formula(trace.ratio(*edge)) and UNNAMED not in said


def ingredients(trace, edges):
    """Return {name: its array or number} of what the formulas at edges name, beside derivatives."""
    found: dict = {}
    for y, slot in edges:
        used = names_in(trace.on.partial(y, slot).symbol)
        found |= {name: a for name, a in taken(trace, y).items() if name in used}
    return found


def taken(trace, y):
    """Return {name: its array or number} of y and of what its function takes."""
    return trace.on.taken(y) if hasattr(y, "shape") else {trace.names[v]: trace.on.data(v) for v in (y, *y.inputs)}


def unsaid(trace, order, hidden):
    """Return the hidden facts without the arrays that the sheet prints elsewhere: dz/dx = dz/dy is not asked if dz/dy is given."""
    while True:
        printed = [q for x in order if (x, None, None) not in hidden for q in (trace.computed[x].number, *terms(trace, x, hidden))]
        said = {fact for fact in hidden if any(equal(trace.computed[fact[0]].number, q) for q in printed)}
        if not said:
            return hidden
        hidden = hidden - said


def terms(trace, x, hidden):
    """Return the contributions to x that the sheet prints, if they are arrays."""
    edges = trace.graph.children[x] if hasattr(x, "shape") else []
    return [term(trace, edge) for edge in edges if not (has_formula(trace, edge) and leads_on(trace, x, hidden))]


def leads_on(trace, x, hidden):
    """Return whether the terms of dz/dx follow from hidden totals."""
    return any((y, None, None) in hidden for y, _ in trace.graph.children[x])


def term(trace, edge):
    """Return what an edge between tensors passes back, as an array."""
    return trace.computed[edge.child].number * trace.on.vjp(*edge)


def equal(a, b):
    return is_array(a) and getattr(b, "shape", None) == a.shape and bool((a == b).all())


def is_easy(trace, y, slot):
    return trace.on.partial(y, slot).number in EASY


def added(found, facts, most, blanks):
    """Return the facts that were found, and of the others each that still has room."""
    for fact in facts:
        if len(found) >= most:
            break
        if blanks(found | {fact}) <= most:
            found = found | {fact}
    return found


def count(trace, order, hidden):
    """Return the number of blanks: one for each number of a fact, and one for each calculation that uses a hidden fact."""
    numbers = (prod(getattr(x, "shape", ())) if y is None else 1 for x, y, _ in hidden)
    return sum(numbers) + sum(is_open(trace, x, hidden) for x in order)


def is_open(trace, x, hidden):
    """Return whether the calculation of dz/dx is a blank: it uses a number that is one. Arrays that lead to a given one are given."""
    if hasattr(x, "shape"):
        return (x, None, None) in hidden
    return any((y, None, None) in hidden or (x, y, slot) in hidden for y, slot in trace.graph.children[x])


def gives_away(trace, x, edge, hidden):
    """Return whether a hidden factor of an edge's term has only a number for a formula."""
    y, slot = edge
    return ((y, None, None) in hidden and not isinstance(trace.computed[y].symbol, Symbol)) or (
        (x, y, slot) in hidden and not isinstance(trace.on.partial(y, slot).symbol, Symbol)
    )


def short_list(trace, order, hidden, full, blank, symbols):
    """Yield an item for each variable of `order`, as lines of HTML: its partials and its chain rule, where the `hidden` facts are blank.
    What a calculation uses and the sheet does not show is given: derivatives of children, numbers in the formulas of blanks.

    `full` and `blank` are the formatters of the numbers that are given and of those that are not. With `symbols` the formulas behind hidden
    facts are blank, too.
    """
    on_sheet, told = {trace.graph.z, *order}, {trace.names[v] for v in (trace.graph.z, *order)}
    for i, s in enumerate(trace):
        if s.act == "insert" and s.x in on_sheet:
            beyond = dict.fromkeys(y for y, _ in trace.graph.children[s.x] if y not in on_sheet)
            given = [f"{total_of(trace, y, full)} = {full.number(trace.computed[y].number)}" for y in beyond]
            edges = trace.graph.children[s.x]
            asked = edges if hasattr(s.x, "shape") else [edge for edge in edges if (s.x, *edge) in hidden]
            if is_open(trace, s.x, hidden):
                more = {name: a for name, a in ingredients(trace, asked).items() if name not in told}
                given += [f"{full.name(name)} = {full.number(a)}" for name, a in more.items()]
                told.update(more)
            partials = partials_at(trace, s.x, full, lambda edge: partial(trace, edge, hidden, full, blank, symbols))
            yield (
                f"current node: {name_of(trace, s.x, full)}",
                f"calculate: {', '.join(partials)}" + (f"; given: {', '.join(given)}" if given else ""),
                f"invoke chain rule: {' = '.join(dict.fromkeys(chain_rule(trace, i, hidden, full, blank, symbols)))}",
            )


def partial(trace, edge, hidden, full, blank, symbols):
    q = trace.on.partial(*edge)
    if hasattr(edge.child, "shape") and not has_formula(trace, edge):
        return full.number(term(trace, edge))
    if hasattr(edge.child, "shape") and trace.on.repeats(*edge):
        return f"{full.quantity(q)}, summed along the repeated axes"
    if (edge.child.inputs[edge.slot], *edge) not in hidden:
        return full.quantity(q)
    return blank.number(q.number) if symbols else blank.quantity(q)


def chain_rule(trace, i, hidden, full, blank, symbols):
    """Yield the sides of equation (1) for step i's variable: dz/dx, the chain rule, symbols, numbers, the result."""
    x, open_ = trace[i].x, is_open(trace, trace[i].x, hidden)
    yield total_of(trace, x, full)
    rows = [" + ".join(product(factors, full, k == 0) for k, factors in enumerate(row)) for row in in_three_rows(trace.factors(i))]
    yield rows[0]
    if symbols and open_:
        yield LINE
    elif UNNAMED not in rows[1] and not any(gives_away(trace, x, edge, hidden) for edge in trace.graph.children[x]):
        yield rows[1]
    result = trace[i].total.number
    if not open_ and hasattr(x, "shape") and leads_on(trace, x, hidden):
        pass  # the terms would give hidden totals away
    elif not open_:
        yield rows[2]
    else:
        yield LINE
    yield (blank if (x, None, None) in hidden else full).number(result)
