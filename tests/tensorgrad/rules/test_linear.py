"""Products, einsum and decompositions: NumPy's values, gradients, zoom, errors that name the function."""

import numpy as np
import pytest

import tensorgrad as tg
import viz
from scalargrad import Trace
from tensorgrad import Tensor, grad, zoom
from tensorgrad.arrays.axes import unbroadcast
from tensorgrad.arrays.errstate import quietly
from tensorgrad.functions.products import cheapest_cuts
from tensorgrad.kernels.contraction import contraction
from tensorgrad.rules.linear_algebra import factors
from tensorgrad.rules.linear_algebra.decompositions import cholesky_vjp, cofactors, solve_columns
from tensorgrad.rules.linear_algebra.einsum import contract
from tensorgrad.rules.linear_algebra.linear import matrix_product
from tests.each import each

RNG = np.random.default_rng(3)
A23, A32, A33, A22 = (RNG.standard_normal(s) for s in [(2, 3), (3, 2), (3, 3), (2, 2)])
V2, V3 = RNG.standard_normal(2), RNG.standard_normal(3)
S234, S243 = RNG.standard_normal((2, 3, 4)), RNG.standard_normal((2, 4, 3))


@each(
    "function, args",
    [
        (np.matmul, (A23, A32)), (np.matmul, (V2, A23)), (np.matmul, (A23, V3)), (np.matmul, (V3, V3)), (np.matmul, (S234, S243)),
        (np.matmul, (S234[:, None], S243)), (np.matmul, (V3, S234)), (np.matmul, (S234, S243[0])),
        (np.dot, (A23, A32)), (np.dot, (V3, V3)), (np.dot, (A33, S234)), (np.dot, (2.0, V3)), (np.dot, (S234, S243[0, :, 0])),
        (np.inner, (A23, A33)), (np.inner, (V3, 2.0)), (np.outer, (A23, V2)), (np.linalg.outer, (V2, V3)),
        (np.tensordot, (S234, S243, ([1, 2], [2, 1]))), (np.tensordot, (S234, A33, (1, -1))), (np.tensordot, (A23, A32, 1)),
        (np.tensordot, (A23, V3, 0)), (np.tensordot, (S234, S234, 3)), (np.linalg.tensordot, (A23, A23)), (np.linalg.matmul, (A23, A32)),
        (np.linalg.inv, (A33,)), (np.linalg.det, (A33,)), (np.linalg.det, (S234[:, :, :3],)), (np.linalg.solve, (A33, V3)),
        (np.linalg.solve, (A33, A32)), (np.linalg.solve, (S234[:, :, :3], S243[:, :3])), (np.linalg.cholesky, (A33 @ A33.T + np.eye(3),)),
        (np.linalg.svdvals, (S234,)), (np.linalg.eigvalsh, (A33 + A33.T,)), (np.linalg.pinv, (A23,)), (np.linalg.pinv, (S234, 0.1)),
        *[(np.linalg.matrix_power, (A33, n)) for n in (5, -2, 0, 1)],
        (np.linalg.norm, (A23, "nuc")), (np.linalg.norm, (A23, 2)), (np.linalg.norm, (S234, -2, (0, 2))),
        (np.linalg.norm, (S234, "nuc", (2, 0), True)), (np.linalg.matrix_norm, (S234,)),
        (np.linalg.cond, (A33,)), (np.linalg.cond, (A33, 1)), (np.linalg.cond, (A23, -2)),
        (np.kron, (A23, V2)), (np.kron, (S234[:, :2, :2], A23)), (np.cross, (A23, V3)), (np.linalg.cross, (A33, A23[0])),
        (np.vdot, (A23, A32)), (np.vecdot, (A23, V3)), (np.linalg.vecdot, (A23, V3)),
    ],
)  # fmt: skip
def test_numpy_functions_give_the_same_values(function, args):
    expected = function(*args)
    got = function(*[Tensor(a) if isinstance(a, np.ndarray) else a for a in args])
    assert type(got) is Tensor and got.shape == np.shape(expected)
    np.testing.assert_allclose(got.data, expected, rtol=1e-12, atol=1e-12)


