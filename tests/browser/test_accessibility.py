"""The page is accessible: axe-core finds no serious violation in either theme, whatever the page shows."""

import pytest

from tests.browser.axe import serious_violations
from tests.each import each


def violations(player):
    return serious_violations(player.page)


def test_axe_detects_violations(figure1):
    figure1.page.evaluate("document.body.insertAdjacentHTML('beforeend', '<button></button>')")
    assert [rule for rule, *_ in violations(figure1)] == ["button-name"]


def test_in_the_dark_axe_detects_a_weak_contrast(figure1):
    figure1.page.evaluate("""() => {
        const weak = Object.assign(document.createElement("p"), {textContent: "weak"});
        const colours = {color: "light-dark(#000, #444)", background: "light-dark(#fff, #222)"};
        Object.assign(weak.style, {position: "fixed", top: 0, zIndex: 99, ...colours});
        document.body.append(weak);
    }""")
    assert {(theme, rule) for theme, rule, *_ in in_both_themes(figure1)} == {("dark", "color-contrast")}


def in_both_themes(player):
    """Return the violations in each theme. The page is opened once: a theme changes its colours alone."""
    found = []
    for theme in ("light", "dark"):
        player.page.emulate_media(color_scheme=theme)
        found += [(theme, *violation) for violation in violations(player)]
    return found


@pytest.mark.parametrize(
    "name, step", [("figure1", 1), ("figure1", 28), ("figure1", 46), ("matrices", 30), ("two layers", 200), ("counting", 12)]
)
def test_axe_finds_no_serious_violation(visit, saved, name, step):
    assert not in_both_themes(visit(saved(name), f"#step={step}"))


@each(
    "act, label",
    [("nudge", "nudge x1"), ("nudge", "one path"), ("nudge", "your turn"), ("use", "check"), ("use", "one step"), ("use", "what now?")],
)
def test_axe_finds_no_serious_violation_in_the_other_acts(figure1, act, label):
    assert not in_both_themes(figure1.guided(act, label))


def test_axe_finds_none_while_a_question_is_open_nor_in_the_help(visit, saved):
    player = visit(saved("figure1"), "#step=28")
    player.press("?")
    assert not in_both_themes(player)
    player.press("Escape", "q")
    assert player.visible("#ask")
    assert not in_both_themes(player)
    player.press("Escape", "b")
    assert player.visible("#stop-list") and not in_both_themes(player)


def test_with_forced_colours_one_line_of_code_is_marked(visit, saved):
    player = visit(saved("figure1"), "#step=28", forced_colors="active")
    bars = "[...document.querySelectorAll('#code ol:not([hidden]) li:not(.loop)')].map(e => getComputedStyle(e).borderLeftColor)"
    colours = player.page.evaluate(bars)
    assert len(colours) > 5 and len(set(colours)) == 2 and min(map(colours.count, colours)) == 1


def test_space_presses_the_variable_in_focus(figure1):
    figure1.go(1)
    figure1.page.locator("#node-0").focus()
    figure1.press(" ")
    assert figure1.frame()["current"] == [0] and not figure1.pressed("play")


def test_up_and_down_move_the_slider_as_any_slider(figure1):
    figure1.go(10)
    figure1.page.locator("#slider").focus()
    figure1.press("ArrowUp")
    assert figure1.step == 11
    figure1.press("ArrowDown", "ArrowDown")
    assert figure1.step == 9


def test_what_is_read_aloud_begins_with_the_current_node_and_repeats_nothing(figure1):
    """A screen reader reads what changes within the live region."""
    figure1.page.evaluate("""() => {
        window.heard = [];
        const region = document.querySelector('[aria-live]');
        const listen = changes => changes.forEach(({addedNodes}) => addedNodes.forEach(node => heard.push(node.textContent)));
        new MutationObserver(listen).observe(region, {childList: true, subtree: true});
    }""")
    before = ""
    for _ in range(1, figure1.steps):
        figure1.press("ArrowRight")
        heard, where = "".join(figure1.page.evaluate("heard.splice(0)")), figure1.page.locator("#where").text_content()
        assert figure1.frame()["narration"] in heard
        assert not where or (where in heard) is (where != before), figure1.step
        before = where
