"""Zoom into a tensor function or a statement in a browser: open it, step through it, and return to the same step."""

import unicodedata
from pathlib import Path

import numpy as np
import pytest

from scalargrad import Value, tanh
from tensorgrad import Tensor
from tests.browser.pages import MATRICES, trace
from tests.browser.player import until, until_true
from tests.scalargrad.statements.programs import kepler
from viz import play
from viz.page.scalar_graphs import scalar_graphs

PLACE = {name: trace("matrices").graph.variables.index(MATRICES[name].node) for name in "CEW"}


@pytest.fixture
def matrices(visit, saved):
    return visit(saved("matrices"))


def functions(player):
    return player.page.locator("#graph .node.made").count(), player.page.locator("#graph .node.input").count()


def test_a_click_on_the_magnifier_opens_the_product_and_escape_returns(matrices, picture):
    matrices.go(24)
    before = matrices.frame()
    matrices.page.locator(f"#node-{PLACE['C']} .zoom").click()
    assert functions(matrices) == (13, 8)  # eight products, four sums, and z'
    assert matrices.step == 1
    top_to_bottom = (
        "[...document.querySelectorAll('#graph .node.input')].sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)"
    )
    names = matrices.page.evaluate(f"{top_to_bottom}.map(e => e.querySelector('.name').textContent)")
    assert [unicodedata.normalize("NFKC", name).strip("\u200b") for name in names] == [
        "a11",
        "a12",
        "a21",
        "a22",
        "b11",
        "b12",
        "b21",
        "b22",
    ]
    matrices.press("End")
    said = lambda selector: unicodedata.normalize("NFKC", "".join(matrices.text(selector).split()))  # italic letters as plain ones
    assert said("#inside") == "insideC=matmul(A,B)"
    assert said("#inside-note").endswith("ThederivativesattheinputsaretheentriesofGAC,GBC.")
    totals = matrices.page.locator("#graph .node.input .total").all_text_contents()
    assert {text.split(" = ")[-1] for text in totals} == {"2", "4", "5", "12"}
    picture(matrices, "zoom")
    matrices.press("Home", "ArrowRight", "ArrowRight")
    assert matrices.step == 3  # each key acts once
    assert matrices.page.evaluate("location.hash") == f"#zoom={PLACE['C']}&step=3"
    matrices.press("Escape")
    assert matrices.frame() == before
    matrices.press("ArrowRight")
    assert matrices.step == 25


def test_z_opens_the_active_function_and_closes_it(matrices):
    matrices.go(24)  # at C, whose child is W
    matrices.press("z")
    assert matrices.page.evaluate("location.hash").startswith(f"#zoom={PLACE['W']}&")
    matrices.press("z")
    assert matrices.step == 24
    matrices.page.locator(f"#node-{PLACE['E']}").focus()
    matrices.press("z")
    assert matrices.page.evaluate("location.hash").startswith(f"#zoom={PLACE['E']}&")


def test_a_link_opens_the_zoom(visit, saved):
    player = visit(saved("matrices"), f"#zoom={PLACE['C']}&step=7")
    assert player.step == 7 and functions(player) == (13, 8)
    player.page.evaluate("location.hash = '#step=5'")
    until_true(player.page, "player.step === 5")
    assert functions(player)[1] == 3


def test_the_theme_stays(matrices):
    matrices.press("t", "t", "z")
    assert matrices.text("#theme") == "theme: dark"
    matrices.press("t", "Escape")
    assert matrices.text("#theme") == "theme: auto"


def test_a_graph_of_numbers_has_no_zoom(figure1):
    assert figure1.page.locator("#zoom, .zoom").count() == 0
    figure1.press("z", "Escape")
    assert figure1.step == 1


@pytest.mark.parametrize("how", ["magnifier", "formula", "Enter", "z"])
def test_a_statement_opens_into_its_operations_and_closes(visit, saved, how):
    player, h1 = visit(saved("statements")), [*trace("statements").names.values()].index("h1")
    player.go(30)
    if how in ("magnifier", "formula"):
        player.page.locator(f"#node-{h1} .{'zoom' if how == 'magnifier' else 'formula'}").first.click()
    else:
        player.page.locator(f"#node-{h1}").focus()
        player.press(how)
    assert functions(player) == (5, 3)  # two products, two sums and tanh
    player.press("End")
    partials = [q.number for x, q in inner(h1).computed.items() if not x.inputs]
    shown = player.page.locator("#graph .node.input .total").all_text_contents()
    assert {float(text.split(" = ")[-1].replace("−", "-")) for text in shown} == {float(f"{number:.4g}") for number in partials}
    player.press("Escape")
    assert player.step == 30 and functions(player) == (4, 9)


