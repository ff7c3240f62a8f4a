"""z, the asked input and the nudged path are whole in the window, in every act, whatever graph and window."""

from pathlib import Path

import pytest

from scalargrad import Value
from tests.browser.in_view import ACTS, ALL, SIZES, in_view
from tests.viz.graphs import position
from tests.viz.graphs_of_others import PROGRAMS
from viz import play

A_FEW = {  # graphs for each size: one is a chain, one wide, one small, one of arrays
    (1280, 720): ["attention"],
    (1920, 1080): ["hub"],
    (1024, 768): ["affine"],
    (768, 1024): ["descent"],
    (390, 844): ["horner", "recursive_filter"],
}
of_size = pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))


@pytest.fixture
def file_of_position(made):
    return made("position", lambda: play(position))


def check_view(visit, file, size, few):
    player = visit(file, "#question=1", viewport=dict(zip(("width", "height"), size)))
    found = in_view(player, few=few)
    assert {step["act"] for step in found} == set(ACTS)
    assert [(step["act"], step["step"]) for step in found if not (step["z"] and step["asked"] and step["path"])] == []
    assert min(step["text"] for step in found) >= {(390, 844): 11, (1920, 1080): 16}.get(size, 12) - 0.05
    assert player.page.evaluate("document.documentElement.scrollWidth") <= size[0]
    return found


def test_what_is_outside_the_window_is_found(visit, saved):
    player = visit(saved("figure1"), "#step=1")
    player.page.evaluate("document.querySelector('.camera').style.translate = '200px'")
    found = in_view(player, ["nudge"], few=2)
    assert all(step["asked"] and not step["z"] and not step["path"] and not step["all"] for step in found)


@of_size
def test_all_of_figure_1_is_in_view_in_every_act(visit, saved, size):
    assert all(step["all"] for step in check_view(visit, saved("figure1"), size, few=4))


@of_size
def test_z_and_what_is_nudged_are_in_view_in_every_act(visit, saved, size):
    for name in A_FEW[size]:
        check_view(visit, saved(name), size, few=4)


@pytest.mark.slow
@of_size
@pytest.mark.parametrize("name", PROGRAMS)
def test_z_and_what_is_nudged_are_in_view_in_every_act_of_every_program(visit, saved, name, size):
    check_view(visit, saved(name), size, few=ALL)


def biquad():
    c = {"b0": Value(0.2), "b1": Value(0.4), "b2": Value(0.2), "a1": Value(-0.5), "a2": Value(0.3)}
    x1 = x2 = y1 = y2 = 0.0
    outputs = []
    for x in (1.0, 0.5, -0.25, 0.0):
        y = c["b0"] * x + c["b1"] * x1 + c["b2"] * x2 - c["a1"] * y1 - c["a2"] * y2
        outputs.append(y)
        x2, x1, y2, y1 = x1, x, y1, y
    return sum(y * y for y in outputs)


def test_a_graph_that_is_a_little_too_high_shows_a_part_in_every_act(visit, tmp_path):
    """The line below a whole graph counts before it is there."""
    player = visit(Path(play(biquad).save(tmp_path / "page.html")), "#question=1")
    seen = """() => ['question', 'nudge', 'backward', 'use', 'question'].map(act => {
        player.enter(act, 0);
        dispatchEvent(new Event('resize'));
        return [document.querySelector('#graph-panel').className, document.querySelector('#overview').checkVisibility()];
    })"""
    assert player.page.evaluate(seen) == [["panel near", True]] * 5


def test_what_a_step_looks_up_is_seen_after_another_act(visit, file_of_position):
    """The page is as if it were not wide for a moment, when it measures; the boxes that scroll stay where they are."""
    player = visit(file_of_position, "#question=1")
    seen = """async k => {
        const painted = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
        player.enter('question', 0);
        await painted();
        player.enter('backward', k);
        await painted();
        const box = document.querySelector('#computed'), row = box.querySelector('.get, .new') ?? box.lastChild;
        const around = box.getBoundingClientRect(), {top, bottom} = row.getBoundingClientRect();
        return box.scrollTop > 0 && top >= around.top - 4 && bottom <= around.bottom + 4 && !row.classList.contains('cut');
    }"""
    assert [player.page.evaluate(seen, k) for k in (38, 64, 73)] == [True] * 3


def test_in_nudge_and_use_the_line_of_the_program_takes_one_line(visit, file_of_position):
    player = visit(file_of_position, "#question=1")
    lines = """act => {
        player.enter(act, 0);
        const {height} = document.querySelector('#where').getBoundingClientRect();
        return [document.querySelector('#where').textContent.includes('cost'), Math.round(height / 16)];
    }"""
    assert [player.page.evaluate(lines, act) for act in ("nudge", "use")] == [[True, 1]] * 2


def test_on_a_phone_no_factor_lies_on_a_fold(visit, saved):
    player = visit(saved("predator_and_prey"), "#nudge=1", viewport={"width": 390, "height": 844})
    seen = """k => {
        document.querySelectorAll('.chooser button')[k].click();
        const [factors, folds] = ['.factor:not(.crowded)', '.fold'].map(name => [...document.querySelectorAll(`#graph ${name}`)]
            .filter(e => e.checkVisibility() && e.textContent).map(e => e.getBoundingClientRect()));
        const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
        return [factors.length > 0, folds.length > 0, factors.some(a => folds.some(b => meet(a, b)))];
    }"""
    factors, folds, met = zip(*(player.page.evaluate(seen, k) for k in range(3)))
    assert all(factors) and any(folds) and not any(met)


def test_a_window_without_room_for_a_path_says_how_much_of_it_folds_hold(visit, saved):
    player = visit(saved("four_hundred"), "#nudge=1", viewport={"width": 390, "height": 844})
    seen = """k => {
        document.querySelectorAll('.chooser button')[k].click();
        const {run, state} = player, path = new Set([state.nudged]), folded = document.querySelector('#overview .folded');
        for (const v of path) run.edges.forEach(({input, output}) => input === v && path.add(output));
        const hidden = [...path].filter(v => !document.querySelector(`#graph #node-${v}`)).length;
        const [{bottom, right}, panel] = [folded, document.querySelector('#graph-panel')].map(e => e.getBoundingClientRect());
        return [hidden, folded.checkVisibility() ? folded.textContent : '', bottom <= panel.bottom + 1 && right <= panel.right];
    }"""
    found = [player.page.evaluate(seen, k) for k in range(4)]
    for hidden, said, is_inside in found:
        assert said == (f"{hidden} more on the path, in folds: the numbers include {'it' if hidden == 1 else 'them'}." if hidden else "")
        assert is_inside
    assert any(hidden for hidden, *_ in found)
