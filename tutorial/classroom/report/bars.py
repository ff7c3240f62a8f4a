"""A bar for each exercise: how many students have each kind of outcome. The numbers stand in the bar, and in its name."""

from scalargrad.formulas.text import escape
from tutorial.classroom.report.chapters import chapter, exercise, title
from tutorial.classroom.report.chapters import in_words as chapter_in_words
from tutorial.classroom.report.outcome import KINDS
from tutorial.classroom.report.tally import Tally
from tutorial.classroom.report.texts import percent, shown
from tutorial.exercises.checking.verdict import NOT_STARTED, RIGHT
from viz.text.formatter import plural

ROOM = 0.04  # of a bar, for each character in it


def bars(tally: Tally) -> str:
    """Return the list of all exercises as HTML."""
    kinds = tally.kinds()
    return f'<ol class="bars">{"".join(exercise_row(tally, number, kinds[number]) for number in tally.exercises)}</ol>'


def exercise_row(tally, number, counts) -> str:
    """Return the row of an exercise: its number and title, its bar, the share of right answers."""
    found = exercise(number)
    about = plural(tally.of[number], "point")
    if found:
        about = f"unit {found.meta['unit']}, {about}, {chapter_in_words(chapter(number))}"
    head = f'<h3><span class="number">{shown(number)}</span> {escape(title(number))}</h3><p class="about">{escape(about)}</p>'
    begun = counts.total() > counts[NOT_STARTED]
    share = f"<b>{percent(counts[RIGHT], counts.total())}</b> right" if begun else "not attempted"
    return f'<li id="e{shown(number)}"><div>{head}</div>{bar(counts)}<p class="share">{share}</p></li>'


def bar(counts) -> str:
    """Return the bar of these counts as SVG."""
    parts, at = [], 0.0
    for kind, count in ((kind, counts[kind]) for kind in KINDS if counts[kind]):
        width = count / counts.total()
        parts.append(f'<rect class="{css(kind)}" x="{100 * at:.2f}%" width="{100 * width:.2f}%" height="100%"/>')
        texts = f"{KINDS[kind].sign} {count:,}", f"{count:,}"
        if text := next((text for text in texts if width > ROOM * len(text)), ""):
            parts.append(f'<text class="{css(kind)}" x="{100 * (at + width / 2):.2f}%" y="50%">{text}</text>')
        at += width
    return f'<svg class="bar" role="img" aria-label="{in_words(counts)}">{"".join(parts)}</svg>'


def in_words(counts) -> str:
    return ", ".join(f"{counts[kind]:,} {about.words}" for kind, about in KINDS.items() if counts[kind])


def legend() -> str:
    """Return what the colours and the signs mean."""
    items = (f'<li><span class="key {css(kind)}">{about.sign}</span> {about.words}</li>' for kind, about in KINDS.items())
    return f'<ul class="legend">{"".join(items)}</ul>'


def css(kind) -> str:
    """Return the name of a kind in the style sheet."""
    return kind.replace(" ", "-")
