"""The gradient check for tensors: it passes what is right, kinks included, and names the function, the input, the entry and the cause."""

import tracemalloc
from collections import defaultdict

import numpy as np
import pytest

from scalargrad.modes import no_grad
from tensorgrad import Tensor, backward, checkpoint, det, function, matmul, softmax, tanh, where
from tensorgrad.checking.check import check
from tensorgrad.rule import TABLE, Fast, Rule
from tensorgrad.rules.variadic import VariadicRule
from tests.each import each, swept
from tests.tensorgrad.cases import every_case

DICE = np.random.default_rng(5)
M = Tensor([[3.0, 7.0], [2.0, 5.0]], name="M")
N = Tensor([[2.0, 1.0], [-1.0, 4.0]], name="N")
TALL = Tensor(DICE.standard_normal((4, 3)), name="TALL")
ROW = Tensor(DICE.standard_normal(3), name="ROW")
WIDE = Tensor(DICE.standard_normal((3, 5)), name="WIDE")
BIG = Tensor(DICE.standard_normal((40, 50)), name="BIG")


@pytest.fixture
def planted():
    """Makes a wrong rule of a forward function and its vjps; it does not stay in the table."""
    before = len(TABLE)
    yield lambda forward, *vjps, name="planted", **settings: Rule(forward, *vjps, name=name, **settings)
    del TABLE[before:]


def first(z, **settings):
    found = check(z, **settings)
    assert not found, "the planted mistake was not found"
    return found.problems[0]


# What is right passes


def found_right(case):
    tensors = [Tensor(a) for a in case.arrays()]
    z = case(*tensors)
    if z.node is not None and all(np.isfinite(t.data).all() for t in [*tensors, z]):
        found = check(z)
        assert found, f"{case}: {found}"


