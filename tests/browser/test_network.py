"""The acts of a network: one entry of a parameter is nudged, backward in pictures, a step on all entries."""

from pathlib import Path

import numpy as np
import pytest

import tensorgrad as tg
from scalargrad import Trace
from tensorgrad import nn
from tests.browser.player import wait_until_drawn
from tests.browser.test_accessibility import in_both_themes
from tests.each import few_of
from tests.viz import networks_of_modules
from tests.viz.loops import overwriting
from tests.viz.networks_of_others import OTHERS
from viz import play
from viz.page import network_data as network_program

SIZES = [(1280, 720), (1920, 1080), (1024, 768), (390, 844)]
ACTS = ("nudge", "backward", "use")


SEEN = """() => {
    const panel = document.querySelector('#layers').getBoundingClientRect(), layers = [...document.querySelectorAll('#layers .layer')];
    const isOutside = ({left, right, top, bottom}) => left < panel.left - 1 || right > panel.right + 1
        || top < panel.top - 1 || bottom > panel.bottom + 1;
    return {
        boxes: layers.length, z: layers.at(-1).querySelector('b').textContent, said: document.querySelector('#narration').textContent,
        out: [...layers, ...document.querySelectorAll('#layers .parameter')].filter(box => isOutside(box.getBoundingClientRect())).length,
        wide: [...document.querySelectorAll('#layers .row *')].filter(e => {
            const {display, textOverflow} = getComputedStyle(e);
            const isCut = display !== 'inline' && e.clientWidth && e.scrollWidth > e.clientWidth + 1;
            return isCut && textOverflow !== 'ellipsis' && !e.querySelector('.tag'); // a tag may be wider than its box
        }).map(e => e.textContent),
    };
}"""


def small_conv():
    dice = np.random.default_rng
    layers = nn.Conv2d(1, 2, 3, dtype="float64", generator=dice(1)), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten()
    net = nn.Sequential(*layers, nn.Linear(18, 3, dtype="float64", generator=dice(2)))
    x = tg.Tensor(dice(0).standard_normal((1, 1, 8, 8)), keep_grad=False, name="x")
    return tg.cross_entropy(net(x), [1])


@pytest.fixture(scope="module")
def conv(made):
    """A trace of a small convolutional network, and the file of its page."""
    trace = Trace(small_conv)
    return trace, made("network conv", lambda: play(trace))


@pytest.fixture
def page(conv, visit):
    return visit(conv[1], "#nudge=1").page


def texts(page, selector):
    return [text for text in page.locator(selector).all_text_contents() if text]


def number(text):
    return float(text.replace("−", "-").replace("+", ""))


def test_a_nudge_shows_how_many_entries_of_each_layer_change(page):
    names = [text.split()[0] for text in texts(page, "#layers .layer b")]
    assert names == ["x", "conv2d", "relu", "max_pool2d", "linear", "z"]
    of = [text.split(" of ") for text in texts(page, "#layers .layer .tag")[:-1]]
    assert [size for _, size in of] == ["72", "72", "18", "3"]
    assert all(0 < int(changed) <= int(size) for changed, size in of)
    assert "one of the 18 entries of 0.weight" in page.locator("#narration").text_content()


def test_the_page_says_of_a_nudge_what_the_engine_computes(page, conv):
    trace, _ = conv
    leaf = next(v for v in trace.graph.variables if trace.names[v] == "0.weight")
    slopes = trace.computed[leaf].number.reshape(-1)
    steep = int(np.abs(slopes).argmax())
    assert number(page.locator("#slopes .note b").first.text_content()) == pytest.approx(slopes[steep], rel=1e-3)
    assert number(page.locator("#slopes .note .happened").text_content()) == pytest.approx(slopes[steep], rel=1e-3)


@pytest.mark.parametrize("act", ACTS)
def test_every_panel_of_an_act_is_whole_in_the_window(act, page):
    """The graph of the act Question may have another layout, across the page."""
    page.evaluate("act => player.enter(act, 2)", act)
    high = page.evaluate("""[...document.querySelectorAll('#player > *')].filter(panel => panel.checkVisibility()).map(panel => {
        const {left, top, right, bottom} = panel.getBoundingClientRect();
        return [panel.id, left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1
            && right - left > 90 && bottom - top > 28];
    })""")
    assert len(high) > 5 and [name for name, whole in high if not whole] == []


