"""Slides and handouts as files of the site. They are written again only if the packages that make them have changed."""

from functools import cache

import viz
from scalargrad import Trace
from tutorial.book.reference.functions import digest
from tutorial.figure1 import figure1
from tutorial.matrices import product
from viz.files import write_file
from viz.page.play import page
from viz.slides import shown, title_slide

THREE, HANDOUT, SOLUTION = "three-slides", "handout", "handout-solution"
TITLE = "Why do effects add?"


@cache
def figure():
    z, order = figure1()
    return Trace(z, order=order)


LESSONS = {  # name of the file: its title, and the variable or trace
    "slides-numbers": ("The chain rule on Figure 1", figure),
    "slides-matrices": ("The chain rule on a product of matrices", lambda: product()["z"]),
}


def files():
    """Return {name: the function that computes the page}."""
    return {
        THREE: three_slides,
        HANDOUT: lambda: viz.handout(figure(), solution=False).html,
        SOLUTION: lambda: viz.handout(figure()).html,
        **{name: lambda title=title, z=z: viz.slides(z(), title=title).html for name, (title, z) in LESSONS.items()},
    }


def three_slides():
    """Return the question, the nudge, and the derivatives of Figure 1."""
    _, nudge, *_, done, _ = lesson = shown(figure())
    assert nudge is lesson[1]
    return page(figure(), TITLE, slides=[title_slide(figure(), TITLE), nudge, done])


def write(site):
    """Write the files to the folder `teachers` of the site."""
    folder, now = site / "teachers", digest()
    stamp = folder / ".digest"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == now:
        return
    folder.mkdir(exist_ok=True)
    for name, make in files().items():
        write_file(folder / f"{name}.html", make())
    write_file(stamp, now)
