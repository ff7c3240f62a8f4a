"""A verdict in words: the observation and a question the first time, then the rule, then a hint."""

from typing import NamedTuple

from tutorial.exercises.checking.check import name_of
from tutorial.exercises.checking.verdict import NOT_STARTED, RIGHT, Verdict
from tutorial.exercises.values import MISSING, differences, is_array, value_text

RULE, HINT = 2, 3  # the time from which the rule is told, and the first hint
MOST_ROWS = 24
MOST_SHOWN = 10  # rows in a terminal
BEGIN, END = 4, 2  # lines of a long call in a terminal


class Row(NamedTuple):
    """A component of an answer: what was got, what is right."""

    name: str
    got: str
    expected: str
    wrong: bool


def told(verdict: Verdict, times=1, hints=()) -> list[str]:
    """Return the sentences for a verdict that was seen so many times: the observation, then the rule, then the hints one by one.

    >>> told(Verdict("wrong", "x is wrong", "x is 3. It should be 4.", "You added.", "Add or multiply?"), 1)
    ['x is 3. It should be 4.', 'Add or multiply?']
    >>> told(Verdict("wrong", "x is wrong", "x is 3. It should be 4.", "You added.", "Add or multiply?"), 3, ("Multiply.",))
    ['You added.', 'Add or multiply?', 'Hint 1: Multiply.']
    """
    if verdict.state in (RIGHT, NOT_STARTED):
        return [verdict.said]
    said = [verdict.observed if times < RULE else verdict.said, verdict.asked]
    k = hint_told(verdict, times, hints)
    return [*filter(None, said), *([f"Hint {k}: {hints[k - 1]}"] if k else [])]


def hint_told(verdict: Verdict, times, hints) -> int:
    """Return the number of the hint that is told at this time, from 1; 0 if none is, or if all were."""
    k = times - HINT + 1
    return k if verdict.hinted and verdict.state not in (RIGHT, NOT_STARTED) and 0 < k <= len(hints) else 0


def brief(lines) -> list[str]:
    """Return lines, or of many the first and the last ones, so that a terminal can show the message, too. A page shows all.

    >>> brief(["a"] * 40)[BEGIN]
    '… 34 lines left out …'
    """
    if len(lines) <= BEGIN + END + 1:
        return lines
    return [*lines[:BEGIN], f"… {len(lines) - BEGIN - END} lines left out …", *lines[-END:]]


def all_told(verdict: Verdict, times, hints) -> bool:
    """Return whether all hints were told before this time."""
    return bool(verdict.hinted and hints and verdict.state not in (RIGHT, NOT_STARTED) and times - HINT >= len(hints))


def rows(verdict: Verdict) -> list[Row]:
    """Return a row for each component of the answer, of a dictionary or of a tuple; none where the whole is the only component."""
    if not isinstance(verdict.right, (dict, tuple)) or verdict.difference is None:
        return []
    names = lambda key: name_of(verdict.probe, str(key) if isinstance(verdict.right, dict) else f"[{key}]")
    parts = verdict.right.items() if isinstance(verdict.right, dict) else enumerate(verdict.right)
    return [component_row(names(key), key, verdict.answer, right) for key, right in list(parts)[:MOST_ROWS]]


def component_row(name, key, answer, right):
    try:
        got = answer[key]
    except (LookupError, TypeError):
        return Row(name, MISSING, value_text(right), True)
    return Row(name, value_text(got), value_text(right), any(differences(got, right)))


def in_words(verdict: Verdict, times=1, hints=()) -> str:
    """Return a verdict as text for the terminal: the heading, the call, the table of components, the sentences."""
    parts = [verdict.title]
    if verdict.source:
        parts.append("\n".join(f"    {line}" for line in verdict.source.splitlines()))
    if verdict.input:
        parts.append("\n".join(f"    {line}" for text in (verdict.input, verdict.about) for line in brief(text.splitlines())))
    if found := rows(verdict):
        parts.append(table(few(found)) + left_out(found))
    elif is_array(verdict.right) and verdict.difference:
        parts.append(table([Row("answer", verdict.got, verdict.expected, True)]))
    if verdict.printed.strip():
        parts.append("\n".join(["    It printed:", *(f"      {line}" for line in verdict.printed.rstrip().splitlines())]))
    return "\n\n".join([*parts, *told(verdict, times, hints)])


def few(found) -> list[Row]:
    """Return so many rows that a terminal can show them: of many only wrong ones."""
    return found if len(found) <= MOST_SHOWN else [r for r in found if r.wrong][:MOST_SHOWN]


def left_out(found) -> str:
    """Return a line that counts the rows that `few` leaves out, or ""."""
    more = [r.wrong for r in found if r not in few(found)]
    counts = [f"{sum(more)} more wrong"] * any(more) + [f"{len(more) - sum(more)} right"] * (not all(more))
    return f"\n    not shown: {', '.join(counts)}" if more else ""


def table(found) -> str:
    """Return rows as a table in plain text."""
    cells = [("", "your answer", "right", ""), *((r.name, r.got, r.expected, "<- wrong" if r.wrong else "") for r in found)]
    widths = [max(map(len, column)) for column in zip(*cells)]
    return "\n".join("    " + "  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in cells)
