"""Check an answer to an exercise of the book: the verdict, how often the reader has seen it, and the pages that show it."""

import json
from contextlib import redirect_stderr, redirect_stdout

from tutorial.exercises.authored import find
from tutorial.exercises.checking.check import check
from tutorial.exercises.checking.page import together, verdict_page
from tutorial.exercises.checking.verdict import RIGHT
from tutorial.playground import runner

FOUND, TOGETHER = "what was found", "step through both"


def checked(number, source, seen, say):
    """Check a program for the exercise with this number and return {state, title, said, line, graphs, seen}.

    `seen` and the `seen` that is returned are JSON: how often each mistake was found so far. say(text) is called with what the program
    prints. `graphs` names the pages, which `runner.page_of` gives.

    >>> given = find("08").given
    >>> first = checked("08", given, "{}", print)
    >>> first["title"], first["graphs"], first["seen"]
    ('a is wrong', ['what was found', 'step through both'], '{"overwrite": 1}')
    >>> checked("08", given, first["seen"], print)["seen"]
    '{"overwrite": 2}'
    """
    runner.begin(source)
    exercise, prints, counts = find(number), runner.Prints(say), json.loads(seen)
    with redirect_stdout(prints), redirect_stderr(prints):
        verdict = check(exercise, source)
    prints.close()
    kind = verdict.name or verdict.title
    times = counts[kind] = counts.get(kind, 0) + 1
    if verdict.state != RIGHT or verdict.probe or verdict.printed:
        runner.pages[FOUND] = lambda: verdict_page(exercise, verdict, times)
    if (both := together(exercise, verdict)) is not None:
        runner.pages[TOGETHER] = lambda: both
    if verdict.state == RIGHT:
        del counts[kind]
    told = {"state": verdict.state, "title": verdict.title, "said": verdict.said, "line": verdict.line}
    return told | {"graphs": list(runner.pages), "seen": json.dumps(counts)}
