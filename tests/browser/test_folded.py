"""A large graph with scopes in a browser: boxes of scopes open and close, the current step is marked, the neighbourhood is a choice."""

import random

import pytest

from scalargrad import Trace, Value, nn
from tests.browser.player import devtools
from tests.browser.test_accessibility import violations
from tests.browser.test_large import PHONE
from viz import play

NAMES = "() => [...document.querySelectorAll('#graph .closed .name')].map(e => e.textContent)"
OPEN = "() => [...document.querySelectorAll('#graph .handle text')].map(e => e.textContent)"
SUMS = "() => [...document.querySelectorAll('#graph .closed .sum')].map(e => e.textContent)"
MARKED = "kind => [...document.querySelectorAll(`#graph .closed.${kind} .name`)].map(e => e.textContent)"
IN_WINDOW = """() => { const [a, b] = [document.activeElement, document.querySelector('#graph')].map(e => e.getBoundingClientRect());
    return a.left >= b.left - 1 && a.top >= b.top - 1 && a.right <= b.right + 1 && a.bottom <= b.bottom + 1 }"""
EXPANDED = "document.activeElement.getAttribute('aria-expanded')"
LABELS = """() => { const shown = e => e.getClientRects().length && getComputedStyle(e).display !== 'none';
    const box = e => e.getBoundingClientRect();
    const meets = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    const labels = [...document.querySelectorAll('#graph .edge .label')].filter(shown).map(box);
    const frames = [...document.querySelectorAll('#graph .node .frame, #graph .closed .frame')].map(box);
    return [labels.length, labels.filter((a, k) => [...frames, ...labels.slice(k + 1)].some(b => meets(a, b))).length] }"""


def page_of(schedule):
    random.seed(1)
    out = nn.MLP(4, [8, 8, 1])([Value(k / 4 - 0.4, name=f"x{k + 1}") for k in range(4)])
    return play(Trace((out - 1) ** 2, names={}, schedule=schedule), start="backward")


@pytest.fixture
def saved_as(made):
    """saved_as(schedule) is the page of a perceptron with layers of 8, 8 and 1 neurons and its loss: 160 variables."""
    return lambda schedule: made(f"folded {schedule}", lambda: page_of(schedule))


@pytest.fixture
def file(saved_as):
    return saved_as("topological")


def scope(player, name):
    """Return the box of a closed scope, or the title of an open one."""
    return player.page.locator(f"#graph [role=button][aria-label^='scope {name},']").first


def test_scopes_open_and_close_and_show_where_the_step_happens(visit, file):
    player = visit(file)
    page = player.page
    assert page.evaluate(NAMES) == ["layer1", "layer2", "layer3"] and player.count("#graph .node") == 6
    player.go(30)
    assert page.evaluate(MARKED, "current") == ["layer2"] and player.content("#graph .closed.current .tag") == "current x"
    assert player.content("#graph .closed.current .line").startswith("x: ")
    assert page.evaluate(SUMS) == ["0 of 56 computed", "1 of 88 computed", "2 of 10 computed"]

    scope(player, "layer2").click()
    assert page.evaluate(OPEN) == ["layer2"] and page.evaluate(NAMES)[:2] == ["layer1", "neuron1"]
    assert page.evaluate(IN_WINDOW)
    assert page.evaluate(MARKED, "current") == ["neuron8"] and page.evaluate(EXPANDED) == "true"
    player.press("Enter")  # the title of the open scope has the focus
    assert page.evaluate(OPEN) == [] and page.evaluate(EXPANDED) == "false"
    player.press("Space")
    assert page.evaluate(OPEN) == ["layer2"] and not player.pressed("play") and player.step == 30
    assert not violations(player)
    scope(player, "layer2").click()
    assert page.evaluate(OPEN) == []


@pytest.mark.parametrize("schedule, names, last", [("topological", ("layer3", "neuron1"), 1200), ("counting", ("layer2", "neuron8"), 300)])
def test_no_label_is_on_a_box_or_on_another_label(visit, saved_as, schedule, names, last):
    player = visit(saved_as(schedule))
    for name in names:
        scope(player, name).focus()
        player.press("Enter")
    steps = range(20, last, 9)
    seen = dict(zip(steps, player.at(steps, LABELS), strict=True))
    assert [step for step, (_, bad) in seen.items() if bad] == [] and sum(labels for labels, _ in seen.values()) > 10


def test_a_scope_says_in_every_act_what_the_act_is_about_and_stays_open(visit, file):
    player = visit(file)
    page = player.page
    scope(player, "layer1").click()
    page.evaluate("player.enter('question', 2)")
    assert page.evaluate(OPEN) == ["layer1"] and page.evaluate(SUMS)[-1].endswith("of 10 values")
    page.evaluate("player.enter('nudge', 2)")
    assert page.evaluate(SUMS)[-1] == "1 of 10 changed"
    page.evaluate("player.runAgain([...player.run.live.start].map((x, k) => k ? x : x + 0.5))")
    assert page.evaluate(OPEN) == ["layer1"]


def test_the_neighbourhood_is_a_choice(visit, file):
    player = visit(file, color_scheme="dark")
    player.go(30)
    assert not violations(player)
    player.press("n")
    assert player.count("#graph .closed") == 0 and player.visible("#overview") and player.count("#graph .node.current") == 1
    player.press("n")
    assert player.page.evaluate(MARKED, "current") == ["layer2"] and not player.visible("#overview")


def test_on_a_phone_a_tap_opens_a_scope_and_texts_can_be_read(visit, file):
    player = visit(file, viewport=PHONE, has_touch=True)
    player.go(30)
    if not player.count("#graph .closed"):  # on a phone the page shows a part of the graph, until one asks for all
        player.press("n")
    scope(player, "layer2").tap()
    assert player.page.evaluate(OPEN) == ["layer2"]
    heights = """() => { const scale = document.querySelector('#graph .camera').getCTM().a;
        return [...document.querySelectorAll('#graph text')].map(e => parseFloat(getComputedStyle(e).fontSize) * scale) }"""
    assert min(player.page.evaluate(heights)) >= 10.9
    assert player.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_a_step_lays_the_page_out_once(visit, file):
    """What is measured in the middle of a step, and styles that look through the whole page, made a step three times as long."""
    player = visit(file)
    session, steps = devtools(player.page), 40
    session.send("Performance.enable")
    metrics = lambda: {m["name"]: m["value"] for m in session.send("Performance.getMetrics")["metrics"]}
    before = metrics()
    player.page.evaluate("n => { for (let i = 300; i < 300 + n; i++) { player.seek(i); document.body.offsetHeight; } }", steps)
    after = metrics()
    layouts, styles = ((after[name] - before[name]) / steps for name in ("LayoutCount", "RecalcStyleCount"))
    assert 0 < layouts < 1.9 and 0 < styles < 2.9


def test_the_neurons_of_a_layer_stand_beside_each_other_and_its_weights_too(visit, file):
    """In one column, eight neurons are higher than the window, and sixteen were three times as high."""
    player = visit(file)
    column = """kind => { const places = [...document.querySelectorAll(`#graph ${kind}`)].map(e => e.getCTM().e);
        return [places.length, new Set(places).size] }"""
    scope(player, "layer2").click()
    neurons, columns = player.page.evaluate(column, ".closed")
    assert neurons == 10 and columns >= 3, "layer1, layer3 and eight neurons"
    scope(player, "neuron8").focus()
    player.press("Enter")
    nodes, columns = player.page.evaluate(column, ".node.input")
    assert nodes == 4 + 9 and columns >= 4, "four inputs in one column, eight weights and a bias in others"
