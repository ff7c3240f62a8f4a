"""One step of a trace as a screen of text: a table of variables, the pseudocode, equation (1), the dictionary.

Knows a trace, a step and a size; reads no keys and writes nowhere. No line is wider than the screen, and there are never
more lines than it has. Whatever is shown in colour is also shown by a mark.
"""

import textwrap
from bisect import bisect_left
from functools import cache, lru_cache
from itertools import pairwise

from rich.cells import cell_len
from rich.text import Text

from scalargrad.formulas.operators import PRODUCT, SUM
from scalargrad.quantities import HOLE
from viz.array_text import beside, height_of, is_array, lines_of
from viz.finite import warning_of
from viz.ink import UNICODE, listed, name_of, total_of
from viz.narration import heading, sentence
from viz.terminal.style import CHILD, CURRENT, DIM, MARKED, NOT_FINITE, PARTIAL, X, Y, cut
from viz.terminal.variable_table import rows_of, standing, widths_of

NARROW = 30  # columns that the pseudocode needs beside the table
FACTOR = 40  # at most so many columns for a factor
COMPUTED = " computed = {"
STYLES = ("", ""), (CHILD, PARTIAL), (CHILD, PARTIAL)  # of the factors in the three rows of equation (1)

KEYS = [
    ("→", "next"),
    ("←", "back"),
    ("↓", "next node"),
    ("↑", "previous node"),
    ("p", "predict"),
    ("q", "quit"),
    ("Home", "first"),
    ("End", "last"),
]
ASKING_KEYS = [("Enter", "check"), ("Esc", "cancel"), ("9, −2.5, 1/3", "are numbers")]
ASKING_KEYS_OF_ARRAYS = [*ASKING_KEYS[:2], ("1 2; 3 4", "is a matrix")]


def screen(trace, i, width=80, height=24, ink=UNICODE, asked=None, said=None, keys=KEYS):
    """Step i of a trace as exactly `height` lines of rich text, none wider than `width` columns.

    `ink` is UNICODE or ASCII. dz/d`asked` is kept secret; `said` is shown in place of the step's own sentence.

    >>> from scalargrad import Trace, Value
    >>> x = Value(3, name="x"); print(screen(Trace(x * x), 4, 60, 12)[0])
    iteration 1 of 1  Current node x. Let dz/dx = 0.
    """
    order, listing = trace.graph.order, list(trace.schedule.listing.items())
    said = _wrapped(f"{heading(trace, i)}  {ink(said) if said else sentence(trace, i, ink)}", width)
    warned = _warning(trace, ink, width)
    widths = widths_of(trace, ink)
    column = 6 + sum(w + 2 for w in widths) + 1  # where the pseudocode begins
    beside = width - column
    beside = beside if beside >= NARROW else 0
    gap = 1 if height >= 22 else 0
    rows = _allot(
        height,
        [
            ("a gap above the equation", gap, 1),
            ("a gap above computed", gap, 1),
            ("a gap above the keys", gap, 1),
            ("said", max(2, len(said)) if height >= 14 else 1, 0),
            ("keys", 1, 0),
            ("warning", len(warned), 0),
            ("table", min(5, 1 + len(order)), max(1 + len(order), len(listing) + 1 if beside else 0)),
            ("equation", 2 + _matrix_height(trace), 0),
            ("computed", 1, 3),
            ("line", 0 if beside else 1, 0),
            ("state", 1 if trace.schedule.scatters else 0, 0),
        ],
    )
    lines = _said(said, heading(trace, i), rows["said"], ink)
    lines += warned[: rows["warning"]]
    table = rows_of(trace, i, widths, rows["table"], ink, asked)
    lines += _side_by_side(table, _listing(trace, i, beside, rows["table"], ink), column) if beside else table
    lines += [_line(trace, i, ink)] * rows["line"]
    lines += [Text()] * rows["a gap above the equation"]
    equation = _equation(trace, i, width - 1, rows["equation"], ink, asked)[: rows["equation"]]
    lines += equation + [Text()] * (rows["equation"] - len(equation))
    lines += [_state(trace, i, width - 1, ink)] * rows["state"]
    lines += [Text()] * rows["a gap above computed"]
    lines += computed(trace, i, width - 1, rows["computed"], ink, asked)
    lines = lines[: height - rows["keys"]]
    lines += [Text()] * (height - rows["keys"] - len(lines))
    if asked is not None:
        keys = ASKING_KEYS_OF_ARRAYS if getattr(asked, "shape", ()) else ASKING_KEYS
    lines += [_keys(trace, i, width, ink, keys)] * rows["keys"]
    return [_fitted(line, width, ink) for line in lines]