@each(
    "call",
    [
        ("ij,jk->ik", A23, A32), ("ij,jk", A23, A32), ("ji", A23), ("ii", A33), ("ii->i", A33), ("i i j", S234[:, :2]), ("ij->", A23),
        ("...ij,...jk->...ik", S234[:, None], S243), ("...i,...i", S234, S234), ("i...->...", S234), ("...", V3), ("a...,b", S234, V2),
        ("bij, bjk -> b ik", S234, S243), ("ij,j,i->", A23, V3, V2), (",i->i", np.array(2.0), V3), ("Zb,ba", A23, A32),
        ("...ii->...i", S234[:, :, :3]),
        (A23, [0, 1], A32, [1, 2]), (A23, [0, 1], A32, [1, 2], [2, 0]), (S234, [..., 0], V3[:1].repeat(4), [0]), (A33, [5, 5]),
    ],
    ids=repr,
)  # fmt: skip
def test_einsum_reads_numpys_notation(call):
    expected = np.einsum(*call)
    for einsum in (np.einsum, tg.einsum):
        got = einsum(*[Tensor(a) if isinstance(a, np.ndarray) else a for a in call])
        assert got.shape == np.shape(expected)
        np.testing.assert_allclose(got.data, expected, rtol=1e-12)


@each("subscripts", ["ii->", "ii->i", "ij->i", "ij->"])
def test_the_derivative_of_einsum_stays_float32(subscripts):
    A = Tensor(A33, dtype=np.float32)
    (G,) = grad(tg.square(tg.einsum(subscripts, A)).sum(), [A], create_graph=True)
    assert type(G) is Tensor and G.dtype == np.float32
    assert grad(G.sum(), A).dtype == np.float32


def test_einsum_of_large_operands_equals_numpys():
    A, B = RNG.standard_normal((60, 50)), RNG.standard_normal((50, 40))
    for optimize in (None, False, True):
        a, b = Tensor(A), Tensor(B)
        y = np.einsum("ij,jk->ik", a, b, optimize=optimize)
        np.testing.assert_allclose(y.data, A @ B, rtol=1e-12, atol=1e-12)
        y.sum().backward()
        np.testing.assert_allclose(a.grad, np.ones((60, 40)) @ B.T, rtol=1e-12)
        np.testing.assert_allclose(b.grad, A.T @ np.ones((60, 40)), rtol=1e-12, atol=1e-12)


