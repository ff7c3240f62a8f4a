"""Slides and handouts as files of the site, the chapters to which they belong, and what a class of twenty minutes takes of each.

They are written again only if their makers change.
"""

import re
from functools import cache, partial
from typing import NamedTuple

import viz
from scalargrad import Trace
from tutorial.book.reference.functions import digest
from tutorial.exercises.authored import find
from tutorial.graphs.figure1 import figure1
from tutorial.graphs.matrices import product
from viz.page.play import Lesson, player_page
from viz.slides import inside, shown, title_slide
from viz.whole_files import write_file

THREE, HANDOUT, SOLUTION = "three-slides", "handout", "handout-solution"
TITLE = "Why do effects add?"
EXERCISE = re.compile(r"^(?:`{3,}|:{3,})\{exercise\} (\d\d)", re.M)


@cache
def figure():
    z, order = figure1()
    return Trace(z, order=order)


LESSONS = {  # name of the file: its title, and the variable or trace
    "slides-numbers": ("The chain rule on Figure 1", figure),
    "slides-matrices": ("The chain rule on a product of matrices", lambda: product()["z"]),
}


INVENTORY = {  # what teachers print of the inventory: its file, and what it is
    "a": ("inventory-form-a", "form A"),
    "b": ("inventory-form-b", "form B"),
    "key": ("inventory-key", "the key"),
    "interview": ("inventory-interview", "a sheet for interviews"),
}

FIGURE_1, MATRICES = "inductive-chain-rule", "from-numbers-to-arrays"
BELONGS = {  # chapter: [(file, what it is)]
    FIGURE_1: [
        (HANDOUT, "a handout of one page"),
        (SOLUTION, "its solution"),
        (THREE, "three slides"),
        ("slides-numbers", "slides: the chain rule on Figure 1"),
    ],
    MATRICES: [("slides-matrices", "slides: the chain rule on a product of matrices")],
}


def prints(chapter, on_paper=None):
    """Return [(file, what it is)] of a chapter: what a teacher prints or shows, and nothing that belongs to another chapter.

    `on_paper` returns exercises as one page to print; without it there is no such page.
    """
    own = [(on_paper_of(chapter), "the exercises on paper")] if on_paper and exercises_of(chapter) else []
    return [*BELONGS.get(chapter.name, ()), *own]


def exercises_of(chapter):
    """Return the exercises of a chapter that can be printed: all, or none in the version for students, which has no solutions."""
    found = map(find, EXERCISE.findall(chapter.markdown))
    return [exercise for exercise in found if not exercise.recorded]


def on_paper_of(chapter):
    return f"exercises-{chapter.name}"


def files(known=(), on_paper=None):
    """Return {name: the function that computes the page}. With `on_paper` each of the chapters has its exercises as a page to print."""
    return {
        THREE: three_slides,
        HANDOUT: lambda: viz.handout(figure(), solution=False).html,
        SOLUTION: lambda: viz.handout(figure()).html,
        **{name: lambda title=title, z=z: viz.slides(z(), title=title).html for name, (title, z) in LESSONS.items()},
        **{on_paper_of(chapter): partial(on_paper, found) for chapter in known if on_paper and (found := exercises_of(chapter))},
    }


def three_slides():
    """Return the question, the nudge, and the derivatives of Figure 1."""
    _, nudge, *_, done, _ = lesson = shown(figure())
    assert nudge is lesson[1]
    return player_page(figure(), TITLE, slides=Lesson([title_slide(figure(), TITLE), nudge, done], inside))


def write(site, known=(), on_paper=None, inventory=None):
    """Write the files to the folder `teachers` of the site. `known` are the chapters, and `inventory` returns {file: page to print}."""
    folder, now = site / "teachers", f"{digest(None)} {[(c.name, EXERCISE.findall(c.markdown)) for c in known]}"
    folder.mkdir(exist_ok=True)
    for name, text in inventory().items() if inventory else ():
        write_file(folder / f"inventory-{name}", text)
    stamp = folder / ".digest"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == now:
        return
    for name, make in files(known, on_paper).items():
        write_file(folder / f"{name}.html", make())
    write_file(stamp, now)


class Short(NamedTuple):
    """What a class takes of a chapter. Where `exercise` is empty, the chapter has none; the class works on paper, or in pairs."""

    question: int
    player: int
    exercise: str


CHOSEN = {  # {chapter: what a class takes instead of its first question, first player and first exercise}
    "inductive-chain-rule": Short(1, 2, "02"),
    "order-matters": Short(2, 1, "36"),
    "your-first-value": Short(2, 1, "11"),
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
