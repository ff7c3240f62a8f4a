"""Each counterpart gives PyTorch's value and gradients, by rules of ours alone; benchmarks/torch_coverage.py tries PyTorch's samples."""

import ast

import pytest

torch = pytest.importorskip("torch")

import torch.nn.functional as F  # noqa: E402
from torch import nn  # noqa: E402
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence  # noqa: E402

import tensorgrad as tg  # noqa: E402
from benchmarks.torch_coverage import verdict  # noqa: E402
from tensorgrad import from_torch  # noqa: E402
from tensorgrad.beside.call import OURS  # noqa: E402
from tensorgrad.beside_torch.calls.arrays import array  # noqa: E402
from tensorgrad.beside_torch.counterparts.table import TABLE  # noqa: E402
from tensorgrad.beside_torch.recorder import THEIRS  # noqa: E402
from tests.each import each  # noqa: E402

pytestmark = [pytest.mark.torch, pytest.mark.filterwarnings("ignore::UserWarning")]

# x, y (3, 4) above 0; A (2, 3, 3); S, such a matrix that is positive definite; v (4,); image (2, 3, 6, 5); the others have integers
CALLS = """
torch.lgamma(x), torch.digamma(x), torch.erfinv(x / 3), torch.special.i0e(x), torch.special.log_ndtr(x), torch.mvlgamma(x + 2, 3)
torch.frac(x), torch.div(x, y, rounding_mode="floor"), F.hardshrink(x), F.softshrink(x), F.threshold(x, 0.9, 7), torch.logit(x / 3)
torch.sub(x, y, alpha=2), torch.rsub(x, y, alpha=2), torch.float_power(x, 2), torch.fill(x, v[0]), torch.angle(x), F.glu(x)
torch.sort(x, 0, descending=True)[0], x.topk(2, 0)[0], torch.msort(x), x.cummax(1)[0], x.cummin(0)[0], x.kthvalue(2, 0)[0]
torch.mode(ties, 1)[0], ties.median(), ties.median(1)[0], ties.max(1)[0], ties.max(), ties.min(0)[0], torch.aminmax(x)
torch.quantile(x, 0.3), torch.quantile(x, torch.tensor([0.1, 0.6]).double(), dim=1, keepdim=True), torch.nanquantile(x, 0.5, dim=0)
torch.quantile(x, 0.4, interpolation="midpoint"), torch.quantile(x, 0.4, interpolation="higher"), torch.renorm(x, 2, 0, 1.5)
torch.logcumsumexp(x, 1), torch.var_mean(x, 1), torch.std_mean(x), torch.nansum(x, 0), torch.nanmean(x), torch.diff(x), torch.trace(x)
torch.gradient(x, dim=1), torch.trapezoid(x, dx=0.5), torch.cumulative_trapezoid(x, y), torch.cov(x), torch.corrcoef(x)
x.sum_to_size(3, 1), torch.norm(x, 3, 1), torch.linalg.norm(x, "nuc"), torch.linalg.vector_norm(x, 1, dim=0)
torch.linalg.matrix_norm(A, 1), torch.dist(x, y, 3), torch.cdist(x, y), torch.cdist(x, y, p=1), F.pdist(x), F.pairwise_distance(x, y)
torch.block_diag(x, y), torch.diag_embed(x), x.diagonal_scatter(v[:3]), torch.meshgrid(v, x[0], indexing="ij"), torch.combinations(v)
x.unfold(1, 2, 1), torch.tensor_split(x, 3, 1), x.index_copy(0, index, y), torch.take_along_dim(x, index[:, None], 1)
torch.atleast_3d(x, v), x.masked_scatter(x > 1, y), x.repeat_interleave(2, 0), torch.cartesian_prod(v, v), x.select_scatter(v, 0, 1)
F.channel_shuffle(image[:, :2], 2), x[:, 1:].as_strided((2, 2), (4, 1), 1), torch.rot90(x), torch.hstack([x, y])
x.split_with_sizes([1, 3], 1), F.pixel_unshuffle(image[..., :4], 2), F.pad(image[0], (1, 2), mode="reflect")
F.pad(image, (1, 2, 0, 1), mode="circular"), F.pad(image[0], (3, 1), mode="replicate"), F.pad(x, (-1, 2))
x.scatter(1, index[:, None], y[:, :1]), x.scatter(0, index[None], y[:1, :3]), x.scatter(1, index[:, None], 2.0)
x.scatter_reduce(0, index[None], y[:1, :3], "prod"), x.index_fill(0, index[:2], 3.0)
x.scatter_reduce(0, index[None], y[:1, :3], "mean", include_self=False), ties.scatter_reduce(1, index[None], ties[:1, :3], "amax")
x.put(index, v[:3], True), x.index_add(0, index, y, alpha=2), x.index_reduce(0, index, y, "amin"), torch.index_put(x, (index,), y)
x.index_put((index,), y, accumulate=True), F.embedding_bag(index, x, index[:1] * 0), F.embedding_bag(index[None], x, mode="max")
F.embedding_bag(index[None], x, mode="sum", per_sample_weights=v[None, :3]), torch.addmv(v[:3], x, v), torch.addr(x, v[:3], v)
torch.kron(x, y), torch.linalg.cross(A, A * A), torch.tensordot(x, y, ([1], [1])), torch.linalg.inv(A), torch.linalg.det(A)
torch.slogdet(A), torch.logdet(S), torch.linalg.solve(A, v[:3]), torch.linalg.solve(A, A * A, left=False), torch.linalg.cholesky(S)
torch.cholesky_solve(A, torch.linalg.cholesky(S)), torch.linalg.eigh(S), torch.linalg.eigvalsh(A), torch.linalg.qr(A[..., :2])
torch.linalg.svd(A[..., :2], full_matrices=False)[1], torch.svd(A)[0].abs(), torch.linalg.pinv(x)
torch.linalg.lstsq(x.T, A[0, :1].T.expand(3, 4).T)[0], torch.linalg.qr(A), torch.linalg.lu(A)[1:], torch.linalg.lu_factor(x)[0]
torch.lu_solve(A, *torch.linalg.lu_factor(S)), torch.matrix_exp(3 * A), torch.linalg.solve_triangular(A, A * A, upper=True)
torch.linalg.solve_triangular(A, A * A, upper=False, unitriangular=True), torch.linalg.matrix_power(A, 3)
torch.linalg.householder_product(A, A[..., 0]), torch.ormqr(A, A[..., 0], S, left=False, transpose=True), torch.linalg.vander(v)
F.max_pool2d(flat, 3, 2, 1), F.max_pool2d(flat, 2, return_indices=True)[0], F.max_pool1d(ties, 2), F.adaptive_max_pool2d(flat, (2, 3))
F.max_unpool2d(image[:, :, :3, :2], F.max_pool2d(image, 2, return_indices=True)[1], 2, output_size=(6, 5))
F.fractional_max_pool2d(image, 2, output_size=(3, 2)), F.instance_norm(image), F.interpolate(image, scale_factor=2)
F.interpolate(image, (7, 3), mode="bilinear"), F.interpolate(image, (7, 3), mode="bicubic", align_corners=True)
F.interpolate(image, (4, 7), mode="nearest-exact"), F.interpolate(image, (4, 3), mode="area"), F.grid_sample(image, grid)
F.grid_sample(image, grid, "bicubic", "border"), F.grid_sample(image, grid, "bilinear", "reflection", True)
F.grid_sample(image, grid, "nearest"), F.affine_grid(A[:, :2], (2, 1, 3, 4))
F.interpolate(image, (4, 7), mode="bicubic", antialias=True), F.interpolate(image, (3, 2), mode="bilinear", antialias=True)
x.clone().fill_diagonal_(0.5), x.clone().uniform_() + x, torch.chain_matmul(x, y.T, x), F.margin_ranking_loss(x, y, sign)
F.soft_margin_loss(x, sign), F.hinge_embedding_loss(x, sign), F.cosine_embedding_loss(x, y, sign[:, 0], 0.2)
F.multi_margin_loss(x, index, p=2), F.multilabel_margin_loss(x, labels), F.triplet_margin_loss(x, y, x * y, p=2, swap=True)
F.multilabel_soft_margin_loss(x, sign), F.gaussian_nll_loss(x, y, y * 0.5, full=True), F.poisson_nll_loss(x, y, full=True)
F.linear_cross_entropy(x, y, index), F.cross_entropy(x, index * 0 - 100), F.nll_loss(x, index, ignore_index=1)
F.ctc_loss(image[0].log_softmax(-1), (labels[:, :2].abs() + 1).repeat(2, 1), (3, 2, 3, 3, 3, 2), (2, 1, 1, 2, 1, 1)), F.dropout(x, 0.4)
F.dropout2d(image, 0.5), F.alpha_dropout(x, 0.3), F.feature_alpha_dropout(image, 0.5), F.rrelu(x - 1, training=True)
torch.bernoulli(x / 3), F.scaled_dot_product_attention(A, S, A, dropout_p=0.5)
F.scaled_dot_product_attention(A, S, A, is_causal=True, dropout_p=0.2)
F.scaled_dot_product_attention(image[:, :2], image[:, :1], image[:, 1:2], enable_gqa=True)
torch.native_layer_norm(x, [4], v, None, 1e-5)[0], torch.segment_reduce(x, "mean", lengths=torch.tensor([2, 1]), axis=0), x.sum(axis=1)
x.mean(axis=0, keepdims=True), x.max(axis=1)[0], x.sort(dim=0, descending=True)[0], x.topk(k=2, dim=0)[0], torch.msort(input=x)
torch.mm(input=x, mat2=y.T), torch.mv(input=x, vec=v), torch.swapaxes(x, axis0=0, axis1=1)
torch.cholesky_solve(A, input2=torch.linalg.cholesky(S)), torch.special.expit(x), nn.utils.rnn.pad_sequence([x[0], x[1, :2]])
torch._weight_norm(x, y[:, :1], 0), torch.cat(tensors=[x, y], dim=-1), torch.softmax(input=x, dim=1)
F.cross_entropy(input=x, target=index), x.repeat(repeats=(2, 1)), x.split(2, dim=1)
"""