@each(
    "call, said",
    [
        (lambda: Tensor(A23) @ Tensor(A23), "matmul: (2, 3) @ (2, 3): 3 columns on the left need 3 rows on the right, got 2"),
        (lambda: Tensor(V3) @ A23, "matmul: (3,) @ (2, 3): 3 columns on the left need 3 rows on the right, got 2"),
        (lambda: A23 @ Tensor(V2), "matmul: (2, 3) @ (2,): 3 columns on the left need 3 rows on the right, got 2"),
        (lambda: Tensor(A23) @ 2, "matmul: (2, 3) @ (): a 0-d array is not a matrix; multiply with *"),
        (lambda: tg.mm(A23, Tensor(V3)), "mm: shapes (2, 3) and (3,) do not fit; use 2 axes on the left and 2 on the right"),
        (lambda: tg.bmm(Tensor(S234), S243[:1]), "bmm: shapes (2, 3, 4) and (1, 4, 3) are not stacks of equally many matrices"),
        (lambda: tg.mv(Tensor(A23), V2), "mv: (2, 3) @ (2,): 3 columns"),
        (lambda: tg.dot(Tensor(V3), V2), "dot: (3,) @ (2,): 3 columns"),
        (lambda: tg.linear(Tensor(A23), np.ones((4, 5))), "linear: x of shape (2, 3) does not fit W of shape (4, 5); W is (out, in)"),
        (lambda: tg.linear(Tensor(A23), np.ones((4, 3)), np.ones(3)),
         "linear: bias has shape (3,); with W of shape (4, 3), which is (out, in), bias needs (4,)"),
        (lambda: tg.bilinear(Tensor(A23), A22, np.ones((5, 3, 3))),
         "bilinear: x1 of shape (2, 3) and x2 of shape (2, 2) do not fit W of shape (5, 3, 3)"),
        (lambda: tg.tensordot(Tensor(A23), A23, 1),
         "tensordot: shapes (2, 3) and (2, 3): axis 1 on the left has length 3, axis 0 on the right 2"),
        (lambda: tg.tensordot(Tensor(A23), A23, 3), "tensordot: shapes (2, 3) and (2, 3) have no 3 axes to sum over; use 0 to 2"),
        (lambda: tg.tensordot(Tensor(A23), A23, (2, 0)), "tensordot: axis 2 is out of range for shape (2, 3); use -2 to 1"),
        (lambda: tg.tensordot(Tensor(A23), A23, ([0, 1], [0])), "must list as many axes of the left as of the right"),
        (lambda: tg.einsum("ij,jk", Tensor(A23)), "einsum: 'ij,jk' has 2 terms, got 1 operands"),
        (lambda: tg.einsum("ijk", Tensor(A23)), "einsum: the term 'ijk' names 3 axes, but its operand of shape (2, 3) has 2"),
        (lambda: tg.einsum("i", Tensor(A23)), "einsum: the term 'i' names 1 axes, but its operand of shape (2, 3) has 2"),
        (lambda: tg.einsum("ij,jk", Tensor(A23), A23),
         "einsum: 'ij,jk' with shapes (2, 3) and (2, 3): index 'j' has length 2 in one place and 3 in another"),
        (lambda: tg.einsum("ii", Tensor(A23)), "index 'i' has length 2 in one place and 3 in another"),
        (lambda: tg.einsum("ii", Tensor(A23[:1])), "index 'i' has length 1 in one place and 3 in another"),
        (lambda: tg.einsum("ij->ik", Tensor(A23)), "the output index 'k' must occur in an operand"),
        (lambda: tg.einsum("ij->ii", Tensor(A23)), "the output index 'i' must occur in an operand, and only once in the output"),
        (lambda: tg.einsum("i1", Tensor(A23)), "unexpected '1'"),
        (lambda: tg.einsum("...j->j", Tensor(A23)), "the output lacks '...'"),
        (lambda: tg.inv(Tensor(A23)), "inv: shape (2, 3) is not a square matrix or a stack of them"),
        (lambda: tg.det(Tensor(V3)), "det: shape (3,) is not a square matrix or a stack of them"),
        (lambda: tg.slogdet(Tensor(V3)), "slogdet: shape (3,) is not a square matrix"),
        (lambda: tg.solve(Tensor(A33), V2), "solve: A of shape (3, 3) has 3 equations, but b has shape (2,)"),
        (lambda: tg.inv(Tensor(np.ones((2, 2)))), "inv: the matrix of shape (2, 2) is singular, so it has no inverse"),
        (lambda: tg.inv(Tensor([np.eye(2), np.ones((2, 2))])), "inv: matrix 1 of the stack is singular"),
        (lambda: tg.solve(Tensor(np.ones((2, 2))), V2), "solve: the matrix of shape (2, 2) is singular, so there is no one solution"),
        (lambda: tg.cholesky(Tensor([[1, 2], [2, 1]])), "cholesky: the matrix of shape (2, 2) is not positive definite"),
    ],
)  # fmt: skip
def test_wrong_shapes_raise_errors_that_name_the_function(call, said):
    with pytest.raises(ValueError) as refused:
        call()
    assert said in str(refused.value)


def test_a_product_zooms_into_eight_products_and_four_sums():
    A, B = Tensor([[3, 7], [2, 5]], name="A"), Tensor([[2, 0], [0, 4]], name="B")
    entries = zoom((A @ B).node).entries
    assert [[c.rule.name for c in row] for row in entries] == [["sum", "sum"], ["sum", "sum"]]
    assert [p.rule.name for c in entries.ravel() for p in c.inputs] == ["mul"] * 8
    assert [x.name for x in entries[0, 1].inputs[0].inputs] == ["a11", "b12"]
    assert [[c.data for c in row] for row in entries] == [[6, 28], [4, 20]]


