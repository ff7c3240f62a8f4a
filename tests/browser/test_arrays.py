"""Arrays on a page: their pictures with a scale, and the dialog with all numbers."""

import numpy as np
import pytest

import tensorgrad as tg
from scalargrad import Trace
from tests.browser.test_accessibility import in_both_themes
from viz import play

K, IMAGE = (
    tg.Tensor(np.linspace(-1, 1, 18).reshape(2, 1, 3, 3), name="K"),
    tg.Tensor(np.arange(64.0).reshape(1, 1, 8, 8) - 20, name="image"),
)
WIDE = tg.Tensor(np.arange(30_000.0).reshape(150, 200), name="wide")
END, SIZE = "#step=999", "e => [e.scrollWidth - e.clientWidth, e.scrollHeight - e.clientHeight].map(n => n > 1)"


def convolution():
    C = tg.conv2d(IMAGE, K)
    C.name = "C"
    return Trace((C * C).sum() + (WIDE * 2).sum())


def page_of_convolution():
    with pytest.MonkeyPatch.context() as patch:  # whose rows of layers stand in place of the graph
        patch.setattr("viz.page.play.network_data", lambda *of: (None, []))
        return play(convolution(), start="backward")


@pytest.fixture
def file(made):
    return made("arrays", page_of_convolution)


CELLS = """name => {
    const node = [...document.querySelectorAll('.node')].find(e => e.querySelector('.name').textContent === name);
    const tables = [...node.querySelectorAll('.entries')];
    const fills = tables.map(table => [...table.querySelectorAll('.cells')].map(e => getComputedStyle(e).fill));
    const texts = [...node.querySelectorAll('.entries text')].map(e => e.textContent);
    return {fills, texts, matrices: tables.map(table => table.querySelectorAll('.matrix').length)}}"""


def test_an_array_is_a_picture_with_a_scale_in_both_themes(visit, file, picture):
    player = visit(file, END)
    player.press("n")  # all of the graph, in which arrays have their scales
    name = "image"
    light = player.page.evaluate(CELLS, name)
    assert len(light["fills"]) == 2 and all(len(set(fills)) > 8 for fills in light["fills"])
    assert {"−20", "0", "43"} <= set(light["texts"])
    first, last = ([float(n) for n in fill.rstrip(")").split()[1:4]] for fill in (light["fills"][0][0], light["fills"][0][-1]))
    assert first[2] > first[0] and last[0] > last[2]  # −20 is blue, and the end of the bar orange
    seen = [player.page.evaluate(CELLS, text)["matrices"] for text in ("𝐾", "𝐶")]
    assert seen == [[3, 3], [3, 3]]  # two matrices and the bar, of the value and of its gradient
    player.page.emulate_media(color_scheme="dark")
    assert player.page.evaluate(CELLS, name)["fills"] != light["fills"]
    picture(player, "arrays-dark")


def test_all_numbers_open_by_click_key_and_tap_and_close_with_the_focus_back(visit, file, picture):
    player = visit(file, END, has_touch=True)
    page = player.page
    shown = page.locator("#computed .array").first
    shown.focus()
    player.press("Enter")
    assert page.locator("#all-numbers").is_visible() and "shape" in player.text("#all-numbers")
    step = player.step
    player.press("ArrowRight")  # it scrolls the dialog
    assert player.step == step
    player.press("Escape")
    assert not page.locator("#all-numbers").is_visible() and page.evaluate("document.activeElement.className") == "array"
    shown.tap()
    assert page.locator("#all-numbers").is_visible()
    page.locator("#all-numbers form button").click()
    kernel = page.locator(".node").filter(has=page.locator(".name", has_text="𝐾"))
    kernel.locator(".entries .cells").first.dispatch_event("click")
    assert "2×1×3×3" in player.text("#all-numbers") and page.locator("#all-numbers .choices button").count() == 2
    first = player.texts("#all-numbers td")
    page.locator("#all-numbers select").select_option("1")
    second = player.texts("#all-numbers td")
    numbers = [float(text.replace("−", "-")) for text in [*first, *second] if text]
    assert np.allclose(numbers, K.data.reshape(-1), atol=1e-5)
    page.locator("#all-numbers .choices button").nth(1).click()
    assert player.texts("#all-numbers td") != second and page.locator("#all-numbers [aria-pressed=true]").count() == 1
    picture(player, "all-numbers")
    player.press("Escape")
    kernel.focus()
    player.press("a")
    assert "2×1×3×3" in player.text("#all-numbers")


def test_of_a_large_array_the_dialog_says_what_it_shows_and_scrolls(visit, file):
    for viewport in ({"width": 1280, "height": 720}, {"width": 390, "height": 844}):
        player = visit(file, END, viewport=viewport)
        player.press("n")
        box = player.page.locator(".node").filter(has=player.page.locator(".name", has_text="wide"))
        box.locator(".entries .cells").first.dispatch_event("click")
        said = player.text("#all-numbers")
        assert "150×200, float64" in said and "Shown: the first" in said and "of 150 rows" in said and "of 200 columns" in said
        assert player.page.locator("#all-numbers .all").evaluate(SIZE) == [True, True]
        assert player.page.locator("#all-numbers").evaluate(SIZE) == [False, False]


def test_axe_finds_no_serious_violation_in_a_page_with_pictures_nor_in_the_dialog(visit, file):
    player = visit(file, END)
    assert not in_both_themes(player)
    player.press("a")
    assert player.visible("#all-numbers") and not in_both_themes(player)


def test_a_function_of_arrays_and_its_value_have_room_in_the_question(visit, tmp_path):
    def program():
        x, a = tg.Tensor([[0.51, -1.25], [1.75, 2.5], [0.3, 0.7]]), tg.Tensor(0.5)
        h = (x.sum(axis=1) * [0.1234, 0.2345, 0.3456] + np.array([[0.25, 0.5, 0.75], [1.5, 2.5, 3.5]])) * a
        k = np.concatenate([h / 3, h * 7], axis=1)
        return (k**2).sum()

    file = tmp_path / "page.html"
    play(program, detail="statements").save(file)
    for size in ((1280, 720), (390, 844)):
        player = visit(file, "#question=3", viewport=dict(zip(("width", "height"), size)))
        for step in (2, 3):
            player.page.evaluate("k => player.enter('question', k)", step)
            assert player.page.evaluate("(({scrollWidth, clientWidth}) => scrollWidth - clientWidth)(document.querySelector('.rows'))") <= 0
    assert "[[0.25, 0.5, …], …]" in player.page.evaluate("player.run.variables[2].equation")
