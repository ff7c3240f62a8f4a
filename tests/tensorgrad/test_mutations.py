"""Wrong rules, planted one at a time: the oracles of test_rules.py must fail and name the rule, and check() must find it.

`GENERIC` mistakes are made automatically in every slot of every rule. `TYPICAL` mistakes of each family, and mistakes of the
engine, are written out. Each mistake is removed after its test.
"""

import inspect
from collections import defaultdict

import numpy as np
import pytest

from tensorgrad import Tensor, backward, softmax
from tensorgrad.arrays.axes import expand_reduced
from tensorgrad.arrays.windows import sliding_windows, spatial_shape
from tensorgrad.checking.check import check
from tensorgrad.functions.class_losses import class_axis, per_sample
from tensorgrad.rule import Fast, rule_named
from tensorgrad.rules.images.convolution import convolution_input, convolution_weight
from tensorgrad.rules.images.pooling import with_kernel_axes
from tensorgrad.rules.images.unfolding import overlap_add, window_entries
from tensorgrad.rules.normalisation import in_front, last
from tensorgrad.rules.reductions import deviations
from tensorgrad.rules.variadic import EverySlot, VariadicRule
from tensorgrad.vjp import Vjp, vjp_by_names
from tests.each import each, swept
from tests.tensorgrad import test_rules as oracles
from tests.tensorgrad.case import Case
from tests.tensorgrad.cases import every_case

# square, so that a missing ᵀ does not change a shape
SQUARE = [Case(rule_named("matmul"), (3, 3), (3, 3)), Case(rule_named("linear"), (2, 3), (3, 3), (3,))]
_CASES = defaultdict(list)  # names that begin so are passed over by a search for names, which would take as long as the check
for _case in sorted([*every_case(), *SQUARE], key=lambda case: sum(np.size(a) for a in case.arrays())):
    _CASES[id(_case.function)].append(_case)
RULES = [rule for rule in oracles.RULES if id(rule) in _CASES]  # test_rules.py requires a case for each


def parts_of_rules():
    return [(rule.vjps, list(rule.vjps) if rule.arity else [], rule.fast, getattr(rule, "each", None)) for rule in RULES]


_BEFORE = parts_of_rules()


def ones_like(G):
    return G * 0 + 1


def transposed(right):
    return right.swapaxes(-1, -2) if right.ndim > 1 and right.shape[-1] == right.shape[-2] else right


# The wrong contribution, from the right one, the upstream gradient G, and `again`, which applies the right vjp to another G
# fmt: off
GENERIC = {
    "sign":       lambda right, G, again: -right,
    "twice":      lambda right, G, again: right * 2,
    "upstream":   lambda right, G, again: again(ones_like(G)),
    "is 0":       lambda right, G, again: right * 0,
    "transpose":  lambda right, G, again: transposed(right),
    "shifted":    lambda right, G, again: right + 1,
}
# fmt: on


def with_mistake(mistake):
    """Return a function that turns the right vjp into one with a mistake."""
    return lambda vjp: lambda G, *saved: mistake(vjp(G, *saved), G, lambda G: vjp(G, *saved))


def plant(monkeypatch, rule, slot, of):
    """Replace the vjp of a slot by of(right vjp)."""
    right = rule.vjps[slot]
    wrong = of(right.function)
    if isinstance(rule, VariadicRule):
        monkeypatch.setattr(rule, "each", wrong)
        monkeypatch.setattr(rule, "vjps", EverySlot(Vjp(wrong, (), right.formula)))
    else:
        wrong = Vjp(wrong, right.sources, right.formula)
        monkeypatch.setattr(rule, "vjps", [wrong if i == slot else vjp for i, vjp in enumerate(rule.vjps)])


def plant_in_kernel(monkeypatch, rule, slot, mistake):
    """Plant a mistake in what the fast kernel's backward gives for one slot."""
    kernels = rule.fast
    right = lambda G, aux, slots: list(kernels.backward(G, [*aux] if kernels.frees else aux, slots))

    def wrong(G, aux, slots):
        found = right(G, aux, slots)
        if slot in slots:
            at = slots.index(slot)
            found[at] = mistake(found[at], G, lambda G: right(G, aux, slots)[at])
        return found

    monkeypatch.setattr(rule, "fast", Fast(kernels.forward, wrong, kernels.frees))


