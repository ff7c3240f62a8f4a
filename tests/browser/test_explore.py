"""The page of explore in a browser: scopes open and close, search, paths to z, pan and zoom, keys, phones, speed."""

import pytest

from tests.browser.player import thread_time, until
from tests.browser.test_accessibility import violations
from tests.browser.test_large import PHONE
from tests.viz.graphs import figure1_trace
from tests.viz.networks import mlp, resnet50
from viz import explore

SHOWN = "[...document.querySelectorAll('#world .box')].map(e => e.querySelector('.name').textContent)"
NEXT_FRAME = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
FILLS = """move => new Promise(done => {
  const picture = explorer.picture, fill = picture.fill.bind(picture);
  let fills = 0, n = 0;
  picture.fill = () => { fills++; fill(); };
  const go = () => {
    if (move === 'pan') picture.moveBy(Math.sin(n / 20) * 20, Math.cos(n / 31) * 9); else picture.zoom(1 + 0.03 * Math.sin(n / 25));
    if (n++ < 120) requestAnimationFrame(go); else { delete picture.fill; done(fills); }
  };
  go();
})"""


@pytest.fixture
def file(made):
    """file(name) is the page of a graph."""

    def resnet():
        z, _ = resnet50(size=32)
        z.backward(retain_graph=True)
        return explore(z, names={})

    def perceptron():
        z = mlp()
        z.name = "z"
        z.backward()
        return explore(z, names={})

    makers = {"figure1": lambda: explore(figure1_trace()), "resnet": resnet, "perceptron": perceptron}

    return lambda name: made(f"explore {name}", makers[name])


@pytest.fixture
def opened(visit, file):
    def opened(name, **options):
        page = visit(file(name), **options).page
        until(page, lambda: page.evaluate("!!window.explorer"))
        page.evaluate(NEXT_FRAME)
        return page

    return opened


def shown(page):
    page.evaluate(NEXT_FRAME)
    return page.evaluate(SHOWN)


def place(page, name):
    """Return the middle of the title of a box in the window."""
    page.evaluate(NEXT_FRAME)
    box = page.locator("#world .box", has_text=name).first.locator(".frame").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + 12


def details(page):
    return page.locator("#chosen").inner_text()


@pytest.mark.every_browser
def test_a_scope_opens_on_a_click_and_closes_on_a_click_on_its_title(opened):
    page = opened("perceptron")
    before = shown(page)
    assert "layer2" in before and "neuron7" not in before
    page.mouse.click(*place(page, "layer2"))
    assert {f"neuron{k}" for k in (1, 2)} <= set(shown(page)) and "close" in details(page)
    page.mouse.click(*place(page, "layer2"))
    assert sorted(shown(page)) == sorted(before)


OVERLAPS = """() => { const p = [...explorer.picture.places].filter(([t]) => !explorer.picture.isOpen(t));
    return p.flatMap(([s, a], i) => p.slice(i + 1).filter(([, b]) =>
      a.x < b.x + b.wide && b.x < a.x + a.wide && a.y < b.y + b.high && b.y < a.y + a.high).map(([t]) => [s, t])) }"""
OPEN_ALL = (
    "explorer.model.scopes.forEach((_, scope) => explorer.model.open.add(scope)); explorer.picture.arrange(); explorer.picture.whole()"
)
THROUGH_BOXES = """() => { const { places, routes } = explorer.picture, boxes = [...places].filter(([t]) => !explorer.picture.isOpen(t));
    const pen = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    return routes.filter(({ a, b, path }) => { pen.setAttribute('d', path); const long = pen.getTotalLength();
      return Array.from({ length: 40 }, (_, k) => pen.getPointAtLength(long * k / 40)).some(({ x, y }) => boxes.some(([t, p]) =>
        t !== a && t !== b && x > p.x + 1 && x < p.x + p.wide - 1 && y > p.y + 1 && y < p.y + p.high - 1)); })
      .map(({ a, b }) => [a, b]) }"""


