"""The questions of predict mode as data of a page: what is asked, the right numbers, and each known mistake with its sentence."""

import math

from scalargrad.formulas.rounded import is_lost
from viz.page.live.numbers import LiveNumber, at_start
from viz.questions.mistakes import mistakes
from viz.questions.quiz import MOST_TERMS, asked_for, edges_of, hint, questions, right_number, why
from viz.text.array_text import numbers_of
from viz.text.narration import which_edge


def questions_data(page):
    """Return the questions about the trace of `page`, a PageData, and where answers change with the starting values."""
    asked = [question_data(page, q) for q in questions(page.trace)]
    return dict(zip(("questions", "answers"), without_live_numbers(asked))) if page.live else {"questions": asked}


def question_data(page, q):
    trace, right, formatter = page.trace, right_number(page.trace, q), page.formatter
    return {
        "step": q.step,
        "variable": page.place[q.x],
        "asked": page.math(asked_for(trace, q)),
        "which": which_edge(trace, q),
        "right": answerable(right),
        "exact": not any(isinstance(at_start(n), float) for n in numbers_of(right)),
        "why": why(trace, q, formatter),
        "hint": hint(trace, q, formatter),
        "edges": [page.edges[edge] for edge in edges_of(trace, q)],
        "mistakes": mistakes_data(page, q, answerable(right)),
    }


def mistakes_data(page, q, right):
    """Return [[the numbers of a wrong answer, kind, sentence, edges]], the likeliest mistake first."""
    found = {}
    if len(page.trace.graph.children[q.x]) <= MOST_TERMS:
        for number, kind, said, edges in mistakes(page.trace, q, page.formatter):
            found.setdefault(tuple(answerable(number)), [kind, said, [page.edges[edge] for edge in edges]])
    return [[list(numbers), *rest] for numbers, rest in found.items() if list(numbers) != right]


def answerable(x):
    """Return the numbers of x for JSON; inf and nan as text, and a live number as it is."""
    return [n if isinstance(n, LiveNumber) else json_float(n) for n in numbers_of(x)]


def json_float(x):
    return 0.0 if is_lost(x) else float(x) if math.isfinite(x) else str(float(x))


def without_live_numbers(tree, path=()):
    """Return JSON with live numbers as they are at the starting point, and [[the place of a live number, its path in the JSON], ...]."""
    if isinstance(tree, LiveNumber):
        return json_float(tree.data), [[tree.place, list(path)]]
    if not isinstance(tree, list | dict):
        return tree, []
    items = tree.items() if isinstance(tree, dict) else enumerate(tree)
    found = [(key, *without_live_numbers(item, (*path, key))) for key, item in items]
    plain = {key: item for key, item, _ in found} if isinstance(tree, dict) else [item for _, item, _ in found]
    return plain, [place for *_, places in found for place in places]
