"""Drawings stand inside the pages of the site: their colours follow its theme, and their letters can be read."""

import re
from base64 import b64encode

import numpy as np

import viz
from tensorgrad import Tensor
from tests.page_scripts import ROOT, node
from tutorial.book.directives.finished_pages import LEAST, least_width_of, with_drawings_inside

PAGE = '<img alt="a graph" class="x" src="../_images/graph.svg" style="width: 9px" /><img alt="a photograph" src="../_images/photo.png" />'


def test_a_drawing_stands_in_its_page_with_the_width_at_which_its_smallest_letters_can_be_read(tmp_path):
    A = Tensor(np.ones((2, 2)), name="A")
    drawing = viz.draw((A @ A).sum(), theme="auto").svg
    for folder in ("_images", "chapters"):
        (tmp_path / folder).mkdir()
    (tmp_path / "_images" / "graph.svg").write_text(drawing, encoding="utf-8")
    page = tmp_path / "chapters" / "one.html"
    page.write_text(PAGE, encoding="utf-8")
    with_drawings_inside(tmp_path)
    written, least = page.read_text(encoding="utf-8"), least_width_of(drawing)
    assert written.startswith(f'<svg role="img" aria-label="a graph" style="--least: {least}px" class="auto" ')
    assert written.endswith('</svg>\n<img alt="a photograph" src="../_images/photo.png" />')
    assert not re.search(' id="|<a |<!--', written) and "<title>A = " in written
    wide = float(drawing.partition('width="')[2].partition("pt")[0])  # points; the smallest letters of a drawing of tensors have 11 or 12
    assert LEAST * wide / 12 <= least <= LEAST * wide / 11 + 1
    assert not list((tmp_path / "_images").iterdir())
    with_drawings_inside(tmp_path)
    assert page.read_text(encoding="utf-8") == written, "a page that was not built again stays"


def test_a_dark_drawing_is_dark_by_the_theme_of_the_site_before_that_of_the_system(tmp_path):
    (tmp_path / "_images").mkdir()
    (tmp_path / "_images" / "g.svg").write_text(viz.draw(Tensor([1.0], name="A").sum(), theme="auto").svg, encoding="utf-8")
    (tmp_path / "page.html").write_text('<img alt="_images/g.svg" src="_images/g.svg">', encoding="utf-8")
    with_drawings_inside(tmp_path)
    written = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert ' aria-label="drawing" ' in written, "a screen reader does not read the name of a file"
    assert '@media screen {body[data-theme="dark"] .auto' in written
    assert '@media screen and (prefers-color-scheme: dark) {body:not([data-theme="light"]) .auto' in written


def test_a_picture_without_letters_may_be_as_small_as_it_likes():
    assert least_width_of('<svg width="550pt"><path d="M0 0h1"/></svg>') == 0


def test_a_picture_that_a_page_holds_keeps_its_style_to_itself(tmp_path):
    (tmp_path / "page.html").write_text(viz.lifetimes((Tensor([1.0], name="A") * 2).sum())._repr_html_(), encoding="utf-8")
    with_drawings_inside(tmp_path)
    written = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert written.startswith('<svg role="img" aria-label="Memory of both passes" class="picture" preserve') and "<img" not in written
    rules = written.partition("<style>")[2].partition("</style>")[0]
    assert rules.startswith(".picture text{fill:#14181f}.picture .quiet{") and 'body[data-theme="dark"] .picture .track,' in rules
    assert scoped(rules)


def test_a_picture_of_one_theme_keeps_its_style_to_itself_too(tmp_path):
    dark = viz.lifetimes((Tensor([1.0], name="A") * 2).sum(), theme="dark")
    (tmp_path / "page.html").write_text(dark._repr_html_(), encoding="utf-8")
    with_drawings_inside(tmp_path)
    assert scoped((tmp_path / "page.html").read_text(encoding="utf-8").partition("<style>")[2].partition("</style>")[0])


def scoped(rules):
    """Return whether each selector of some rules is one of pictures, and whether there is one."""
    found = re.findall(r"([^{}@]+)\{[^{}]+\}", rules)
    return bool(found) and all(".picture" in selector for each in found for selector in each.split(","))


def test_what_a_page_draws_again_is_what_it_has_recorded(tmp_path):
    z = (Tensor([1.0, 2.0], name="A") * 2).sum()
    pictures = [
        ("drawing", viz.draw(z, theme="auto")),
        ("drawing", viz.draw(z)),
        *(("Memory of both passes", viz.lifetimes(z, theme=theme)) for theme in ("auto", "dark")),
    ]
    for k, (_, picture) in enumerate(pictures):
        picture.save(tmp_path / f"{k}.svg")
    page = tmp_path / "page.html"
    page.write_text("\n@\n".join(f'<img alt="{alt}" src="{_address(picture)}">' for alt, picture in pictures), encoding="utf-8")
    with_drawings_inside(tmp_path)
    (tmp_path / "draw.mjs").write_text(
        f'import {{ readFileSync }} from "fs";\nimport {{ inPage }} from "{(ROOT / "tutorial/playground/src/drawing.js").as_uri()}";\n'
        'console.log(process.argv.slice(2).map(file => inPage(readFileSync(file, "utf8"))).join("\\n@\\n"));',
        encoding="utf-8",
    )
    drawn = node(tmp_path / "draw.mjs", *sorted(tmp_path.glob("*.svg")))
    assert drawn.strip() == page.read_text(encoding="utf-8").strip()


def _address(picture):
    return f"data:image/svg+xml;base64,{b64encode(picture.svg.encode()).decode()}"