@pytest.mark.parametrize("how", ["magnifier", "Enter", "z"])
def test_a_box_of_a_loop_opens_into_one_of_its_passes_and_closes(visit, saved, how):
    player, names = visit(saved("loop"), "#step=30"), [*trace("loop").names.values()]
    x19 = names.index("x_19")
    assert player.text("#loop span") == "passes 2 to 19 of 20"
    if how == "magnifier":
        player.page.locator(f"#node-{x19} .zoom").click()
    else:
        player.page.locator(f"#node-{x19}").focus()
        player.press(how)
    shown = lambda: set(player.page.evaluate("player.run.variables.map(v => v.name)"))
    assert shown() == {"k", "m", "x_1", "v_1", "a_2", "v_2", "x_2", "error'"}
    player.go(12)
    player.page.locator("#loop select").select_option("7")
    until_true(player.page, "player.run.pass === 7")
    assert player.step == 12 and shown() > {"x_6", "v_6", "a_7"}  # the same step of another pass
    assert player.page.evaluate("document.activeElement.closest('#loop') !== null")
    player.press("Escape")
    assert player.step == 30 and "x_19" in shown()


def test_a_pass_of_a_loop_can_be_nudged(visit, saved):
    """The passes share one program: at its start it gives the values, the partials and the totals of each pass."""
    player = visit(saved("loop"), f"#zoom={[*trace('loop').names.values()].index('x_19')}.7&nudge=1")
    off = """() => {
        const {variables, edges, quantities, live, steps} = player.run, values = live.values(live.start), partials = live.partials(values);
        const far = (a, b) => Math.abs(a - b) / (1 + Math.abs(b)), number = place => quantities[place].number;
        const totals = [...player.run.totals(steps.length - 1)].map(([v, {quantity}]) => far(live.totals(partials)[v], number(quantity)));
        const local = edges.map(({partial}, e) => far(partials[e], number(partial)));
        return Math.max(...variables.map(({data}, v) => far(values[v], data)), ...local, ...totals);
    }"""
    for k in (7, 19):
        player.page.evaluate("k => location.hash = location.hash.replace(/[.].*/, `.${k}&nudge=1`)", k)
        until_true(player.page, "k => player.run.pass === k && player.state.act === 'nudge'", k)
        assert player.page.evaluate(off) < 1e-9
    assert player.page.locator(".chooser button").count() >= 3 and player.visible("#plot")
    before = player.text("#readout")
    player.press("ArrowUp")
    assert player.text("#readout") != before


def test_the_question_runs_a_loop_on_in_place_of_a_formula(visit, tmp_path):
    play(kepler).save(tmp_path / "page.html")
    said = visit(tmp_path / "page.html", "#question=1").page.evaluate("""() => [...Array(player.acts.question.length).keys()].map(k => {
        player.enter("question", k);
        return [document.querySelector("#narration").textContent, document.querySelectorAll("#question tr").length];
    })""")
    loops = [[text, rows] for text, rows in said if "more times" in text]
    assert len(loops) == 3 and all(text.startswith("Run the loop 10 more times: ") and rows == 2 for text, rows in loops)


def test_one_key_or_button_runs_over_a_loop(visit, saved):
    for run_over in (lambda p: p.press("l"), lambda p: p.page.click("#over-loop")):
        player = visit(saved("loop"), "#step=30")
        run_over(player)
        state = player.page.evaluate("player.run.variables[player.state.current].name")
        assert state == "m" and player.text("#loop span") == "" and player.page.locator("#over-loop").is_disabled()