@pytest.mark.every_browser
@pytest.mark.parametrize("size", [{"width": 1280, "height": 720}, {"width": 768, "height": 1024}, {"width": 1920, "height": 1080}])
def test_a_resnet_opens_with_all_stages_in_view_and_every_line_of_their_boxes(opened, size):
    page = opened("resnet", viewport=size)
    names = shown(page)
    assert names == ["stem", "stage1", "stage2", "stage3", "stage4", "head", "z"]
    left, top, right, bottom = page.evaluate(
        "Object.values((({left, top, right, bottom}) => ({left, top, right, bottom}))(explorer.picture.window()))"
    )
    for box in page.evaluate("[...explorer.picture.places.values()].map(p => [p.x, p.y, p.x + p.wide, p.y + p.high])"):
        assert left <= box[0] and top <= box[1] and box[2] <= right and box[3] <= bottom
    assert page.locator("#world .box .line").count() >= 3 * 6


def test_a_resnet_with_all_scopes_open_stands_in_rows_and_lines_pass_between_its_boxes(opened):
    page = opened("resnet")
    page.evaluate(OPEN_ALL)
    bounds = page.evaluate("explorer.picture.bounds()")
    assert 0.6 < (bounds["right"] - bounds["left"]) / (bounds["bottom"] - bounds["top"]) < 3  # it was 62
    assert page.evaluate("explorer.picture.places.size") > 350
    assert page.evaluate(OVERLAPS) == [] and page.evaluate(THROUGH_BOXES) == []


def test_any_scopes_can_be_open_together_and_no_two_boxes_overlap(opened):
    page = opened("resnet")
    page.evaluate("[2, 5, 9, 14, 20, 31].forEach(scope => explorer.model.chains[scope].forEach(s => explorer.model.open.add(s)))")
    page.evaluate("explorer.picture.arrange()")
    assert page.evaluate("explorer.picture.places.size") > 30 and page.evaluate(OVERLAPS) == []
    inside = """() => [...explorer.picture.places].filter(([t, a]) => { const scope = explorer.model.around(t); if (!scope) return false;
        const b = explorer.picture.places.get(-1 - scope);
        return a.x < b.x || a.y < b.y + 20 || a.x + a.wide > b.x + b.wide || a.y + a.high > b.y + b.high; })"""
    assert page.evaluate(inside) == []


@pytest.mark.parametrize(
    "query, first", [("gamma", "γ"), ("relu", "v₃"), ("2x128x1x1", None), ("stage3", "stage3"), ("stage3.block2.conv2", "conv2")]
)
def test_search_finds_names_functions_shapes_and_scopes(opened, query, first):
    page = opened("resnet")
    page.keyboard.press("/")
    page.keyboard.type(query)
    found = page.locator("#found li button")
    assert found.count() > 0
    text = found.first.inner_text()
    assert first is None or text.startswith(first)
    assert query != "2x128x1x1" or "2×128×1×1" in text
    page.keyboard.press("Enter")
    page.evaluate(NEXT_FRAME)
    assert details(page).startswith(text.split(" ")[0])
    assert page.locator("#world .box.chosen").count() == 1 and page.locator("#found li").count() == 0
    assert page.evaluate("document.activeElement.id") == "view"


def test_nothing_found_is_said(opened):
    page = opened("figure1")
    page.locator("#query").fill("tanh")
    assert page.locator("#found").inner_text() == "nothing found"


def test_the_paths_from_a_variable_to_z_are_lit(opened):
    page = opened("figure1")
    page.mouse.click(*place(page, "x₄"))
    page.evaluate(NEXT_FRAME)
    lit = page.evaluate("[...document.querySelectorAll('#world .box.lit')].map(e => e.querySelector('.name').textContent)")
    assert sorted(lit) == ["y₁", "y₂", "z"] and page.locator("#world .box.chosen .name").text_content() == "x₄"
    assert page.locator("#world .edge").count() == 8 and page.locator("#world .edge.lit").count() == 4
    assert "2 paths" in details(page)
    page.locator("#view").focus()
    page.keyboard.press("Escape")
    page.evaluate(NEXT_FRAME)
    assert page.locator("#world .edge.lit").count() == 0


