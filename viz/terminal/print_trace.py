"""Print all steps as the tutorial's numbered list, for any graph. Plain text, for pipes, files and screen readers."""

from rich.cells import cell_len
from rich.text import Text

from scalargrad.formulas.operators import PRODUCT, SUM
from scalargrad.formulas.symbols import Symbol
from viz.graphs.finite import warning_of
from viz.terminal.array_lines import beside, lines_of
from viz.terminal.dictionary import computed, flow
from viz.terminal.style import cut, wrapped
from viz.text.array_text import is_array
from viz.text.formatter import name_of, product, total_of, whole_names, with_short_names
from viz.text.narration import partials_at, passes_at, sentence

WIDTH = 80
LONGEST_NAME = 20  # columns of a name in full: a printed line goes on in the next one
LINES_OF_COMPUTED = 3  # in each iteration; the end prints the whole dictionary
LINES_OF_SYMBOLS = 6  # of a chain rule; more lines of symbols would push its numbers off a screen of 24 lines


def lines(trace, formatter):
    """Yield the printed lines. Long names have short forms; the first lines say which."""
    short = with_short_names(formatter, trace.names.values(), LONGEST_NAME)
    for line in whole_names(trace.names.values(), formatter, short):
        yield from wrapped(line, WIDTH)
    formatter = short
    yield from (cut(line.rstrip(), WIDTH, formatter) for part in (_graph, _run, _result) for line in part(trace, formatter))


def _graph(trace, formatter):
    graph = trace.graph
    data = trace.on.data
    leaves = [v for v in graph.variables if not v.rule]
    numbers = [(f"{name_of(trace, v, formatter)} = {formatter.number(data(v))}", "") for v in leaves if not is_array(data(v))]
    yield from _plain(flow("", numbers, ", ", WIDTH)) if numbers else ()
    for v in leaves:
        if is_array(data(v)):
            yield from _equal([f"{name_of(trace, v, formatter)} = "], [data(v)], formatter)
    for v in graph.variables:
        if v.rule:
            formula = formatter.formula(trace.on.written(v))
            if is_array(data(v)):
                yield from _equal([f"{name_of(trace, v, formatter)} = {formula} = "], [data(v)], formatter)
            else:
                parts = [(formula, ""), (formatter.number(data(v)), "")]
                yield from _plain(flow(f"{name_of(trace, v, formatter)} = ", parts, " = ", WIDTH))
    if said := warning_of(trace, formatter, derivatives=True):
        yield from wrapped(f"! {said}", WIDTH, subsequent_indent="  ")
    if trace.schedule.gathers:
        yield from _plain(flow("topological order: ", [(name_of(trace, v, formatter), "") for v in graph.order], ", ", WIDTH))
    yield ""


def _run(trace, formatter):
    for i, s in enumerate(trace):
        if not trace.schedule.gathers:
            line = f"line {s.line}" if s.line else "end"
            yield from wrapped(f"{i + 1:>3}  {line:<8} {sentence(trace, i, formatter)}", WIDTH, subsequent_indent=" " * 14)
        elif s.act == "visit":
            yield f"{s.iteration}. current node: {name_of(trace, s.x, formatter)}{passes_at(trace, s.x)}"
            yield from ("  " + line for line in _plain(computed(trace, i, WIDTH - 2, LINES_OF_COMPUTED, formatter)))
        elif s.act == "insert":
            yield from _chain_rule(trace, i, formatter)
    if not trace.schedule.gathers:
        yield ""


def _chain_rule(trace, i, formatter):
    s = trace[i]
    yield from _plain(flow("   calculate: ", [(text, "") for text in partials_at(trace, s.x, formatter)], ", ", WIDTH))
    named = products = None
    lead = f"   invoke chain rule: {total_of(trace, s.x, formatter)} = "
    if cell_len(lead) > WIDTH / 2:
        yield lead[:-3]
        lead = " " * 6 + "= "
    for row, found in enumerate(zip(*trace.factors(i))):
        if any(is_array(factor) for factors in found for factor in factors):
            more = [] if len(found) == 1 else [" = ", s.total.number]
            yield from _equal([lead], [part for (term,) in found for part in (" + ", term)][1:] + more, formatter)
            continue
        loosest = SUM if len(found) == len(found[0]) == 1 else PRODUCT
        written = [product(factors, formatter, k == 0, loosest) for k, factors in enumerate(found)]
        before, products = products, [(text, "") for text in written]
        named = named or " + ".join(written)
        total = ("", formatter.formula(s.total.symbol), formatter.number(s.total.number))[row]
        if total not in ("", named, " + ".join(written)):
            products[-1] = (f"{written[-1]} = {total}", "")
        if products == before:  # every symbol is a number: 1 · 1 = 1
            continue
        said = _plain(flow(lead, products, " + ", WIDTH))
        is_long = row == 1 and len(said) > LINES_OF_SYMBOLS and any(isinstance(factor, Symbol) for factors in found for factor in factors)
        yield from [lead + formatter(f"… {len(said)} lines of symbols")] if is_long else said
        lead = " " * (cell_len(lead) - 2) + "= "
    yield ""


def _equal(parts, more, formatter):
    """Yield the lines of texts and arrays side by side. If a row is full, the next array starts a new row."""
    lead, room = parts[0], WIDTH - cell_len(parts[0])
    blocks = [part if isinstance(part, str) else [Text(line) for line in lines_of(part, formatter)] for part in more]
    wide = [cell_len(block if isinstance(block, str) else block[0].plain) for block in blocks]
    if wide[0] > room and (shorter := lead[:-3].partition(" = ")[0]) != lead[:-3]:
        yield lead[:-3]
        return (yield from _equal([f"{' ' * cell_len(shorter)} = "], more, formatter))
    row = [lead]
    for k, (block, width) in enumerate(zip(blocks, wide)):
        if k and isinstance(block, str) and width + wide[k + 1] > room:  # the sign goes with what follows it
            yield from _plain(beside(row))
            row, room = [f"{' ' * (cell_len(lead) - len(block))}"], WIDTH - cell_len(lead) + len(block)
        row.append(block)
        room -= width
    yield from _plain(beside(row))


def _result(trace, formatter):
    if trace.error is not None:
        yield sentence(trace, len(trace) - 1, formatter)
    yield f"{trace.iterations + 1}. final output:" if trace.schedule.gathers else "final output:"
    for line in _plain(computed(trace, len(trace) - 1, WIDTH - 2, len(trace) + 1, formatter)):
        yield "  " + line


def _plain(texts):
    return [text.plain for text in texts]
