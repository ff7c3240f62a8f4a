"""The book's figures, all on one page: a pointer and keys move each of them, and each fits a phone."""

from pathlib import Path

import pytest

from tests.browser.axe import serious_violations
from tutorial.book.figures.figure import FILES, figures, opened
from viz.document import surfaces

LISTENS = 'window.wrong = []; addEventListener("error", event => wrong.push(event.message));'  # of sizes that change each other, too
PAGE = '<!doctype html><html lang="en"><title>figures</title><style>{style}</style><body>{figures}<script>{script}</script></body></html>'
CAPTION = "what the figure shows</figcaption></figure>"
LETTERS = "Math.min(...[...document.querySelectorAll('.fig-live text')].map(text => parseFloat(getComputedStyle(text).fontSize)))"


@pytest.fixture(scope="module")
def page_of_figures(tmp_path_factory):
    *scripts, style = (Path(path).read_text(encoding="utf-8") for path in FILES)
    path = tmp_path_factory.mktemp("figures") / "figures.html"
    shown = "".join(opened(name) + CAPTION for name in figures())
    path.write_text(PAGE.format(style=surfaces() + style, figures=shown, script="".join([LISTENS, *scripts])), encoding="utf-8")
    return path


def test_each_figure_moves_by_pointer_and_by_key_and_fits_a_phone(page_of_figures, visit):
    page = visit(page_of_figures, viewport={"width": 390, "height": 844}).page
    for name in figures():
        moves_by_pointer_and_by_key(page, page.locator(f"[data-figure={name}] .fig-live"), name)
    assert page.evaluate("document.documentElement.scrollWidth") == 390 and page.evaluate(LETTERS) >= 12
    assert page.evaluate("window.wrong") == []


def moves_by_pointer_and_by_key(page, live, name):
    looks = [live.inner_html()]
    live.scroll_into_view_if_needed()
    held = live.locator(".handle, [data-at]").last
    box = held.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30, y + 12)
    page.mouse.up()
    looks.append(live.inner_html())
    live.locator(".handle, [data-at][tabindex='0']").first.press("ArrowLeft")
    looks.append(live.inner_html())
    assert looks[0] != looks[1], f"{name}: a pointer moves nothing"
    assert looks[1] != looks[2], f"{name}: a key moves nothing"
    for control in live.locator(".fig-bar :is(button, input)").all():
        control.press("ArrowRight") if control.get_attribute("type") == "range" else control.dispatch_event("click")
    assert not live.locator("text=/NaN|undefined|Infinity/").count(), name


def test_without_scripts_and_on_paper_a_figure_is_its_still_picture(page_of_figures, visit):
    page = visit(page_of_figures, script=False).page
    assert page.locator(".fig-still > svg:visible").count() == len(figures())
    page = visit(page_of_figures, media="print").page
    assert page.locator(".fig-still > svg:visible").count() == len(figures()) and not page.locator(".fig-live:visible").count()


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_figures_have_no_serious_violation_of_accessibility(colours, page_of_figures, visit):
    assert not serious_violations(visit(page_of_figures, color_scheme=colours).page)