KINKS = """
edge.clamp(0, 1), edge.clamp(min=0), edge.clamp_max(1), edge.clamp(min=edge.detach() * 1), torch.maximum(edge, edge.flip(0))
F.hardtanh(edge), F.relu6(edge), F.hinge_embedding_loss(edge, -torch.ones(4)), F.margin_ranking_loss(edge, edge.flip(0), torch.ones(4))
edge.abs(), torch.norm(edge * 0), ties.amax(1), ties.max(), ties.max(0)[0], ties.median(), ties.cummax(0)[0], ties.sort(1)[0]
torch.linalg.vector_norm(ties, float("inf"), 1), F.max_pool1d(ties, 3, 1, 1), F.max_pool2d(flat, 2), F.adaptive_max_pool1d(ties, 3)
F.max_pool2d(flat.repeat(1, 1, 4, 8), 8)
(edge * 0).prod(), torch.fmax(edge, edge.flip(0)), x.index_copy(0, index, y), torch.index_put(x, (index,), y)
F.ctc_loss(x[:, None].log(), labels[:1, :1], (3,), (1,)), F.l1_loss(edge, edge * 1)
"""  # where PyTorch's choice is another one than ours

THEIR_KINKS = """
torch.hypot(edge, edge * 0), torch.atan2(edge, edge), torch.xlogy(edge, edge), torch.special.entr(edge.abs()), torch.quantile(ties, 0.5)
F.binary_cross_entropy(edge.abs(), edge.detach().abs()), torch.logsumexp(edge - float("inf"), 0), torch.fmax(edge * float("nan"), edge)
"""  # where only PyTorch computes its derivative


