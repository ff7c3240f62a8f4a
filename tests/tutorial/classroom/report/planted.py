"""Classes whose beliefs are known: each student has some misconceptions, and answers by them, by knowledge, or by guessing."""

import random

from tutorial.classroom.inventory import FORMS
from tutorial.classroom.live.questions.question import LETTERS
from tutorial.classroom.live.questions.source import form
from tutorial.classroom.report.statistics.answers import Sheet, Taken

HAD = {"M05": 0.6, "M10": 0.5, "M08": 0.7}  # misconceptions, and the share of students who have each before the course
CURED = {"M10": 0.9, "M08": 0.9}  # the share of these whom the course cures
SLIP, OMITTED = 0.1, 0.05
KNOWN, LATER, SPREAD = 0.45, 0.75, 0.15  # of what else there is: what a student knows before the course and after it


def a_class(seed, students=30, had=None, cured=None):
    """Return both tests of a class."""
    dice, had, cured = random.Random(seed), HAD if had is None else had, CURED if cured is None else cured
    sheets: dict[str, list[Sheet]] = {"A": [], "B": []}
    for k in range(students):
        believed = [id for id, share in had.items() if dice.random() < share]
        left = [id for id in believed if dice.random() >= cured.get(id, 0)]
        known = dice.gauss(KNOWN, SPREAD)
        for letter, believes, knows in (("A", believed, known), ("B", left, known + LATER - KNOWN)):
            sheets[letter].append(Sheet(f"s{k}", tuple(answer(dice, q, believes, knows) for q in form(letter))))
    return [Taken(letter, form(letter), found) for letter, found in sheets.items()]


def answer(dice, question, believed, knows):
    held = [k for k, choice in enumerate(question.choices) if choice.believes in believed]
    if held:
        return dice.choice(held) if dice.random() >= SLIP else question.right
    if dice.random() < knows:
        return question.right
    return dice.randrange(len(question.choices)) if dice.random() >= OMITTED else None


def on_paper(tests):
    """Return these tests as the table that a teacher writes from paper."""
    lines = [f"test,mark,{','.join(str(k) for k in range(1, 21))}"]
    for test in tests:
        lines += [",".join([FORMS[test.form], s.mark, *("" if c is None else LETTERS[c] for c in s.choices)]) for s in test.sheets]
    return "\n".join(lines) + "\n"
