"""The pseudocode of a schedule as lines of the screen; the current line is marked."""

import textwrap

from rich.text import Text

from viz.terminal.style import CURRENT, DIM, cut
from viz.text.unused_letters import listing_of

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
