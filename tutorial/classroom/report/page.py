"""The report on a class as the text of one HTML file: misconceptions by the number of students, a bar for each exercise, a grid.

It runs no script and needs no other file. The same results give the same text.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from statistics import median
from string import Template
from typing import NamedTuple

from scalargrad.formulas.text import escape, short
from tutorial.classroom.grading.results.results import UNGRADED
from tutorial.classroom.report.chapters import chapter, exercise, in_words, title
from tutorial.classroom.report.inventory_section import inventory_section
from tutorial.classroom.report.live_section import live_section
from tutorial.classroom.report.outcome import KINDS, NAMED, UNNAMED
from tutorial.classroom.report.statistics.answers import Taken
from tutorial.classroom.report.statistics.votes import Votes
from tutorial.classroom.report.tally import Tally, tally
from tutorial.classroom.report.texts import LONGEST_MESSAGE, name, percent, shown
from tutorial.exercises.checking.verdict import NOT_STARTED, RIGHT
from tutorial.misconceptions import MISCONCEPTIONS
from viz.document import asset, policy, surfaces, with_head
from viz.text.formatter import plural

MOST_MISCONCEPTIONS = 10
MOST_EXERCISES, MOST_CHAPTERS = 8, 3  # in which a misconception was met
DEEPEST = 45  # percent of colour behind text
NO_MISTAKE = "<p>No program made a known mistake.</p>"
MANY_UNNAMED = (
    "<p>Here more than a tenth of the wrong answers have no name. A common one is a mistake that the exercise does not know yet.</p>"
)
ALL_NAMED = "<p>In each exercise, at least nine of ten wrong answers have a name.</p>"


def report(results: Iterable[dict | None], heading="Class report", votes: Sequence[Votes] = (), tests: Sequence[Taken] = ()) -> str:
    """Return the page for the results of a class, which are read once, for its live votes, and for its answers to the inventory.

    Raises TwoResults if a student has two for an exercise, and ValueError if there is nothing to report on.
    """
    found = tally(results)
    if not found.outcomes and not votes and not any(test.sheets for test in tests):
        raise ValueError(f"there is no result in this file, and {plural(found.unread, 'line')} could not be read")
    style = "\n".join([surfaces(), asset("report.css"), asset("report.css", __package__), shades()])
    return with_head(
        asset("report.html", __package__),
        policy=policy({"style": [style]}),
        style=style,
        title=shown(heading),
        numbers=f'<dl class="numbers">{numbers(found)}</dl>' if found.outcomes else "",
        warnings=warnings(found),
        live=inventory_section(tests) + live_section(votes),
        exercises=exercises(found) if found.outcomes else "",
    )


def exercises(found: Tally) -> str:
    ranked = ranking(found)
    return Template(asset("exercises.html", __package__)).substitute(
        about_ranking=about_ranking(ranked),
        ranking="".join(misconception(one, len(found.outcomes)) for one in ranked[:MOST_MISCONCEPTIONS]),
        legend=legend(),
        bars="".join(exercise_row(found, number, counts) for number, counts in found.kinds().items()),
        about_grid=about_grid(found),
        grid=grid(found),
        unnamed=MANY_UNNAMED + found_there if (found_there := without_name(found)) else ALL_NAMED,
    )


def shades():
    """Return the style of the cells that stand for shares of right answers."""
    return "\n".join(
        f".s{k} {{ background: color-mix(in srgb, var(--child) {DEEPEST * k // SHADES}%, var(--panel)); }}" for k in range(SHADES + 1)
    )


# The numbers


def numbers(tally: Tally) -> str:
    kinds = tally.kinds().values()
    right, ungraded = (sum(counts[kind] for counts in kinds) for kind in (RIGHT, UNGRADED))
    results = tally.tiers.total()
    shown_ones = [
        counted(len(tally.outcomes), "student", "students"),
        counted(len(tally.of), "exercise", "exercises"),
        counted(results - ungraded, "result graded", "results graded"),
        (percent(right, results - ungraded), "of them right"),
        (f"{short(median(tally.points.values()))} of {sum(tally.of.values())}", "points: the median"),
        (" ".join(map(shown, sorted(tally.tiers))), "isolation of the programs"),
    ]
    return "".join(f"<div><dt>{what}</dt><dd>{number}</dd></div>" for number, what in shown_ones)


def counted(number, one, many) -> tuple[str, str]:
    return f"{number:,}", one if number == 1 else many


def warnings(tally: Tally) -> str:
    """Return what the reader must know before the numbers: ungraded results, missing ones, and lines that were not read."""
    ungraded = sum(counts[UNGRADED] for counts in tally.kinds().values())
    missing = len(tally.outcomes) * len(tally.of) - tally.tiers.total()
    said = []
    if ungraded:
        failures = "".join(
            f"<li>{name(student)}, exercise {shown(n)}: {shown(message, 160)}</li>" for student, n, message in tally.failures
        )
        what = f"<b>{plural(ungraded, 'result')} ungraded.</b> The checker failed, not the student: no points are lost. "
        said.append(f"{what}<code>teach grade</code> tries them again.<ul>{failures}</ul>")
    if missing:
        said.append(f"<b>{plural(missing, 'result')} missing.</b> Not every student has a result for every exercise.")
    if tally.unread:
        said.append(
            f"<b>{plural(tally.unread, 'line')} of the file could not be read</b> and {'is' if tally.unread == 1 else 'are'} left out."
        )
    return "".join(f'<div class="warning">{text}</div>' for text in said)


# What to teach again


def about_ranking(ranked) -> str:
    if not ranked:
        return NO_MISTAKE
    more = f" The {MOST_MISCONCEPTIONS} commonest of {len(ranked)}." if len(ranked) > MOST_MISCONCEPTIONS else ""
    return f"<p>What students seem to believe, by the number of students whose programs show it.{more}</p>"


def misconception(found: "Misconception", students) -> str:
    """Return a misconception as HTML: how many have it, what is believed, where it was met, what to teach again, two messages."""
    believed = MISCONCEPTIONS.get(found.id, "")
    title = escape(f"{believed[:1].upper()}{believed[1:]}") or "A mistake without a catalogue entry"
    where = ", ".join(f"{shown(number)} ({count:,})" for number, count in found.exercises[:MOST_EXERCISES])
    examples = "".join(f"<li><b>{shown(number)}</b> {shown(text, LONGEST_MESSAGE)}</li>" for number, text in found.examples)
    count = f'<p class="count"><b>{found.students:,}</b> of {plural(students, "student")}<br>{percent(found.students, students)}</p>'
    return f"""<li>{count}<div><h3>{title} <span class="id">{shown(found.id)}</span></h3>
{teach_again(found.chapters)}<p class="where">Exercises (students): {where}</p>
<ul class="examples">{examples}</ul></div></li>"""


def teach_again(chapters) -> str:
    """Return the chapter to teach again, and the numbers of the others."""
    if not chapters:
        return '<p class="again">Teach again: no chapter is known</p>'
    first, *others = chapters
    numbers = [str(number) for number, _ in others][:MOST_CHAPTERS]
    more = f'<span class="where">; also chapter{"s" * (len(numbers) > 1)} {", ".join(numbers)}</span>' if numbers else ""
    return f'<p class="again">Teach again: {escape(in_words(first))}{more}</p>'


def about_grid(tally: Tally) -> str:
    students = len(tally.outcomes)
    if students <= MOST_STUDENTS:
        return "A row for each student, the most points first. The signs are those of the list above."
    return (
        f"{GROUPS} groups of about {round(students / GROUPS):,} students each, the most points first. "
        "Each cell says how many of a hundred are right."
    )


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


MOST_STUDENTS = 400
GROUPS = 20
SHADES = 10  # of the share of right answers


def grid(tally: Tally) -> str:
    """Return the grid as HTML, the students with the most points first."""
    students = sorted(tally.outcomes, key=lambda student: (-tally.points[student], student))
    if len(students) <= MOST_STUDENTS:
        return table(tally, "student", "students", (student_row(tally, student) for student in students))
    groups = [students[k * len(students) // GROUPS : (k + 1) * len(students) // GROUPS] for k in range(GROUPS)]
    ends = [sum(map(len, groups[: k + 1])) for k in range(GROUPS)]
    return table(tally, "students", "groups", (group_row(tally, group, end) for group, end in zip(groups, ends)))


def table(tally, what, kind, rows) -> str:
    """Return the table with the numbers of the exercises above its rows."""
    heads = "".join(f'<th scope="col"><abbr title="{escape(title(n))}">{shown(n)}</abbr></th>' for n in tally.exercises)
    head = f'<thead><tr><th scope="col">{what}</th><th scope="col">points</th>{heads}</tr></thead>'
    region = f'<div class="wide" tabindex="0" role="region" aria-label="{what} and exercises">'
    return f'{region}<table class="grid {kind}">{head}<tbody>{"".join(rows)}</tbody></table></div>'


def student_row(tally, student) -> str:
    """Return the row of a student: a sign for each exercise."""
    theirs = tally.outcomes[student]
    cells = "".join(cell(theirs[n].kind) if n in theirs else "<td></td>" for n in tally.exercises)
    return f'<tr><th scope="row">{name(student)}</th><td class="points">{tally.points[student]}</td>{cells}</tr>'


def cell(kind) -> str:
    return f'<td class="{css(kind)}">{KINDS[kind].sign}</td>'


def group_row(tally, group, end) -> str:
    """Return the row of a group of students: for each exercise, how many of a hundred are right."""
    cells = "".join(share(tally, group, n) for n in tally.exercises)
    points = sorted({tally.points[group[-1]], tally.points[group[0]]})
    who = f"{end - len(group) + 1:,}–{end:,}"
    return f'<tr><th scope="row">{who}</th><td class="points">{"–".join(map(str, points))}</td>{cells}</tr>'


def share(tally, group, number) -> str:
    """Return the cell of a group and an exercise."""
    found = [tally.outcomes[student][number].kind for student in group if number in tally.outcomes[student]]
    if not found:
        return "<td></td>"
    part = found.count(RIGHT) / len(found)
    return f'<td class="s{round(SHADES * part)}">{round(100 * part)}</td>'


ROOM = 0.04  # of a bar, for each character in it


def exercise_row(tally, number, counts) -> str:
    """Return the row of an exercise: its number and title, its bar, the share of right answers."""
    found = exercise(number)
    about = plural(tally.of[number], "point")
    if found:
        about = f"unit {found.meta['unit']}, {about}, {in_words(chapter(number))}"
    head = f'<h3><span class="number">{shown(number)}</span> {escape(title(number))}</h3><p class="about">{escape(about)}</p>'
    begun = counts.total() > counts[NOT_STARTED]
    share = f"<b>{percent(counts[RIGHT], counts.total())}</b> right" if begun else "not attempted"
    return f'<li id="e{shown(number)}"><div>{head}</div>{bar(counts)}<p class="share">{share}</p></li>'


def bar(counts) -> str:
    parts, at = [], 0.0
    for kind, count in ((kind, counts[kind]) for kind in KINDS if counts[kind]):
        width = count / counts.total()
        parts.append(f'<rect class="{css(kind)}" x="{100 * at:.2f}%" width="{100 * width:.2f}%" height="100%"/>')
        texts = f"{KINDS[kind].sign} {count:,}", f"{count:,}"
        if text := next((text for text in texts if width > ROOM * len(text)), ""):
            parts.append(f'<text class="{css(kind)}" x="{100 * (at + width / 2):.2f}%" y="50%">{text}</text>')
        at += width
    return f'<svg class="bar" role="img" aria-label="{bar_in_words(counts)}">{"".join(parts)}</svg>'


def bar_in_words(counts) -> str:
    return ", ".join(f"{counts[kind]:,} {about.words}" for kind, about in KINDS.items() if counts[kind])


def legend() -> str:
    """Return what the colours and the signs mean."""
    items = (f'<li><span class="key {css(kind)}">{about.sign}</span> {about.words}</li>' for kind, about in KINDS.items())
    return f'<ul class="legend">{"".join(items)}</ul>'


def css(kind) -> str:
    """Return the name of a kind in the style sheet."""
    return kind.replace(" ", "-")


EXAMPLES = 2


class Misconception(NamedTuple):
    """How many students have a misconception, in which exercises with how many students, which chapters explain it, and messages.

    The exercises and the chapters are sorted, the one with the most students first.
    """

    id: str
    students: int
    exercises: list[tuple[str, int]]
    chapters: list[tuple[int, str]]
    examples: list[tuple[str, str]]


def ranking(tally: Tally) -> list[Misconception]:
    """Return the misconceptions of a class, the one that most students have first."""
    students: Counter = Counter()
    exercises: dict[str, Counter] = defaultdict(Counter)
    for theirs in tally.outcomes.values():
        for number, found in theirs.items():
            if found.misconception:
                exercises[found.misconception][number] += 1
        students.update({found.misconception for found in theirs.values()} - {""})
    ranked = sorted(students, key=lambda id: (-students[id], id))
    return [described(tally, id, students[id], ordered(exercises[id])) for id in ranked]


def described(tally, id, students, exercises) -> Misconception:
    """Return a misconception with its chapters, and a message from each of its commonest exercises."""
    chapters: Counter = Counter()
    for number, count in exercises:
        if found := chapter(number):
            chapters[found] += count
    examples = [(number, tally.examples[id, number]) for number, _ in exercises if (id, number) in tally.examples]
    return Misconception(id, students, exercises, [found for found, _ in ordered(chapters)], examples[:EXAMPLES])


def ordered(counts: Counter) -> list:
    """Return (name, count), the largest count first."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