def test_an_operation_within_a_statement_of_arrays_opens_into_its_entries(visit, tmp_path):
    def program():
        w, b = Tensor([[0.5], [-1.0]], name="w"), Tensor([0.25], name="b")
        h = np.tanh(np.array([[1.0, 2.0]]) @ w + b)
        return (h**2).sum()

    play(program, start="backward", detail="statements").save(tmp_path / "page.html")
    player = visit(tmp_path / "page.html")
    here = lambda: player.page.evaluate("[player.run.variables.map(v => v.name).join(' '), player.step]")
    node = lambda name: f"#node-{here()[0].split().index(name)}"
    player.go(5)
    player.page.locator(f"{node('h')} .zoom").click()
    assert here() == ["w v1 b v2 h z'", 1]
    player.page.evaluate("player.enter('nudge', 0)")
    assert player.visible("#plot") and "z'  changes by" in player.text("#readout").replace("\n", " ")
    player.go(3)
    player.page.locator(f"{node('v1')} .zoom").click()
    assert here() == ["w[0,0] v1 w[1,0] v2 v1[0,0] z''", 1] and "matmul" in player.text("#inside")
    player.press("Escape")
    assert here()[1] == 3 and player.page.evaluate("document.activeElement.id") == node("v1")[1:]
    player.press("z", "z", "Escape")
    assert here() == ["w b h z", 5]


def inner(place):
    """The trace through the function of a variable of the page "statements"."""
    whole = trace("statements")
    return {y: found for y, found, *_ in scalar_graphs(whole)}[whole.graph.variables[place]]


def test_axe_finds_no_serious_violation_inside(visit, saved):
    from tests.browser.test_accessibility import in_both_themes, violations

    assert not in_both_themes(visit(saved("matrices"), f"#zoom={PLACE['C']}&step=122"))
    assert not violations(visit(saved("statements"), "#step=30"))


def test_the_browsers_back_button_closes_the_zoom(matrices):
    matrices.go(24)
    before = matrices.frame()
    matrices.press("z", "ArrowLeft")
    matrices.page.go_back()
    until_true(matrices.page, "player.step === 24")
    assert matrices.frame() == before


def test_settings_survive_the_zoom(matrices):
    matrices.go(24)
    matrices.press("c", "z")
    assert matrices.text("#lang") == "show pseudocode"
    matrices.press("Home", "ArrowRight")
    assert matrices.page.locator("#code ol:visible li").count() == matrices.page.locator("#code ol:nth-child(2) li").count()
    matrices.press("q")
    assert matrices.pressed("predict")
    matrices.press("z")
    assert matrices.pressed("predict") and matrices.text("#lang") == "show pseudocode"


def test_a_loop_within_a_pass_opens_into_its_passes(visit, tmp_path):
    def program():
        x, w = Value(0.5), Value(1.1)
        for _ in range(5):
            y = x
            for _ in range(6):
                g = tanh(w * y)
                y = y + 0.3 * g
            x = x + y
        return x

    player = visit(Path(play(program).save(tmp_path / "page.html")), "#zoom=8.3&step=1")
    page = player.page
    page.locator(".node:has-text('4 more times') .zoom").click()
    page.select_option("#loop select", "4")
    until_true(page, "location.hash === '#zoom=8.3-4.4&step=1'")
    assert [name.split(" ")[0] for name in page.locator(".node > title").all_text_contents()] == ["y_15", "w", "g_16", "y_16"]
    player.press("Escape", "Escape")
    assert page.evaluate("location.hash") == "#step=1"


def markov():
    """A network, whose acts Nudge, Backward and Use show layers in place of the graph."""
    P, x = Tensor(np.full((4, 4), 0.25) + np.eye(4) / 8), Tensor(np.arange(4.0))
    for _ in range(10):
        x = P @ x
        x = x / np.sum(x)
    return np.sum((x - 0.25) ** 2)


def test_a_closed_pass_of_a_network_returns_the_focus_to_its_box_or_layer(visit, tmp_path):
    player = visit(Path(play(markov).save(tmp_path / "page.html")), "#question=1")
    x18 = player.page.evaluate("player.run.variables.findIndex(v => / more times/.test(v.equation))")
    focused = "() => document.activeElement.dataset.variable ?? document.activeElement.id.replace('node-', '')"
    for act, box in ("question", f"#node-{x18}"), ("backward", f".layer[data-variable='{x18}']"):
        player.page.evaluate("act => player.enter(act, 0)", act)
        player.page.locator(box).focus()
        player.press("z")
        assert player.page.evaluate("player.run.pass") == 2
        player.press("Escape")
        until(player.page, lambda: player.page.evaluate(focused) == f"{x18}", act)