def names(dtype=torch.float64):
    torch.manual_seed(0)
    leaf = lambda *shape: (torch.rand(shape, dtype=dtype) + 0.2).requires_grad_()
    A = leaf(2, 3, 3)
    return {
        **{"torch": torch, "F": F, "nn": nn, "x": leaf(3, 4), "y": leaf(3, 4), "A": A, "v": leaf(4), "image": leaf(2, 3, 6, 5)},
        **{"S": (A @ A.mT + torch.eye(3)).detach().requires_grad_(), "grid": (leaf(2, 3, 4, 2) * 3 - 2).detach().requires_grad_()},
        "edge": torch.tensor([0.0, 1.0, -1.0, 0.5], dtype=dtype, requires_grad=True),
        "ties": (leaf(3, 4) * 2).round().detach().requires_grad_(),
        "flat": torch.relu(leaf(2, 1, 6, 6) - 0.8).detach().requires_grad_(),
        **{"index": torch.tensor([2, 0, 2]), "labels": torch.tensor([[2, 0, -1, 1], [1, 2, 0, -1], [3, -1, 1, 2]])},
        "sign": torch.tensor([[1, -1, 1, 1]] * 2 + [[-1, 1, 1, -1]], dtype=dtype),
    }


def calls(text):
    """Return each call of a list alone."""
    for line in text.split("\n"):
        tree = ast.parse(line.strip(), mode="eval").body if line.strip() else None
        yield from () if tree is None else map(ast.unparse, tree.elts if isinstance(tree, ast.Tuple) else [tree])


@each("call", calls(CALLS + KINKS))
def test_a_counterpart_has_the_value_and_the_gradients_of_pytorch(call):
    given = names()

    def program():
        torch.manual_seed(1)
        return eval(call, given)

    assert verdict(program) == ("ours", "")


@each("call", calls(THEIR_KINKS))
def test_a_derivative_that_follows_another_convention_is_asked_of_pytorch(call):
    given = names()
    found, why = verdict(lambda: eval(call, given))
    assert found == "theirs" and "PyTorch's derivative differs" in why


