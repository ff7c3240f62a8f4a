"""The report on a class in a browser: accessible in both themes, and nothing is cut off, for a class of each size."""

import pytest

from tests.browser.test_accessibility import violations
from tests.tutorial.classroom.report.classes import HOSTILE, results
from tutorial.classroom.report.page import report
from tutorial.exercises.authored import files

SIZES = {"phone": (390, 844), "laptop": (1280, 720), "projector": (1920, 1080)}
CUT = """() => [...document.querySelectorAll('main, section, header, h3, p, li, dl, dt, dd, .wide, .bar, .examples li')].filter(e =>
    e.getBoundingClientRect().right > innerWidth + 1 || (!e.matches('.wide') && e.scrollWidth > e.clientWidth + 1)).map(e => e.outerHTML)"""
OVER = """() => [...document.querySelectorAll('.bar')].flatMap(bar => [...bar.querySelectorAll('text')].filter(text => {
    const rect = text.previousElementSibling.getBoundingClientRect(), box = text.getBoundingClientRect();
    return box.left < rect.left - 1 || box.right > rect.right + 1;
}).map(text => text.textContent))"""


@pytest.mark.parametrize("students", [30, 401])
def test_nothing_is_cut_off_and_axe_finds_nothing(visit, tmp_path, students):
    """The page of 30 has 13 exercises, and a name that is HTML. Messages hold a word that is longer than a line."""
    found = list(results(students, sorted(files())[:13] if students == 30 else ("02", "08"), ungraded=0.01))
    for result in found:
        result["student"] = result["student"].replace("student 00000", HOSTILE)
        if result["exercise"] == "02":
            result["findings"] = [finding | {"message": HOSTILE, "input": HOSTILE} for finding in result["findings"]]
    path = tmp_path / "class.html"
    path.write_text(report(found), encoding="utf-8")
    player = visit(path)
    for theme in ("light", "dark"):
        player.page.emulate_media(color_scheme=theme)
        assert not violations(player)
    for width, height in SIZES.values():
        player.page.set_viewport_size({"width": width, "height": height})
        assert player.page.evaluate("document.documentElement.scrollWidth") == width
        assert not player.page.evaluate(CUT) and not player.page.evaluate(OVER)
    player.page.emulate_media(media="print", color_scheme="dark")
    assert player.page.evaluate("getComputedStyle(document.querySelector('h1')).color") == "rgb(20, 24, 31)"
