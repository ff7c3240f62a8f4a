"""Predict mode asks for each derivative before the page shows it, checks the answer, and names known mistakes."""

import pytest

from tests.browser import pages
from tests.each import each
from tests.viz.answers import ANSWERS
from viz.page.page_data import answerable
from viz.questions.quiz import questions, right_number


@pytest.fixture
def asked(figure1):
    """Return Figure 1's page with the first question open."""
    figure1.press("q")
    return figure1


# Press the arrow until a question, the tally or the last step is shown. The page presses it: the driver needs longer for a key.
GO_ON = """() => {
    const shown = () => ['#ask', '#tally'].some(name => document.querySelector(name)?.checkVisibility());
    const press = () => document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}));
    for (let most = player.steps; most && !shown(); most--) press()}"""


def answer(player, text):
    player.page.locator("#answer").fill(text)
    player.press("Enter")


def question(player):
    return "".join(player.content("#ask label").split())


def go_to_the_question_for(player, name):
    """Open the question for a variable's derivative, and return the right number."""
    trace = pages.trace("figure1")
    q = next(q for q in questions(trace) if q.x.name == name and q.slot is None)
    player.go(q.step)  # from 1: the step before the one that shows the answer
    while player.visible("#ask"):  # a question for a partial of this iteration comes first
        player.press("Escape")
        player.go(q.step)
    player.press("ArrowRight")
    assert player.visible("#ask") and player.step == q.step
    return trace.computed[q.x].number


@pytest.mark.every_browser
def test_the_question_is_asked_by_key_and_by_button(figure1):
    for act in (lambda: figure1.press("q")), (lambda: figure1.click("predict")):
        act()
        assert figure1.pressed("predict")
        go_to_the_question_for(figure1, "x1")
        figure1.press("Escape")
        assert figure1.pressed("predict") and not figure1.visible("#ask")
        act()
        assert not figure1.pressed("predict")


@each("name", ["y2", "y1", "x2", "x1", "x3", "x4"])
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


JUDGE = """async cases => {
    const { agreesAll, parseAnswer } = await import("/answers.js");
    const judge = (text, right, exact) => agreesAll(parseAnswer(text, 1, false), right, exact);
    return cases.map(([text, right, exact]) => { try { return judge(text, right, exact) } catch (error) { return error.message } })}"""


def test_the_page_judges_answers_as_the_terminal_does(modules):
    found = modules.evaluate(JUDGE, [(text, answerable(right), not isinstance(right, float)) for text, right, _ in ANSWERS])
    for (text, right, agree), judged in zip(ANSWERS, found, strict=True):
        assert "for example 9, −2.5 or 1/3" in judged if agree is None else judged is agree, (text, right, judged)


@pytest.mark.every_browser
def test_a_right_answer_is_confirmed_and_enter_continues(asked):
    right = go_to_the_question_for(asked, "x1")
    answer(asked, str(right))
    assert asked.text("#verdict").startswith("Right")
    before = asked.step
    asked.press("Enter")
    assert asked.step == before + 1 and not asked.visible("#ask")


@pytest.mark.parametrize("given, says", [("−9", "sign"), ("6", "missing"), ("18", "multiplied"), ("17", "The chain rule says")])
def test_a_wrong_answer_gets_a_second_try_and_then_the_sum(asked, given, says):
    go_to_the_question_for(asked, "x1")
    answer(asked, given)
    first = asked.text("#verdict")
    assert first.startswith(f"Not {given}. ") and says in first and first.endswith("Try again.") and "9" not in first.removeprefix("Not −9")
    assert asked.text("#reveal") == "show answer" and asked.page.evaluate("document.activeElement.id") == "answer"
    answer(asked, given)
    second = asked.text("#verdict")
    assert second.startswith(f"Not {given}: ") and "9" in second.split(":")[1] and asked.text("#reveal") == "continue"


MARKED = """() => ({
    edges: [...document.querySelectorAll('#graph .edge.marked')].map(e => +e.id.split('-').at(-1)).sort((a, b) => a - b),
    terms: [...document.querySelectorAll('#equation .rows:not(.behind) .chain .term')].map(e => e.classList.contains('marked')),
})"""