@each("call", ["torch.lgamma(x)", "torch.linalg.qr(A)", "torch.cov(x)", "torch.linalg.solve_triangular(A, A, upper=True)", "F.rrelu(x)"])
def test_a_counterpart_keeps_single_precision(call):
    given = names(torch.float32)
    seen = from_torch(lambda: sum(t.sum() for t in (eval(call, given),) for t in (t if isinstance(t, tuple) else (t,))))
    assert {call.by for call in seen.calls} == {OURS} and {v.dtype.name for call in seen.calls for v in call.results} == {"float32"}


@each("kind", [nn.RNN, nn.GRU, nn.LSTM])
@each(
    "options",
    [
        {},
        {"num_layers": 2, "bidirectional": True, "dropout": 0.4},
        {"batch_first": True, "bias": False},
        {"proj_size": 2, "bidirectional": True, "num_layers": 2},
    ],
)
def test_a_recurrent_layer_runs_by_our_rules(kind, options):
    if kind is not nn.LSTM and "proj_size" in options:
        return
    torch.manual_seed(0)
    layer, x = kind(3, 4, **options).double(), torch.rand(4, 3, 3, dtype=torch.float64, requires_grad=True)
    lengths = torch.tensor([4, 2, 1] if not layer.batch_first else [3, 3, 2, 1])

    def packed():
        torch.manual_seed(1)
        sequences = pack_padded_sequence(x, lengths, batch_first=layer.batch_first)
        y, state = layer(sequences)
        return pad_packed_sequence(y)[0], state

    def padded():
        torch.manual_seed(1)
        return layer(x)

    assert verdict(padded) == ("ours", "") and verdict(packed) == ("ours", "")


@each("cell", [nn.RNNCell(3, 4), nn.RNNCell(3, 4, nonlinearity="relu"), nn.GRUCell(3, 4), nn.LSTMCell(3, 4)])
def test_a_recurrent_cell_runs_by_our_rules(cell):
    x = torch.rand(2, 3, dtype=torch.float64, requires_grad=True)
    assert verdict(lambda: cell.double()(x)) == ("ours", "")


@each("call", ["torch.lgamma(x)", "torch.matrix_exp(A)", "torch.linalg.lu(A)[2]", "F.max_pool2d(flat, 2)", "torch.erfinv(x / 3)"])
def test_a_rule_that_only_a_counterpart_has_agrees_with_finite_differences(call):
    given = names()
    seen = from_torch(lambda: eval(call, given).sum())
    assert tg.check(seen.z)
    try:
        tg.zoom(seen.z)
    except TypeError as error:
        assert "its entries cannot be opened" in str(error)


def test_a_layer_that_writes_to_its_buffers_runs_by_our_rules():
    layer, x = nn.InstanceNorm1d(3, track_running_stats=True).double(), torch.rand(2, 3, 4, dtype=torch.float64, requires_grad=True)
    assert verdict(lambda: layer(x)) == ("ours", "")


def test_a_sum_whose_terms_cancel_is_still_ours():
    x = torch.randn(3, 40, requires_grad=True)
    assert {call.by for call in from_torch(lambda: F.layer_norm(x, (40,)).sum()).calls} == {OURS}


def test_a_box_of_pytorch_differentiates_the_result_at_its_place(monkeypatch):
    x, y = torch.rand(2, requires_grad=True), torch.rand((), requires_grad=True)
    meet = torch.broadcast_tensors  # it returns x itself beside y, repeated
    monkeypatch.setitem(TABLE, meet, None)
    seen = from_torch(lambda: (meet(x, y)[1] * torch.tensor([1.0, 3.0])).sum())
    assert seen.calls[0].by == THEIRS
    seen.z.backward()
    assert [g.grad.tolist() for _, g in seen.leaves] == [[0, 0], 4]


@each("program", [lambda x: torch.fft.fft(x).abs(), lambda x: x.to_sparse().to_dense() ** 2, lambda x: torch.complex(x, x).real.sin()])
def test_what_is_computed_with_complex_or_sparse_numbers_is_one_box_of_pytorch(program):
    x = torch.rand(3, requires_grad=True)
    seen = from_torch(lambda: program(x * 2).sum())
    seen.z.backward()
    assert [call.by for call in seen.calls].count(THEIRS) == 1
    torch.testing.assert_close(torch.tensor(seen.leaves[0][1].grad), torch.autograd.grad(seen.loss, x)[0])


def test_a_tensor_that_only_notes_its_sign_or_that_it_is_zero_is_read_as_an_array():
    assert array(torch._efficientzerotensor(2)).tolist() == [0, 0]
    assert array(torch.complex(torch.ones(1), torch.ones(1)).conj().imag).tolist() == [-1]