@pytest.mark.every_browser
def test_pointing_at_a_box_shows_what_it_holds_and_leaving_it_shows_the_chosen_one(opened):
    page = opened("resnet")
    page.locator("#query").fill("relu")
    page.keyboard.press("Enter")
    text = details(page)
    for words in ("shape", "numbers", "min 0", "saved for the backward pass", "kB", "paths to z", "scope", "inputs", "used by"):
        assert words in text, words
    page.evaluate("explorer.picture.whole(0.9)")
    page.evaluate("explorer.picture.bring(explorer.first())")
    page.mouse.move(*place(page, "cross"))
    assert details(page).startswith("z") and "2.45096" in details(page)
    page.mouse.move(*[1270, 700])
    assert details(page) == text


@pytest.mark.every_browser
def test_all_can_be_done_with_keys(opened):
    page = opened("perceptron")
    page.locator("#view").focus()
    page.keyboard.press("ArrowRight")
    assert details(page).startswith("layer3") or details(page).startswith("neuron1") or details(page).startswith("z")
    page.keyboard.press("c")
    page.keyboard.press("ArrowLeft")
    assert details(page).startswith("layer3") and page.locator("#said").text_content().startswith("scope layer3, closed")
    page.keyboard.press("ArrowLeft")
    assert details(page).startswith("layer2")
    page.keyboard.press("Enter")
    assert "neuron2" in shown(page)
    page.keyboard.press("ArrowRight")
    assert details(page).startswith("layer3") or details(page).startswith("neuron")
    page.keyboard.press("z")
    assert "49" not in details(page).split("\n")[0] and "this is z" in details(page)
    page.keyboard.press("Backspace")
    assert details(page).startswith("neuron1") or details(page).startswith("layer3")
    page.keyboard.press("?")
    assert page.locator("#help").is_visible()


@pytest.mark.every_browser
def test_pan_wheel_and_pinch_move_the_picture(opened):
    page = opened("figure1")
    view = lambda: page.evaluate("[explorer.picture.x, explorer.picture.y, explorer.picture.scale]")
    x, y, scale = view()
    page.mouse.move(40, 600)
    page.mouse.down()
    page.mouse.move(90, 620, steps=4)
    page.mouse.up()
    page.evaluate(NEXT_FRAME)
    assert view() == pytest.approx([x + 50, y + 20, scale], abs=1) and page.locator("#world .chosen").count() == 0
    page.mouse.wheel(0, -300)
    page.evaluate(NEXT_FRAME)
    assert view()[2] > 1.3 * scale
    page.evaluate("explorer.picture.whole()")
    pinch = """([ax, bx]) => { const view = document.querySelector('#view'); view.setPointerCapture = () => {};
        const send = (type, id, x) => view.dispatchEvent(new PointerEvent(type, {pointerId: id, clientX: x, clientY: 300, bubbles: true}));
        const before = explorer.picture.scale;
        send('pointerdown', 1, ax); send('pointerdown', 2, bx);
        send('pointermove', 2, bx + (bx - ax)); send('pointerup', 1, ax); send('pointerup', 2, bx);
        return explorer.picture.scale / before; }"""
    assert page.evaluate(pinch, [300, 360]) == pytest.approx(2, rel=0.01)


