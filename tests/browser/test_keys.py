"""Keys, buttons, the slider, touch and links do what they say, and before the first and after the last step come other acts."""

import pytest

from tests.browser import pages
from tests.browser.conftest import wait_for_player
from tests.browser.player import chromium_only, devtools
from tests.each import each

TRACE = [step.iteration for step in pages.trace("figure1")]
BEGINS = [i + 1 for i, n in enumerate(TRACE) if not i or TRACE[i - 1] != n]  # the first step of each part of the run
LAST = len(TRACE)
NEXT, PREVIOUS = (lambda n: min(n + 1, LAST)), (lambda n: n - 1)
NEXT_PART = lambda n: next((b for b in BEGINS if b > n), LAST)
PART_BEFORE = lambda n: max((b for b in BEGINS if b < n), default=1)
FIRST_STEP, LAST_STEP = (lambda n: 1), (lambda n: LAST)
MOVES = [  # key, button, where it leads from step n
    ("ArrowRight", "next", NEXT),
    ("PageDown", "next", NEXT),
    ("ArrowLeft", "back", PREVIOUS),
    ("PageUp", "back", PREVIOUS),
    ("ArrowDown", "next-iter", NEXT_PART),
    ("ArrowUp", "prev-iter", PART_BEFORE),
    ("Home", "first", FIRST_STEP),
    ("End", "last", LAST_STEP),
]
TIME = 10_000  # milliseconds, more than playing stays at a step


@pytest.fixture
def playing(visit, saved):
    """Return Figure 1's page with a clock that only the test advances."""
    player = visit(saved("figure1"), alone=True)
    player.page.clock.install()
    player.page.reload()
    wait_for_player(player.page)
    return player


@pytest.mark.every_browser
@each("key, button, leads_to", MOVES, ids=[key for key, *_ in MOVES])
def test_keys_and_buttons_do_what_they_say(figure1, key, button, leads_to):
    """In the middle of a part, at its begin, at both ends of the run. A button does what its key does, so one click is enough."""
    starts = [2, BEGINS[4], LAST - 1]
    for start in starts + [1] * (leads_to is not PREVIOUS) + [LAST] * (leads_to is not NEXT):
        figure1.go(start)
        figure1.press(key)
        assert figure1.step == leads_to(start), f"key at step {start}"
    figure1.go(28)
    figure1.click(button)
    assert figure1.step == leads_to(28)
    assert figure1.step == figure1.page.evaluate("player.step")


@pytest.mark.parametrize("key, button", [(key, button) for key, button, leads_to in MOVES if leads_to is PREVIOUS])
def test_the_act_nudge_comes_before_the_first_step(figure1, key, button):
    for act in (lambda: figure1.press(key)), (lambda: figure1.click(button)):
        figure1.page.evaluate("player.enter('backward', 0)")
        act()
        assert figure1.act == "nudge" and figure1.step == figure1.steps
        figure1.press("ArrowRight")
        assert figure1.act == "backward" and figure1.step == 1


@pytest.mark.parametrize("key, button", [(key, button) for key, button, leads_to in MOVES if leads_to is NEXT])
def test_the_act_use_comes_after_the_last_step(figure1, key, button):
    for act in (lambda: figure1.press(key)), (lambda: figure1.click(button)):
        figure1.page.evaluate("player.enter('backward', 45)")
        act()
        assert figure1.act == "use" and figure1.step == 1


@pytest.mark.every_browser
def test_arrows_step_even_with_the_focus_on_a_button_or_in_the_graph(figure1):
    for place in ("#help", "#node-2", "#code", "#computed"):
        figure1.go(10)
        figure1.page.locator(place).focus()
        figure1.press("ArrowRight")
        assert figure1.step == 11, place


@pytest.mark.every_browser
def test_the_slider_reaches_every_step_by_mouse_and_by_key(figure1):
    slider = figure1.page.locator("#slider")
    box = slider.bounding_box()
    figure1.page.mouse.click(box["x"] + box["width"] * 0.5, box["y"] + box["height"] / 2)
    assert abs(figure1.step - LAST / 2) <= 3
    here = figure1.step
    slider.focus()
    figure1.press("ArrowRight")
    assert figure1.step == here + 1
    slider.fill("7")
    assert figure1.step == 7 and slider.get_attribute("aria-valuetext")


