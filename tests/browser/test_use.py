"""Act 4: the derivatives are checked by nudges, and lead to a smaller z, or to a larger one."""

from itertools import pairwise
from pathlib import Path

import pytest

from scalargrad import Value
from tests.browser import nudged
from tests.browser.test_nudge import VALUES, readout
from tests.scalargrad.graphs import figure1
from viz import play


@pytest.fixture
def page(visit, saved):
    return visit(saved("figure1")).guided("use", "one step")


def test_nudges_agree_with_the_chain_rule_for_each_input(visit, saved):
    player = visit(saved("figure1")).guided("use", "check")
    rows = [row.split("\t") for row in player.page.locator("#checks tbody tr").all_inner_texts()]
    agree = [line.split(", ") for line in ("9.0001, 9, ✓ agree", "3, 3, ✓ agree", "3, 3, ✓ agree", "11.0001, 11, ✓ agree")]
    assert [row[-3:] for row in rows] == agree
    assert "five runs of the forward pass" in player.content("#checks .note")


def test_a_step_moves_each_input_against_its_derivative(page):
    assert readout(page) == "z falls from 34 to 23.89; the derivatives promised 23"
    assert page.page.evaluate(VALUES) == ["2.55", "0.85", "−2.15", "3.45", "4.7", "11.9", "23.89"]
    assert [page.page.locator(f"#node-{k} .move text").text_content() for k in range(4)] == ["−0.45", "−0.15", "−0.15", "−0.55"]
    assert page.content("#update").startswith("new input = old input − step size × derivativex1: 3 − 0.05 × 9 = 2.55")
    longest = [page.page.locator(f"#node-{k} .move").bounding_box()["width"] for k in range(4)]
    assert longest[3] > longest[0] > longest[1]


def test_taking_the_step_finds_the_derivatives_anew(page):
    page.page.get_by_role("button", name="take the step").click()
    assert page.content("#narration").startswith("You have taken one step.")
    made = figure1([2.55, 0.85, -2.15, 3.45])
    made["z"].backward()
    for k in range(4):
        shown = page.page.locator(f"#node-{k} .total .number").text_content()
        assert float(shown.replace("−", "-")) == pytest.approx(float(made[f"x{k + 1}"].grad), rel=1e-3)
    for _ in range(5):
        page.page.get_by_role("button", name="take the step").click()
    assert page.count("#checks tbody tr") == 5 and "step 7, if you take it" in page.content("#checks")
    page.page.get_by_role("button", name="start again").click()
    assert readout(page).startswith("z falls from 34")


def test_the_backward_pass_at_the_new_place_can_be_walked(page):
    assert not page.count("#checks button")
    page.page.get_by_role("button", name="take the step").click()
    page.page.get_by_role("button", name="see the backward pass here").click()
    assert (page.act, page.step, page.page.evaluate("player.run.live.start")) == ("backward", 1, [2.55, 0.85, -2.15, 3.45])
    page.press("End")
    assert "7.25" in page.content("#graph")
    page.page.evaluate("player.enter('nudge', 0)")
    page.click("start-values")
    for name in ("first numbers", "run again"):
        page.page.get_by_role("button", name=name).click()
    assert page.page.evaluate("player.run.live.start") == [3, 1, -2, 4]


def test_a_step_may_be_too_far(visit, saved):
    player = visit(saved("figure1")).guided("use", "too far")
    said, reason = player.content("#narration").split(": ")
    assert said == "A larger step is not always better. With 0.65, z rises from 34 to 40.99"
    assert reason == "a derivative only tells what happens nearby."


def test_where_no_step_is_too_far_the_page_says_so(visit, made):
    player = visit(made("nudged linear", lambda: play(nudged.GRAPHS["linear"]()))).guided("use", "too far")
    assert "Here it is not so: with each step on the slider, z falls." in player.content("#narration")


def test_z_can_be_made_larger_too(page):
    page.page.get_by_role("button", name="larger z").click()
    assert readout(page).startswith("z rises from 34 to 45.89; the derivatives promised 45")
    assert page.content("#update").startswith("new input = old input + step size × derivative")
    page.press("ArrowUp")
    assert page.page.locator("#amount").input_value() == "0.06"


def test_without_a_direction_there_is_no_step(visit, made):
    player = visit(made("nudged relu", lambda: play(nudged.GRAPHS["relu"]()))).guided("use", "which way?")
    assert player.content("#narration").startswith("All derivatives are 0 here, so they name no direction for a step.")
    assert not player.visible("#strip") and player.page.evaluate("player.acts.use.length") == 4


def test_a_kink_is_no_agreement(visit, made):
    player = visit(made("nudged abs", lambda: play(nudged.GRAPHS["abs"]()))).guided("use", "check")
    assert "a kink" in player.content("#checks") and "✓" not in player.content("#checks")


def test_the_end_leads_to_predicting_to_nudging_and_to_the_backward_pass(visit, saved):
    for name, state in (("Nudge again", "nudge"), ("Backward pass again", "backward"), ("Predict it yourself", "backward")):
        player = visit(saved("figure1")).guided("use", "what now?")
        player.page.get_by_role("button", name=name).click()
        assert player.page.evaluate("document.body.dataset.act") == state
    assert player.pressed("predict")


IN_WORDS = dict(enumerate(["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"], 2))


def test_each_button_is_whole_and_each_input_is_shown_or_counted(visit, tmp_path):
    """Also where the graph needs the width of the page, so that the panels below it are small."""
    xs = [Value(0.1 * k, name=f"x[{k}]") for k in range(12)]
    z = sum((a * b for a, b in pairwise(xs)), xs[0] * xs[0])
    file = Path(play(z, detail="operations").save(tmp_path / "twelve.html"))
    for width, height in ((1280, 720), (1024, 768)):
        player = visit(file, "#use=4", viewport={"width": width, "height": height})
        assert player.page.evaluate("document.body.classList.contains('wide')")
        assert player.page.evaluate("(({scrollWidth, clientWidth}) => scrollWidth <= clientWidth)(document.querySelector('.chooser'))")
        update = player.page.locator("#update")
        assert update.evaluate("e => e.scrollHeight <= e.clientHeight + 1")
        shown = update.locator(".updates > :not(.more)").count()
        assert update.locator(".more").inner_text() == f"{IN_WORDS[12 - shown]} more inputs"
