"""The acts: the page opens with a question, arrows lead from act to act, addresses and keys lead into each. The graph never moves."""

import pytest

from tests.browser import pages
from tests.each import few_of

SMALL = ("figure1", "square", "matrices")
# The place of the panel and of a box; in a graph that is larger than its window boxes move, so there it is the window's place.
# Firefox counts the border to a box, and the border of the current variable is wider: so the shape itself is measured.
GRAPH = """() => ['#graph-panel', '#graph-panel:is(.larger, .near) #graph, #graph-panel:not(.larger, .near) #node-0 .frame'].map(name => {
    const element = document.querySelector(name), outer = element.getBoundingClientRect();
    if (!element.ownerSVGElement) return [outer.left, outer.top, outer.width, outer.height].map(Math.round);
    const {x, y, width, height} = element.getBBox(), {a, d, e, f} = element.getScreenCTM();
    return [a * x + e, d * y + f, a * width, d * height].map(Math.round)})"""

EVERYWHERE = f"""() => Object.values(player.acts).flatMap(act => {{
    const seen = [];
    for (let step = 0; step < act.length; step += Math.max(1, Math.floor(act.length / 40))) {{
        player.enter(act.name, step);
        seen.push([act.name, step, ({GRAPH})()]);
    }}
    return seen}})"""
# Press a key some times. Return each act, step and sentence on the way.
WALK = """([key, times]) => {
    const place = () => [document.body.dataset.act, +document.querySelector('#step').innerText.split(' ')[1]];
    const said = () => document.querySelector('#narration').textContent;
    const press = () => document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
    return [...Array(times + 1)].map((_, k) => (k && press(), [...place(), said()]))}"""


@pytest.fixture
def opened(visit, saved):
    """opened("figure1") is a page as `play` makes it without options."""

    def opened(name, hash="", **options):
        return visit(saved(name, start=None), hash, **options)

    return opened


def place(player):
    return player.act, player.step


def test_the_page_opens_with_the_question(opened):
    player = opened("figure1")
    assert place(player) == ("question", 1) and player.visible("#words") and not player.visible("#code")
    text = player.page.locator("#narration").text_content()
    assert text == "If x1 grows a little, how much does z grow? That number is the derivative dzdx1."
    assert player.page.locator("#graph .node.current .tag-text").all_text_contents() == ["grows a little", "grows by how much?"]


@pytest.mark.parametrize("name", SMALL)
def test_next_leads_through_all_acts_and_back_the_same_way(opened, name):
    player = opened(name)
    steps = player.page.evaluate(
        "Object.values(player.acts).flatMap(({name, length}) => [...Array(length).keys()].map(i => [name, i + 1]))"
    )
    way = player.page.evaluate(WALK, ["ArrowRight", len(steps)])
    assert [where[:2] for where in way] == [*steps, steps[-1]] and all(said for *_, said in way)
    assert player.page.evaluate(WALK, ["ArrowLeft", len(steps)]) == [*way[-2::-1], way[0]]


def test_next_is_idle_at_the_end_of_the_last_act_and_back_at_the_begin_of_the_first(opened):
    player = opened("figure1")
    idle = "() => ['back', 'next'].filter(id => document.getElementById(id).ariaDisabled === 'true')"
    player.page.evaluate("player.enter('question', 0)")
    assert player.page.evaluate(idle) == ["back"]
    for act in ("nudge", "backward", "use"):
        player.page.evaluate("act => player.enter(act, 0)", act)
        assert player.page.evaluate(idle) == []
    player.press("End")
    assert player.page.evaluate(idle) == ["next"]


def test_values_appear_function_by_function(opened):
    player = opened("figure1")
    values = lambda: player.page.locator("#graph .node .value").all_text_contents()
    assert values() == ["?"] * 7
    seen = []
    for _ in range(4):
        player.press("ArrowRight")
        seen.append(values())
    assert seen == [["3", "1", "−2", "4", *rest] for rest in (["?"] * 3, ["6", "?", "?"], ["6", "16", "?"], ["6", "16", "34"])]
    assert player.page.locator("#question tr").all_text_contents() == ["functionz=x1·y1+y2", "numbers=3·6+16", "value=34"]