def one_of_each():
    """The middle one of the cases of each function, by size."""
    by_function = defaultdict(list)
    for case in sorted(every_case(), key=lambda case: sum(np.size(a) for a in case.arrays())):
        by_function[id(case.function)].append(case)
    return [cases[len(cases) // 2] for cases in by_function.values()]


@swept("case", one_of_each(), every=18, ids=repr)
def test_every_function_passes_its_check(case):
    found_right(case)


@pytest.mark.slow
@each("case", every_case(), ids=repr)
def test_every_case_passes_its_check_also_at_kinks(case):
    found_right(case)


def test_a_network_passes_in_both_kinds_of_floats():
    for dtype in (np.float64, np.float32):
        X, W, b = [Tensor(t.data, dtype=dtype) for t in (TALL, WIDE, Tensor(DICE.standard_normal(5)))]
        h = tanh(X @ W + b)
        assert check((h * h + h).sum()), f"{check((h * h + h).sum())} in {dtype}"


def test_checkpoints_and_functions_of_functions_pass_in_both_kinds_of_floats():
    @function
    def cube(x):
        return x * x * x

    for dtype in (np.float64, np.float32):
        x, w = Tensor([1.0, -2.0, 0.5], dtype=dtype), Tensor([0.3, 0.2, 0.7], dtype=dtype)
        found = check(checkpoint(lambda x: (cube(x) * w).tanh(), cube(x)).sum())  # noqa: B023
        assert found, f"{found} in {dtype}"
        assert found.compared == 25


def test_an_output_of_many_entries_and_an_input_used_several_times_pass():
    assert check(M @ M + M * M)


def test_a_variable_of_no_entries_passes():
    assert check((Tensor(np.zeros((0, 3))) * ROW).sum())


def test_it_changes_nothing_and_works_under_no_grad():
    x = Tensor([1.0, 2.0])
    z = (x * x).sum()
    with no_grad():
        assert check(z)
    z.backward()
    assert x.grad.tolist() == [2.0, 4.0]


def test_it_prints_that_all_is_well_and_how_much_it_compared():
    x = Tensor([1.0, 2.0])
    assert str(check((x * x).sum())) == "all 11 derivatives agree"


# What is wrong is named, with its input, its entry and the cause


def times(planted, left, right):
    return planted(lambda A, B: A @ B, left, right, name="times")


MATMUL = {
    "left": ("A", "B", lambda G, B: G @ B.T),
    "right": ("A", "B", lambda G, A: A.T @ G),
}


@pytest.mark.parametrize(
    ("left", "cause"),
    [
        (lambda G, B: (G @ B.T).T, "it is the transpose of what is expected: is a ᵀ missing?"),
        (lambda G, B: G @ B, "with Bᵀ instead of B it would be right"),
        (lambda G, B: G.T @ B.T, "with Gᵀ instead of G it would be right"),
        (lambda G, B: -G @ B.T, "the sign is wrong"),
        (lambda G, B: 2 * G @ B.T, "it is twice as much: is something counted twice?"),
        (lambda G, B: 4 * G @ B.T, "it is 4 times as much; 4 is the number of entries of the output: is a division missing?"),
        (lambda G, B: G @ B.T / 4, "it is 1/4 of what is expected; 4 is the number of entries of the output: is a mean taken for a sum?"),
        (lambda G, B: 0.3 * G @ B.T, "it is 0.3 times what is expected: is a factor wrong?"),
        (lambda G, B: np.ones(G.shape) @ B.T, "the upstream gradient is ignored: it must be a factor"),
        (lambda G, B: G + B.T, "twice the upstream gradient does not give twice as much"),
        (lambda G, B: 0 * G, "it is 0: is a term forgotten?"),
        (lambda G, A: A.T @ G, "that is what belongs to N: are the two exchanged?"),
        (lambda G, y: G * y, "that has the value of C in place of its slope"),
        (lambda G, B: (G @ B.T)[::-1], "these are the right numbers at wrong places"),
        (lambda G, B: G @ B.T @ B, "compare the vjp with its formula"),
    ],
)
def test_the_cause_is_guessed_from_the_pattern(planted, left, cause):
    C = times(planted, left, MATMUL["right"][2])(M, N)
    C.name = "C"
    problem = first(tanh(C * 0.1).sum())
    assert problem.function == "times"
    assert problem.what.startswith("the contribution of C to M at [")
    assert problem.cause.startswith(cause), problem
    assert problem.got != problem.expected


def test_what_is_printed_says_all_of_it(planted):
    C = times(planted, lambda G, B: (G @ B.T).T, MATMUL["right"][2])(M, N)
    C.name = "C"
    assert str(check(C.sum())) == (
        "times: the contribution of C to M at [0, 1] is -19.61, expected -41.25; "
        "it is the transpose of what is expected: is a ᵀ missing? (2 of 4 entries)"
    )


def test_the_entry_that_is_named_is_the_wrong_one(planted):
    def one_wrong(G, x):
        found = 2 * G * x
        found[2, 1] += 1
        return found

    square = planted(lambda x: x * x, one_wrong, name="square")
    problem = first(square(TALL).sum())
    assert problem.what.endswith("to TALL at [2, 1]")
    assert problem.got == pytest.approx(problem.expected + 1)
    assert "(1 of 12 entries)" in problem.cause


def test_the_second_input_is_told_from_the_first_where_both_are_one_variable(planted):
    assert "to M (input 2) at [0, 0]" in str(check(times(planted, MATMUL["left"][2], lambda G, A: -A.T @ G)(M, M)))


def test_a_missing_sum_over_a_broadcast_axis(planted):
    plus = planted(lambda a, b: a + b, lambda G: G, lambda G: G[0], name="plus")
    problem = first(plus(TALL, ROW).sum())
    assert "to ROW at [0]" in problem.what
    assert "only one of 4 terms is there: is the sum over the axis missing" in problem.cause


def test_a_mean_for_a_sum_over_a_broadcast_axis(planted):
    plus = planted(lambda a, b: a + b, lambda G: G, lambda G: G.mean(axis=0), name="plus")
    assert (
        "it is 1/4 of what is expected; 4 is the length of axis 0 of the output: is a mean taken for a sum?" in first(plus(TALL, ROW)).cause
    )


def test_a_lost_repeated_index(planted):
    def assigned(G, x_shape, index):
        found = np.zeros(x_shape)
        found[index] = G
        return found

    pick = planted(lambda x, index: x[index], assigned, name="pick")
    problem = first(pick(TALL, np.array([2, 0, 2, 2])).sum())
    assert problem.what.endswith("to TALL at [2, 0]")
    assert problem.cause.startswith("only one of 3 terms is there: what is used several times (a repeated index) gets the sum")


def test_a_mean_that_forgets_to_divide_and_a_sum_that_divides(planted):
    mean = planted(lambda x: np.mean(x), lambda G, x_shape: np.broadcast_to(G, x_shape), name="mean")
    assert "it is 12 times as much; 12 is the number of entries that go into one: is a division missing?" in first(mean(TALL)).cause
    total = planted(lambda x: np.sum(x), lambda G, x_shape: np.broadcast_to(G / 12, x_shape), name="total")
    assert "12 is the number of entries that go into one: is a mean taken for a sum?" in first(total(TALL)).cause


@pytest.mark.parametrize(
    ("vjp", "cause"),
    [
        (lambda G, B: (G @ B.T).T, "it is transposed: is a ᵀ missing?"),
        (lambda G, B: (G @ B.T).sum(axis=0), "it is not repeated along the axes that the function reduced"),
        (lambda G, B: (G @ B.T).ravel(), "it has as many entries, but must be reshaped"),
        (lambda G, B: np.zeros((7, 7)) + G.sum(), "a gradient has the shape of the variable it goes to"),
        (lambda G, B: B, "the upstream gradient is ignored"),
    ],
)
def test_a_contribution_of_a_wrong_shape(planted, vjp, cause):
    problem = first(times(planted, vjp, MATMUL["right"][2])(TALL, WIDE) * 2.0)
    assert problem.what.startswith("the shape of the contribution of v1 to TALL")
    assert (problem.function, problem.expected) == ("times", (4, 3))
    assert problem.cause.startswith(cause)


def test_a_vjp_that_raises_is_reported_with_the_remedy(planted):
    problem = first(times(planted, lambda G, B: G @ B, MATMUL["right"][2])(TALL, WIDE))
    assert problem.cause.startswith("its vjp raises ValueError: matmul: ")
    assert problem.cause.endswith("with Bᵀ instead of B it would be right")
    assert "is missing, expected an array of shape (4, 3)" in str(problem)


def test_a_rule_of_any_number_of_inputs(planted):
    def each(G, slot, xs_shapes):
        """dz/dx = G from where x begins"""
        return G[: xs_shapes[slot][0]]  # always the first block

    chained = VariadicRule(lambda *xs: np.concatenate(xs), each, name="chained")
    problem = first(chained(M, N) * 1.0)
    assert (problem.function, "to N at [0, 0]" in problem.what) == ("chained", True)
    assert "that is" in problem.cause or "compare the vjp with its formula: dz/dx = G from where x begins" in problem.cause


def test_a_wrong_fast_kernel_is_found_though_the_vjps_are_right(planted):
    fast = Fast(lambda slots, x: (x * x, x), lambda G, x, slots: [3 * G * x])
    square = planted(lambda x: x * x, lambda G, x: 2 * G * x, fast=fast, name="square")
    assert "it is 1.5 times what is expected" in first(square(TALL).sum()).cause


def test_a_function_or_a_checkpoint_with_a_mistake_inside_is_named(planted):
    bad = planted(lambda x: x * x, lambda G, x: G * x, name="bad")
    found = check(function(lambda x, w: bad(x) * w)(TALL, ROW).sum())
    assert [(p.function, "to TALL" in p.what) for p in found.problems] == [("<lambda>", True)]
    found = check(checkpoint(lambda x: bad(x) * ROW, TALL).sum())
    assert [(p.function, "to TALL" in p.what) for p in found.problems] == [("checkpoint", True)]


def test_the_first_wrong_function_from_z_on_comes_first(planted):
    bad = planted(lambda x: x * x, lambda G, x: G * x, name="bad")
    worse = planted(lambda x: x * x, lambda G, x: -2 * G * x, name="worse")
    found = check(worse(bad(M)).sum())
    assert [p.function for p in found.problems] == ["worse", "bad"]
    assert "(and 1 more further on)" in str(found)


# Large arrays


def test_one_wrong_entry_of_two_thousand_is_hunted_down(planted):
    def one_wrong(G, x):
        found = 2 * G * x
        found[31, 7] += 0.5
        return found

    square = planted(lambda x: x * x, one_wrong, name="square")
    assert first(square(BIG).sum()).what.endswith("to BIG at [31, 7]")


def test_large_arrays_are_sampled_so_the_function_is_not_replayed_for_every_entry(planted):
    calls = []

    def square(x):
        calls.append(1)
        return x * x

    z = planted(square, lambda G, x: 2 * G * x)(BIG)
    assert check(z, entries=10)
    assert len(calls) < 100
    assert check(z, entries=10, seed=3)


# Kinks, jumps and numbers that cannot be compared


def test_at_a_kink_any_slope_between_the_two_sides_is_accepted(planted):
    x = Tensor([-1.0, 0.0, 2.0])
    for at_kink in (0.0, 0.3, 1.0):
        relu = planted(lambda x: np.maximum(x, 0), lambda G, x: G * np.where(x == 0, at_kink, x > 0), name="relu")  # noqa: B023
        assert check(relu(x)), at_kink
    relu = planted(lambda x: np.maximum(x, 0), lambda G, x: G * np.where(x == 0, 1.2, x > 0), name="relu")
    assert first(relu(x)).what.endswith("to x at [1]")


def test_a_kink_close_by_is_no_problem(planted):
    largest = planted(lambda a, b: np.maximum(a, b), lambda G, a, b: G * (a > b), lambda G, a, b: G * (a < b), name="largest")
    a = Tensor(DICE.standard_normal(20) + 3)
    assert check(largest(a, Tensor(a.data * (1 + np.linspace(-9e-4, 9e-4, 20)))))


def test_at_a_jump_and_at_the_border_of_the_domain_there_is_no_slope(planted):
    assert check(planted(lambda x: np.sign(x), lambda G, x: 0 * G)(Tensor([0.0, 1.0])))
    assert check(planted(lambda x: np.sqrt(x), lambda G, y: G / y)(Tensor([0.0])))


def test_rounding_of_a_result_that_should_be_0_is_no_problem():
    assert check(det(Tensor([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [0.5, -1.0, 1.0]])))


@each("bad", [np.nan, np.inf])
def test_numbers_that_are_not_finite_are_refused_by_name(bad):
    x = Tensor([1.0, bad], name="x")
    with pytest.raises(ValueError, match=rf"check: x\[1\] is {bad}; .* change the inputs"):
        check((x * 2).sum())


def test_a_mask_of_infinities_that_the_program_puts_there_is_none_of_them(planted):
    shut = np.tril(np.ones((2, 2), bool))
    scores = where(shut, M, -np.inf)
    assert check(scores.exp().sum())
    wrong_exp = planted(lambda x: np.exp(x), lambda G, y: 2 * G * y, name="wrong_exp")
    assert "(3 of 3 entries looked at)" in first(wrong_exp(scores)).cause
    shutting = planted(lambda x: np.where(shut, x, -np.inf), lambda G: G, name="shutting")
    with pytest.raises(ValueError, match=r"is -inf"):
        check(shutting(M))  # nothing that it was given is infinite
    held = planted(lambda x, there, than: np.where(there, x, than), lambda G, than: G, lambda G, than: 0 * G, name="held")
    assert first(held(M, shut.astype(float), np.where(shut, 0, -np.inf)).exp()).what.endswith("to M at [0, 1]")
    with pytest.raises(ValueError, match=r"\[0\] is -inf"):
        check(Tensor([0.0]).log().exp().sum())


ADDED = np.where(np.tril(np.ones((2, 2), bool)), 0, -np.inf)
LEAF = Tensor(ADDED, name="mask")


@each(
    "masked",
    [
        lambda s: s + ADDED,
        lambda s: ADDED + s * 2,
        lambda s: s - -ADDED,
        lambda s: s + Tensor(ADDED, keep_grad=False),
        lambda s: s + LEAF,
        lambda s: (s + ADDED) * 0.5 + s[0],
        lambda s: np.maximum(s, -100.0) + ADDED,
        function(lambda s: s + ADDED),
        lambda s: checkpoint(lambda s: s + ADDED, s),
    ],
)
def test_a_mask_that_is_added_has_the_slope_of_the_other_term(masked):
    assert check(softmax(masked(M))[:, 0].sum())
    assert check(lambda s: softmax(masked(s))[:, 0].sum(), M)


def test_a_wrong_vjp_beside_a_mask_is_found(planted):
    for wrong in (lambda G: 2 * G, lambda G: -G, lambda G: G.T):
        added = planted(lambda s, mask: s + mask, wrong, lambda G: G, name="added")
        assert first(softmax(added(M, ADDED))[:, 0].sum()).function == "added"


@pytest.mark.parametrize("kind", [KeyError, TypeError, AttributeError, ZeroDivisionError, AssertionError, RecursionError])
def test_a_vjp_that_raises_while_a_mistake_is_diagnosed_does_not_end_the_check(planted, kind):
    def wrong(G, B):
        if not B.flags.c_contiguous:
            raise kind("a user's own mistake")
        return G @ B

    times = planted(lambda A, B: A @ B, wrong, lambda G, A: A.T @ G, name="times")
    assert first(times(M, N).sum()).what == "the contribution of v1 to M at [0, 0]"


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda G, B: G @ {}["W"], "its vjp raises KeyError: 'W'"),
        (lambda G, B: None, "it returned None; is `return` missing?"),
        (lambda G, B: 3.0, "the upstream gradient is ignored"),
        (lambda G, B: np.zeros(5), "a gradient has the shape of the variable it goes to"),
    ],
)
def test_a_vjp_that_fails_is_named_for_a_variable_and_for_a_function_of_arrays(planted, wrong, said):
    times = planted(lambda A, B: A @ B, wrong, lambda G, A: A.T @ G, name="times")
    for found in (check(times(M, N).sum()), check(lambda A, B: times(A, B).sum(), M, N)):
        assert not found and said in str(found)


