"""Equation (1) at a step as lines of the screen: its terms in symbols and in numbers, the path of a sum over paths, the functions."""

from rich.cells import cell_len
from rich.text import Text

from scalargrad.formulas.operators import PRODUCT, SUM
from scalargrad.tracing.quantities import HOLE
from viz.terminal.array_lines import beside, height_of, lines_of
from viz.terminal.style import CHILD, DIM, PARTIAL, Y, cut
from viz.text.array_text import is_array
from viz.text.formatter import name_of, total_of
from viz.text.schedule_table import standing

LONGEST_FACTOR = 40  # columns
BETWEEN = 3  # columns of " + " and " = "
STYLES = ("", ""), (CHILD, PARTIAL), (CHILD, PARTIAL)  # of the two factors, in each of the three rows


def equation(trace, i, width, rows, formatter, asked, marked=()):
    """Return the lines of equation (1) at step i; at a step without a variable, the functions of the graph.

    If a variable is `asked` for, the equation is that of this variable, and its factors are not shown. Terms of `marked` edges are bold.
    """
    s, x = trace[i], trace[i].x if asked is None else asked
    if x is None or x is trace.graph.z or x not in trace.graph.children:
        return _functions(trace, rows, formatter)
    if asked is not None:
        here = next(k for k, past in enumerate(trace) if past.x is x)
        terms = [(names, *[tuple(HOLE for _ in row) for row in known]) for names, *known in trace.factors(here)]
        return sum_lines(total_of(trace, x, formatter), terms, "", None, width, formatter, *marked_terms(trace, x, marked))
    if trace.schedule.along_paths:
        return _path(trace, i, width, formatter)
    terms = trace.factors(i)
    active = next((k for k, e in enumerate(trace.graph.children[x]) if e.child is s.y and e.slot == s.slot), None)
    return sum_lines(total_of(trace, x, formatter), terms, *_results(trace, i, terms, formatter), width, formatter, active)


def marked_terms(trace, x, marked):
    """Return [the place of the first term of x whose edge is marked], [] if there is none."""
    return [k for k, edge in enumerate(trace.graph.children[x]) if edge in marked][:1]


def height(trace):
    """Return the number of lines of the equation. A small matrix takes a line for each of its rows."""
    return 2 + max((height_of(getattr(v, "shape", ())) for v in trace.graph.order), default=1)


def _results(trace, i, terms, formatter):
    """Return the result of the sum in symbols, " = x₁ + 2·x₄" or "", and as a number; None while the sum is not complete."""
    total, final = standing(trace, i).get(trace[i].x, (None, False))
    if not final:
        return "", None
    symbols = f" = {formatter.formula(total.symbol)}"
    terms_alone = " + ".join(formatter.formula(factor) for names, *_ in terms for factor in names[:1])
    return symbols if cell_len(symbols) < LONGEST_FACTOR and symbols != f" = {terms_alone}" else "", total.number


# The sum


def sum_lines(left, terms, symbols, number, width, formatter, active=None):
    """Return the three rows of equation (1), term under term: the chain rule, symbols, numbers. Of many terms, those around the active one.

    `left` is dz/dx. A term is its factors in the three rows. The results are `symbols`, after their =, and `number`.
    """
    alone = len(terms) == 1
    columns = [_column(term, k == 0, alone, k == active, formatter) for k, term in enumerate(terms)]
    widths = [max(cell_len(lines[0].plain) for lines in column) for column in columns]
    repeats = number is None or (alone and len(terms[0][2]) == 1)  # the one contribution is the total
    equals = [] if repeats else [Text(" = ", "bold"), [Text(line, "bold") for line in lines_of(number, formatter)]]
    widest = max(cell_len(symbols), cell_len(beside(equals)[0].plain) if equals else 0)
    room = width - 4 - cell_len(left) - widest
    shown = _window(widths, len(terms) - 1 if active is None else active, room, cell_len(formatter("… 9999 more + ")))
    indent = " " * (cell_len(left) + 1)
    heads, ends = (f" {left} = ", f"{indent} = ", f"{indent} = "), ([], [Text(symbols, "bold")], equals)
    rows = list(zip(heads, zip(*columns), ends))
    if not symbols and _plain(rows[1][1]) == _plain(rows[0][1]):
        del rows[1]  # contributions without a formula
    return [
        line
        for k, (head, blocks, end) in enumerate(rows)
        for line in beside([head, *_joined(blocks, widths, *shown, k == 0, formatter), *end])
    ]


