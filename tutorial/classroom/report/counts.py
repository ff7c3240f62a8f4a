"""Counts of the answers to the inventory as a file for others: no marks, and nothing that says who answered two items alike."""

import csv
import json
from collections import Counter
from collections.abc import Sequence
from io import StringIO
from pathlib import Path

from tutorial.classroom.live.questions.question import LETTERS
from tutorial.classroom.report.statistics.answers import Taken, pairs
from tutorial.classroom.report.statistics.items import items

SCHEMA = "tutorial/inventory/counts/v1"
COLUMNS = ("form", "students", "item", "choice", "believes", "right", "count")


def counts(tests: Sequence[Taken], path) -> str:
    """Return the counts as the text of a file, by its extension: .csv has the choices, .json the sums and the pairs, too.

    Raises ValueError for another extension, or if nobody answered.
    """
    taken = [test for test in tests if test.sheets]
    if not taken:
        raise ValueError("--counts needs answers to the inventory: a journal of `teach live inventory`, or a table of answers on paper")
    suffix = Path(path).suffix.lower()
    if suffix not in (".csv", ".json"):
        raise ValueError(f"--counts: the file is called {path!r}; give it the extension .csv or .json")
    return as_csv(taken) if suffix == ".csv" else as_json(taken)


def as_csv(taken) -> str:
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for test in taken:
        for number, (question, found) in enumerate(zip(test.questions, items(test)), 1):
            for k, count in enumerate(found.counts):
                choice = question.choices[k] if k < len(question.choices) else None
                letter, believes = (LETTERS[k], choice.believes) if choice else ("", "")
                writer.writerow([test.form, len(test.sheets), number, letter, believes, int(k == question.right), count])
    return text.getvalue()


def as_json(taken) -> str:
    found: dict = {"schema": SCHEMA, "draft": True, "forms": {test.form: of_form(test) for test in taken}}
    if len(taken) > 1:
        found["pairs"] = of_pairs(*taken)
    return json.dumps(found, indent=1) + "\n"


def of_form(test) -> dict:
    """Return the counts of a form: of each item, and of each sum of right answers."""
    sums = Counter(sum(row) for row in test.right())
    listed = [
        {
            "asked": question.plain,
            "right": question.right,
            "believes": [choice.believes for choice in question.choices],
            "counts": found.counts,
        }
        for question, found in zip(test.questions, items(test))
    ]
    return {"students": len(test.sheets), "items": listed, "sums": [sums[n] for n in range(len(test.questions) + 1)]}


def of_pairs(before, after) -> dict:
    """Return of each item how many of those with a mark in both tests were right in both, only before, only after, and in neither."""
    both, right = pairs(before, after), [test.right() for test in (before, after)]
    found = [Counter((right[0][a][k], right[1][b][k]) for a, b in both) for k in range(len(before.questions))]
    order = {"both": (True, True), "only_before": (True, False), "only_after": (False, True), "neither": (False, False)}
    return {"students": len(both), "items": [{name: counted[pair] for name, pair in order.items()} for counted in found]}