def test_a_click_on_a_picture_chooses_an_entry_and_its_curve(page):
    before = page.locator("#plot h2").text_content()
    weight = page.locator("#layers .parameter").filter(has_text="weight").nth(1)
    assert weight.locator(".name").text_content() == "4.weight"  # no two boxes say weight
    weight.locator("canvas").first.click(position={"x": 6, "y": 4})
    assert page.locator("#plot h2").text_content() != before
    assert "4.weight" in page.locator("#slopes h2").text_content()
    picker = page.locator("#strip .entries-picker canvas")
    chosen = page.locator("#plot h2").text_content()
    picker.focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("#plot h2").text_content() != chosen


def test_a_layer_opens_by_its_magnifying_glass_and_by_a_key_in_every_act(visit, conv):
    player = visit(conv[1], "#nudge=2")
    page, at = player.page, "location.hash"
    for act in ACTS:
        page.evaluate("act => player.enter(act, 1)", act)
        here = page.evaluate(at)
        layer = page.locator(".layer:has(.zoom)").last
        opened = f"#zoom={layer.get_attribute('data-variable')}&step=1"
        for key in (None, "z"):
            if key:
                layer.focus()
                player.press(key)
            else:
                layer.locator(".zoom").click()
            assert page.evaluate(at) == opened
            player.press("Escape")
            assert page.evaluate(at) == here


def test_the_slider_moves_the_entry_and_the_steepest_entry_is_one_click_away(page):
    page.locator("#dial").evaluate("dial => { dial.value = -30; dial.dispatchEvent(new Event('input')); }")
    assert number(page.locator("#amount").input_value()) < 0
    page.get_by_role("button", name="any entry").click()
    page.get_by_role("button", name="steepest entry").click()
    steepest = number(page.locator("#slopes .note b").first.text_content())
    page.get_by_role("button", name="any entry").click()
    assert abs(number(page.locator("#slopes .note b").first.text_content())) <= abs(steepest)


def test_a_step_lowers_the_loss_and_more_steps_lower_it_more(page):
    page.evaluate("player.enter('use', 2)")
    z = lambda: number(page.locator("#plot .here").first.text_content().split("=")[1])
    first = z()
    page.get_by_role("button", name="take 10").click()
    assert z() < first
    page.get_by_role("button", name="start again").click()
    assert z() == first


def test_the_page_asks_how_much_z_will_change_and_names_the_mistake_of_a_wrong_answer(page):
    page.evaluate("player.enter('nudge', player.acts.nudge.steps.findIndex(({ name }) => name === 'predict'))")
    assert number(page.locator("#amount").input_value()) == 0
    hints = page.locator(".asked ~ .hint").all_text_contents()
    slope = number(page.locator("#narration b").text_content())
    nudge = number(hints[2].split("×")[1].strip("\xa0 .()"))
    z = number(page.locator("#plot .here").first.text_content().split("=")[1])
    entry = page.evaluate("document.querySelector('#strip .entries-picker canvas').getAttribute('aria-label')")
    entry = number(entry.split(" is ")[1].split(". ")[0])
    mistakes = {
        slope: "That is the derivative.",
        -slope * nudge: "the sign is the other way round",
        z + slope * nudge: "the new value of z",
        nudge: "only if its derivative were 1",
        slope / nudge: "You divided by the nudge",
        slope * entry: "multiplied the derivative by the entry",
    }
    for wrong, why in mistakes.items():
        page.locator("#expected").fill(f"{wrong:.6g}")
        page.keyboard.press("Enter")
        assert why in page.locator(".asked output.wrong").text_content(), wrong
    page.locator("#expected").fill(f"{slope * nudge:.4g}")
    page.keyboard.press("Enter")
    assert page.locator("#narration").text_content().startswith("Right: ")
    assert number(page.locator("#amount").input_value()) == nudge and not page.locator("#expected").count()


