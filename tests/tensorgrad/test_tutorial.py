"""The tutorial's second half in its own numbers: the chain rule in bulk, equation (3), and dz/dB = G_BC + G_BE."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scalargrad import Graph, Value, backpropagation
from tensorgrad import Tensor, grad, zoom
from tensorgrad.rule import TABLE
from tests.each import each

# fmt: off
A_DATA = [[3, 7],
          [2, 5]]
B_DATA = [[2, 0],
          [0, 4]]
D_DATA = [[5, 3],
          [1, 9]]
# fmt: on


def product(keep=(True, True)):
    """z = sum(A B), and all variables by name."""
    A, B = Tensor(A_DATA, name="A", keep_grad=keep[0]), Tensor(B_DATA, name="B", keep_grad=keep[1])
    C = A @ B
    return {"A": A, "B": B, "C": C, "z": C.sum()}


def fan_out():
    """C = A B, E = B + D, W = C + E, z = sum(W): B is an input of two functions."""
    A, B, D = Tensor(A_DATA, name="A"), Tensor(B_DATA, name="B"), Tensor(D_DATA, name="D")
    C = A @ B
    E = B + D
    W = C + E
    return {"A": A, "B": B, "C": C, "D": D, "E": E, "W": W, "z": W.sum()}


def contributions(y, upstream):
    """{name of input: G_XY}: what the backward function of y passes to each of its inputs, given dz/dY."""
    node = y.node
    return {x.name: np.asarray(G) for (x, _, _), G in zip(node.edges, node.rule.contributions(node, np.array(upstream, float)))}


def equal(got, expected):
    np.testing.assert_array_equal(got, np.array(expected, float), strict=True)


# z = sum(A B)


def test_the_values():
    v = product()
    equal(v["C"].data, [[6, 28], [4, 20]])
    assert v["z"].data == 58 and v["z"].shape == ()


def test_the_gradients():
    v = product()
    v["C"].keep_grad = True
    v["z"].backward()
    equal(v["A"].grad, [[2, 4], [2, 4]])
    equal(v["B"].grad, [[5, 5], [12, 12]])
    equal(v["C"].grad, [[1, 1], [1, 1]])


def test_the_pattern_that_the_tutorial_reads_off():
    v = product()
    ones, A, B = np.ones((2, 2)), v["A"].data, v["B"].data
    equal(grad(v["z"], v["A"], retain_graph=True), ones @ B.T)
    equal(grad(v["z"], v["B"]), A.T @ ones)


def test_the_eight_scalar_derivatives_and_the_four_of_c():
    v = product()
    seen = zoom(v["z"], number=int)
    a, b, c = ({(i + 1, j + 1): seen[v[name]][i, j] for i in range(2) for j in range(2)} for name in "ABC")
    found = backpropagation(seen.z)
    entry = {name: {place: x.data for place, x in entries.items()} for name, entries in (("a", a), ("b", b))}
    for i in (1, 2):
        for j in (1, 2):
            assert found[c[i, j]] == 1
            assert found[a[i, j]] == entry["b"][j, 1] + entry["b"][j, 2]
            assert found[b[i, j]] == entry["a"][1, i] + entry["a"][2, i]
    assert [a[1, 2].name, b[2, 1].name] == ["a12", "b21"]
    assert (found[a[1, 1]], found[a[1, 2]], found[b[1, 1]], found[b[2, 2]]) == (2, 4, 5, 12)


def test_a_matrix_product_is_eight_products_and_four_sums():
    v = product()
    seen = zoom(v["C"].node)
    made = {y for c in seen.entries.ravel() for y in Graph(c).variables if y.inputs}
    assert Counter("sum" if y.rule.name == "add" else y.rule.name for y in made) == {"mul": 8, "sum": 4}
    assert [[c.data for c in row] for row in seen.entries] == [[6, 28], [4, 20]]


def test_each_entry_of_c_is_the_formula_of_the_tutorial():
    v = product()
    seen = zoom(v["C"].node, number=int)
    a, b = seen[v["A"]], seen[v["B"]]
    for i in range(2):
        for j in range(2):
            derivatives = backpropagation(seen.entries[i, j])  # c_ij = a_i1·b_1j + a_i2·b_2j
            expected = {a[i, 0]: b[0, j].data, b[0, j]: a[i, 0].data, a[i, 1]: b[1, j].data, b[1, j]: a[i, 1].data}
            assert {x: d for x, d in derivatives.items() if not x.inputs} == expected


def test_the_backward_function_of_sum_gives_ones():
    equal(contributions(product()["z"], 1)[None], np.ones((2, 2)))


def test_a_gradient_has_the_shape_of_its_tensor():
    v = fan_out()
    for x, g in zip(v.values(), grad(v["z"], list(v.values()))):
        assert g.shape == x.shape


# Equation (3)


@given(st.tuples(*[st.integers(1, 5)] * 3), st.integers(0, 2**32 - 1))
def test_equation_3_for_any_shapes_and_any_scalar_function(mnp, seed):
    m, n, p = mnp
    dice = np.random.default_rng(seed)
    A, B = Tensor(dice.integers(-9, 10, (m, n))), Tensor(dice.integers(-9, 10, (n, p)))
    C = A @ B
    z = (C * C * Tensor(dice.integers(-3, 4, (m, p)), keep_grad=False)).sum()
    dA, dB, dC = grad(z, [A, B, C])
    equal(dA, dC @ B.data.T)
    equal(dB, A.data.T @ dC)


def test_equation_3_is_what_the_rule_says_of_itself():
    rule = product()["C"].rule
    assert rule is next(r for r in TABLE if r.name == "matmul")
    assert [rule.formula(slot) for slot in (0, 1)] == ["dz/dA = dz/dC Bᵀ", "dz/dB = Aᵀ dz/dC"]


# Fan-out: B is an input of matmul and of add


def test_the_values_with_fan_out():
    v = fan_out()
    equal(v["E"].data, [[7, 3], [1, 13]])
    equal(v["W"].data, [[13, 31], [5, 33]])
    assert v["z"].data == 82


def test_the_contributions_and_their_sum():
    v = fan_out()
    dC, dE = grad(v["z"], [v["C"], v["E"]], retain_graph=True)
    G_BC, G_BE = contributions(v["C"], dC)["B"], contributions(v["E"], dE)["B"]
    equal(G_BC, [[5, 5], [12, 12]])
    equal(G_BE, [[1, 1], [1, 1]])
    v["z"].backward()
    equal(v["B"].grad, G_BC + G_BE)
    equal(v["B"].grad, [[6, 6], [13, 13]])
    equal(v["A"].grad, [[2, 4], [2, 4]])
    equal(v["D"].grad, np.ones((2, 2)))


@each("through", ["C", "E"])
def test_entry_ij_of_a_contribution_is_the_part_of_the_sum_over_the_children_in_that_output(through):
    v = fan_out()
    upstream = np.array([[2, -1], [3, 5]])  # dz/dW, so that no two entries are alike
    z = (v["W"] * upstream).sum()
    Y = v[through]
    G = contributions(Y, grad(z, Y, retain_graph=True))["B"]
    seen = zoom(z, number=Fraction)
    computed = backpropagation(seen.z)
    below = between(seen[Y].ravel(), seen[v["B"]].ravel())
    for i in range(2):
        for j in range(2):
            b = seen[v["B"]][i, j]
            edges = Graph(seen.z).children[b]
            part = sum(computed[y] * y.partials[slot] for y, slot in edges if y in below)
            assert part == G[i, j]
            assert computed[b] == sum(computed[y] * y.partials[slot] for y, slot in edges)


def between(outputs, inputs):
    """The scalars that a function made on the way from `inputs` to `outputs`."""
    return {v for y in outputs for v in Graph(y).variables if v not in set(inputs) and v.inputs}


@given(st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_the_sum_over_any_number_of_consumers(k, seed):
    dice = np.random.default_rng(seed)
    X = Tensor(dice.integers(-9, 10, (2, 3)), name="X")
    Ys = [X @ dice.integers(-9, 10, (3, 2)) for _ in range(k)]
    z = sum((Y * Y).sum() for Y in Ys)
    total = sum(contributions(Y, dY)["X"] for Y, dY in zip(Ys, grad(z, Ys, retain_graph=True)))
    equal(grad(z, X), total)


def test_a_branch_that_contributes_twice_to_one_function_is_counted_twice():
    X = Tensor(A_DATA, name="X")
    Y = X @ X
    node = Y.node
    first, second = node.rule.contributions(node, np.ones((2, 2)))
    Y.sum().backward()
    equal(X.grad, first + second)


# The formalisation: z has no axes, and its backward function needs no upstream gradient


def test_z_needs_no_upstream_gradient_and_any_other_tensor_does():
    v = product()
    with pytest.raises(ValueError, match=r"needs one entry, but it has shape \(2, 2\)"):
        v["C"].backward()
    v["C"].backward(np.ones((2, 2)))
    equal(v["A"].grad, [[2, 4], [2, 4]])


def test_dz_dz_is_1():
    z = product()["z"]
    assert grad(z, z) == 1


# What each node keeps


@each(
    ("keep", "saved"),
    [((True, True), {"A", "B"}), ((True, False), {"B"}), ((False, True), {"A"})],
    ids=["both", "only A", "only B"],
)
def test_matmul_saves_b_iff_a_needs_a_gradient_and_a_iff_b_does(keep, saved):
    v = product(keep)
    node = v["C"].node
    assert node.rule.saved(node).keys() == saved
    assert [x.name for x in node.inputs] == [name for name, kept in zip("AB", keep) if kept]
    v["z"].backward()
    assert (v["A"].grad is not None, v["B"].grad is not None) == keep


def test_where_no_input_needs_a_gradient_nothing_is_recorded():
    v = product((False, False))
    assert v["C"].node is None and v["z"].node is None and v["z"].data == 58


def test_add_and_sum_save_nothing():
    v = fan_out()
    for name in ("E", "W", "z"):
        assert v[name].node.rule.saved(v[name].node) == {}


def test_gradients_are_kept_for_leaves_and_where_one_asks():
    v = fan_out()
    v["E"].keep_grad = True
    v["z"].backward()
    assert {name for name, x in v.items() if x.node.grad is not None} == {"A", "B", "D", "E"}


# Disconnect: a backward pass releases what it used


def test_backward_releases_every_function_and_a_second_pass_says_so():
    v = fan_out()
    nodes = {name: v[name].node for name in "CEWz"}
    v["z"].backward()
    for name, node in nodes.items():
        assert node.released and node.rule.saved(node) == {}, name
    assert v["C"].inputs == (v["A"].node, v["B"].node)  # the skeleton stays
    with pytest.raises(RuntimeError, match=r"was released by an earlier backward pass.*retain_graph=True"):
        v["z"].backward()
    equal(v["B"].grad, [[6, 6], [13, 13]])


def test_a_retained_graph_can_be_walked_again_and_adds_up():
    v = fan_out()
    v["z"].backward(retain_graph=True)
    v["z"].backward()
    equal(v["B"].grad, [[12, 12], [26, 26]])


def test_zoomed_the_whole_graph_gives_the_same_gradients_in_exact_numbers():
    v = fan_out()
    seen = zoom(v["z"], number=Fraction)
    found = backpropagation(seen.z)
    assert isinstance(seen.z, Value) and seen.z.data == 82
    assert [[found[b] for b in row] for row in seen[v["B"]]] == [[6, 6], [13, 13]]
    assert all(type(found[b]) in (int, Fraction) for b in seen[v["B"]].ravel())