def gradients(rule, case, vjps=True):
    """Return the gradients by the rule's vjps, or by its fast kernels if it has them."""
    kernels = rule.fast
    try:
        rule.fast = None if vjps else kernels
        return case.gradients(case.arrays())[1]
    finally:
        rule.fast = kernels


def differ(some, others):
    """Return whether two lists of gradients (None: there is none) differ."""
    same = lambda a, b: a is b or (np.shape(a) == np.shape(b) and np.allclose(a, b, 1e-6, 1e-9, equal_nan=True))
    return not all(map(same, some, others))


def complaint(monkeypatch, case):
    """Return the message of the first oracle that fails for the case, or None."""
    asked = []
    if case.zoomed:
        asked.append(oracles.test_the_gradient_equals_that_of_the_scalar_graph)
    if case.smooth:
        asked.append(oracles.test_the_gradient_equals_finite_differences)
    if case.smooth and case.second:
        asked.append(oracles.test_the_second_derivative_equals_finite_differences_of_the_first)
    try:
        for oracle in asked:
            oracle.of_one_case(case)
        if getattr(case.function, "fast", None) is not None:
            monkeypatch.setattr(oracles, "CASES", [case])
            oracles.test_fast_kernels_equal_the_rule.of_one_case(case.function)
    except AssertionError as red:
        return str(red)
    return None


def caught(rule, plant_it, what, vjps=True):
    """Return the first case that fails with the mistake that plant_it(monkeypatch) plants; None if the mistake changes no
    gradient.
    """
    made_a_difference = []
    for case in [case for case in _CASES[id(rule)] if case.zoomed or case.smooth]:
        right = gradients(rule, case, vjps)
        with pytest.MonkeyPatch.context() as monkeypatch:
            plant_it(monkeypatch)
            try:
                wrong = gradients(rule, case, vjps)
            except (ValueError, IndexError):
                continue  # the mistake raises an error here; another case must show it
            if differ(wrong, right):
                says = complaint(monkeypatch, case)
                if says is not None:
                    assert rule.name in says, f"{what}: the message does not name the rule:\n{says}"
                    return case
                made_a_difference.append(case)
    assert not made_a_difference, f"{what}: these cases do not go red: {made_a_difference}"
    return None


def checkable(case):
    return case.smooth and all(np.isfinite(a).all() for a in case.arrays())


def found_by_check(rule, case, what):
    """Return the problems that check() finds in the rule; raise AssertionError if there are none."""
    tensors = [Tensor(a) for a in case.arrays()]
    found = check(case(*tensors))
    problems = [p for p in found.problems if p.function == rule.name]
    assert problems, f"{what}: check() says of {case}: {found}"
    return problems


def try_mistake(rule, slot, word):
    """Try one generic mistake in one slot. Return True if it was caught, False if it changes nothing in this rule."""
    what, mistake = f"{rule.name}, input {slot}, {word}", GENERIC[word]
    in_vjp = lambda monkeypatch: plant(monkeypatch, rule, slot, with_mistake(mistake))
    in_kernel = lambda monkeypatch: plant_in_kernel(monkeypatch, rule, slot, mistake)
    case = caught(rule, in_vjp, what)
    if case is not None and rule.fast is not None:
        case = caught(rule, in_kernel, f"{what}, in the fast kernel", vjps=False)
    if case is not None and checkable(case):
        with pytest.MonkeyPatch.context() as monkeypatch:
            (in_kernel if rule.fast else in_vjp)(monkeypatch)
            problems = found_by_check(rule, case, what)
            if word in ("sign", "upstream", "is 0"):  # an upstream gradient of ones may give 0
                assert any(word in p.cause or "is 0" in p.cause for p in problems), f"{what}: check() says {problems[0]}"
    return case is not None


def slots_of(rule):
    return range(max(rule.arity, 1))


@swept("rule", RULES, every=12, ids=lambda rule: rule.name)
def test_a_mistake_in_any_slot_is_caught(rule):
    words = list(GENERIC)
    for slot in slots_of(rule):
        start = (sum(map(ord, rule.name)) + slot) % len(words)
        tried = words[start:] + words[:start]
        assert any(try_mistake(rule, slot, word) for word in tried), f"{rule.name}, input {slot}: no mistake makes a difference"


