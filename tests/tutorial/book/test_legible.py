"""The pages of the site say how wide a drawing must be so that its letters can be read."""

import numpy as np

import viz
from tensorgrad import Tensor
from tutorial.book.directives.drawing_sizes import LEAST, least_width_of, with_least_widths

PAGE = '<img alt="a graph" src="../_images/graph.svg" /><img alt="a photograph" src="../_images/photo.png" />'


def test_a_drawing_gets_the_width_at_which_its_smallest_letters_can_be_read(tmp_path):
    A = Tensor(np.ones((2, 2)), name="A")
    drawing = viz.draw((A @ A).sum(), theme="auto").svg
    for folder in ("_images", "chapters"):
        (tmp_path / folder).mkdir()
    (tmp_path / "_images" / "graph.svg").write_text(drawing, encoding="utf-8")
    page = tmp_path / "chapters" / "one.html"
    page.write_text(PAGE, encoding="utf-8")
    with_least_widths(tmp_path)
    least = least_width_of(drawing)
    wanted = PAGE.replace('graph.svg"', f'graph.svg" style="--least: {least}px"')
    assert page.read_text(encoding="utf-8") == wanted
    wide = float(drawing.partition('width="')[2].partition("pt")[0])  # points; the smallest letters of a drawing of tensors have 11 or 12
    assert LEAST * wide / 12 <= least <= LEAST * wide / 11 + 1
    with_least_widths(tmp_path)
    assert page.read_text(encoding="utf-8") == wanted, "a page that was not built again stays"


def test_a_picture_without_letters_may_be_as_small_as_it_likes():
    assert least_width_of('<svg width="550pt"><path d="M0 0h1"/></svg>') == 0