def _plain(blocks):
    return [[line.plain for line in block] for block in blocks]


def _column(term, first, alone, active, formatter):
    """Return a term in each of the three rows, as a block of lines."""
    blocks = [beside(_product(factors, first, alone, styles, formatter)) for factors, styles in zip(term, STYLES)]
    for line in (line for block in blocks for line in block if active):
        line.stylize("bold")
    return blocks


def _product(factors, first, alone, styles, formatter):
    """Return the factors of a term as blocks, with · between them; a matrix is a block of several lines."""
    parts, loosest = [], SUM if alone and len(factors) == 1 else PRODUCT
    for k, (factor, style) in enumerate(zip(factors, styles if len(factors) > 1 else styles[1:])):
        texts = (
            lines_of(factor, formatter)
            if is_array(factor)
            else [cut(formatter.factor(factor, first and not k, loosest), LONGEST_FACTOR, formatter)]
        )
        parts += [formatter(" · ")] * (k > 0) + [[Text(text, style) for text in texts]]
    return parts


def _joined(blocks, widths, first, last, says, formatter):
    """Return the terms of a row from `first` to before `last`, with + between them; a row that `says` it has the numbers of other terms."""
    left_out = lambda count: f"… {count} more" if says else "…".ljust(len(f"… {count} more"))
    parts = [Text(formatter(f"{left_out(first)} + "), DIM)] if first > 0 else []
    for k in range(first, last):
        parts += [[_padded(line, widths[k] if k < last - 1 else 0) for line in blocks[k]], " + "]
    return parts[:-1] + ([Text(formatter(f" + {left_out(len(blocks) - last)}"), DIM)] if last < len(blocks) else [])


def _padded(line, width):
    line = line.copy()
    line.append(" " * (width - cell_len(line.plain)))
    return line


def _window(widths, active, room, dots):
    """Return the first and one past the last of the terms that fit into `room` columns: as many as can be around the active one."""
    if sum(w + BETWEEN for w in widths) - BETWEEN <= room:
        return 0, len(widths)
    first, last, used = active, active + 1, widths[active]
    while True:
        spare = room - used - dots * ((first > 0) + (last < len(widths)))
        if first > 0 and widths[first - 1] + BETWEEN <= spare:
            first -= 1
            used += widths[first] + BETWEEN
        elif last < len(widths) and widths[last] + BETWEEN <= spare:
            used += widths[last] + BETWEEN
            last += 1
        else:
            return first, last


# Steps without a sum


def _path(trace, i, width, formatter):
    """Return three lines of the sum over all paths: the path, the product of its partials, the sum so far."""
    s = trace[i]
    path = (s.state or {}).get("path", [])
    lines = [Text(), Text(), Text()]
    if path:
        nodes = formatter(" → ").join([name_of(trace, s.x, formatter), *(name_of(trace, e.child, formatter) for e in path)])
        ratios = formatter(" · ").join(formatter.formula(trace.ratio(*e)) for e in path)
        numbers = formatter(" · ").join(formatter.factor(trace.on.partial(*e).number, k == 0) for k, e in enumerate(path))
        lines[0] = Text(f" path {nodes}", Y)
        result = f" = {formatter.formula(s.term.number)}" if len(path) > 1 else ""
        lines[1] = Text.assemble(f" product = {ratios} = ", (numbers, PARTIAL), result)
    if s.total is not None:
        left, more = total_of(trace, s.x, formatter), "" if s.act == "insert" else formatter(" …")
        lines[2] = Text(f" {left} = {formatter.quantity(s.total)}{more}", "bold" if s.act == "insert" else "")
    return lines


def _functions(trace, rows, formatter):
    """Return the functions of the graph, one in each line; of many functions, the last ones."""
    made = [v for v in trace.graph.variables if v.rule]
    left_out = max(0, len(made) - rows)
    lines = [
        f" {name_of(trace, v, formatter)} = {formatter.formula(trace.on.written(v))} = {formatter.number(trace.on.data(v))}"
        for v in made[left_out:]
    ]
    if left_out and lines:
        lines[0] = formatter(f" … {left_out + 1} more functions")
    return list(map(Text, lines))
