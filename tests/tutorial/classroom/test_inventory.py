"""The inventory: twenty questions, each wrong answer a known mistake, and each right number that of the engine."""

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

import tensorgrad as tg
from scalargrad import OrderError, Trace, Value
from tensorgrad import Tensor
from tutorial.classroom.live.source import INVENTORY, lesson
from tutorial.misconceptions import MISCONCEPTIONS

QUESTIONS = lesson("inventory").questions


def right(n):
    """Return the right choice of item n, as text."""
    question = QUESTIONS[n - 1]
    return question.choices[question.right].plain


def test_twenty_questions_are_a_draft_whose_wrong_answers_are_named():
    assert len(QUESTIONS) == 20 and "(draft)" in INVENTORY.read_text(encoding="utf-8").splitlines()[0]
    for question in QUESTIONS:
        believed = [choice.believes for choice in question.choices]
        assert believed.pop(question.right) == "" and set(believed) <= set(MISCONCEPTIONS) and question.chapter, question.plain
        assert all(choice.reply for choice in question.choices) and len(question.choices) == 4
    assert len({question.right for question in QUESTIONS}) == 4
    assert [number for number, question in enumerate(QUESTIONS, 1) if question.picture()] == [5, 7]


def slope(f, x):
    x = Value(x)
    f(x).backward()
    return x.grad


def test_the_numbers_of_the_scalar_items_are_the_engines():
    assert right(1) == str(float(Fraction(4) * Fraction("0.1")))
    assert right(2) == str(slope(lambda x: x * (2 * x), 3))
    assert right(3) == str(3 * 5)  # the slope of exp is its output, which was computed as 5
    assert right(4) == str(slope(lambda x: x * x + x, 3))
    x = Value(3)
    for _ in range(2):
        (x * x).backward()
    assert right(8) == str(x.grad)
    assert right(19) == f"{3 - 0.1 * 4:g}"


def test_the_orders_of_the_items_are_those_that_the_engine_accepts():
    def legal(z, variables):
        found = []
        for order in permutations(variables):
            try:
                Trace(z, order=order)
            except OrderError:
                continue
            found.append(", ".join(v.name for v in order))
        return found

    a = Value(2, name="a")
    h = a * a
    m = h * h
    z = h + m
    h.name, m.name, z.name = "h", "m", "z"
    assert right(5) == f"{legal(z, (z, m, h, a))[0]} only" and len(legal(z, (z, m, h, a))) == 1
    x = Value(1, name="x")
    y1, y2 = 2 * x, 5 * x
    w = y1 + y2
    y1.name, y2.name, w.name = "y1", "y2", "z"
    assert sorted(legal(w, (w, y1, y2, x))) == ["z, y1, y2, x", "z, y2, y1, x"] and right(6) == "Both"


def test_the_walk_of_item_7_passes_on_at_the_first_visit():
    a, h = 2, 4
    total = {"h": 1}
    total["a"] = total["h"] * 2 * a  # h passes on what it has, and then m adds to h
    total["h"] += 2 * h
    assert right(7) == str(total["a"])


def test_the_numbers_of_the_array_items_are_the_engines():
    g = np.array([1, 1])
    first = second = g
    first += 1
    assert right(10).startswith(str(second.tolist()))
    A, B, G = (np.random.default_rng(k).normal(size=(2, 2)) for k in range(3))
    t = Tensor(A)
    (t @ B).backward(G)
    assert right(11) == "G Bᵀ" and np.allclose(t.grad, G @ B.T)
    s = Tensor(np.log([2.0, 1.0, 1.0]))
    tg.softmax(s)[0].backward()
    assert right(12) == "-1/8" and s.grad[1] == pytest.approx(-1 / 8)
    x = Tensor([1.0, 2.0, 6.0])
    (6 * (x - x.mean())[0]).backward()
    assert float(right(13)) == pytest.approx(x.grad[0])


@pytest.mark.parametrize(
    "n, shape, upstream, said", [(14, (2,), [[2, 1], [1, 3], [6, 2]], "(9, 6)"), (15, (3, 1), [[1, 2], [3, 4], [5, 6]], "(3, 7, 11)")]
)
def test_what_is_broadcast_gets_a_sum(n, shape, upstream, said):
    b = Tensor(np.zeros(shape))
    (np.ones((3, 2)) + b).backward(np.array(upstream, float))
    assert right(n).startswith(said) and f"({', '.join(f'{entry:g}' for entry in b.grad.ravel())})" == said


def test_the_upstream_gradient_weighs_the_rows_and_a_changed_array_is_read_as_it_is():
    x = Tensor([3.0, 4.0])
    tg.stack([x[0] * x[1], x[0] + x[1]]).backward(np.array([2.0, 10.0]))
    assert right(16) == f"({x.grad[0]:g}, {x.grad[1]:g})"
    saved = np.exp(np.array([0.0]))
    saved[...] = 0
    assert right(18) == f"{(3 * saved)[0]:g}"