def test_so_are_a_released_graph_a_lost_leaf_and_a_constant():
    x = Tensor([1.0, 2.0])
    z = (x * x).sum()
    z.backward()
    with pytest.raises(RuntimeError, match=r"check: z \(made by sum\) was released"):
        check(z)
    with pytest.raises(ValueError, match="the array of .* is gone; keep the tensor"):
        check((Tensor([1.0, 2.0]) * 3.0).sum())
    with pytest.raises(ValueError, match="constant"):
        check(Tensor(1.0, keep_grad=False))


def test_an_input_that_was_changed_after_its_use_is_found():
    x = Tensor([1.0, 2.0], name="x")
    z = (x * x).sum()
    x.data = [1.0, 5.0]
    assert "an input was changed after" in str(check(z))


# Totals


def diamond():
    """h = A A, z = sum(h + h·h): the right totals, and the variables."""
    A = Tensor([[0.5, 2.0], [-1.0, 1.5]], name="A")
    h = A @ A
    h.name = "h"
    square = h * h
    square.name = "square"
    z = (h + square).sum()
    totals = dict(backward.totals(z.node, np.ones(()), retain=True, wanted={A.node, h.node, square.node, z.node}))
    return A, h, square, z, totals


@each(
    ("wrong", "cause"),
    [
        (lambda right, h: -right, "the sign is wrong"),
        (lambda right, h: 2 * right, "it is counted twice: were gradients set to zero before?"),
        (lambda right, h: right.T, "it is the transpose of what is expected"),
        (lambda right, h: 4 * right, "4 times as much; 4 is the number of entries"),
        (lambda right, h: 0 * right, "it is 0: does nothing arrive there?"),
        (lambda right, h: np.ones((2, 2)), "only the contribution of"),
        (lambda right, h: 1 + h, "only the contribution of"),
        (lambda right, h: 1 + 3 * h, "is counted twice"),
        (lambda right, h: 1 + 1.5 * h, "sum the contributions dz/dy · ∂y/∂x of all children"),
        (lambda right, h: np.stack([right, right]), "the sum over axis 0 is missing, along which it was repeated"),
        (lambda right, h: right.sum(axis=0), "not repeated"),
    ],
)
def test_a_wrong_dictionary_of_totals_is_diagnosed_where_it_first_goes_wrong(wrong, cause):
    A, h, square, z, totals = diamond()
    wrong_total = wrong(totals[h], h.data)
    if cause.startswith("only") and not (wrong_total == 1).all():
        wrong_total = h.data  # what the product's first slot passes
    found = check(z, {**totals, h.node: wrong_total})
    assert not found
    assert found.problems[0].what.replace("the shape of ", "").startswith("dz/dh")
    assert cause in found.problems[0].cause


