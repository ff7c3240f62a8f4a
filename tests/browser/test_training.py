"""The page of a training run in a browser: accessible in both themes, and nothing is cut off on any screen."""

from tests.browser.test_accessibility import violations
from tutorial.training.page import run_page
from tutorial.training.run import Run
from tutorial.training.settings import settings_for
from tutorial.training.tasks import task_for

SIZES = {"phone": (390, 844), "laptop": (1280, 720), "projector": (1920, 1080)}
CUT = """() => [...document.querySelectorAll('main, section, header, h2, p, li, dl, figure, .wide, pre')].filter(e =>
    e.getBoundingClientRect().right > innerWidth + 1 ||
    (!e.matches('.wide, .code') && e.scrollWidth > e.clientWidth + 1)).map(e => e.outerHTML)"""


def test_nothing_is_cut_off_and_axe_finds_nothing(visit, tmp_path):
    run = Run(task_for(settings_for("digits", epochs=1, batch=400)), tmp_path)
    for _ in run.steps():
        pass
    (tmp_path / "report.html").write_text(run_page(run), encoding="utf-8")
    player = visit(tmp_path / "report.html")
    for theme in ("light", "dark"):
        player.page.emulate_media(color_scheme=theme)
        assert not violations(player)
    for width, height in SIZES.values():
        player.page.set_viewport_size({"width": width, "height": height})
        assert player.page.evaluate("document.documentElement.scrollWidth") == width
        assert not player.page.evaluate(CUT)


def test_on_a_laptop_the_whole_network_is_seen_without_scrolling(visit, tmp_path):
    run = Run(task_for(settings_for("moons", epochs=1)), tmp_path)
    for _ in run.steps():
        pass
    (tmp_path / "report.html").write_text(run_page(run), encoding="utf-8")
    player = visit(tmp_path / "report.html")
    hidden = "[...document.querySelectorAll('.wide')].filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.ariaLabel)"
    for name in ("laptop", "projector"):
        width, height = SIZES[name]
        player.page.set_viewport_size({"width": width, "height": height})
        assert player.page.evaluate(hidden) == []
