"""One step of a trace as a screen of text: a table of variables, the pseudocode, equation (1), the dictionary.

Knows a trace, a step and a size; reads no keys and writes nowhere. No line is wider than the screen, and there are never more
lines than the screen has. A mark repeats whatever a colour says.
"""

import textwrap
from functools import lru_cache

from rich.cells import cell_len
from rich.text import Text

from viz.graphs.finite import warning_of
from viz.terminal import equation
from viz.terminal.dictionary import computed
from viz.terminal.keys import ACTIONS, HELP_LINE, LINE
from viz.terminal.style import CURRENT, DIM, HEAD, NOT_FINITE, WHY, X, cut, wrapped
from viz.terminal.variable_table import BEFORE_TABLE, rows_of, widths_of
from viz.text.formatter import UNICODE, listed, name_of
from viz.text.glossary import listing_of
from viz.text.narration import heading, sentence
from viz.text.reasons import reason

NARROWEST_CODE = 30  # columns that the pseudocode needs beside the table
ASKED = "Why?"
LINES_OF_COMPUTED = 3  # at most
LINES_OF_WHY = 2  # kept also for a step without a reason, so that the parts above stay in place
ROOMY, LOW = 22, 14  # lines: a screen with empty lines between its parts; one with less than two lines for the sentence


def screen(trace, i, width=80, height=24, formatter=UNICODE, asked=None, said=None, marked=(), keys=LINE, why=True):
    """Return step i of a trace as exactly `height` lines of rich text, none wider than `width` columns.

    `formatter` is UNICODE or ASCII. dz/d`asked` is kept secret. `said` replaces the step's own sentence. Of the edges (y, slot) in
    `marked`, the children and the terms of the sum are marked. `keys` are those of the last line. With `why`, the reason for the step
    stands above them if there is room; a step with `said` has none.

    >>> from scalargrad import Trace, Value
    >>> x = Value(3, name="x"); print(screen(Trace(x * x), 4, 60, 12)[0])
    iteration 1 of 1  Current node x. Let dz/dx = 0.
    """
    replaced = said
    said = _wrapped(f"{heading(trace, i)}  {formatter(said) if said else sentence(trace, i, formatter)}", width)
    because = _why(trace, i, formatter, width) if why and not replaced else []
    warned = _warning(trace, formatter, width)
    widths = widths_of(trace, formatter, width, NARROWEST_CODE)
    column = BEFORE_TABLE + sum(w + 2 for w in widths) + 1  # where the pseudocode begins
    code = width - column if width - column >= NARROWEST_CODE else 0
    why_lines = max(LINES_OF_WHY, len(because)) if why else 0
    rows = _heights(trace, height, len(said), len(warned), code, why_lines, _lines_of_computed(trace, formatter, width))

    lines = _said(said, heading(trace, i), rows["said"], formatter)
    lines += warned[: rows["warning"]]
    table = rows_of(trace, i, widths, rows["table"], formatter, asked, marked)
    lines += _side_by_side(table, listing(trace, i, code, rows["table"], formatter), column) if code else table
    lines += [current_line(trace, i, formatter)] * rows["line"]
    lines += [Text()] * rows["a gap above the equation"]
    lines += _filled(equation.equation(trace, i, width - 1, rows["equation"], formatter, asked, marked), rows["equation"])
    lines += [_state(trace, i, formatter)] * rows["state"]
    lines += [Text()] * rows["a gap above computed"]
    lines += computed(trace, i, width - 1, rows["computed"], formatter, asked)
    lines = _filled(lines, height - rows["keys"] - rows["why"]) + _filled(because[: rows["why"]], rows["why"])
    lines += [key_line(keys, f"step {i + 1}/{len(trace)}", width, formatter)] * rows["keys"]
    return [_fitted(line, width, formatter) for line in lines]


def _heights(trace, height, said, warned, code, why, known):
    """Return {part: lines} for so many lines of sentences, warnings, reasons and `computed`; with `code`, it is beside the table."""
    variables, gap = len(trace.graph.order), 1 if height >= ROOMY else 0
    parts = [
        ("a gap above the equation", gap, 1),
        ("a gap above computed", gap, 1),
        ("a gap above the keys", gap, 1),
        ("said", max(2, said) if height >= LOW else 1, 0),
        ("keys", 1, 0),
        ("warning", warned, 0),
        ("table", min(5, 1 + variables), max(1 + variables, len(trace.schedule.listing) + 1 if code else 0)),
        ("equation", equation.height(trace), 0),
        ("computed", 1, known),
        ("line", 0 if code else 1, 0),
        ("state", 1 if trace.schedule.scatters else 0, 0),
        ("why", why, 0),
    ]
    return _allot(height, parts)


def _allot(height, parts):
    """Return {part: lines}. The first parts (part, least, most) get their least first; the last ones get more lines first."""
    rows = {}
    for part, least, _ in parts:
        rows[part] = least if least <= height else 0
        height -= rows[part]
    for part, least, most in reversed(parts):
        more = min(height, max(0, most - least)) if rows[part] == least else 0
        rows[part] += more
        height -= more
    return rows


def _fitted(line, width, formatter):
    if cell_len(line.plain) > width:
        kept = cut(line.plain, width, formatter)
        shared = next((k for k, (a, b) in enumerate(zip(line.plain, kept)) if a != b), len(kept))
        line = line[:shared] + Text(kept[shared:], DIM)
    line.no_wrap = True
    return line


