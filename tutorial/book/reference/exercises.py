"""The list of all exercises, unit by unit, with a link to each."""

from pathlib import Path

from tutorial.exercises.authored import exercises
from tutorial.exercises.checking.markdown import TAGS

UNITS = {
    "A": "The inductive chain rule",
    "B": "Order and dictionary",
    "C": "The scalar engine",
    "D": "Arrays",
    "E": "The engine as software",
    "F": "Where programs fail",
}
PAGE = """\
# Exercises

{number} exercises take about {hours} hours. Each knows its typical wrong answers: the check names the mistake that a program makes, and
shows the smallest example on which it is wrong. Where a class is graded, an exercise has as many points as its difficulty.

Exercises on numbers are done on their page. All of them can be done in your own editor: `python -m tutorial exercises init DIR` writes the
programs, and in this folder `python -m tutorial exercises watch` checks each of them when it is saved.

{units}"""


def pages(book, folder):
    """Give the page of the list, if the book has one of the chapters with exercises."""
    chapters = {path.stem for path in Path(book, "chapters").glob("*.md")}
    known = [e for e in exercises() if e.meta["chapter"] in chapters]
    if not known:
        return
    units = "\n".join(unit(letter, [e for e in known if e.meta["unit"] == letter]) for letter in UNITS)
    hours = round(sum(int(e.meta["minutes"]) for e in known) / 60)
    yield "exercises.md", PAGE.format(number=len(known), hours=hours, units=units)


def unit(letter, found):
    """Return the heading of a unit and the table of its exercises."""
    return f"## Unit {letter}: {UNITS[letter]}\n\n| no. | exercise | kind | minutes | difficulty | chapter |\n|-|-|-|-|-|-|\n" + "".join(
        map(exercise_row, found)
    )


def exercise_row(exercise):
    meta = exercise.meta
    chapter = f"[](chapters/{meta['chapter']}.md)"
    title = f"{{ref}}`{exercise.title} <exercise-{exercise.number}>`"
    return f"| {exercise.number} | {title} | {TAGS[exercise.kind].lower()} | {meta['minutes']} | {meta['difficulty']} of 4 | {chapter} |\n"