@pytest.mark.slow
@each("word", GENERIC)
@each("rule", RULES, ids=lambda rule: rule.name)
def test_every_mistake_in_every_slot_is_caught(rule, word):
    for slot in slots_of(rule):
        try_mistake(rule, slot, word)


# The typical mistakes of each family: a rule, the number of an input, a wrong vjp for it, what is wrong


def assigned(G, x_shape, index):
    whole = np.zeros(x_shape)
    whole[index] = G
    return whole


def along_all(x, axis):
    return tuple(range(x.ndim)) if axis is None else axis


def wide(a, x, axis, keepdims):
    return expand_reduced(np.asarray(a), x.shape, axis, keepdims)


def over_batch(x):
    return (0, *range(2, x.ndim))


def variance_of(x):
    return x.var(axis=over_batch(x), keepdims=True)


def channels(weight, x):
    return weight.reshape(1, -1, *[1] * (x.ndim - 2))


def reversed_kernel(weight):
    return weight[(..., *[slice(None, None, -1)] * (weight.ndim - 2))]


def window_max_ties_in_full(G, x, y, window):
    largest = sliding_windows(x, window, fill=np.nan) == with_kernel_axes(y, window)
    return overlap_add(with_kernel_axes(G, window) * largest, size=spatial_shape(x, len(window.kernel)), window=window)


def window_smooth_max_in_full(G, x, window):
    repeated = np.broadcast_to(with_kernel_axes(G, window), window_entries(x, window=window).shape)
    return overlap_add(repeated, size=spatial_shape(x, len(window.kernel)), window=window)