def test_the_bar_is_the_topological_order_and_fills(figure1):
    segments = figure1.page.locator("#bar [data-iteration]")
    trace = pages.trace("figure1")
    names = ["".join(name.split()) for name in segments.all_text_contents()]
    assert names == ["start", *(v.name for v in trace.graph.order[1:]), "✓"]
    assert [segment.get_attribute("data-iteration") for segment in segments.all()][1:-1] == [str(k) for k in range(1, trace.iterations + 1)]
    filled = lambda: figure1.page.evaluate("[...document.querySelectorAll('#bar [data-iteration] i')].map(e => parseFloat(e.style.width))")
    figure1.go(BEGINS[3] - 1)
    assert filled() == [100] * 3 + [0] * 5
    figure1.go(BEGINS[3])
    assert [width > 0 for width in filled()] == [True] * 4 + [False] * 4


@pytest.mark.every_browser
def test_playing_continues_to_the_end(playing):
    for start, pause in (" ", "p"), ("p", " "):
        playing.go(1)
        playing.press(start)
        assert playing.pressed("play")
        playing.page.clock.run_for((LAST + 2) * TIME)
        assert playing.step == LAST and not playing.pressed("play")
        playing.press(pause)  # at the end it starts again
        playing.page.clock.run_for(10)
        assert playing.pressed("play") and playing.step < LAST
        playing.press(pause)
        here = playing.step
        playing.page.clock.run_for(5 * TIME)
        assert playing.step == here and not playing.pressed("play")


def test_the_play_button_plays_and_a_step_by_hand_stops_it(playing):
    playing.click("play")
    playing.page.clock.run_for(TIME)
    assert playing.step > 1
    playing.press("ArrowLeft")
    here = playing.step
    playing.page.clock.run_for(5 * TIME)
    assert playing.step == here


@pytest.mark.every_browser
@pytest.mark.parametrize("act", ["key", "button"])
def test_the_theme_changes(figure1, act):
    seen = []
    for _ in range(3):
        figure1.press("t") if act == "key" else figure1.click("theme")
        seen.append(
            (
                figure1.page.locator("body").get_attribute("data-theme"),
                figure1.page.evaluate("getComputedStyle(document.body).backgroundColor"),
            )
        )
    assert {"light", "dark"} <= {theme for theme, _ in seen} and len({colour for _, colour in seen}) == 2


def test_plus_and_minus_change_the_size(figure1):
    size = lambda: figure1.page.locator("#narration").evaluate("e => parseFloat(getComputedStyle(e).fontSize)")
    before = size()
    figure1.press("+")
    assert size() > before
    figure1.press("-")
    assert size() == pytest.approx(before)
    figure1.press("-")
    assert size() < before


def test_c_and_its_button_change_the_language(figure1):
    figure1.go(28)
    texts = [figure1.texts("#code .now:visible")]
    figure1.press("c")
    texts.append(figure1.texts("#code .now:visible"))
    figure1.click("lang")
    texts.append(figure1.texts("#code .now:visible"))
    assert texts[0] == texts[2] != texts[1] and all(len(text) == 1 for text in texts)


def test_f_shows_the_values_and_s_skips_to_where_the_backward_pass_was(figure1):
    figure1.go(28)
    figure1.press("f")
    assert figure1.act == "question" and figure1.step == 2
    figure1.press("s")
    assert figure1.act == "backward" and figure1.step == 28


@pytest.mark.every_browser
def test_the_list_of_keys_opens_and_closes_and_its_reader_may_try_them(figure1):
    for act in (lambda: figure1.press("?")), (lambda: figure1.click("help")):
        figure1.go(1)
        act()
        assert figure1.visible("#keys kbd") and figure1.page.evaluate("document.activeElement.closest('#keys') !== null")
        figure1.press("ArrowRight")
        figure1.click("next-iter")
        assert figure1.step == BEGINS[1] and figure1.visible("#keys")
        figure1.press("Escape")
        assert not figure1.visible("#keys")


@pytest.mark.every_browser
def test_escape_closes_the_list_of_keys_and_nothing_else(visit, saved):
    player = visit(saved("matrices"), "#step=30")
    player.press("z", "?", "Escape")
    assert not player.visible("#keys") and player.visible("#inside-note")
    player.press("Escape")
    assert not player.visible("#inside-note")


@pytest.mark.every_browser
def test_the_list_of_keys_leaves_the_graph_in_view(figure1):
    figure1.press("?")
    right, left = (figure1.page.locator(panel).bounding_box() for panel in ("#graph-panel", "#keys"))
    assert right["x"] + right["width"] <= left["x"]