def test_the_upstream_gradient_that_was_ignored():
    A, h, square, z, totals = diamond()
    ignored = np.ones((2, 2)) @ A.data.T + A.data.T @ np.ones((2, 2))
    assert "the upstream gradient is ignored" in str(check(z, {**totals, A: ignored}))


def test_keys_may_be_tensors_interior_totals_may_be_left_out_and_leaves_may_not():
    A, h, square, z, totals = diamond()
    assert check(z, {A: totals[A]})
    assert check(z, {A: Tensor(totals[A])})
    assert "dz/dA is missing" in str(check(z, {h: totals[h]}))
    assert first(z, totals={A: totals[A] + np.eye(2)}).what == "dz/dA at [0, 0]"


def test_the_total_of_z_is_what_one_starts_from():
    A, h, square, z, totals = diamond()
    assert "what backward() starts from" in str(check(z, {**totals, z: np.array(2.0)}))
    with pytest.raises(ValueError, match="put the upstream gradient that you started from"):
        check(h, {A: totals[A]})
    G = np.array([[1.0, 2.0], [3.0, 4.0]])
    assert check(h, {h: G, A: G @ A.data.T + A.data.T @ G})


def test_a_broken_sum_over_broadcast_axes_in_the_engine_is_found(monkeypatch):
    z = (TALL * ROW).sum()
    assert check(z)
    monkeypatch.setattr(backward, "unbroadcast", lambda contribution, shape: contribution[0])
    assert str(check(z)).startswith("backpropagation: dz/dROW at [0]")