# fmt: off
TYPICAL = [
    # elementwise
    ("sub",         1, lambda G: G,                                               "the minus is lost"),
    ("mul",         0, lambda G, a: G * a,                                        "its own input instead of the other"),
    ("div",         1, lambda G, a, b: -G * a / b,                                "b instead of b²"),
    ("pow",         0, lambda G, a, b: G * b * a**b,                              "the exponent is not lowered"),
    ("square",      0, lambda G, x: G * x,                                        "the 2 is lost"),
    ("sqrt",        0, lambda G, y: G / y,                                        "the ½ is lost"),
    ("exp",         0, lambda G, x: G * x,                                        "the input instead of the output"),
    ("tanh",        0, lambda G, y: G * (1 - y),                                  "y instead of y²"),
    ("sigmoid",     0, lambda G, y: G * y,                                        "1 - y is lost"),
    ("log",         0, lambda G, y: G / y,                                        "the output instead of the input"),
    ("relu",        0, lambda G, x: G * (x >= 0),                                 "1 at the kink"),
    ("abs",         0, lambda G, x: G * np.where(x < 0, -1, 1),                   "1 at the kink"),
    ("maximum",     0, lambda G, a, b: G * (a >= b),                              "a tie goes to both in full"),
    ("minimum",     1, lambda G, a, b: G * (a < b),                               "the gradient goes to the loser"),
    ("clamp",       0, lambda G: G,                                               "passed on outside of the interval too"),
    # reductions
    ("sum",         0, lambda G, x, axis, keepdims: wide(G / x.size, x, axis, keepdims),                 "a mean for a sum"),
    ("mean",        0, lambda G, x, axis, keepdims: wide(G, x, axis, keepdims),                          "not divided by n"),
    ("prod",        0, lambda G, x, y, axis, keepdims: wide(G * y, x, axis, keepdims),                   "the entry itself stays in"),
    ("var",         0, lambda G, x, axis, keepdims: wide(2 * G, x, axis, keepdims) * x / x.size,         "the mean is not taken off"),
    ("std",         0, lambda G, x, axis, keepdims: wide(G, x, axis, keepdims) * deviations("std", x, axis), "not divided by y"),
    ("max",         0, lambda G, x, y, axis, keepdims: wide(G, x, axis, keepdims) * (x == wide(y, x, axis, keepdims)), "ties in full"),
    ("min",         0, lambda G, x, y, axis, keepdims: wide(G, x, axis, keepdims) * (x != wide(y, x, axis, keepdims)), "the others get it"),
    ("logsumexp",   0, lambda G, x, axis, keepdims: wide(G, x, axis, keepdims) * np.exp(x),              "not divided by the sum"),
    ("cumsum",      0, lambda G, x_shape, axis: np.cumsum(G, axis).reshape(x_shape),                     "summed from the wrong end"),
    # shapes
    ("reshape",     0, lambda G, x_shape: G.reshape(x_shape, order="F"),          "in another order"),
    ("transpose",   0, lambda G, axes: G.transpose(axes),                         "the same permutation, not its inverse"),
    ("flip",        0, lambda G: G,                                               "not turned back"),
    ("roll",        0, lambda G, shift, axis: np.roll(G, shift, axis),            "rolled on, not back"),
    ("tril",        0, lambda G: G,                                               "the entries above get some too"),
    ("pad_constant", 0, lambda G, x_shape: G[tuple([slice(n) for n in x_shape])],  "not from where x begins"),
    ("concatenate", 0, lambda G, slot, xs_shapes, axis: np.resize(G, xs_shapes[slot]), "always from the start"),
    ("stack",       0, lambda G, slot, axis: np.take(G, 0, axis),                 "always the first"),
    # indexing
    ("getitem",     0, assigned,                                                  "a repeated index is assigned, not added"),
    ("index_put",   0, lambda G: G,                                               "what was overwritten gets some too"),
    ("scatter_into_zeros", 0, lambda G, index, x_shape: np.resize(G, x_shape),           "from the start, not from where it went"),
    # linear algebra
    ("matmul",      0, lambda G, B: G @ B,                                        "B instead of Bᵀ"),
    ("matmul",      1, lambda G, A: A @ G,                                        "A instead of Aᵀ"),
    ("linear",      0, lambda G, W: G @ W.T,                                      "Wᵀ instead of W"),
    ("linear",      2, lambda G: G / G.shape[0],                                  "a mean over the batch"),
    ("inv",         0, lambda G, y: -y @ G @ y,                                   "the ᵀs are lost"),
    ("solve",       1, lambda G, A: np.linalg.solve(A, G),                        "A instead of Aᵀ"),
    ("det",         0, lambda G, A: G[..., None, None] * np.linalg.inv(A),        "A⁻¹ instead of the cofactors"),
    ("logabsdet",   0, lambda G, A: G[..., None, None] * np.linalg.inv(A),        "A⁻¹ instead of its transpose"),
    # windows
    ("convolution", 0, lambda G, weight, x_shape, stride, padding, dilation, groups:
        convolution_input(G, reversed_kernel(weight), x_shape, stride, padding, dilation, groups), "the kernel is turned round"),
    ("convolution", 1, lambda G, x, weight_shape, stride, padding, dilation, groups:
        reversed_kernel(convolution_weight(G, x, weight_shape, stride, padding, dilation, groups)),            "turned round"),
    ("convolution", 2, lambda G: G[0].sum(axis=tuple(range(1, G.ndim - 1))),      "the first of the batch alone"),
    ("window_max",  0, window_max_ties_in_full,                                   "ties all get it in full"),
    ("window_smooth_max", 0, window_smooth_max_in_full,                           "each entry of a window gets all of it"),
    # activations, normalisation, losses
    ("softmax",     0, lambda G, y: G * y,                                        "the sum over the others is lost"),
    ("log_softmax", 0, lambda G, y: G - np.exp(y),                                "the upstream gradient is not summed"),
    ("vector_norm", 0, lambda G, x, axis, keepdims: wide(G, x, axis, keepdims) * x, "not divided by the norm"),
    ("cholesky",    0, lambda G: np.tril(G),                                      "as if the matrix were its own factor"),
    ("standardise", 0, lambda G, x, weight, axes, eps:
        (G if weight is None else G * weight) / np.sqrt(x.var(last(axes), keepdims=True) + eps), "mean and variance as constants"),
    ("standardise", 1, lambda G, x, axes: (G * x).sum(in_front(x, axes)),     "x is not standardised"),
    ("standardise", 2, lambda G, axes: G.mean(in_front(G, axes)),             "a mean for a sum"),
    ("batch_norm",  0, lambda G, x, weight, eps: G * (1 if weight is None else channels(weight, x)) / np.sqrt(variance_of(x) + eps),
        "mean and variance as constants"),
    ("batch_norm",  1, lambda G, x: (G * x).sum(axis=over_batch(x)),              "x is not standardised"),
    ("batch_norm",  2, lambda G: G.mean(axis=over_batch(G)),                      "a mean for a sum"),
    ("mse_loss",    0, lambda G, input, target: 2 * G * (input - target),         "not divided by N"),
    ("mse_loss",    1, lambda G, input, target: 2 * G * (input - target),         "the sign"),
    ("nll_of_classes", 0, lambda G, logp, classes, weight, ignore_index, reduction:
        -per_sample(G, classes, weight, ignore_index, reduction, logp) * np.ones(logp.shape),             "not at the class alone"),
    ("cross_entropy_of_classes", 0, lambda G, x, classes, weight, ignore_index, reduction:
        softmax(x, axis=class_axis(x.shape)) * per_sample(G, classes, weight, ignore_index, reduction, x), "the 1 at the class is lost"),
]
# fmt: on


