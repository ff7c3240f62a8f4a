"""The dictionary of total derivatives as lines of the screen: the latest entries that fit, and the one that the step reads or writes."""

from bisect import bisect_left
from functools import cache
from itertools import pairwise

from rich.cells import cell_len
from rich.text import Text

from viz.terminal.style import DIM, MARKED
from viz.text.formatter import UNICODE, broken, total_of
from viz.text.schedule_table import gradients, standing

SHORTEST_ENTRY = 8  # columns


def computed(trace, i, width, rows, formatter=UNICODE, asked=None):
    """Return the dictionary after step i on at most `rows` lines, under its name in the pseudocode. dz/d`asked` is left out."""
    entries = _entries(trace, i, asked)
    s, lead = trace[i], f" {trace.schedule.called} = {{"
    read = s.y if s.act in ("get", "take") else None
    written = s.x if s.known > (trace[i - 1].known if i else 0) else None
    in_use = [place for place, (v, *_) in enumerate(entries) if v is not None and (v is read or v is written)]

    @cache
    def token(place):
        v, total, final = entries[place]
        return _entry(trace, v, total, final, formatter, "← get" if v is read else "← new" if v is written else "", width - len(lead) - 1)

    def lines(many):
        """The dictionary with so many of the latest entries."""
        return _dictionary(lead, token, sorted({*range(len(entries) - many, len(entries)), *in_use}), len(entries), width, formatter)

    most = min(len(entries), width * rows // SHORTEST_ENTRY)
    return lines(bisect_left(range(1, most + 1), True, key=lambda many: len(lines(many)) > rows))[:rows]


def _entries(trace, i, asked):
    """Return [(x, dz/dx, whether it is final)] after step i, in the order of insertion."""
    s = trace[i]
    if "nodes" in trace.schedule.keeps:
        return [(x, total, final) for x, (total, final) in gradients(trace, i).items() if x is not asked]
    if len(trace.computed) == len(s.log) and asked is None:  # each dz/dx is inserted once, and is final
        return [(x, total, True) for x, total in s.log[: s.known]]
    known = standing(trace, i)
    return [(x, total, known[x][1]) for x, total in s.computed.items() if x is not asked]


def _dictionary(lead, token, places, total, width, formatter):
    """Return the entries at `places` in braces, and the number of entries left out between them."""
    tokens = []
    for before, place in pairwise([-1, *places, total]):
        if place - before > 1:
            tokens.append((formatter(f"… {place - before - 1} more"), DIM))
        tokens += [token(place)] if place < total else []
    lines = flow(lead, tokens, ", ", width - 1)
    lines[-1].append("}")
    return lines


def _entry(trace, v, total, final, formatter, mark, width):
    """Return one entry and its style: dz/dy₁: x₁ = 3 ← get. A formula that does not fit is left out."""
    before, after = f"{total_of(trace, v, formatter)}: ", ("" if final else formatter(" …")) + (formatter(f" {mark}") if mark else "")
    text = formatter.quantity(total)
    if cell_len(before + text + after) > width:
        text = formatter.number(total.number)
    return before + text + after, MARKED if mark else ""


def flow(lead, tokens, between, width):
    """Return `lead` and the (text, style) tokens on lines of at most `width` columns; later lines are indented as far as `lead`.

    A comma ends a line. A sign begins the next one. A token that is longer than a line goes on in the next one, before a sign.
    """
    lines = [Text(lead)]
    ends, begins = ("", between.lstrip()) if between.strip() in ("+", "=") else (between.rstrip(), "")
    for k, (text, style) in enumerate(tokens):
        if k and cell_len(lines[-1].plain) + cell_len(between + text + ends) > width:
            lines[-1].append(ends)
            lines.append(Text(" " * (cell_len(lead) - len(begins)) + begins))
        elif k:
            lines[-1].append(between)
        first, *more = map(str.strip, broken(text, width - cell_len(lead + ends)))
        lines[-1].append(first, style)
        lines += [Text.assemble(" " * (cell_len(lead) - 2 * part.startswith("= ")), (part, style)) for part in more]
    return lines