def test_hooks_are_taken_as_meant():
    x = Tensor([1.0, 2.0])
    y = x * x
    y.hooks.append(lambda G: G * 10)
    assert check((y * y).sum())


def test_what_it_looked_at_is_let_go():
    z = matmul(BIG, BIG.sum() * np.ones((50, 2))).sum()
    check(z)
    tracemalloc.start()
    check(z)
    left = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert left < 100_000


# A function at a point


def test_a_function_is_checked_at_its_inputs():
    A, B = np.linspace(-1, 1, 12).reshape(3, 4), np.linspace(0.1, 2, 20).reshape(4, 5)
    assert check(lambda A, B: tanh(A @ B), A, B)
    assert check(lambda x: (x * x).sum(), np.ones(3, np.float32)) and check(lambda x: x * x, Tensor([1.0, 2.0]))
    assert check(lambda x: abs(x), np.zeros(3)) and check(lambda x: x.sum(), np.ones(500), entries=10)


@each("many", [3, 500])
@each("f", [lambda x: x * x.detach(), lambda x: Tensor(x.data) * x, lambda x: (x + x.data).sum()], ids=["detached", "data", "summed"])
def test_a_part_that_was_detached_is_found_by_checking_the_function_and_not_its_graph(f, many):
    x = np.linspace(1, 2, many)
    assert check(f(Tensor(x)).sum())
    problem = check(f, x).problems[0]
    assert problem.what.startswith("∂f/∂x at [0]") if many == 3 else problem.what.startswith("∂f/∂x")
    assert "is a part of f detached, or computed from .data?" in problem.cause