def _wrapped(text, width):
    return wrapped(text, max(10, width), break_on_hyphens=False) or [""]


@lru_cache(maxsize=1)
def _warning(trace, formatter, width):
    return [Text(line, NOT_FINITE) for line in _wrapped(f"! {said}", width)] if (said := warning_of(trace, formatter)) else []


@lru_cache(maxsize=1)
def _lines_of_computed(trace, formatter, width):
    """Return how many lines the dictionary has at the end of the run: so many are kept free for it at each step."""
    return len(computed(trace, len(trace) - 1, width - 1, LINES_OF_COMPUTED, formatter))


def _why(trace, i, formatter, width):
    lines = [Text(line) for line in _wrapped(f"{ASKED} {said}", width)] if (said := reason(trace, i, formatter)) else []
    if lines:
        lines[0].stylize(WHY, 0, len(ASKED))
    return lines


def _said(said, title, rows, formatter):
    if len(said) > rows > 0:
        said = [*said[: rows - 1], f"{said[rows - 1]} {formatter('…')}"]
    lines = [Text(line) for line in said[:rows]] + [Text()] * (rows - len(said))
    if lines:
        lines[0].stylize(X, 0, len(title))
    return lines


def _filled(lines, rows):
    """Return the first `rows` lines, with empty ones after the last."""
    return lines[:rows] + [Text()] * (rows - len(lines))


def _side_by_side(left, right, column):
    lines = []
    for k in range(max(len(left), len(right))):
        a, b = (part[k] if k < len(part) else Text() for part in (left, right))
        lines.append(Text.assemble(a, " " * (column - cell_len(a.plain)), b))
    return lines


def _state(trace, i, formatter):
    """Return the line of the rest of a schedule's state: the variables that are ready or still to come, or the place on the tape."""
    state = trace[i].state or {}
    for queue in ("ready", "ordering"):
        if queue in state:
            return Text(f" {queue} = [{formatter(listed([name_of(trace, v, formatter) for v in state[queue]]))}]")
    if "tape" in state:
        place = state.get("place")
        centre = len(state["tape"]) - 1 if place is None else place
        names = [f"[{name_of(trace, v, formatter)}]" if k == place else name_of(trace, v, formatter) for k, v in enumerate(state["tape"])]
        first = max(0, min(centre - 3, len(names) - 7))
        before, after = (f"… {first} more " if first else ""), len(names) - first - 7
        return Text(" tape: " + formatter(before + " ".join(names[first : first + 7]) + (f" … {after} more" if after > 0 else "")))
    return Text()


def key_line(keys, right, width, formatter):
    """Return a line of keys and what they do, as many as there is room for, and a text at the right end."""
    line = Text(style=DIM)
    for key, does in keys:
        if cell_len(line.plain) + cell_len(formatter(f" {key} {does} ")) + len(right) < width:
            line.append(formatter(f" {key} {does} "))
    line.append(" " * (width - 1 - cell_len(line.plain) - len(right)) + right)
    return line


def help_screen(width, height, formatter=UNICODE, names=()):
    """Return the table of all keys, and lines about `names`, as exactly `height` lines. A line without room for it takes the next line too.

    >>> print(help_screen(60, 20)[2])
      →  PgDn  Enter      next step
    """
    column = max(cell_len(formatter(action.written)) for action in ACTIONS.values()) + 4
    lines = [Text("Keys", HEAD), Text()]
    for action in ACTIONS.values():
        first, *more = wrapped(action.does, max(10, width - column - 1))
        written = formatter(f"  {action.written}")
        lines.append(Text(written + " " * (column - cell_len(written)) + first))
        lines += [Text(" " * column + text) for text in more]
    lines += [Text(line) for name in ["", *names] for line in _wrapped(name, width)]
    return [_fitted(line, width, formatter) for line in [*_filled(lines, height - 1), key_line(HELP_LINE, "", width, formatter)]]


MARGIN = 4  # columns for the mark and the line number


def listing(trace, i, width, rows, formatter):
    """Return the `rows` lines of the pseudocode around the current one. The current line is wrapped, other long lines are cut."""
    lines, current = [], 0
    for number, text in listing_of(trace, formatter).items():
        indent = " " * max(0, (len(text) - len(text.lstrip())) // 2 - 2)
        if number == trace[i].line:
            current = len(lines)
            lines += _current(number, indent + formatter(text.strip()), indent, width - MARGIN, formatter)
        else:
            style = DIM if text.lstrip().startswith("#") else ""
            lines.append(Text.assemble((f" {number:>2} ", DIM), (cut(indent + formatter(text.strip()), width - MARGIN, formatter), style)))
    start = min(max(0, current - rows // 2), max(0, len(lines) - rows))
    return lines[start : start + rows]


def _current(number, text, indent, width, formatter):
    first, *more = textwrap.wrap(text, width, subsequent_indent=f"{indent}  ", break_on_hyphens=False)
    return [Text(f"{formatter('▶')}{number:>2} {first:<{width}}", CURRENT), *(Text(f"    {part:<{width}}", CURRENT) for part in more)]


def current_line(trace, i, formatter):
    """Return the current line alone, for a screen without room for the listing."""
    number = trace[i].line
    return Text(formatter(f" ▶{number} {listing_of(trace, formatter)[number].strip()}") if number else "", CURRENT)