def test_a_layer_zooms_into_one_function_for_each_output():
    x, W, b = Tensor(A23, name="x"), Tensor(A33, name="W"), Tensor(V3, name="b")
    entries = zoom(tg.linear(x, W, b).node).entries
    assert {(y.rule.name, len(y.inputs)) for y in entries.ravel()} == {("dot", 7)}


def test_a_product_saves_only_what_the_other_gradient_needs():
    A, B = Tensor(A23), Tensor(A32)
    assert set((A @ B).rule.saved((A @ B).node)) == {"A", "B"}
    assert set((A @ A32).rule.saved((A @ A32).node)) == {"B"}
    x, W, b = Tensor(A23, keep_grad=False), Tensor(A33), Tensor(V3)
    y = tg.linear(x, W, b)
    assert set(y.rule.saved(y.node)) == {"x"}
    assert not y.rule.saved(tg.linear(x, A33, b).node)


def test_a_stack_times_one_matrix_sums_over_the_stack():
    A, B = Tensor(S234), Tensor(S243[0])
    weights = RNG.standard_normal((2, 3, 3))
    ((A @ B) * weights).sum().backward()
    np.testing.assert_allclose(A.grad, weights @ S243[0].T)
    np.testing.assert_allclose(B.grad, np.einsum("bij,bik->jk", S234, weights))


@each("x", [A23, V3, S243, np.zeros((0, 3)), np.zeros((2, 0, 3))], ids=lambda x: str(x.shape))
def test_linear_equals_its_product_and_sum(x):
    W, b = A23, V2
    np.testing.assert_allclose(tg.linear(x, W, b), x @ W.T + b, rtol=1e-12)
    one, two = [[Tensor(x), Tensor(W), Tensor(b)] for _ in range(2)]
    tg.linear(*one).sum().backward()
    (two[0] @ two[1].swapaxes(0, 1) + two[2]).sum().backward()
    for t, s in zip(one, two):
        np.testing.assert_allclose(t.grad, s.grad, rtol=1e-12)


def test_det_of_a_singular_matrix_has_a_first_derivative_and_an_error_for_the_second():
    A = Tensor([[1.0, 2.0], [2.0, 4.0]])
    (C,) = grad(tg.det(A), [A], create_graph=True)
    np.testing.assert_allclose(C.data, [[4, -2], [-2, 1]], atol=1e-14)
    with pytest.raises(np.linalg.LinAlgError, match="inv: the matrix .* is singular"):
        grad(C.sum(), A)


@each("special", [np.nan, np.inf])
def test_the_derivative_of_det_is_nan_for_a_matrix_that_is_not_finite_and_right_beside_it(special):
    A = Tensor([[[special, 1.0], [2.0, 3.0]], [[1.0, 2.0], [3.0, 5.0]]])
    tg.det(A).sum().backward()
    assert np.isnan(A.grad[0]).all()
    np.testing.assert_allclose(A.grad[1], [[5, -3], [-2, 1]], rtol=1e-12)


def test_slogdet_does_not_overflow():
    sign, logarithm = tg.slogdet(Tensor(-1e10 * np.eye(51)))
    assert type(sign) is not Tensor and sign == -1
    np.testing.assert_allclose(logarithm.item(), 51 * np.log(1e10))


@each("dtype, tolerance", [(np.float64, 1e-7), (np.float32, 2e-3)])
@each("smallest", [1.0, 1e-2, 1e-5, 1e-9, 1e-15, 0.0])
def test_the_derivative_of_det_is_exact_near_singular_matrices(smallest, dtype, tolerance):
    U, V = [np.linalg.qr(np.random.default_rng(seed).standard_normal((4, 4)))[0] for seed in (0, 1)]
    s = np.array([3.0, 2.0, 1.0, smallest])
    A = Tensor([U * s @ V, np.eye(4)], dtype=dtype)
    tg.det(A).sum().backward()
    others = np.prod([s[[j for j in range(4) if j != i]] for i in range(4)], axis=1)
    np.testing.assert_allclose(A.grad[0], np.linalg.det(U) * np.linalg.det(V) * (U * others @ V), atol=6 * tolerance)


