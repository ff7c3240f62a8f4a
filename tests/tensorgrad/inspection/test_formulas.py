"""The formulas of rules: every letter in them is an argument of the function, so that a graph's names can replace the letters."""

import re

import numpy as np

import tensorgrad as tg
from scalargrad import Trace
from scalargrad.formulas.notations import PRETTY
from scalargrad.formulas.symbols import Name, render
from tensorgrad import Tensor
from tensorgrad.inspection.formulas import function_formula, renamed
from tensorgrad.rule import TABLE
from tensorgrad.rules.elementwise_rule import Elementwise, VariadicElementwise
from tensorgrad.rules.variadic import VariadicRule
from tests.each import each

BY_HAND = [rule for rule in TABLE if not isinstance(rule, Elementwise | VariadicElementwise)]
VJPS = [
    *[(rule, name, rule.formula(slot)) for rule in BY_HAND for slot, name in enumerate(rule.input_names) if rule.vjps],
    *[(rule, "xᵢ", rule.each_formula) for rule in BY_HAND if isinstance(rule, VariadicRule)],
]
EVERYWHERE = {"y", "z", "n", "N", "a"}  # the output, the end, a count, the article


@each("rule, name, formula", VJPS, ids=[f"{rule.name}-{name}" for rule, name, _ in VJPS])
def test_every_letter_of_a_formula_is_an_argument(rule, name, formula):
    left, _, right = formula.partition("=")
    assert re.fullmatch(rf"dz/d{name}(\[[a-z,]+\])? ", left), f"the left side is not dz/d{name}"
    for output in re.findall("dz/d([A-Za-z]+)", right):
        assert output not in rule.input_names, f"dz/d{output} on the right is not an upstream gradient"
    indices = re.findall(r"\[([a-z0-9,+-]+)\]", formula) + re.findall("over ((?:[a-z], )*[a-z]):", formula)
    known = {*EVERYWHERE, *rule.input_names, *rule.option_names, *"".join(indices), *re.findall("with ([a-z]) =", formula)}
    letters = re.findall(r"(?<![A-Za-z0-9_'])([A-Za-z])(?![A-Za-z_ᵢⱼ])", re.sub("dz/d[A-Za-z]+", "dz", right))
    assert set(letters) <= known


def test_formulas_of_more_than_45_rules_are_tested():
    assert len(VJPS) > 70 and len({rule.name for rule, _, _ in VJPS}) > 45


def pretty(y, slot):
    z = y.sum()
    z.name = "z"
    return render(Trace(z).on.partial(y.node, slot).symbol, PRETTY)


def test_formulas_use_the_names_of_the_program():
    image, kernel = Tensor(np.ones((1, 1, 3)), name="image"), Tensor(np.ones((1, 1, 2)), name="kernel")
    y = tg.conv1d(image, kernel)
    y.name = "Y"
    assert "dz/dY[n,o,p] kernel[o,c,k]" in pretty(y, 0) and "dz/dY[n,o,p] image[n,c,q]" in pretty(y, 1)
    P, T = Tensor([0.25], name="P"), Tensor([1.0], name="T")
    y = tg.binary_cross_entropy(P, T, reduction="none")
    y.name = "Y"
    assert pretty(y, 0).startswith("dz/dY (P - T) / (P (1 - P))")
    y = tg.concatenate([P, T])
    y.name = "Y"
    assert [pretty(y, slot)[-1] for slot in (0, 1)] == ["P", "T"]


def test_the_letter_of_a_missing_input_stays():
    x = Tensor([[1.0, 2.0], [3.0, 4.0]], name="X")
    assert pretty(tg.batch_norm(x, training=True), 0).startswith("weight/σ")


def test_a_letter_with_a_hat_is_another_letter():
    assert render(renamed("x̂ dz/dy x", {"x": Name("v3")}, Name("Y"), "z"), PRETTY) == "x̂ dz/dY v₃"


def without_docstring(G, x):
    return 2 * x * G


@each("vjp, said", [(without_docstring, "without_docstring(dz/dY, X)"), (lambda G, x: 2 * x * G, "vjp(dz/dY, X)")])
def test_a_vjp_without_a_docstring_is_written_as_a_call(vjp, said):
    @tg.rule(vjp)
    def square(x):
        return x * x

    y = square(Tensor([3.0], name="X"))
    y.name = "Y"
    assert pretty(y, 0) == said


def written_call(y):
    return render(function_formula(y.node, lambda v: v.name or "v"), PRETTY)


def test_settings_are_written_as_in_the_call_and_defaults_are_left_out():
    x, w = Tensor(np.ones((1, 1, 4, 4)), name="x"), Tensor(np.ones((1, 1, 2, 2)), name="w")
    assert written_call(tg.conv2d(x, w)) == "conv2d(x, w)"
    assert written_call(tg.conv2d(x, w, stride=2, padding=1)) == "conv2d(x, w, stride=2, padding=1)"
    assert written_call(tg.conv2d(x, w, padding=((1, 0), (0, 0)))) == "conv2d(x, w, padding=((1, 0), (0, 0)))"
    assert written_call(tg.max_pool2d(x, 2)) == "max_pool2d(x, kernel_size=2)"
    assert written_call(tg.max_pool2d(x, (2, 3), stride=1)) == "max_pool2d(x, kernel_size=(2, 3), stride=1)"
    assert written_call(x.reshape(2, 2, 2, 2)) == "reshape(x, shape=(2, 2, 2, 2))"
    assert written_call(tg.cross_entropy(x[0, 0], np.array([0, 1, 2, 3]))).endswith("classes=[0, 1, 2, 3])")


def test_a_transpose_is_written_with_its_sign():
    A, x = Tensor(np.ones((2, 3)), name="A"), Tensor(np.ones((4, 2, 3)), name="x")
    assert written_call(A.T) == written_call(np.swapaxes(A, 0, 1)) == "Aᵀ"
    assert written_call(x.swapaxes(-1, -2)) == "xᵀ"
    assert written_call(x.swapaxes(0, 1)) == "swapaxes(x, axis1=0, axis2=1)"
