"""Students and exercises in a grid: each student of a small class, groups of students with about the same points of a large one."""

from scalargrad.formulas.text import escape
from tutorial.classroom.report.bars import css
from tutorial.classroom.report.chapters import title
from tutorial.classroom.report.outcome import KINDS
from tutorial.classroom.report.tally import Tally
from tutorial.classroom.report.texts import name, shown
from tutorial.exercises.checking.verdict import RIGHT

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