def test_the_derivative_of_a_determinant_that_underflows():
    A = Tensor(np.diag([1e-20, 1e-20, 1e-20, 1e20, 1e20]), dtype=np.float32)
    tg.det(A * np.diag([1e-10, 1, 1, 1, 1])).backward()
    np.testing.assert_allclose(A.grad[0, 0], 1e-10, rtol=1e-4)


@each("shape", [(33, 33), (2, 70, 70)])
def test_the_gradient_of_cholesky_of_large_matrices_equals_the_formula(shape):
    A = np.random.default_rng(0).standard_normal(shape)
    A = Tensor(A @ A.swapaxes(-1, -2) + shape[-1] * np.eye(shape[-1]))
    G, y = np.random.default_rng(1).standard_normal(shape), tg.cholesky(A)
    y.backward(G, retain_graph=True)
    np.testing.assert_allclose(A.grad, cholesky_vjp(G, y.data), atol=1e-12)


@each("name", ["det", "slogdet", "inv", "solve"])
@each("shape", [(64, 64), (3, 70, 70)])
def test_functions_that_share_factors_of_large_matrices_equal_numpys(monkeypatch, name, shape):
    rng = np.random.default_rng(0)
    drawn, wide = rng.standard_normal(shape) / 5, rng.standard_normal((shape[-1], 2))
    found = []
    for lapack in (factors.lapack, lambda: None):
        monkeypatch.setattr(factors, "lapack", lapack)
        A, B = Tensor(drawn), Tensor(wide)
        y = tg.solve(A, B) if name == "solve" else tg.slogdet(A)[1] if name == "slogdet" else getattr(tg, name)(A)
        y.backward(np.random.default_rng(1).standard_normal(y.shape))
        found.append([y.data, A.grad, *([B.grad] if name == "solve" else [])])
    for ours, numpys in zip(*found):
        np.testing.assert_allclose(ours, numpys, rtol=1e-9, atol=1e-9 * np.abs(numpys).max())
    monkeypatch.undo()
    assert tg.slogdet(drawn)[0].tolist() == np.linalg.slogdet(drawn)[0].tolist()


def test_a_large_singular_matrix_has_a_determinant_of_zero_and_is_named():
    A = np.stack([np.eye(64), np.zeros((64, 64))])
    assert tg.det(A).tolist() == [1, 0] and tg.slogdet(A)[1].tolist() == [0, -np.inf]
    with pytest.raises(np.linalg.LinAlgError, match="inv: matrix 1 of the stack is singular"):
        tg.inv(A)


def test_the_gradient_of_cholesky_is_symmetric():
    A = Tensor(A33 @ A33.T + np.eye(3))
    (tg.cholesky(A) * A33).sum().backward()
    np.testing.assert_allclose(A.grad, A.grad.T, rtol=1e-12)


def test_plain_arrays_give_plain_arrays():
    for y in [
        tg.matmul(A23, A32),
        tg.einsum("ij->i", A23),
        tg.linear(A23, A33),
        tg.inv(A33),
        tg.solve(A33, V3),
        tg.det(A33),
        tg.outer(V2, V3),
    ]:
        assert not isinstance(y, Tensor)


def test_each_of_these_functions_is_one_node():
    assert {tg.linear(Tensor(A23), A33, V3).rule.name, (Tensor(A23) @ A32).rule.name} == {"linear", "matmul"}
    assert tg.einsum("ij,jk", Tensor(A23), A32).rule is contract
    assert tg.tensordot(Tensor(A23), A32, 1).rule.origin is contract
    assert tg.solve(Tensor(A33), A32).rule is solve_columns
    assert cofactors(Tensor(A33)).rule is cofactors


def test_integers_do_not_widen_float32():
    x, whole = Tensor(np.ones((2, 3)), dtype=np.float32), np.arange(6).reshape(3, 2)
    for y in (x @ whole, tg.linear(x, whole.T), tg.einsum("ij,jk->ik", x, whole), np.concatenate([x, whole.T])):
        assert y.dtype == np.float32


def test_einsum_saves_only_the_other_operands():
    A, B = Tensor(A23, name="A"), Tensor(A32, keep_grad=False)
    saved = tg.einsum("ij,jk->ik", A, B).node.rule.saved(tg.einsum("ij,jk->ik", A, B).node)
    assert list(saved) == ["x1"] and np.array_equal(saved["x1"], A32)


