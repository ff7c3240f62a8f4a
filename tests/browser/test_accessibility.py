"""Everyone can use the page: axe-core finds no serious violation, in either theme, whatever is shown."""

from importlib.resources import files

import pytest

pytest.importorskip("axe_playwright_python", reason="the browser tests need axe-playwright-python: pip install -e '.[test]'")
AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
SERIOUS = ("serious", "critical")


def violations(player):
    """What axe-core complains about seriously: the rule, and where."""
    player.page.evaluate(AXE)
    found = player.page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
    return [(v["id"], node["target"], node["failureSummary"]) for v in found if v["impact"] in SERIOUS for node in v["nodes"]]


def test_axe_sees_what_is_wrong(figure1):
    figure1.page.evaluate("document.body.insertAdjacentHTML('beforeend', '<button></button>')")
    assert [rule for rule, *_ in violations(figure1)] == ["button-name"]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    "name, step", [("figure1", 1), ("figure1", 28), ("figure1", 46), ("matrices", 30), ("two layers", 200), ("counting", 12)]
)
def test_axe_finds_no_serious_violation(visit, saved, theme, name, step):
    assert not violations(visit(saved(name), f"#step={step}", color_scheme=theme))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_none_while_a_question_is_open_nor_in_the_help(visit, saved, theme):
    player = visit(saved("figure1"), "#step=28", color_scheme=theme)
    player.press("?")
    assert not violations(player)
    player.press("Escape", "q")
    assert player.visible("#ask")
    assert not violations(player)