def test_backward_is_one_vjp_a_step_in_pictures(page):
    page.evaluate("player.enter('backward', 19)")
    assert texts(page, "#layers .tag") == ["child", "current x"]
    assert page.locator("#passes canvas").count() == 2
    assert page.locator("#graph-panel").is_hidden()


def of_network(name):
    """Return a function that makes the page of a network."""
    return lambda: play(small_conv if name == "conv" else OTHERS.get(name, lambda: networks_of_modules.SMALL[name]()[0]))


def test_backward_marks_the_box_that_holds_what_the_step_looks_at(visit, made):
    """An array that is only moved has no box of its own: the box that uses it shows it."""
    player = visit(made("network gpt", of_network("gpt")))
    marked = """() => player.state.current === undefined ? null : [document.querySelectorAll('#layers .current').length,
        [...document.querySelectorAll('#layers .current .tag')].map(e => e.textContent.trim()).filter(Boolean)]"""
    steps = range(12, player.page.evaluate("player.acts.backward.length") - 1, 23)
    found = dict(zip(steps, player.within("backward", marked, steps), strict=True))
    assert any(found.values()) and {step: seen for step, seen in found.items() if seen not in (None, [1, ["current x"]])} == {}


def measured(page):
    """What is seen in the next frame: only before it is drawn the page learns that its panel has another size."""
    seen = page.evaluate(SEEN)
    if seen["out"]:
        wait_until_drawn(page)
        seen = page.evaluate(SEEN)
    return seen


@pytest.mark.parametrize("name", few_of(["conv", "cnn", "gpt", "lstm", "resnet", "encoder", *OTHERS], ["conv", "gpt"]))
def test_no_act_is_empty_and_nothing_leaves_the_panel(name, visit, made):
    """Each step in one of the windows, and each window at every fourth step: what differs between windows is their room."""
    player = visit(made(f"network {name}", of_network(name)))
    page = player.page
    for turn, (width, height) in enumerate(SIZES):
        player.resize(width, height)
        for act in ACTS:
            apart = 1 if act != "backward" else 40
            steps = range(turn * apart, page.evaluate("act => player.acts[act].length", act), len(SIZES) * apart)
            steps = steps or [0]
            for step, seen in zip(steps, player.within(act, SEEN, steps), strict=True):
                if seen["out"]:
                    page.evaluate("([act, step]) => player.enter(act, step)", [act, step])
                    seen = measured(page)
                assert seen["boxes"] >= 3 and seen["said"] and seen["z"] in ("z", "loss", "loss5"), (width, act, step)
                assert seen["out"] == 0 and seen["wide"] == [], (width, act, step, seen["wide"])


@pytest.mark.parametrize("freed", [False, True])
def test_what_the_page_cannot_compute_it_shows_as_python_has_computed_it(freed, visit, tmp_path, monkeypatch):
    """The graph is too large, or its arrays are freed."""
    monkeypatch.setattr(network_program, "MOST_COST", 100)
    player = visit(tmp_path / play(small_conv() if freed else Trace(small_conv)).save(tmp_path / "page.html"), "#nudge=1")
    page = player.page
    for act in ACTS:
        for step in range(page.evaluate("act => Math.min(8, player.acts[act].length)", act)):
            page.evaluate("([act, step]) => player.enter(act, step)", [act, step])
            seen = measured(page)
            assert seen["boxes"] >= 5 and seen["said"] and seen["out"] == 0
    page.evaluate("player.enter('nudge', 0)")
    assert ("is freed" if freed else "can nudge graphs of up to 100") in page.locator("#narration").text_content()
    page.locator("#plot line.tangent").wait_for(state="attached")
    assert page.locator("#plot path.curve").count() == (0 if freed else 1)
    assert page.locator("#plot line.tangent").count() == 1
    page.evaluate("player.enter('use', 1)")
    assert "the derivatives promise" in page.locator("#readout").text_content()


def test_axe_finds_no_serious_violation_in_the_acts_of_a_network(conv, visit):
    player = visit(conv[1])
    for act, step in (("nudge", 0), ("backward", 19), ("use", 1), ("use", 2)):
        player.page.evaluate("([act, step]) => player.enter(act, step)", [act, step])
        assert not in_both_themes(player), (act, step)