# Eigenvalues and singular values

SPECTRA = {
    "svd": (lambda A: np.linalg.svd(A, full_matrices=False), A23),
    "square svd": (np.linalg.svd, A33),
    "eigh": (np.linalg.eigh, A33 + A33.T),
    "eig": (np.linalg.eig, A33 + A33.T),
}


@each("function, A", SPECTRA.values(), ids=SPECTRA)
def test_values_and_vectors_equal_numpys(function, A):
    found, expected = function(Tensor(A)), (np.linalg.eigh if function is np.linalg.eig else function)(A)
    assert found._fields == expected._fields
    for ours, theirs in zip(found, expected):
        assert type(ours) is Tensor
        np.testing.assert_allclose(ours.data, theirs, atol=1e-12)


@each("function, A", SPECTRA.values(), ids=SPECTRA)
def test_a_function_of_several_results_can_be_drawn_traced_checked_and_zoomed(function, A):
    A = Tensor(A, name="A")
    first, second, *_ = function(A)
    z = (first**2).sum() + (second**2 * np.arange(1.0, 4.0)[: second.shape[-1]]).sum()
    assert tg.check(z)
    zoomed = zoom(z)
    zoomed.z.backward()
    trace = Trace(z)
    assert "svd" in viz.draw(z).source or "eigh" in viz.draw(z).source
    z.backward()
    np.testing.assert_allclose(trace.computed[A.node].number, A.grad, atol=1e-12)
    np.testing.assert_allclose([[a.grad for a in row] for row in zoomed[A]], A.grad, atol=1e-9)


@each("rows, columns", [(3, 3), (3, 4), (4, 3)])
def test_vectors_of_equal_values_have_no_derivative_and_the_values_do(rows, columns):
    B, D = np.diag([2.0, 2.0, 1.0]), RNG.standard_normal((rows, columns))
    U, V = [np.linalg.qr(RNG.standard_normal((n, n)))[0][:, :3] for n in (rows, columns)]
    A = Tensor(U @ B @ V.T)
    U, S, Vh = np.linalg.svd(A, full_matrices=False)
    assert np.isnan(grad(((U * S**3) @ Vh * D).sum(), A, retain_graph=True)).any()
    np.testing.assert_allclose(grad((S**4).sum(), A), 4 * A.data @ A.data.T @ A.data, atol=1e-10)
    symmetric = Tensor(A.data @ A.data.T)
    w, V = np.linalg.eigh(symmetric)
    assert np.isnan(grad((V[:, -1] * np.arange(rows)).sum(), symmetric, retain_graph=True)).any()
    np.testing.assert_allclose(grad((w**2).sum(), symmetric), 2 * symmetric.data, atol=1e-10)


def test_vectors_of_a_singular_value_of_0_have_no_derivative_and_the_others_do():
    A = Tensor(np.outer(V3, V2))
    U, S, Vh = np.linalg.svd(A, full_matrices=False)
    assert np.isnan(grad((U[:, 1] * V3).sum(), A, retain_graph=True)).any()
    assert np.isfinite(grad((U[:, 0] * np.arange(3.0)).sum() * S[0] + Vh[0, 0], A)).all()


def test_the_gradient_of_the_nuclear_norm_of_a_matrix_of_low_rank_is_a_subgradient():
    A = Tensor(np.outer(V3, V2))
    np.linalg.norm(A, "nuc").backward()
    assert np.linalg.norm(A.grad, 2) <= 1 + 1e-12
    np.testing.assert_allclose((A.grad * A.data).sum(), np.linalg.norm(A.data, "nuc"))


def test_equal_largest_singular_values_share_the_derivative_of_the_spectral_norm():
    A = Tensor(np.diag([2.0, 2.0]))
    np.linalg.norm(A, 2).backward()
    np.testing.assert_allclose(A.grad, np.eye(2) / 2, atol=1e-12)