def replaced(rule, slot, wrong):
    """Return a function that replaces a vjp by `wrong`, and removes the fast kernel. The parameters of `wrong` name what it needs."""

    def plant_it(monkeypatch):
        monkeypatch.setattr(rule, "fast", None)
        if isinstance(rule, VariadicRule):
            monkeypatch.setattr(rule, "wanted", list(inspect.signature(wrong).parameters)[1:])
            plant(monkeypatch, rule, slot, lambda vjp: wrong)
        else:
            vjp = vjp_by_names(wrong, rule.places)
            monkeypatch.setattr(rule, "vjps", [vjp if i == slot else right for i, right in enumerate(rule.vjps)])

    return plant_it


@swept(("name", "slot", "wrong", "why"), TYPICAL, every=3, ids=[f"{m[0]}-{m[1]}-{m[3].replace(' ', '_')}" for m in TYPICAL])
def test_a_typical_mistake_is_caught(name, slot, wrong, why):
    rule = rule_named(name)
    plant_it = replaced(rule, slot, wrong)
    case = caught(rule, plant_it, f"{name}: {why}")
    assert case is not None, f"{name}: {why}: no case shows it"
    if checkable(case):
        with pytest.MonkeyPatch.context() as monkeypatch:
            plant_it(monkeypatch)
            found_by_check(rule, case, why)


# The engine


def edited(function, old, new):
    """Return `function` with one piece of its source replaced."""
    source = inspect.getsource(function)
    assert source.count(old) == 1, f"{old!r} stands {source.count(old)} times in {function.__name__}: plant the mistake elsewhere"
    space = dict(function.__globals__)
    exec(source.replace(old, new), space)
    return space[function.__name__]


def used_twice(A, b):
    h = A @ A + b
    return h * h + A * b


# fmt: off
ENGINE = [
    ("unbroadcast", "sum_over(contribution, repeated)", "contribution[:1]",                        "one row, not the sum over an axis"),
    ("unbroadcast", "sum_over(contribution, repeated)", "contribution.mean(repeated, None, None, True)", "the mean over an axis"),
    ("run_pass", "added(x._total, contribution)",                  "contribution",                 "overwritten instead of added"),
    ("run_pass", "added(x._total, contribution)",                  "added(2 * x._total, contribution)", "the first contribution twice"),
    ("run_pass", "if not waiting:",                                "if x._total is contribution:", "processed before all its children"),
    ("run_pass", "vjps[slot].passed(G, *saved)",                  "np.broadcast_to(G, y.shape)",  "the upstream gradient alone"),
]
# fmt: on


@pytest.mark.parametrize(("name", "old", "new", "why"), ENGINE, ids=[m[-1].replace(" ", "_") for m in ENGINE])
def test_a_mistake_of_the_engine_is_caught(monkeypatch, name, old, new, why):
    case = Case(used_twice, (3, 3), (3,))
    assert complaint(monkeypatch, case) is None
    assert check(case(*map(Tensor, case.arrays())))
    monkeypatch.setattr(backward, name, edited(getattr(backward, name), old, new))
    assert "used_twice" in complaint(monkeypatch, case)
    assert check(case(*map(Tensor, case.arrays()))).problems[0].function == "backpropagation"


def test_all_planted_mistakes_were_removed():
    assert parts_of_rules() == _BEFORE
