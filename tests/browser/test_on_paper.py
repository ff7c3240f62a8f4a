"""Exercises on paper in a browser: nothing is cut off on a phone or on A4, axe finds nothing, each exercise has its own page."""

from io import BytesIO

import pytest

from tests.browser.test_accessibility import violations
from tutorial.classroom.on_paper.page import paper_page
from tutorial.exercises.authored import find

pypdf = pytest.importorskip("pypdf", reason="the browser tests need pypdf: pip install -e '.[test]'")
CUT = """() => [...document.querySelectorAll('p, li, pre, table, td, h1, .formula')].filter(e =>
    e.getBoundingClientRect().right > innerWidth + 1 ||
    e.scrollWidth > e.clientWidth + 1 && (matchMedia('print').matches || !e.matches('.formula'))).map(e => e.outerHTML.slice(0, 200))"""
A4 = {"width": round(180 * 96 / 25.4), "height": 900}


def test_sheets_on_a_phone_and_on_paper(visit, tmp_path):
    """27 has the widest formula and a list, and 08 a program with a wrong line."""
    path = tmp_path / "paper.html"
    path.write_text(paper_page(map(find, ("08", "27")), solutions=True), encoding="utf-8")
    player = visit(path, viewport={"width": 390, "height": 844})
    assert player.page.evaluate("document.documentElement.scrollWidth") == 390 and not player.page.evaluate(CUT)
    assert not violations(player)
    player.page.set_viewport_size(A4)
    player.page.emulate_media(media="print")
    assert not player.page.evaluate(CUT)
    printed = [page.extract_text() for page in pypdf.PdfReader(BytesIO(player.page.pdf(format="A4"))).pages]
    assert [text.split()[0] for text in printed[:3]] == ["08", "27", "08"] and "solution" in printed[2]
    assert not any("solution" in text for text in printed[:2])