def test_the_pseudo_inverse_differentiates_along_matrices_of_the_same_rank():
    a, b = Tensor(V3.reshape(3, 1)), Tensor(V2.reshape(1, 2))
    P = np.linalg.pinv(a @ b)
    P.backward(A23.T[:2, :1] @ np.ones((1, 3)))
    numeric = [
        (np.linalg.pinv((a.data + h) @ b.data) - np.linalg.pinv((a.data - h) @ b.data)) / 2e-6
        for h in 1e-6 * np.eye(3)[:, :, None]
    ]  # fmt: skip
    expected = [(n * (A23.T[:2, :1] @ np.ones((1, 3)))).sum() for n in numeric]
    np.testing.assert_allclose(a.grad[:, 0], expected, rtol=1e-5)


def test_matrix_rank_and_the_zeroth_power_are_constants():
    assert np.linalg.matrix_rank(Tensor(np.outer(V3, V2))) == 1 and tg.matrix_rank(S234).tolist() == [3, 3]
    assert np.linalg.matrix_power(Tensor(A33), 0).node is None
    A = Tensor(A33)
    assert np.linalg.matrix_power(A, 1) is not A


def test_multi_dot_multiplies_in_the_cheapest_order():
    assert cheapest_cuts([10, 100, 5, 50]) == {(0, 1): 0, (1, 2): 1, (0, 2): 1}
    xs = [Tensor(np.ones((n, m))) for n, m in zip([10, 100, 5], [100, 5, 50])]
    product = np.linalg.multi_dot(xs)
    np.testing.assert_allclose(product.data, 500)
    assert [x.shape for x in product.inputs] == [(10, 5), (5, 50)]


@each(
    "call, message",
    [
        (lambda: np.linalg.svd(Tensor(A23)), "svd: a matrix of shape (2, 3) is not square, so full_matrices adds vectors"),
        (lambda: np.linalg.svd(Tensor(V3)), "svd: shape (3,) is not a matrix or a stack of them"),
        (lambda: tg.svdvals(V3), "svdvals: shape (3,) is not a matrix or a stack of them"),
        (lambda: np.linalg.eigh(Tensor(A23)), "eigh: shape (2, 3) is not a square matrix or a stack of them"),
        (lambda: tg.eigvalsh(Tensor(A23)), "eigvalsh: shape (2, 3) is not a square matrix or a"),
        (lambda: np.linalg.eig(Tensor(A33)), "eig: the matrix of shape (3, 3) is not symmetric; eigh and eigvalsh take its symmetric part"),
        (lambda: tg.eigvals(Tensor(A23)), "eigvals: shape (2, 3) is not a square matrix or a"),
        (lambda: tg.pinv(Tensor(V3)), "pinv: shape (3,) is not a matrix or a"),
        (lambda: tg.svdvals(Tensor([[np.nan, 1.0], [1.0, 1.0]])), "svdvals: the matrix of shape (2, 2) has no answer that converges"),
        (lambda: tg.cond(Tensor(A23), 1), "cond: shape (2, 3) is not a square matrix or a"),
        (lambda: tg.matrix_norm(Tensor(V3)), "matrix_norm: shape (3,) is not a matrix or a"),
        (lambda: tg.matrix_power(Tensor(A23), 2), "matrix_power: shape (2, 3) is not a square matrix or a"),
        (lambda: tg.matrix_power(Tensor(np.ones((2, 2))), -1), "matrix_power: the matrix of shape (2, 2) is singular"),
        (lambda: np.cross(Tensor(A22), A22), "cross: axis -1 of shape (2, 2) has 2 entries; vectors of three entries are needed"),
        (lambda: tg.vecdot(Tensor(A23), A22), "vecdot: shapes (2, 3) and (2, 2) do not fit; the vectors have 3 and 2 entries"),
        (lambda: tg.multi_dot([Tensor(A23)]), "multi_dot: shapes [(2, 3)] are not two or more matrices; only the first and"),
        (lambda: tg.multi_dot([A23, V3, A33]), "multi_dot: shapes [(2, 3), (3,), (3, 3)] are not two or more matrices; only the first and"),
    ],
)
def test_matrices_without_an_answer_raise_errors(call, message):
    with pytest.raises(ValueError) as refusal:
        call()
    assert str(refusal.value).startswith(message)


def test_matrix_power_needs_an_integer():
    with pytest.raises(TypeError, match="^matrix_power: n=0.5 is not an integer"):
        tg.matrix_power(Tensor(A33), 0.5)


