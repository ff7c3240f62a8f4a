"""Each step says why; words explain themselves on hover, focus and tap, below the sentence; general formulas use free letters."""

import pytest

from tests.browser import pages
from tests.browser.player import until
from viz.text.reasons import reason

EXPLAINED = {"derivative", "child", "ancestor", "c(x)", "partial", "total", "upstream", "topological order", "computed"}
BOX = "name => (({left, top, right, bottom}) => [left, top, right, bottom])(document.querySelector(name).getBoundingClientRect())"


def explained(player):
    return player.page.locator("#meaning").text_content() if player.visible("#meaning") else None


def ringed(player):
    return player.page.evaluate("[...document.querySelectorAll('#graph .pointed')].map(e => +e.id.split('-').at(-1)).sort()")


def test_each_step_says_why(figure1):
    trace = pages.trace("figure1")
    for i, why in enumerate(figure1.at(range(1, len(trace) + 1), "() => document.querySelector('#why').textContent")):
        assert why.startswith("Why? ") and abs(len(why) - 5 - len(reason(trace, i))) < 12, i + 1


@pytest.mark.parametrize("way", ["hover", "focus", "tap"])
def test_a_word_is_explained_below_the_sentence_and_its_children_are_ringed(visit, saved, way):
    player = visit(saved("figure1"), "#step=29", has_touch=True)
    word = player.page.locator(".word[data-word=child]")
    {"hover": word.hover, "focus": word.focus, "tap": word.tap}[way]()
    assert "takes x directly" in explained(player) and explained(player).endswith("Here: z and y1 are the children of x1.")
    names = [v.name for v in pages.trace("figure1").graph.variables]
    assert ringed(player) == sorted([names.index("y1"), names.index("z")])
    said, box = (player.page.evaluate(BOX, name) for name in ("#said", "#meaning"))
    assert box[1] >= said[3] - 1 and box[0] >= -1 and box[2] <= 1280 + 1 and box[3] <= 720 + 1
    player.press("Escape")
    assert explained(player) is None and ringed(player) == []


@pytest.mark.parametrize("size", [(390, 844), (768, 1024), (1920, 1080)])
def test_the_explanation_covers_neither_graph_nor_sentence(visit, saved, picture, size):
    player = visit(saved("figure1"), "#step=29", viewport={"width": size[0], "height": size[1]})
    player.page.locator(".word[data-word=child]").focus()
    picture(player, f"word-{size[0]}")
    box = player.page.evaluate(BOX, "#meaning")
    assert box[0] >= -1 and box[2] <= size[0] + 1 and box[1] >= player.page.evaluate(BOX, "#said")[3] - 1


def test_each_word_of_the_glossary_is_explained_somewhere_and_no_page_moves_under_the_mouse(visit, saved):
    for name in ("figure1", "matrices"):
        player, found = visit(saved(name)), set()
        for act in ("question", "nudge", "backward", "use"):
            said = player.within(act, "() => [...document.querySelectorAll('#said .word')].map(e => e.dataset.word)")
            for k, which in [(k, which) for k, words in enumerate(said) for which in words]:
                if which not in found:
                    found.add(which)
                    player.page.evaluate("([act, k]) => player.enter(act, k)", [act, k])
                    player.page.locator(f"#said .word[data-word='{which}']").hover()
                    assert player.page.evaluate("scrollY") == 0 and explained(player), (name, act, k + 1, which)
        assert found >= EXPLAINED, name


def test_a_word_is_marked_once_in_a_step_and_the_next_step_hides_its_explanation(figure1):
    marked = "() => [...document.querySelectorAll('.word')].map(e => e.dataset.word)"
    for step, words in enumerate(figure1.at(range(1, figure1.steps + 1), marked), 1):
        assert len(words) == len(set(words)), step
    figure1.go(29)
    figure1.page.locator(".word").first.focus()
    figure1.press("ArrowRight")
    assert figure1.step == 30 and explained(figure1) is None


def test_the_general_equation_uses_letters_that_the_graph_does_not_use(visit, saved):
    formula = lambda player: player.page.locator("#equation math").first.text_content()
    assert formula(visit(saved("square"), "#step=1")) == "dzdu=∑v∈c(u)dzdv·∂v∂u"
    assert formula(visit(saved("figure1"), "#step=1")) == "dzdx=∑y∈c(x)dzdy·∂y∂x"


def test_next_is_the_first_stop_of_the_tab_key(figure1):
    figure1.press("Tab")
    assert figure1.page.evaluate("document.activeElement.id") == "next"
    order = figure1.page.evaluate("['back', 'next', 'play'].map(id => document.getElementById(id).getBoundingClientRect().left)")
    assert order == sorted(order)


def test_the_answers_stand_at_the_end(figure1):
    figure1.press("End")
    said = [f"dzdx{k}={slope}z grows {slope} times as much as x{k}" for k, slope in enumerate((9, 3, 3, 11), 1)]
    assert figure1.page.locator(".answers li").all_text_contents() == said


def test_the_page_follows_the_theme_of_its_host_and_nothing_else(visit, saved):
    host = visit(saved("square")).page.context.new_page()
    host.set_content(pages.page("figure1")._repr_html_())
    frame = host.frame_locator("iframe")
    frame.locator("#next").wait_for()
    send = lambda data: host.evaluate("data => document.querySelector('iframe').contentWindow.postMessage(data, '*')", data)
    body = frame.locator("body")
    body.evaluate("() => { window.heard = 0; addEventListener('message', () => heard++); }")  # after the page itself has heard it
    for count, (data, theme) in enumerate(
        (
            ({"theme": "dark"}, "dark"),
            ({"theme": "<img>"}, "dark"),
            ("light", "dark"),
            (None, "dark"),
            ({"theme": "light"}, "light"),
        ),
        1,
    ):
        send(data)
        until(host, lambda count=count: body.evaluate("() => heard") == count)
        assert body.get_attribute("data-theme") == theme


HOST = """<iframe style="width: 100%; height: 680px; border: 0"></iframe><script>
    addEventListener('message', ({data}) => data.height && (document.querySelector('iframe').style.height = `${data.height + 4}px`));
</script>"""
REACH = """() => [...['#graph-panel', '#controls', '#said'].map(at => document.querySelector(at).getBoundingClientRect().bottom),
    innerHeight - document.body.offsetHeight]"""


@pytest.mark.parametrize("width", [390, 824])
def test_in_a_high_frame_the_controls_stand_below_the_graph_and_a_shorter_act_leaves_no_gap(width, visit, saved):
    host = visit(saved("square")).page.context.new_page()
    host.set_viewport_size({"width": width, "height": 800})
    host.set_content(HOST)
    host.evaluate("text => (document.querySelector('iframe').srcdoc = text)", pages.page("figure1").html)
    frame = host.frames[1]
    frame.locator("#next").wait_for()
    host.evaluate("document.querySelector('iframe').contentWindow.postMessage({framed: true}, '*')")
    frame.locator("body.framed").wait_for()
    for act in ("nudge", "use", "question"):  # each for the first time; within an act the height of the highest step stays
        frame.evaluate("act => player.enter(act, 1)", act)
        until(host, lambda: 0 <= frame.evaluate(REACH)[-1] <= 6)
        graph, controls, said, _ = frame.evaluate(REACH)
        assert graph < controls < min(said, 800), act