def test_each_word_is_explained_when_it_is_first_used_and_stays(opened):
    player = opened("figure1")
    seen = []
    for _ in range(player.steps):
        seen.append((player.count("#words dt"), player.count("#words .new")))
        player.press("ArrowRight")
    assert seen == [(1, 1), (2, 1), (3, 1), (3, 0), (4, 1), (4, 0)]


@pytest.mark.every_browser
def test_the_guess_is_kept_and_leads_on(opened):
    player = opened("figure1", "#question=6")
    assert "from 3 to 3.1?" in player.text("#narration")
    player.page.locator("#guess").fill("ten")
    player.press("Enter")
    assert place(player) == ("question", 6) and "not a number" in player.text("#question output")
    player.page.locator("#guess").fill("34,9")
    player.press("Enter")
    assert player.act != "question" and player.page.evaluate("player.guess") == 34.9


def test_many_functions_take_few_steps_and_the_finer_keys_show_each(opened):
    player, variables = opened("two layers"), pages.trace("two layers").graph.variables
    functions = sum(v.rule is not None for v in variables)
    assert player.steps > functions > 20
    pressed = 0
    while player.act == "question":
        player.press("ArrowRight")
        pressed += 1
    assert pressed < 10
    player.page.evaluate("player.enter('question', 1)")
    for k in range(functions):
        player.press("ArrowDown")
        assert player.step == k + 3
    assert player.count("#graph .node.current") == 1 or player.steps == functions + 3


@pytest.mark.parametrize(
    "hash, where",
    [
        ("#question=3", ("question", 3)),
        ("#step=28", ("backward", 28)),
        ("#question=99", ("question", 6)),
        ("#forward=3", ("question", 4)),
        ("#nonsense=3", ("question", 1)),
        ("#constructor=3", ("question", 1)),
    ],
)
def test_an_address_leads_to_a_step_of_an_act(opened, hash, where):
    assert place(opened("figure1", hash)) == where


@pytest.mark.every_browser
def test_buttons_and_keys_lead_to_an_act_where_it_was_left(opened):
    player = opened("figure1", "#question=3")
    player.press("s", "ArrowRight", "ArrowRight")
    assert place(player) == ("backward", 3) and player.page.evaluate("location.hash") == "#step=3"
    player.page.locator("#acts [data-name=question]").click()
    assert place(player) == ("question", 3) and player.page.evaluate("location.hash") == "#question=3"
    while player.act != "backward":
        player.press("Shift+ArrowRight")
    assert place(player) == ("backward", 3)
    while player.act != "question":
        player.press("Shift+ArrowLeft")
    assert place(player) == ("question", 3)
    assert player.page.locator("#acts [aria-current]").get_attribute("data-name") == "question"


@pytest.mark.every_browser
@pytest.mark.parametrize(
    "name, size",
    few_of(
        [("figure1", (1280, 720)), ("matrices", (1280, 720)), ("two layers", (1280, 720)), ("figure1", (390, 844)), ("square", (390, 844))],
        [("two layers", (1280, 720)), ("figure1", (390, 844))],
    ),
)
def test_the_graph_has_the_same_place_in_every_step_of_every_act(opened, name, size):
    player = opened(name, viewport={"width": size[0], "height": size[1]})
    first, *others = player.page.evaluate(EVERYWHERE)
    assert len(others) > 20 and all(graph == first[2] for *_, graph in others), [
        (act, step) for act, step, graph in others if graph != first[2]
    ]


def test_a_name_that_is_markup_is_text_in_the_question(opened):
    player = opened("hostile")
    while player.act == "question":
        assert player.count("#player img") == 0
        player.press("ArrowRight")


def test_axe_finds_no_serious_violation_in_the_question(opened):
    from tests.browser.test_accessibility import in_both_themes

    player = opened("figure1")
    for step in (1, 3, 6):
        player.go(step)
        assert not in_both_themes(player), step


def test_a_panel_without_a_script_is_named(chromium, saved, tmp_path):
    file = tmp_path / "depth.html"
    file.write_text(saved("square").read_text(encoding="utf-8").replace('data-panel="words"', 'data-panel="depth"'), encoding="utf-8")
    context = chromium.new_context()
    with context.expect_event("weberror") as heard:  # it comes after the data are unpacked
        context.new_page().goto(file.as_uri())
    assert 'panels.js has no panel "depth"' in str(heard.value.error)
    context.close()