@each("dtype", [np.float32, np.float64])
@each(
    "shapes",
    [((3, 4), (4, 1)), ((1, 4), (4, 3)), ((2, 3, 4), (4, 1)), ((1, 4), (2, 4, 3)), ((5, 1, 3, 4), (2, 4, 1)), ((3, 0), (0, 1))],
    ids=str,
)
def test_a_vector_passes_an_outer_product_to_its_matrix(shapes, dtype):
    dice = np.random.default_rng(0)
    left, right = [dice.standard_normal(s).astype(dtype) for s in shapes]
    left.reshape(-1)[:1], right.reshape(-1)[1:2] = np.inf, np.nan
    for A, B in [(left, right), (np.asfortranarray(left), right[..., ::-1, :])]:
        a, b = Tensor(A), Tensor(B)
        y = matrix_product(a, b)
        G = dice.standard_normal(y.shape).astype(dtype)
        y.backward(G)
        for x, contribution in [(a, quietly(np.matmul, G, B.mT)), (b, quietly(np.matmul, A.mT, G))]:
            np.testing.assert_allclose(x.grad, unbroadcast(contribution, x.shape), rtol=1e-5 if dtype == np.float32 else 1e-12)


@each("m, n", [(3, 4), (1, 5), (0, 2)], ids=str)
def test_an_outer_product_is_that_of_numpy_and_sums_products(m, n):
    dice = np.random.default_rng(0)
    a, b, G = dice.standard_normal(2 * m)[::2], dice.standard_normal(n)[::-1], dice.standard_normal((m, n))
    a[:1], b[1:2] = np.inf, np.nan
    x, y = Tensor(a), Tensor(b)
    z = tg.outer(x, y)
    assert np.array_equal(z.data, np.outer(a, b), equal_nan=True)
    z.backward(G)
    for got, expected in [(x.grad, (G * b).sum(1)), (y.grad, (G * a[:, None]).sum(0))]:
        np.testing.assert_allclose(got, expected, rtol=1e-12)


# Contraction pair by pair


SUMS = {
    "ij,jk->ik": [(5, 7), (7, 4)], "bij,bjk->bik": [(3, 5, 7), (3, 7, 4)], "bhqd,bhkd->bhqk": [(2, 3, 4, 5), (2, 3, 6, 5)],
    "bi,oij,bj->bo": [(6, 3), (4, 3, 5), (6, 5)], "bi,oij,bj->": [(6, 3), (4, 3, 5), (6, 5)], "ab,cd,ac->bd": [(2, 3), (4, 5), (2, 4)],
    "ij,jk->ki": [(5, 7), (7, 4)], "ij,k->ik": [(5, 7), (3,)], "ij,ij->i": [(5, 7), (5, 7)], "i,j->ji": [(5,), (7,)],
    "ii,ij->j": [(5, 5), (5, 3)], "ij,jk,kl,lm->im": [(2, 3), (3, 4), (4, 5), (5, 6)], "ij,jk->ik, repeated": [(5, 1), (7, 4)],
    "ijk,jk->ki": [(5, 7, 2), (7, 2)], "bij,jk->bik, none": [(0, 5, 7), (7, 4)], "ij,jk->ik, sum of nothing": [(5, 0), (0, 4)],
}  # fmt: skip


@each("what", SUMS)
def test_a_contraction_pair_by_pair_is_numpys_einsum(what):
    dice, subscripts = np.random.default_rng(0), what.partition(", ")[0]
    for dtype in (np.float32, np.float64):
        xs = [dice.standard_normal(shape[::-1]).astype(dtype).T for shape in SUMS[what]]
        expected = np.einsum(subscripts, *xs)
        found = contraction(subscripts, *xs)
        assert found.dtype == dtype and found.shape == expected.shape
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)
        if not all(x.size for x in xs):
            continue
        xs[0][(0,) * xs[0].ndim], xs[-1].flat[-1] = np.inf, np.nan
        np.testing.assert_array_equal(np.isfinite(quietly(contraction, subscripts, *xs)), np.isfinite(np.einsum(subscripts, *xs)))
