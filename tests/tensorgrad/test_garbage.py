"""Every public function, given garbage in place of each of its arguments: a result, or one error that names the function, and soon."""

import datetime
import inspect
import warnings
from fractions import Fraction

import numpy as np

import tensorgrad as tg
from scalargrad import Value
from tensorgrad import Tensor
from tensorgrad.families import PUBLIC
from tensorgrad.rule import Rule
from tests.each import each, swept
from tests.tensorgrad.cases import every_case

GARBAGE = [
    *(None, "x", b"x", "", 1j, float("nan"), -1, 0, 1.5, True, object(), ..., slice(2), range(3), Fraction(1, 3), int),
    *([], (), [[1], [2, 3]], ["a"], {}, {1: 2}, {1}, [None], [object()], [[[]]], iter([1]), lambda: 1, datetime.date(2000, 1, 1)),
    *(np.array("x"), np.array([1j]), np.array([None]), np.datetime64("2000"), np.float16(2), np.ones(0), np.zeros((0, 3)), np.array(2)),
    *(np.ma.array([1.0], mask=[True]), Tensor(1.0), Tensor(1.0, keep_grad=False), Tensor(np.ones((2, 3))), Value(1.0)),
]
HUGE = [2**63, 10**30, -(2**63)]  # of which no memory holds so many

_CASES: dict = {}  # a search for names in this module, as each message makes one, passes over it
for _case in every_case():
    _CASES.setdefault(id(_case.function), _case)


def calls(name, values):
    """(what is given, a call) of the function of that name, with each of the values in the place of each of its arguments."""
    function = PUBLIC[name]
    signature = function.signature if isinstance(function, Rule) else inspect.signature(function)
    case = _CASES.get(id(function))
    words = [n for n, p in signature.parameters.items() if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    arrays = case.arrays() if case else [np.ones((2, 3))]
    given = {**dict(zip(words, arrays)), **(case.options if case else {})}
    for word in words:
        for value in values:
            yield f"{word}={value!r}", lambda word=word, value=value: function(**{**given, word: value})


def must_answer(name, what, call):
    function = PUBLIC[name]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            call()
    except (TypeError, ValueError, IndexError, MemoryError) as refusal:
        assert str(refusal).startswith(function.__name__), f"{name}({what}): {refusal}"
        assert "\n" not in str(refusal)


@swept("name", PUBLIC, every=9)
def test_garbage_is_answered_by_the_function_that_was_called(name):
    for what, call in calls(name, GARBAGE):
        must_answer(name, what, call)


@each("name", PUBLIC)
def test_absurd_numbers_are_answered_at_once(name):
    for what, call in calls(name, HUGE):
        must_answer(name, what, call)


X = Tensor([1.0, 2.0], name="X")
square = lambda x: (x * x).sum()
WHOLE_LIBRARY = {  # what is not a function of arrays: calls with garbage in the place of one argument
    "grad": [lambda g: tg.grad(g, X), lambda g: tg.grad(square(X), g), lambda g: tg.grad(square(X), X, g)],
    "value_and_grad": [lambda g: tg.value_and_grad(g, X), lambda g: tg.value_and_grad(square, g)],
    "jacobian": [lambda g: tg.jacobian(g, X), lambda g: tg.jacobian(square, g), lambda g: tg.jacobian(lambda x: g, X)],
    "hessian": [lambda g: tg.hessian(g, X), lambda g: tg.hessian(square, g), lambda g: tg.hessian(lambda x: g, X)],
    "vjp": [lambda g: tg.vjp(g, X), lambda g: tg.vjp(square, g), lambda g: tg.vjp(square, X, g)],
    "jvp": [lambda g: tg.jvp(g, X, X), lambda g: tg.jvp(square, g, X), lambda g: tg.jvp(square, X, g)],
    "hvp": [lambda g: tg.hvp(g, X, X), lambda g: tg.hvp(square, g, X), lambda g: tg.hvp(square, X, g)],
    "zoom": [tg.zoom, lambda g: tg.zoom(square(X), names=g), lambda g: tg.zoom(square(X))[g]],
    "check": [tg.check, lambda g: tg.check(square(X), g)],
    "checkpoint": [tg.checkpoint, lambda g: tg.checkpoint(lambda x: g, X)],
    "memory": [tg.memory],
    "rule": [tg.rule, lambda g: tg.rule(g)(lambda x: x)],
    "Tensor": [Tensor, lambda g: Tensor([1.0], dtype=g), lambda g: Tensor([1.0], name=g), lambda g: [1, 2][g]],
    "backward": [lambda g: (X * X).backward(g)],
    "data and grad": [lambda g: setattr(Tensor([1.0, 2.0]), "data", g), lambda g: setattr(Tensor([1.0, 2.0]), "grad", g)],
    "operators": [
        lambda g: X + g,
        lambda g: g - X,
        lambda g: X @ g,
        lambda g: g == X,
        lambda g: g < X,
        lambda g: X[g],
        lambda g: np.add(X, g),
    ],
}


@each("name", WHOLE_LIBRARY)
def test_garbage_is_refused_as_of_the_wrong_kind_everywhere(name):
    for call in WHOLE_LIBRARY[name]:
        for value in GARBAGE:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    call(value)
                except (TypeError, ValueError, IndexError) as refusal:
                    assert str(refusal)