def test_the_edge_and_the_term_of_a_diagnosis_are_marked_until_the_question_closes(asked):
    go_to_the_question_for(asked, "x1")
    graph = pages.trace("figure1").graph
    edges = [(y, slot) for x in graph.variables for y, slot in graph.children[x]]
    x1 = next(v for v in graph.variables if v.name == "x1")
    to_z, to_y1 = (edges.index(tuple(edge)) for edge in graph.children[x1])
    marked = lambda: asked.page.evaluate(MARKED)
    assert marked() == {"edges": [], "terms": [False, False]}
    answer(asked, "6")
    assert marked() == {"edges": [to_y1], "terms": [False, True]}
    answer(asked, "18")
    assert marked() == {"edges": sorted([to_z, to_y1]), "terms": [True, True]}
    asked.press("Enter")
    assert marked() == {"edges": [], "terms": [False, False]}


def test_a_partial_is_asked_for_before_the_arithmetic(asked):
    trace = pages.trace("figure1")
    q = next(q for q in questions(trace) if q.slot is not None)
    asked.go(q.step)
    asked.press("ArrowRight")
    assert question(asked).count("\N{PARTIAL DIFFERENTIAL}") == 2 and asked.count("#graph .edge.done .label:visible") == 0
    answer(asked, "34")
    assert "This is the value of" in asked.text("#verdict")
    answer(asked, str(right_number(trace, q)))
    assert asked.text("#verdict").startswith("Right")
    asked.press("Enter")
    assert asked.step == q.step + 1 and not asked.visible("#ask")


def play_to_the_end(player, wrong):
    """Answer every question; those for the variables in `wrong` with 77 first. Return how many were asked."""
    trace, count = pages.trace("figure1"), 0
    asked = {q.step: q for q in questions(trace)}
    for _ in range(4 * len(trace)):
        player.page.evaluate("new Promise(requestAnimationFrame)")  # Firefox may still be handling the key before
        if player.count("#tally:visible"):
            return count
        if player.visible("#ask"):
            q = asked[player.step]
            if q.x.name in wrong:
                answer(player, wrong[q.x.name])
            answer(player, str(right_number(trace, q)))
            count += 1
            player.press("Enter")
        else:
            player.page.evaluate(GO_ON)
    raise AssertionError(f"the run does not end: step {player.step}, {count} questions, asking: {player.visible('#ask')}")


def test_the_end_shows_a_tally_by_kind_of_mistake_and_repeats_only_what_was_wrong(asked):
    assert play_to_the_end(asked, {"x1": "3", "x3": "-3"}) == 9 and asked.step == 46
    assert asked.text("#tally .result") == "7 of 9 questions right at the first try."
    assert [text.split(":")[0] for text in asked.texts("#tally li")] == ["forgot a path", "wrong sign"]
    asked.press("Enter")
    assert asked.visible("#ask") and not asked.visible("#tally") and asked.step == 28, "the first question that was wrong"
    assert play_to_the_end(asked, {"x1": "18"}) == 2
    assert asked.text("#tally .result") == "1 of 2 questions right at the first try."
    asked.click("again")
    assert play_to_the_end(asked, {}) == 1
    assert asked.text("#tally .result") == "1 of 1 question right at the first try." and not asked.visible("#again")
    asked.press("Escape")
    assert not asked.visible("#tally") and asked.step == 46


@pytest.mark.every_browser
def test_an_answer_that_is_not_a_number_is_asked_again(asked):
    go_to_the_question_for(asked, "x1")
    for text in ("many", "1/0", "", "eval(1)"):
        answer(asked, text)
        assert asked.visible("#ask") and asked.visible("#answer")
    answer(asked, " 18 / 2 ")
    assert asked.text("#verdict").startswith("Right")


@pytest.mark.every_browser
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
                q = questions(trace)[len(asked)]
                number = right_number(trace, q)
                answer(player, " ".join(map(str, number.reshape(-1).tolist())) if hasattr(number, "reshape") else str(number))
                assert player.text("#verdict").startswith("Right"), (name, asked)
                asked.append(q)
                player.press("ArrowRight")
            player.page.evaluate(GO_ON)
        assert asked == questions(trace) and player.step == len(trace)
