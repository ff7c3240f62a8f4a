"""What a class answered to the inventory, from journals of `teach live` and from tables of answers on paper."""

import csv
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tutorial.classroom.inventory import FORMS
from tutorial.classroom.live.journal import is_journal
from tutorial.classroom.live.questions.question import LETTERS, Question
from tutorial.classroom.live.questions.source import form as form_of
from tutorial.classroom.report.statistics.votes import replayed


class NoTable(ValueError):
    """A table of answers on paper cannot be read. The message says where, and what to do."""


class Sheet(NamedTuple):
    """The answers of one student: the number of a choice for each question, or None. The mark is "" if there is none."""

    mark: str
    choices: tuple[int | None, ...]


class Taken(NamedTuple):
    """All answers to one test: A before the course, B after it. Half of the students took the other form of each, whose choices
    mean the same by other numbers; `questions` are those of the test's own form.
    """

    form: str
    questions: Sequence[Question]
    sheets: list[Sheet]

    def right(self) -> list[list[bool]]:
        """Return for each student which questions are right. One without an answer is not."""
        return [[choice == question.right for choice, question in zip(sheet.choices, self.questions)] for sheet in self.sheets]


def is_answers(path) -> bool:
    """Return whether a file has answers to the inventory: the journal of a test, or a table. Raises OSError."""
    return is_table(path) or (is_journal(path) and bool(replayed(path)[0].get("form")))


def is_table(path) -> bool:
    with open(path, "rb") as file:
        return file.readline(80).decode("utf-8-sig", "replace").casefold().replace(" ", "").startswith("test,mark,")


def answers(paths: Iterable) -> list[Taken]:
    """Return the answers to each form that was taken, A first. Students who answered nothing are left out.

    Raises NoTable, NoJournal and OSError, and ValueError if the files are about different versions of a form.
    """
    questions: dict[str, Sequence[Question]] = {}
    sheets: dict[str, list[Sheet]] = {}
    for path in paths:
        for found in table(path) if is_table(path) else [journal(path)]:
            known = questions.setdefault(found.form, found.questions)
            if [key(question) for question in known] != [key(question) for question in found.questions]:
                raise ValueError(f"{path} has other questions than the files before it; report on one version of the inventory at a time")
            sheets.setdefault(found.form, []).extend(sheet for sheet in found.sheets if any(c is not None for c in sheet.choices))
    return [Taken(form, questions[form], sheets[form]) for form in sorted(questions)]


def key(question):
    """Return what must be the same in two files about one form."""
    return question.plain, question.right, [(choice.plain, choice.believes) for choice in question.choices]


def journal(path) -> Taken:
    """Return the answers in the journal of a test. Raises NoJournal, and OSError."""
    about, room = replayed(path)
    count = range(len(room.questions))
    sheets = [Sheet(mark, tuple(room.votes.get((k, 1), {}).get(sid) for k in count)) for sid, mark in room.students.items()]
    return Taken(str(about["form"]), room.questions, sheets)


def table(path) -> list[Taken]:
    """Return the answers in a table: a line for each student with the test, the mark and a letter for each question, or nothing.

    Raises NoTable, and OSError.
    """
    sheets: dict[str, list[Sheet]] = {}
    with open(path, encoding="utf-8-sig", newline="") as file:
        for number, row in enumerate(csv.reader(file), 1):
            cells = [cell.strip() for cell in row]
            if number == 1 or not any(cells):
                continue
            when, mark, *given = [*cells, "", ""][: max(2, len(cells))]
            form = next((letter for letter, test in FORMS.items() if test == when.casefold()), "")
            if not form:
                raise NoTable(f"{path}, line {number}: the test is {when!r}; write {' or '.join(FORMS.values())}")
            questions = form_of(form)
            if any(given[len(questions) :]):
                raise NoTable(f"{path}, line {number}: there are {len(given)} answers to {len(questions)} questions")
            given += [""] * (len(questions) - len(given))
            choices = (choice(cell, question, path, number, k) for k, (cell, question) in enumerate(zip(given, questions), 1))
            sheets.setdefault(form, []).append(Sheet(mark, tuple(choices)))
    return [Taken(form, form_of(form), found) for form, found in sheets.items()]


def choice(cell, question, path, line, number) -> int | None:
    """Return the number of the choice with this letter, None for nothing. Raises NoTable."""
    letters = LETTERS[: len(question.choices)]
    if not cell:
        return None
    if len(cell) > 1 or cell.upper() not in letters:
        known = f"{letters[0]} to {letters[-1]}"
        raise NoTable(f"{path}, line {line}, question {number}: {cell!r} is not a letter from {known}; leave it empty if nothing is marked")
    return letters.index(cell.upper())


def pairs(before: Taken, after: Taken) -> list[tuple[int, int]]:
    """Return (place of a sheet before, place of a sheet after) of each student whose mark stands once in both tests."""
    places = []
    for test in (before, after):
        marks = ["".join(sheet.mark.split()).casefold() for sheet in test.sheets]
        count = Counter(marks)
        places.append({mark: k for k, mark in enumerate(marks) if mark and count[mark] == 1})
    return [(k, places[1][mark]) for mark, k in places[0].items() if mark in places[1]]