def _allot(height, parts):
    """{part: lines}. Each (part, least, most) gets its least, the first ones first; what is over goes to the last ones first."""
    rows = {}
    for part, least, _ in parts:
        rows[part] = least if least <= height else 0
        height -= rows[part]
    for part, least, most in reversed(parts):
        more = min(height, max(0, most - least)) if rows[part] == least else 0
        rows[part] += more
        height -= more
    return rows


def _fitted(line, width, ink):
    if cell_len(line.plain) > width:
        kept = cut(line.plain, width, ink)
        shared = next((k for k, (a, b) in enumerate(zip(line.plain, kept)) if a != b), len(kept))
        line = line[:shared] + Text(kept[shared:], DIM)
    line.no_wrap = True
    return line


def _wrapped(text, width):
    return textwrap.wrap(text, max(10, width), break_on_hyphens=False) or [""]


@lru_cache(maxsize=1)
def _warning(trace, ink, width):
    return [Text(line, NOT_FINITE) for line in _wrapped(f"! {said}", width)] if (said := warning_of(trace, ink)) else []


def _said(wrapped, title, rows, ink):
    if len(wrapped) > rows > 0:
        wrapped = [*wrapped[: rows - 1], f"{wrapped[rows - 1]} {ink('…')}"]
    lines = [Text(line) for line in wrapped[:rows]] + [Text()] * (rows - len(wrapped))
    if lines:
        lines[0].stylize(X, 0, len(title))
    return lines


# The table of variables


