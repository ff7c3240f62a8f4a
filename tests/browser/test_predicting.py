"""Predict mode asks for each derivative before the page shows it, checks the answer, and names known mistakes."""

from importlib import resources

import pytest

from tests.browser import pages
from tests.viz.answers import ANSWERS
from viz.page.page_data import answerable
from viz.quiz import questions


@pytest.fixture
def asked(figure1):
    """Return Figure 1's page with the first question open."""
    figure1.press("q")
    return figure1


def answer(player, text):
    player.page.locator("#answer").fill(text)
    player.press("Enter")


def question(player):
    return "".join(player.text("#ask label").split())


def go_to_the_question_for(player, name):
    """Open the question for a variable's derivative, and return the right number."""
    trace = pages.trace("figure1")
    i, x = next((i, x) for i, x in questions(trace) if x.name == name)
    before = i if trace[i].act == "insert" else i + 1  # what is asked for is the sum that the next step completes, from 1
    player.go(before - 1)
    assert not player.visible("#ask")
    player.press("ArrowRight")
    assert player.visible("#ask") and player.step == before - 1
    return trace.computed[x].number


def test_the_question_is_asked_by_key_and_by_button(figure1):
    for act in (lambda: figure1.press("q")), (lambda: figure1.click("predict")):
        act()
        assert figure1.pressed("predict")
        go_to_the_question_for(figure1, "x1")
        figure1.press("Escape")
        assert figure1.pressed("predict") and not figure1.visible("#ask")
        act()
        assert not figure1.pressed("predict")


@pytest.mark.parametrize("name", ["y2", "y1", "x2", "x1", "x3", "x4"])
def test_the_answer_to_an_open_question_is_hidden(asked, name):
    right = go_to_the_question_for(asked, name)
    trace = pages.trace("figure1")
    x = next(k for k, v in enumerate(trace.graph.variables) if v.name == name)
    assert x not in [v for v, *_ in asked.frame()["computed"]]
    assert str(right) not in asked.page.locator(f"#node-{x} .total").text_content().split("=")[-1]
    assert asked.count("#equation .result:visible") == 0


@pytest.mark.parametrize("name", ["y2", "y1", "x2", "x1", "x3", "x4"])
def test_rows_that_show_the_answer_are_hidden_while_a_question_is_open(asked, name):
    """The chain rule stays visible, and the graph shows each factor: a partial at its edge, dz/dy at its child."""
    go_to_the_question_for(asked, name)
    rows = ".chain-rule .{} .term"
    assert not any(map(asked.visible, map(rows.format, ("symbols", "numbers")))) and asked.visible(rows.format("chain"))
    trace = pages.trace("figure1")
    x = next(v for v in trace.graph.variables if v.name == name)
    frame = asked.frame()
    assert len(frame["edges"]) == len(trace.graph.children[x]) == len(asked.texts("#graph .edge.child .label"))
    assert {trace.graph.variables[k] for k in frame["done"]} >= {y for y, _ in trace.graph.children[x]}
    asked.click("reveal")
    assert all(map(asked.visible, map(rows.format, ("symbols", "numbers"))))


def test_the_rules_of_arrays_stay_visible_while_a_question_is_open(visit, saved):
    player = visit(saved("matrices"))
    player.press("q")
    while not player.visible("#ask"):
        player.press("ArrowRight")
    assert player.visible(".chain-rule .symbols .term") and not player.visible(".chain-rule .numbers .term")


JUDGE = """([code, cases]) => {
    const judge = new Function(code + "; return (text, right, exact) => agreesAll(parseAnswer(text, 1, false), right, exact)")();
    return cases.map(([text, right, exact]) => { try { return judge(text, right, exact) } catch (error) { return error.message } })}"""


def test_the_page_judges_answers_as_the_terminal_does(chromium):
    code = resources.files("viz").joinpath("page", "assets", "predict.js").read_text(encoding="utf-8")
    page = chromium.new_page()
    found = page.evaluate(JUDGE, [code, [(text, answerable(right), not isinstance(right, float)) for text, right, _ in ANSWERS]])
    page.close()
    for (text, right, agree), judged in zip(ANSWERS, found, strict=True):
        assert "write for example 9" in judged if agree is None else judged is agree, (text, right, judged)


def test_a_right_answer_is_confirmed_and_enter_continues(asked):
    right = go_to_the_question_for(asked, "x1")
    answer(asked, str(right))
    assert asked.text("#verdict").startswith("Right")
    before = asked.step
    asked.press("Enter")
    assert asked.step == before + 1 and not asked.visible("#ask")


@pytest.mark.parametrize("given, says", [("−9", "sign"), ("6", "missing"), ("18", "multiplied"), ("17", "")])
def test_a_wrong_answer_gets_the_sum_and_the_mistake(asked, given, says):
    go_to_the_question_for(asked, "x1")
    answer(asked, given)
    verdict = asked.text("#verdict")
    assert verdict.startswith(f"Not {given}") and says in verdict


def test_an_answer_that_is_not_a_number_is_asked_again(asked):
    go_to_the_question_for(asked, "x1")
    for text in ("many", "1/0", "", "eval(1)"):
        answer(asked, text)
        assert asked.visible("#ask") and asked.visible("#answer")
    answer(asked, " 18 / 2 ")
    assert asked.text("#verdict").startswith("Right")


def test_letters_in_an_answer_do_not_act_as_keys(asked):
    go_to_the_question_for(asked, "x1")
    step, theme = asked.step, asked.page.locator("body").get_attribute("data-theme")
    asked.page.locator("#answer").focus()
    asked.page.keyboard.type("tcqpfb?")
    assert asked.step == step and asked.page.locator("body").get_attribute("data-theme") == theme
    assert asked.page.locator("#answer").input_value() == "tcqpfb?"


def test_show_answer_shows_the_answer(asked):
    go_to_the_question_for(asked, "x1")
    asked.click("reveal")
    asked.press("ArrowRight")
    trace = pages.trace("figure1")
    x = next(k for k, v in enumerate(trace.graph.variables) if v.name == "x1")
    assert x in [v for v, *_ in asked.frame()["computed"]]


def test_all_questions_can_be_answered_to_the_end(visit, saved):
    """With the engine's own numbers every answer is right, for numbers and for matrices."""
    for name in ("figure1", "matrices"):
        player, trace = visit(saved(name)), pages.trace(name)
        player.press("q")
        asked = []
        for _ in range(3 * len(trace)):
            if player.step == len(trace):
                break
            if player.visible("#ask"):
                _, x = questions(trace)[len(asked)]
                number = trace.computed[x].number
                answer(player, " ".join(map(str, number.reshape(-1).tolist())) if hasattr(number, "reshape") else str(number))
                assert player.text("#verdict").startswith("Right"), (name, asked)
                asked.append(x)
            player.press("ArrowRight")
        assert asked == [x for _, x in questions(trace)] and player.step == len(trace)
