"""Every text of the graph can be read, in 20 graphs, 4 sizes of windows and 2 themes. No text sticks out of its box."""

import random

import pytest

from scalargrad import Trace, Value, exp, log, nn
from scalargrad import sum as sum_of
from tests.browser.text_sizes import smaller
from tests.each import few_of
from viz import play

LEAST = {(1280, 720): 12, (1920, 1080): 15, (768, 1024): 11, (390, 844): 11}  # pixels
INDEX = 0.72  # an index or a power has this share of its text's size
SLACK = 1.5  # pixels
BOTH_THEMES = ("figure1", "matrices")  # the other graphs have one in each window: themes change only colours
SHORT, HIGHER = ("figure1", "square"), 12  # graphs that fit into every window, and the least height of their texts

SEEN = """slack => {
    const graph = document.querySelector('#graph');
    const seen = selector => [...graph.querySelectorAll(selector)].filter(e => e.checkVisibility());
    const scale = ({a, b}) => Math.hypot(a, b);
    const texts = seen('text, tspan').filter(e => e.textContent.trim())
        .map(e => [e.textContent, e.getAttribute('class') ?? '', parseFloat(getComputedStyle(e).fontSize) * scale(e.getScreenCTM())]);
    const sticking = seen('.node, .label').flatMap(e => {
        const box = e.querySelector('rect.box, rect').getBoundingClientRect();
        const inside = e.matches('.label') ? 'text' : '.name, .value, .total, .entries text';
        return [...e.querySelectorAll(inside)].filter(t => t.textContent.trim()).map(t => [t.textContent, t.getBoundingClientRect()])
            .filter(([, {left, right}]) => left < box.left - slack || right > box.right + slack).map(([text]) => text)
    });
    const window = graph.getBoundingClientRect();
    const current = graph.querySelector('.node.current .box')?.getBoundingClientRect();
    const beside = ({left, right, top, bottom}) =>
        Math.min(left - window.left, window.right - right, top - window.top, window.bottom - bottom);
    return [texts, sticking, current !== undefined && beside(current) < -1]
}"""


def perceptron(*sizes):
    random.seed(4)
    return Trace((nn.MLP(2, list(sizes))([Value(0.5, name="a"), Value(-1.5, name="b")]) - 1) ** 2, names={})


def softmax():
    scores = [Value(k, name=f"s{k}") for k in (1, 2, 3)]
    return Trace(log(sum_of(*map(exp, scores))) - scores[1])


def long_names():
    learning_rate, temperature = Value(0.001, name="learning_rate"), Value(-273.15, name="temperature")
    return Trace(learning_rate * temperature + temperature / 7)


def extremes():
    x, y = Value(1e-9, name="x"), Value(-1234567.0, name="y")
    return Trace(x * y + y / 3 + x)


GRAPHS = {
    "softmax": softmax,
    "long names": long_names,
    "extremes": extremes,
    "perceptron 2-1": lambda: perceptron(2, 1),
    "perceptron 3-1": lambda: perceptron(3, 1),
}
OF_OTHER_TESTS = (
    "attention",
    "figure1",
    "square",
    "two layers",
    "matrices",
    "ten children",
    "thirty",
    "thousand",
    *(f"random{seed}" for seed in range(7)),
)
FEW = "long names", "perceptron 3-1", "attention", "figure1", "matrices", "ten children", "thousand", "random3"


@pytest.fixture
def file_of(made, saved):
    return lambda name: made(f"heights {name}", lambda: play(GRAPHS[name]())) if name in GRAPHS else saved(name)


@pytest.mark.parametrize("name", few_of([*GRAPHS, *OF_OTHER_TESTS], FEW))
def test_every_text_of_the_graph_can_be_read_and_stays_in_its_box(visit, file_of, name):
    """At two steps in each window, and of some graphs in each theme, at others in the next. The current variable is in the window."""
    player = visit(file_of(name), "#step=1")
    for turn, ((width, height), least) in enumerate(LEAST.items()):
        least = max(least, HIGHER) if name in SHORT else least
        player.resize(width, height)
        themes = ("light", "dark") if name in BOTH_THEMES else (("light", "dark")[turn % 2],)
        for theme in themes:
            turn += 1
            player.page.emulate_media(color_scheme=theme)
            for share in ((1, 3), (2, 4))[turn % 2]:
                step = max(1, player.steps * share // 5)
                player.go(step)
                where, (texts, sticking, hidden) = (name, theme, width, step), player.page.evaluate(SEEN, SLACK)
                small = [(text, round(size, 1)) for text, kind, size in texts if size < least * (INDEX if kind == "small" else 1) - 0.05]
                assert texts and not small, where
                assert not sticking and not hidden, where


@pytest.mark.parametrize("size, least", [((1280, 720), 12), ((390, 844), 11)], ids=["desktop", "phone"])
def test_every_text_of_a_page_can_be_read_also_in_fractions_and_beside_the_map(visit, saved, size, least):
    player = visit(saved("newton"), "#question=1", viewport=dict(zip(("width", "height"), size)))
    for act, steps in {"question": [0], "nudge": [2], "backward": [9, 12], "use": [1]}.items():
        for step in steps:
            player.page.evaluate("([act, step]) => player.enter(act, step)", [act, step])
            assert smaller(player.page, least) == [], f"{act}, step {step + 1}"