def _listing(trace, i, width, rows, ink):
    """The pseudocode beside the table; the current line in full, others cut where they are too long."""
    lines, current = [], 0
    for number, text in trace.schedule.listing.items():
        indent = max(0, (len(text) - len(text.lstrip())) // 2 - 2)
        text = " " * indent + ink(text.strip())
        if number == trace[i].line:
            current = len(lines)
            for k, part in enumerate(textwrap.wrap(text, width - 4, subsequent_indent=" " * (indent + 2), break_on_hyphens=False)):
                lines.append(Text(f"{ink('▶') if k == 0 else ' '}{number if k == 0 else '':>2} {part:<{width - 4}}", CURRENT))
        else:
            lines.append(Text.assemble((f" {number:>2} ", DIM), (cut(text, width - 4, ink), DIM if text.lstrip().startswith("#") else "")))
    start = min(max(0, current - rows // 2), max(0, len(lines) - rows))
    return lines[start : start + rows]


def _line(trace, i, ink):
    """The current line of the pseudocode, where there is no room for more of it."""
    number = trace[i].line
    return Text(ink(f" ▶{number} {trace.schedule.listing[number].strip()}") if number else "", CURRENT)


def _side_by_side(left, right, column):
    lines = []
    for k in range(max(len(left), len(right))):
        a, b = (part[k] if k < len(part) else Text() for part in (left, right))
        lines.append(Text.assemble(a, " " * (column - cell_len(a.plain)), b))
    return lines


# Equation (1)


def _matrix_height(trace):
    """How many lines the largest total takes that is shown in full; a number takes one."""
    return max((height_of(getattr(v, "shape", ())) for v in trace.graph.order), default=1)


def _equation(trace, i, width, rows, ink, asked):
    s, x = trace[i], trace[i].x if asked is None else asked
    if x is None or x is trace.graph.z or x not in trace.graph.children:
        return _functions(trace, rows, ink)
    if trace.schedule.along_paths and asked is None:
        return _path(trace, i, width, ink)
    here = i if asked is None else next(k for k, past in enumerate(trace) if past.x is x)
    found = trace.factors(here)
    if asked is not None:
        found = [(names, *[tuple(HOLE for _ in row) for row in known]) for names, *known in found]
    active = next((k for k, e in enumerate(trace.graph.children[x]) if asked is None and e.child is s.y and e.slot == s.slot), None)
    total, final = standing(trace, i).get(x, (None, False))
    results = ["", "", None]
    if final and asked is None:
        results[2] = total.number
        written = f" = {ink.formula(total.symbol)}"
        named = " + ".join(ink.formula(factor) for names, *_ in found for factor in names[:1])
        results[1] = written if cell_len(written) < FACTOR and written != f" = {named}" else ""
    return sum_lines(total_of(trace, x, ink), found, results, width, ink, active)


def sum_lines(left, found, results, width, ink, active=None):
    """The three rows of equation (1), term under term, the numbers as matrices; of many terms those around the active one."""
    *results, number = results
    equals = [] if number is None else [Text(" = ", "bold"), [Text(line, "bold") for line in lines_of(number, ink)]]
    if len(found[0][2]) == len(found) == 1:  # the one contribution is the total
        equals = []
    cells = [
        [_product(factors, k == 0, len(found) == 1, styles, ink) for factors, styles in zip(term, STYLES)] for k, term in enumerate(found)
    ]
    cells = [[beside(row) for row in rows] for rows in cells]
    if active is not None:
        for line in (line for lines in cells[active] for line in lines):
            line.stylize("bold")
    widths = [max(cell_len(lines[0].plain) for lines in rows) for rows in cells]
    room = width - 4 - cell_len(left) - max(*map(cell_len, results), cell_len(beside(equals)[0].plain) if equals else 0)
    first, last = _window(widths, len(cells) - 1 if active is None else active, room, cell_len(ink("… 9999 more + ")))
    lines = []
    for row in range(3):
        parts = [f" {left} = " if row == 0 else " " * (cell_len(left) + 1) + " = "]
        parts += [Text(ink(f"… {first} more + "), DIM)] if first > 0 else []
        for k in range(first, last):
            parts += [[_filled(line, widths[k] if k < last - 1 else 0) for line in cells[k][row]], " + "]
        parts = parts[:-1] + ([Text(ink(f" + … {len(cells) - last} more"), DIM)] if last < len(cells) else [])
        lines += beside(parts + (equals if row == 2 else [Text(results[row], "bold")]))
    return lines


def _product(factors, first, alone, styles, ink):
    """The factors of a term as parts of a line, matrices as blocks."""
    parts, loosest = [], SUM if alone and len(factors) == 1 else PRODUCT
    for k, (factor, style) in enumerate(zip(factors, styles if len(factors) > 1 else styles[1:])):
        texts = lines_of(factor, ink) if is_array(factor) else [cut(ink.factor(factor, first and not k, loosest), FACTOR, ink)]
        parts += [ink(" · ")] * (k > 0) + [[Text(text, style) for text in texts]]
    return parts


def _filled(line, width):
    line = line.copy()
    line.append(" " * (width - cell_len(line.plain)))
    return line


def _window(widths, active, room, dots):
    """Which terms fit into `room` columns: all, or as many as can be around the active one."""
    if sum(w + 3 for w in widths) - 3 <= room:
        return 0, len(widths)
    first, last, used = active, active + 1, widths[active]
    while True:
        spare = room - used - dots * ((first > 0) + (last < len(widths)))
        if first > 0 and widths[first - 1] + 3 <= spare:
            first -= 1
            used += widths[first] + 3
        elif last < len(widths) and widths[last] + 3 <= spare:
            used += widths[last] + 3
            last += 1
        else:
            return first, last


def _path(trace, i, width, ink):
    """The sum over all paths: this path, its product, the sum so far."""
    s = trace[i]
    path = (s.state or {}).get("path", [])
    lines = [Text(), Text(), Text()]
    if path:
        nodes = ink(" → ").join([name_of(trace, s.x, ink), *(name_of(trace, e.child, ink) for e in path)])
        ratios = ink(" · ").join(ink.formula(trace.ratio(*e)) for e in path)
        numbers = ink(" · ").join(ink.factor(trace.on.partial(*e).number, k == 0) for k, e in enumerate(path))
        lines[0] = Text(f" path {nodes}", Y)
        lines[1] = Text.assemble(f" product = {ratios} = ", (numbers, PARTIAL), f" = {ink.formula(s.term.number)}")
    if s.total is not None:
        left, more = total_of(trace, s.x, ink), "" if s.act == "insert" else ink(" …")
        lines[2] = Text(f" {left} = {ink.quantity(s.total)}{more}", "bold" if s.act == "insert" else "")
    return lines


def _functions(trace, rows, ink):
    """The functions that the graph is made of, the last ones where there are many."""
    made = [v for v in trace.graph.variables if v.rule]
    left_out = max(0, len(made) - rows)
    lines = [f" {name_of(trace, v, ink)} = {ink.formula(trace.on.written(v))} = {ink.number(trace.on.data(v))}" for v in made[left_out:]]
    if left_out and lines:
        lines[0] = ink(f" … {left_out + 1} more functions")
    return list(map(Text, lines))


def _state(trace, i, width, ink):
    """What else a schedule keeps: which variables are ready, the place on the tape."""
    state = trace[i].state or {}
    if "ready" in state:
        return Text(f" ready = [{ink(listed([name_of(trace, v, ink) for v in state['ready']]))}]")
    if "tape" in state:
        place = state.get("place")
        centre = len(state["tape"]) - 1 if place is None else place
        names = [f"[{name_of(trace, v, ink)}]" if k == place else name_of(trace, v, ink) for k, v in enumerate(state["tape"])]
        first = max(0, min(centre - 3, len(names) - 7))
        before, after = (f"… {first} more " if first else ""), len(names) - first - 7
        return Text(" tape: " + ink(before + " ".join(names[first : first + 7]) + (f" … {after} more" if after > 0 else "")))
    return Text()


# The dictionary


def computed(trace, i, width, rows, ink=UNICODE, asked=None):
    """`computed` as it is after step i, on `rows` lines at most: the latest entries that fit, and the one in use."""
    s = trace[i]
    if len(trace.computed) == len(s.log) and asked is None:
        entries, known = s.log[: s.known], None  # each dz/dx is inserted once, and is final
    else:
        known = standing(trace, i)
        entries = [entry for entry in s.computed.items() if entry[0] is not asked]
    read = s.y if s.act in ("get", "take") else None
    written = s.x if s.known > (trace[i - 1].known if i else 0) else None

    @cache
    def token(place):
        v, total = entries[place]
        final = known is None or known[v][1]
        return _entry(trace, v, total, final, ink, "← get" if v is read else "← new" if v is written else "", width - len(COMPUTED) - 1)

    used = [place for place, (v, _) in enumerate(entries) if v is read or v is written] if read is not None or written is not None else []
    fits = lambda many: len(_dictionary(token, _latest(many, used, len(entries)), len(entries), width, ink)) <= rows
    most = min(len(entries), width * rows // 8)
    many = bisect_left(range(1, most + 1), True, key=lambda many: not fits(many))
    return _dictionary(token, _latest(many, used, len(entries)), len(entries), width, ink)[:rows]


def _latest(many, used, total):
    """The places of the latest entries and of those in use."""
    return sorted({*range(total - many, total), *used})


def _dictionary(token, places, total, width, ink):
    """The entries at `places` in braces, and how many are left out between them."""
    tokens = []
    for before, place in pairwise([-1, *places, total]):
        if place - before > 1:
            tokens.append((ink(f"… {place - before - 1} more"), DIM))
        tokens += [token(place)] if place < total else []
    lines = flow(COMPUTED, tokens, ", ", width - 1)
    lines[-1].append("}")
    return lines


def _entry(trace, v, total, final, ink, mark, width):
    """One entry, dz/dy₁: x₁ = 3 ← get; without its formula where that does not fit."""
    before, after = f"{total_of(trace, v, ink)}: ", ("" if final else ink(" …")) + (ink(f" {mark}") if mark else "")
    text = ink.quantity(total)
    if cell_len(before + text + after) > width:
        text = ink.number(total.number)
    return before + text + after, MARKED if mark else ""


def flow(lead, tokens, between, width):
    """`lead` and the (text, style) tokens after it, on lines of at most `width` columns, the later ones set in under the first."""
    lines = [Text(lead)]
    for k, (text, style) in enumerate(tokens):
        if k and cell_len(lines[-1].plain) + cell_len(between + text) > width:
            lines[-1].append(between.rstrip())
            lines.append(Text(" " * cell_len(lead)))
        elif k:
            lines[-1].append(between)
        lines[-1].append(text, style)
    return lines


def _keys(trace, i, width, ink, keys):
    step = f"step {i + 1}/{len(trace)}"
    line = Text(style=DIM)
    for key, does in keys:
        if cell_len(line.plain) + cell_len(ink(f" {key} {does} ")) + len(step) < width:
            line.append(ink(f" {key} {does} "))
    line.append(" " * (width - 1 - cell_len(line.plain) - len(step)) + step)
    return line