def test_the_step_and_the_tolerance_of_the_differences_are_options(planted):
    almost = planted(lambda x: 2.0 * x, lambda G: 2.0002 * G)
    assert not check(almost, np.ones(3)) and check(almost, np.ones(3), tol=1e-3) and check(almost(Tensor(np.ones(3))), tol=1e-3, eps=1e-4)


@each(
    ("call", "says"),
    [
        (lambda x: check(lambda x: x), "check: f is a function; give its inputs too, check(f, x)"),
        (lambda x: check(lambda x: [x, x], 3.0), "check: f returned 2 tensors; it must return one"),
        (lambda x: check(lambda x: x, 3.0, totals={}), "check: totals= requires a variable z"),
        (lambda x: check(x, 5), "check: 5 is not a dictionary {x: dz/dx}"),
        (lambda x: check(x, tol="a"), "check: tol='a' is not a number"),
    ],
)
def test_check_used_wrongly_says_how_it_is_used(call, says):
    with pytest.raises(TypeError) as caught:
        call(Tensor(3.0))
    assert says in str(caught.value)


@each("size", [1e-160, 1e-310, 5e-324])
def test_contributions_below_the_smallest_normal_float_are_not_reported(size):
    x = Tensor([size, -size, 0.5])
    assert check((x * x.tanh() * size).sum()) and check(lambda x: (x * x * size).sum(), np.array([size, 2 * size]))
