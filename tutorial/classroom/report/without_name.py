"""Exercises in which many wrong answers have no name: a known wrong answer is missing there. The commonest of these answers are shown."""

from scalargrad.formulas.text import escape
from tutorial.classroom.report.chapters import title
from tutorial.classroom.report.outcome import NAMED, UNNAMED
from tutorial.classroom.report.ranking import ordered
from tutorial.classroom.report.tally import Tally
from tutorial.classroom.report.texts import percent, shown
from viz.text.formatter import plural

MANY = 0.1  # of the wrong answers
MOST_ANSWERS = 3
LONGEST = 160


def exercises_with_many(tally: Tally) -> list[tuple[str, int, int]]:
    """Return (exercise, answers without a name, wrong answers) for each exercise with many, the one with the most first."""
    counts = {number: (kinds[UNNAMED], kinds[NAMED] + kinds[UNNAMED]) for number, kinds in tally.kinds().items()}
    found = [(number, unnamed, wrong) for number, (unnamed, wrong) in counts.items() if unnamed > MANY * wrong]
    return sorted(found, key=lambda row: (-row[1], row[0]))


def without_name(tally: Tally) -> str:
    """Return the table of these exercises with their commonest answers as HTML; "" if there are none."""
    heads = "".join(f'<th scope="col">{text}</th>' for text in ("exercise", "times", "input", "got", "expected"))
    bodies = "".join(one(tally, *row) for row in exercises_with_many(tally))
    table = f'<table class="answers"><thead><tr>{heads}</tr></thead>{bodies}</table>'
    return f'<div class="wide" tabindex="0" role="region" aria-label="wrong answers without a name">{table}</div>' if bodies else ""


def one(tally, number, unnamed, wrong) -> str:
    """Return the rows of one exercise."""
    about = f"{unnamed:,} of {plural(wrong, 'wrong answer')} ({percent(unnamed, wrong)})"
    rows = [answer(texts, times) for texts, times in ordered(tally.unnamed[number])[:MOST_ANSWERS]]
    name = f'<b><span class="number">{shown(number)}</span> {escape(title(number))}</b><br>{about}'
    return f'<tbody><tr><th scope="rowgroup" rowspan="{len(rows)}">{name}</th>{"</tr><tr>".join(rows)}</tr></tbody>'


def answer(texts, times) -> str:
    return f"<td>{times:,}</td>" + "".join(f"<td><code>{shown(text, LONGEST)}</code></td>" for text in texts)
