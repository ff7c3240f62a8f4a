"""The sentences after "Why?": for every step of every schedule, full and short, for numbers of all kinds and for arrays."""

from fractions import Fraction
from functools import cache

import numpy as np

import scalargrad as sg
import tensorgrad as tg
from scalargrad import Trace, Value
from tests.browser import pages
from tests.each import each
from tests.viz.graphs import SCHEDULES, figure1_trace, thirty_variables
from viz.text.formatter import ASCII, UNICODE
from viz.text.mathml import SENTENCE
from viz.text.reasons import reason

LONGEST = 170  # characters: two lines of the page


def value(number, name="x"):
    return Value(number, name=name)


def of_one(function, number):
    x = value(number)
    y = function(x)
    y.name = "y"
    return Trace(y, names={})


def tensor(shape, name, seed=3):
    return tg.Tensor(np.random.default_rng(seed).normal(size=shape).round(2), name=name)


def attention():
    q, k, v = (tensor((3, 2), name, seed) for seed, name in enumerate("QKV"))
    return Trace((tg.softmax(q @ k.T / 2, axis=-1) @ v).sum(), names={})


def cross_entropy():
    scores = [value(n, name) for n, name in ((2.0, "s1"), (-1.0, "s2"), (0.5, "s3"))]
    return Trace(sg.log(sum((sg.exp(s) for s in scores), start=Value(0.0))) - scores[1], names={})


def convolution():
    return Trace(tg.conv2d(tensor((1, 1, 4, 4), "image"), tensor((1, 1, 3, 3), "kernel")).sum(), names={})


GRAPHS = {
    **{schedule: (lambda schedule=schedule: figure1_trace(schedule)) for schedule in SCHEDULES},
    **{
        f"matrices {schedule}": (lambda schedule=schedule: Trace(pages.MATRICES["z"], schedule=schedule))
        for schedule in SCHEDULES
        if schedule != "paths"
    },
    "square": pages.square,
    "two layers": pages.two_layers,
    "ten children": pages.ten_children,
    "thirty variables": thirty_variables,
    "random": lambda: pages.random_graph(4),
    "hostile": pages.hostile,
    "attention": attention,
    "cross-entropy": cross_entropy,
    "convolution": convolution,
    "an input alone": lambda: Trace(value(5.0), names={}),
    "fractions": lambda: of_one(lambda x: x * Fraction(1, 3) + 2 / x, Fraction(2, 7)),
    "tiny": lambda: of_one(lambda x: x / 3 - x * x, 1e-9),
    "negative relu": lambda: of_one(lambda x: sg.relu(x) + abs(x), -3),
    "positive relu": lambda: of_one(lambda x: sg.relu(x) + abs(x), 3),
    "exp, log": lambda: of_one(lambda x: sg.exp(x) * sg.log(x), 2.0),
    "tanh, sigmoid": lambda: of_one(lambda x: sg.tanh(x) + sg.sigmoid(x) + sg.softplus(x), 0.5),
    "waves": lambda: of_one(lambda x: sg.sin(x) * sg.cos(x) / sg.sqrt(x), 0.5),
    "powers": lambda: of_one(lambda x: x**3 + 2**x + x**x, 1.5),
    "largest": lambda: of_one(lambda x: sg.maximum(x, 2) + sg.minimum(x, 2) + sg.max(x, 1, x * 2), 3.0),
    "chosen": lambda: of_one(lambda x: sg.where(x > 0, x * 2, -x), -1.0),
    "not finite": lambda: of_one(lambda x: sg.log(x) * x, 0.0),
    "broadcasting": lambda: Trace(tg.mean(tensor((2, 3), "A") * tensor((3,), "b") + tensor((1,), "c")), names={}),
    "long names": lambda: Trace(value(2.0, "learning_rate") * value(3.0, "temperature_in_celsius"), names={}),
}


@cache
def trace(name):
    return GRAPHS[name]()


def test_there_are_thirty_graphs():
    assert len(GRAPHS) >= 30


@each("name", GRAPHS)
def test_each_step_has_a_full_sentence_that_fits_two_lines(name):
    made = trace(name)
    for i, step in enumerate(made):
        said = reason(made, i, UNICODE)
        assert said[:1].isupper() or any(said.startswith(UNICODE.name(n)) for n in made.names.values()), (step.act, said)
        assert said.endswith(".") and ".." not in said and "  " not in said and "None" not in said, (step.act, said)
        assert len(said) <= LONGEST or name == "hostile", (len(said), said)
        assert max(map(said.count, map(UNICODE.name, made.names.values())), default=0) <= 40, said


