"""The tutorial's numbered list for any graph, as HTML: for print, for pages without scripts and for screen readers."""

from itertools import islice

from scalargrad.formulas.operators import PRODUCT, SUM
from scalargrad.formulas.text import escape
from viz.text.formatter import UNICODE, name_of, product, remembering, total_of
from viz.text.mathml import SENTENCE, in_brief, is_short
from viz.text.narration import facts, partials_at, passes_at, sentence
from viz.text.reasons import reason

MOST_IN_MATHML = 10  # variables; the list of a larger graph is plain text, which opens faster
MOST_OF_COMPUTED = 8  # entries in each item; the last item has all
MOST_REASONS = 3  # of the arrows that leave a variable


class PlainFormatter:
    """Unicode text, escaped."""

    def __init__(self):
        self.formatter = remembering(UNICODE)

    def __getattr__(self, name):
        write = getattr(self.formatter, name)
        self.__dict__[name] = found = lambda *args, **options: escape(write(*args, **options))
        return found

    def is_short(self, symbol):
        return is_short(symbol, self.formatter.formula)

    def __call__(self, text):
        return text


def transcript(trace, formatter=None):
    """Return all steps as list items of HTML: one for each iteration, and one for the result. Without a formatter of your own they say why.

    >>> from scalargrad import Trace, Value
    >>> x = Value(3, name="x"); transcript(Trace(x * x, names={})).count("<li>")
    2
    """
    whys = PlainFormatter() if formatter is None else None
    formatter = formatter or (SENTENCE if len(trace.graph.variables) <= MOST_IN_MATHML else whys)
    lines = _tutorial(trace, formatter, whys) if trace.schedule.gathers else _steps(trace, formatter, whys)
    return as_items(lines)


def as_items(items):
    """Return items of a list, each of several lines, as HTML."""
    return "\n".join(f"<li>{''.join(f'<p>{line}</p>' for line in item)}</li>" for item in items)


def _tutorial(trace, formatter, whys):
    entry, computed, known, begun = Entries(trace, formatter), {}, 0, 0
    for i, s in enumerate(trace):
        if s.act == "visit":
            begun = i
            computed |= s.log[known : s.known]
            known = s.known
            visit = f"current node: {name_of(trace, s.x, formatter)}{passes_at(trace, s.x)}", _computed(computed, entry, MOST_OF_COMPUTED)
        elif s.act == "insert":
            yield (*visit, *_chain_rule(trace, i, formatter), *_reasons(trace, range(begun, i), whys))
    stopped = [facts(trace, len(trace) - 1, formatter)[1]] if trace.error is not None else []
    yield *stopped, "final output:", _computed(trace.computed, entry, len(trace))


class Entries:
    """The entries of `computed` as text. Several items of the list repeat an entry, so each text is kept."""

    def __init__(self, trace, formatter):
        self.trace, self.formatter, self.known = trace, formatter, {}

    def __call__(self, v, q):
        if (v, id(q)) not in self.known:
            text = f"{total_of(self.trace, v, self.formatter)}: {self.formatter.quantity(q)}"
            self.known[v, id(q)] = q, text  # keep q: a new object may get the id of a deleted one
        return self.known[v, id(q)][1]


def _computed(computed, entry, most):
    entries = [entry(v, q) for v, q in islice(reversed(computed.items()), most)][::-1]
    more = [f"… {len(computed) - most} more"] if len(computed) > most else []
    spans = [f'<span class="entry">{entry}' for entry in more + entries]  # a line may break between entries, not within one
    return f"computed = {{{',</span> '.join(spans)}}}</span>"


def _chain_rule(trace, i, formatter):
    s = trace[i]
    yield f"calculate: {', '.join(partials_at(trace, s.x, formatter))}"
    rows = []
    for found in in_three_rows(trace.factors(i), formatter.is_short):
        loosest = SUM if len(found) == len(found[0]) == 1 else PRODUCT
        rows.append(" + ".join(product(factors, formatter, k == 0, loosest) for k, factors in enumerate(found)))
    rows.append(formatter.number(s.total.number))
    yield f"invoke chain rule: {' = '.join(dict.fromkeys([total_of(trace, s.x, formatter), *rows]))}"


def in_three_rows(factors, is_short=is_short):
    """Return the factors of all terms of equation (1) as the chain rule, in symbols and in numbers. No formula is longer than a line."""
    return zip(*((names, in_brief(symbols, names, is_short), numbers) for names, symbols, numbers in factors))


def _steps(trace, formatter, whys):
    for i in range(len(trace)):
        yield (sentence(trace, i, formatter), *_reasons(trace, [i], whys))


def _reasons(trace, steps, whys):
    """Yield one line with the reasons for the partials of an iteration, and why several terms are added; or with that for one step."""
    partials, sums = ([i for i in steps if trace[i].act == act] for act in ("partial", "add"))
    kept = steps if len(steps) == 1 else partials[:MOST_REASONS] + sums[1:][-1:]
    if whys and (said := list(filter(None, dict.fromkeys(reason(trace, i, whys) for i in kept)))):
        yield f"Why? {' '.join(said)}"
