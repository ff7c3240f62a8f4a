"""A class of twenty minutes on each chapter: which of its questions, players and exercises the teacher takes.

The panel of the chapter's page makes the plan of it. A number counts the questions to predict, or the players, from the top of the page.
"""

from typing import NamedTuple

from tutorial.book.teaching.files import EXERCISE


class Short(NamedTuple):
    """What a class takes of a chapter. Where `exercise` is empty, the chapter has none; the class works on paper, or in pairs."""

    question: int
    player: int
    exercise: str


CHOSEN = {  # {chapter: what a class takes instead of its first question, first player and first exercise}
    "inductive-chain-rule": Short(1, 2, "02"),
    "order-matters": Short(2, 1, "36"),
    "your-first-value": Short(1, 1, "11"),
    "broadcasting": Short(1, 1, "37"),
    "museum-of-broken-engines": Short(1, 2, "15"),
}


def short_of(chapter):
    """Return what a class takes of a chapter, for the panel of its page.

    >>> from tutorial.reading.chapter import find
    >>> short_of(find("convolution"))
    Short(question=1, player=1, exercise='44')
    """
    return CHOSEN.get(chapter.name) or Short(1, 1, next(iter(EXERCISE.findall(chapter.markdown)), ""))