@each("name", ["topological", "matrices topological", "hostile", "not finite"])
def test_every_ink_can_write_them(name):
    made = trace(name)
    for i in range(len(made)):
        assert reason(made, i, ASCII).isascii() and "<img" not in reason(made, i, SENTENCE)


@each(
    "step, said",
    [
        (23, "Times 6: z takes x₁ times y₁, and y₁ is 6."),
        (25, "Along a path, factors multiply: a change passes this arrow first, then the rest of the way."),
        (28, "The change arrives along both ways at once, so the effects add up. A program that overwrites loses the first way."),
        (41, "Times 8: y₂ takes x₄ times itself, and both factors grow: 4 + 4 = 8."),
        (44, "x₄ is an input, so this is an answer: when x₄ grows a little, z grows 11 times as much."),
    ],
)
def test_figure_1(step, said):
    assert reason(trace("topological"), step) == said


def test_the_corner_of_relu_is_not_called_flat():
    made = of_one(sg.relu, 0)
    (said,) = [reason(made, i) for i, step in enumerate(made) if step.act == "partial"]
    assert said == "Times 0: at 0 relu has a corner, and we choose the slope 0."


def reasons_at(x, z, act):
    trace = Trace(z, names={})
    return [reason(trace, i) for i, step in enumerate(trace) if step.act == act and step.x is x]


@each("many, said", [
    (1, "first by y₀, and by nothing else: only one arrow leaves x."),
    (2, "first by y₁ and y₀: arrows go there. Both ways count."),
    (3, "first by y₂, y₁ and y₀: arrows go there. All these ways count."),
    (4, "first by its 4 children. Each of these ways counts."),
])  # fmt: skip
def test_a_visit_counts_the_children(many, said):
    x = value(3)
    children = [x * k for k in range(2, 2 + many)]
    for k, y in enumerate(children):
        y.name = f"y{k}"
    assert reasons_at(x, sum(children, start=value(0, "o")), "visit") == [f"A small change of x is felt {said}"]


@sg.function
def of_three(a, b, c):
    return a * b * c


@each(
    "make, said",
    [
        (lambda x: x * x, "twice, so a small change of x arrives there along 2"),
        (lambda x: of_three(x, x, x), "3 times, so a small change of x arrives there along 3"),
    ],
)
def test_a_visit_counts_the_edges_to_one_child(make, said):
    x = value(3)
    assert reasons_at(x, make(x), "visit") == [f"z takes x {said} arrows."]


def test_the_other_factor_of_a_square_is_the_number_itself():
    x = value(3)
    assert reasons_at(x, x * x, "partial") == ["Times 3: z takes x twice. For this arrow the other factor stays 3."] * 2


def test_a_partial_without_a_short_formula_is_said_by_its_ways():
    def program():
        a, b, c, s = Value(5.0), Value(4.0), Value(3.0), Value(6.5)
        area = sg.sqrt(s * (s - a) * (s - b) * (s - c))
        return area * area * a

    trace = Trace(program, detail="statements")
    (said,) = [reason(trace, i) for i, step in enumerate(trace) if step.act == "partial" and trace.names[step.x] == "s"]
    found = [float(number) for number in said.rpartition(": ")[2].rstrip(".").replace(" and", ",").split(", ")]
    assert said.startswith(f"Times {sum(found):.5f}"[:9]) and "inside area a change of s takes 4 ways" in said and len(found) == 4


@each(
    "make, said",
    [
        (lambda A: (A * A).sum(), True),
        (lambda A: tg.tanh(A).sum(), True),
        (lambda A: (A @ A).sum(), False),
        (lambda A: tg.cumsum(A).sum(), False),
        (lambda A: tg.softmax(A, axis=0).sum(), False),
        (lambda A: A.T.mean(), False),
    ],
)
def test_only_a_function_of_single_entries_is_done_entry_by_entry(make, said):
    trace = Trace(make(tensor((2, 2), "A")), names={})
    last = max(i for i, step in enumerate(trace) if step.act == "add" and "Along a path" in reason(trace, i))
    assert ("entry by entry" in reason(trace, last)) == said
