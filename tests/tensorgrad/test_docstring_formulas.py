"""The formulas and the derivatives in the docstrings of functions that work entry by entry are those that the engine computes."""

import inspect
import re

import numpy as np
import pytest

from tensorgrad import Tensor
from tensorgrad.families import PUBLIC
from tests.each import each

N = 4
SCALE, ALPHA = 1.0507009873554805, 1.6732632423543772
LOSSES = "l1_loss smooth_l1_loss huber_loss binary_cross_entropy binary_cross_entropy_with_logits kl_div gaussian_nll_loss poisson_nll_loss"
OTHERS = "lerp addcmul addcdiv safe_log selu celu hardsigmoid logsigmoid softsign mish cosine_similarity normalize dot"
SAME = {"p": "input", "t": "target"}  # the short names of formulas
OPTIONS = {"addcmul": {"value": 3.0}, "addcdiv": {"value": 3.0}, "celu": {"alpha": 0.7}, "safe_log": {"eps": 0.5}}
OPTIONS |= {"cosine_similarity": {"axis": 0}, "normalize": {"axis": 0}, "smooth_l1_loss": {"beta": 0.4}, "huber_loss": {"delta": 0.6}}
ARRAYS = {"a", "b", "x", "weight", "input", "target", "var", "x1", "x2", "A", "B"}


def as_python(text):
    """Return a formula of a docstring as an expression of Python."""
    if found := re.fullmatch(r"(.*?) where (.*?), else (.*)", text):
        return f"where({as_python(found[2])}, {as_python(found[1])}, {as_python(found[3])})"
    for pattern, python in ((r"dz/d(\w+)", r"G_\1"), (r"\|([^|]+)\|", r"size(\1)"), ("·", "*"), ("²", "**2"), ("Σ ([^/]*)", r"sum(\1)")):
        text = re.sub(pattern, python, text)
    return text


def at(lines, names):
    """Return y, and {variable: its gradient}, from the lines y = ... and dz/dx = ..., and the definitions beside and between them."""
    found, formula_of_y = {}, "y"
    for line in lines:
        line, *definitions = re.split(", with |; ", line)
        for definition in definitions:
            name, _, formula = definition.partition(" = ")
            names[name] = eval(as_python(formula), names)
        if derivative := re.fullmatch(r"dz/d(\w+) = (.*)", line):
            found[derivative[1]] = names[f"G_{derivative[1]}"] = eval(as_python(derivative[2]), names)
        elif line.startswith("y = "):
            formula_of_y = line.removeprefix("y = ")
        elif definition := re.fullmatch(r"(\w) = (.*)", line):
            names[definition[1]] = eval(as_python(definition[2]), names)
    return eval(as_python(formula_of_y), names), found


@each("name", (LOSSES + " " + OTHERS).split())
def test_the_formulas_of_a_docstring_are_those_of_the_engine(name):
    function, draw = PUBLIC[name], np.random.default_rng(7)
    parameters = [p for p in inspect.signature(function).parameters if p in ARRAYS]
    parameters = parameters if name not in LOSSES.split() else [p for p in parameters if p != "weight"]
    given = {p: Tensor(draw.uniform(0.2, 0.8, N), name=p) for p in parameters}
    if name == "hardsigmoid":
        given["x"] = Tensor([-4.0, -1.0, 2.0, 5.0], name="x")
    if name in ("selu", "celu", "mish", "softsign", "logsigmoid"):
        given["x"] = Tensor([-2.0, -0.5, 0.4, 3.0], name="x")
    y = function(**given, **OPTIONS.get(name, {}))
    G = draw.normal(size=y.shape)
    (y * G).sum().backward()
    options = {n: p.default for n, p in inspect.signature(function).parameters.items()} | OPTIONS.get(name, {})
    names = {**options, **{p: x.data for p, x in given.items()}, "G_y": G, "y": y.data, "N": N, "max": np.maximum, "scale": SCALE}
    names |= {
        "alpha": OPTIONS.get(name, {}).get("alpha", ALPHA),
        "sum": np.sum,
        "where": np.where,
        "exp": np.exp,
        "log": np.log,
        "tanh": np.tanh,
    }
    names |= {"sign": np.sign, "clamp": np.clip, "sigmoid": lambda x: 1 / (1 + np.exp(-x)), "softplus": lambda x: np.log1p(np.exp(x))}
    whole = name in ("cosine_similarity", "normalize")
    names |= {"size": (lambda x: np.sqrt(np.sum(x * x))) if whole else np.abs}
    names |= {short: names[long] for short, long in SAME.items() if long in given}
    names |= {"d": names["input"] - names["target"], "v": names.get("var")} if "target" in given else {}
    names |= {"x": names["input"]} if name == "poisson_nll_loss" else {}
    lines = [line.strip() for line in inspect.cleandoc(function.__doc__).split("\n") if line.startswith("    ")]
    value, found = at(lines, names)
    assert found and y.data == pytest.approx(value, rel=1e-9, abs=1e-12), name
    for short, gradient in found.items():
        x = given[short if short in given else SAME.get(short, "input")]
        assert x.grad == pytest.approx(np.broadcast_to(gradient, x.shape), rel=1e-9, abs=1e-12), (name, short)