SMALL_TEXTS = """([least, leastOfLayers]) => {
    const found = [], walker = document.createTreeWalker(document.querySelector('#player'), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const text = walker.currentNode.data.trim(), e = walker.currentNode.parentElement;
        if (!text || e.closest('#graph, dialog') || !e.checkVisibility({visibilityProperty: true})) continue;
        const size = parseFloat(getComputedStyle(e).fontSize) * e.currentCSSZoom;
        if (size < (e.closest('#layers') ? leastOfLayers : least) - 0.01) found.push([text, size]);
    }
    return found;
}"""


PAINTED = """() => {  // from now on, the sizes of the numbers in the cells of pictures
    const {prototype} = CanvasRenderingContext2D, {fillText} = prototype;
    window.painted = [];
    prototype.fillText = function (...given) {
        painted.push(parseFloat(/([0-9.]+)px/.exec(this.font)[1]));
        return fillText.apply(this, given);
    };
}"""


@pytest.mark.parametrize("size", [*SIZES, (768, 1024)])
def test_no_text_of_a_network_is_small(size, conv, visit):
    """Fewer layers stand in a small window. Texts of the graph have a test of their own; on a projector those of the layers are larger."""
    page = visit(conv[1], "#nudge=1", viewport={"width": size[0], "height": size[1]}).page
    least, of_layers = 11 if size[0] < 500 else 12, 16 if size[0] > 1800 else 11
    page.evaluate(PAINTED)
    for act, steps in (("question", 2), ("nudge", 5), ("backward", 20), ("use", 5)):
        for step in range(0, steps, 1 if steps < 20 else 19):
            page.evaluate("([act, step]) => player.enter(act, step)", [act, step])
            assert page.evaluate(SMALL_TEXTS, [least, max(least, of_layers)]) == [], (act, step)
    assert min(page.evaluate("painted")) >= least


def test_a_page_that_does_not_compute_what_the_engine_has_computed_says_so(visit, tmp_path, monkeypatch):
    """Here its numbers are wrong; an eigenvalue that occurs twice is another case."""
    right = network_program.numbers
    monkeypatch.setattr(network_program, "numbers", lambda array: right(array * 1.01))
    page = visit(tmp_path / play(Trace(small_conv)).save(tmp_path / "page.html"), "#nudge=1").page
    assert "computes other numbers than Python" in page.locator("#narration").text_content()
    assert page.locator("#layers .layer").count() == 6


def test_two_loops_beside_each_other_are_compared_on_the_graph(visit, tmp_path):
    """Backward then marks what differs; the other acts show the layers."""
    z = networks_of_modules.cnn()[0]
    page = visit(tmp_path / play(Trace(z), beside=Trace(z, steps=overwriting)).save(tmp_path / "page.html")).page
    page.evaluate("player.enter('backward', 3)")
    assert page.locator("#graph-panel").is_visible() and page.locator("#beside").is_visible() and page.locator("#layers").is_hidden()
    page.evaluate("player.enter('nudge', 0)")
    assert page.locator("#layers").is_visible() and page.locator("#graph-panel").is_hidden()


def test_a_derivative_that_is_only_rounding_is_0_and_never_steep(tmp_path, visit):
    """A shift of all scores of an example changes no probability."""
    dice = np.random.default_rng(1)
    x, chosen = dice.normal(size=(12, 8)), dice.integers(0, 5, size=12)

    def program():
        w, shift = tg.Tensor(dice.normal(size=(8, 5)) * 0.3), tg.Tensor(np.round(dice.normal(size=(12, 1)), 2))
        e = np.exp(x @ w + shift)
        p = e / e.sum(axis=1, keepdims=True)
        return -np.log(p[np.arange(12), chosen]).mean()

    page = visit(Path(play(program).save(tmp_path / "shift.html")), "#use=2").page
    rows = page.locator("#slopes tbody tr, #slopes table tr").all_text_contents()
    assert any("shift" in row and "00" in row for row in rows), rows
    assert "e−1" not in " ".join(rows)