def test_only_what_is_in_view_is_in_the_document(opened):
    page = opened("perceptron")
    page.evaluate(
        "explorer.model.scopes.forEach((_, scope) => explorer.model.open.add(scope)); explorer.picture.arrange(); explorer.picture.whole(1)"
    )
    page.evaluate(NEXT_FRAME)
    assert page.evaluate("explorer.picture.places.size") == 979 + 37 and page.locator("#world .box").count() < 250
    page.evaluate("explorer.picture.whole()")
    page.evaluate(NEXT_FRAME)
    assert page.evaluate("document.querySelectorAll('#world *').length") < 20


def test_most_frames_of_a_resnet_50_only_move_the_picture(opened):
    page = opened("resnet")
    for move in ("pan", "zoom"):
        assert page.evaluate(FILLS, move) < 30, move  # of 120 frames
        assert page.locator("#world *").count() < 400


PAN = """() => new Promise(done => {
  const frames = [];
  let n = 0;
  const go = now => {
    frames.push(now);
    explorer.picture.moveBy(Math.sin(n / 20) * 20, Math.cos(n / 31) * 9);
    n++ < 120 ? requestAnimationFrame(go) : done(frames.slice(1).map((at, k) => at - frames[k]).sort((a, b) => a - b));
  };
  requestAnimationFrame(go);
})"""
OPENING, FRAME = 500, 8  # milliseconds of the thread: half of a second, half of a sixtieth


def test_a_resnet_50_opens_in_a_second_and_a_frame_of_a_pan_leaves_time_for_sixty(opened):
    """The best of three. Print the true figures."""
    opening, frame, seen = [], [], []
    for _ in range(3):
        page = opened("resnet")
        spent = thread_time(page)
        start = spent()
        page.reload()
        while not page.evaluate("!!window.explorer?.openedAfter"):
            page.wait_for_timeout(20)
        opening.append(spent() - start)
        seen.append(page.evaluate("explorer.openedAfter"))
        page.evaluate("explorer.model.scopes.slice(0, 12).forEach((_, scope) => explorer.model.open.add(scope))")
        page.evaluate("explorer.picture.arrange(); explorer.picture.whole(0.9)")
        start = spent()
        frames = page.evaluate(PAN)
        frame.append((spent() - start) / len(frames))
    median, most = frames[len(frames) // 2], frames[len(frames) * 95 // 100]
    print(f"ResNet-50 opened after {min(seen):.0f} ms, {min(opening):.0f} ms of the thread")
    print(f"a frame of a pan: {min(frame):.1f} ms of the thread; {median:.1f} ms apart, 95 of 100 at most {most:.1f} ms")
    assert 0 < min(opening) < OPENING and 0 < min(frame) < FRAME


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_serious_violation(opened, theme):
    page = opened("resnet", color_scheme=theme)

    class Shown:
        pass

    Shown.page = page
    assert not violations(Shown)
    page.locator("#query").fill("relu")
    assert not violations(Shown)
    page.keyboard.press("Enter")
    page.keyboard.press("?")
    assert not violations(Shown)


@pytest.mark.every_browser
@pytest.mark.parametrize("size", [PHONE, {"width": 768, "height": 1024}, {"width": 1920, "height": 1080}])
def test_nothing_sticks_out_and_texts_can_be_read(opened, size):
    page = opened("resnet", viewport=size)
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert page.evaluate("document.documentElement.scrollHeight") <= size["height"]
    for scale in (0.35, 0.6, 0.95, 1.4):
        page.evaluate(f"explorer.picture.zoom({scale} / explorer.picture.scale)")
        page.evaluate(NEXT_FRAME)
        sizes = page.evaluate(
            "[...document.querySelectorAll('#world text')].map(e => parseFloat(getComputedStyle(e).fontSize) * explorer.picture.scale)"
        )
        assert sizes and min(sizes) > 10.5, scale
        out = """[...document.querySelectorAll('#world .box')].filter(box => {
            const a = box.querySelector('.frame').getBoundingClientRect();
            return [...box.querySelectorAll('text')].some(t => t.getBoundingClientRect().right > a.right + 1); }).map(e => e.textContent)"""
        assert page.evaluate(out) == [], scale