def test_a_breakpoint_stops_playing_where_its_variable_begins(playing):
    trace = pages.trace("figure1")
    x4 = next(k for k, v in enumerate(trace.graph.variables) if v.name == "x4")
    begins = next(i + 1 for i, s in enumerate(trace) if s.act == "visit" and s.x.name == "x4")
    playing.press("b")
    playing.page.locator(f"#stop-list [value='{x4}']").check()
    playing.press("Escape")
    assert "stop" in playing.page.locator(f"#node-{x4}").get_attribute("class").split()
    playing.press("p")
    playing.page.clock.run_for(LAST * TIME)
    assert playing.step == begins and not playing.pressed("play")


@pytest.mark.every_browser
def test_a_click_on_a_variable_goes_to_its_iteration(figure1):
    trace = pages.trace("figure1")
    for k, v in enumerate(trace.graph.variables[:-1]):
        figure1.page.locator(f"#node-{k}").click()
        assert figure1.step == next(i + 1 for i, s in enumerate(trace) if s.x is v)


def test_touch_works_like_the_mouse(visit, saved):
    player = visit(saved("figure1"), viewport={"width": 390, "height": 844}, has_touch=True)
    chromium_only(player.page, "makes no click of its driver's touch")
    for button in "next", "help", "next-iter", "close-keys":
        player.page.locator(f"#{button}").tap()
    assert player.step == BEGINS[1]
    sizes = player.page.evaluate(
        "[...document.querySelectorAll('nav button')].filter(e => e.checkVisibility()).map(e => e.getBoundingClientRect().height)"
    )
    assert min(sizes) >= 32


def swipe(player, left, right):
    """Swipe over the graph from `left` to `right` with the browser's own touch events."""
    box = player.page.locator("#graph-panel").bounding_box()
    middle, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    finger = devtools(player.page)
    way = [left + (right - left) * k / 8 for k in range(9)]
    for kind, x in [("touchStart", way[0]), *(("touchMove", x) for x in way[1:])]:
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": middle + x, "y": y}]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_a_swipe_is_a_step_unless_the_graph_is_larger_than_its_window(visit, saved):
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
    small = visit(saved("figure1"), **phone)
    swipe(small, 100, -100)
    assert small.step == 2
    swipe(small, -100, 100)
    assert small.step == 1
    large = visit(saved("two layers"), "#step=1", **phone)
    large.press("n")  # all of the graph
    at = "new DOMMatrix(getComputedStyle(document.querySelector('.camera')).transform).e"
    before = large.page.evaluate(at)
    swipe(large, -100, 100)
    assert large.page.evaluate(at) > before + 50 and large.step == 1


@pytest.mark.every_browser
def test_the_window_begins_where_the_walk_begins(visit, saved):
    player = visit(saved("two layers"), "#step=1", viewport={"width": 390, "height": 844})
    ends = "[document.querySelector('#graph'), [...document.querySelectorAll('#graph .node')].at(-1)].map(e => e.getBoundingClientRect())"
    for _ in range(3):
        fits = player.page.evaluate(f"(([window, z]) => window.left - 1 <= z.left && z.right <= window.right + 1)({ends})")
        assert fits, player.step
        player.press("ArrowRight")


@pytest.mark.parametrize(
    "hash, step",
    [
        ("", 1),
        ("#step=28", 28),
        ("#backward=28", 28),
        ("#step=46", 46),
        ("#step=999", 46),
        ("#step=0", 1),
        ("#step=-3", 1),
        ("#step=x", 1),
        ("#%", 1),
    ],
)
def test_a_link_opens_a_step(visit, saved, hash, step):
    assert visit(saved("figure1"), hash).step == step


@pytest.mark.every_browser
def test_the_address_follows_the_steps_and_the_steps_follow_the_address(figure1):
    figure1.press("ArrowRight", "ArrowRight")
    assert figure1.page.evaluate("location.hash") == "#step=3"
    figure1.page.evaluate("new Promise(done => { addEventListener('hashchange', done); location.hash = '#step=20' })")
    assert figure1.step == 20


@pytest.mark.every_browser
def test_keys_with_control_or_alt_belong_to_the_browser(figure1):
    figure1.press("Control+ArrowRight", "Alt+t")
    assert figure1.step == 1 and figure1.page.locator("body").get_attribute("data-theme") == "auto"


def test_y_hides_and_shows_the_reasons(figure1):
    assert figure1.visible("#why")
    figure1.press("y", "ArrowRight")
    assert not figure1.visible("#why")
    figure1.press("y")
    assert figure1.visible("#why")
