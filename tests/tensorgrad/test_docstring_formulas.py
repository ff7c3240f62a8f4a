"""The formulas and the derivatives in the docstrings of functions are those that the engine computes."""

import builtins
import inspect
import itertools
import math
import re
from doctest import DocTestParser

import numpy as np
import pytest

from scalargrad import rules
from scalargrad.rule import VariadicRow
from tensorgrad import Tensor
from tensorgrad.families import PUBLIC
from tests.each import each
from tests.scalargrad.oracles import ORACLES
from tests.tensorgrad.notation import Formula, InWords, sides

DRAW = np.random.default_rng(7)
NAMES = """x x1 x2 x_q x_k x_v a b q k v A B C W weight weights bias residual pos_weight in_bias out_weight out_bias input target
var table src source values value"""
ARRAYS = set(NAMES.split())  # the parameters of examples that are arrays
PARTS = {"split", "array_split", "chunk", "hsplit", "vsplit", "dsplit", "unbind"}
SHORT = {name: {"p": "input", "t": "target"} for name in ("binary_cross_entropy", "bce")} | {"kl_div": {"t": "target"}}
SHORT |= {"poisson_nll_loss": {"x": "input", "t": "target"}, "hinge_embedding_loss": {"x": "input"}}
FUNCTIONS = {
    f"{name}()": function
    for name, function in {
        **{
            n: getattr(np, n)
            for n in ("exp", "log", "tanh", "sign", "mean", "argmax", "argmin", "argsort", "diag", "trunc", "sin", "cos", "tan")
        },
        **{"nanargmax": np.nanargmax, "nanargmin": np.nanargmin, "argpartition": np.argpartition, "det": np.linalg.det, "clamp": np.clip},
        "max": lambda *xs: np.max(xs[0]) if len(xs) == 1 else np.maximum(*xs),
        "min": lambda *xs: np.min(xs[0]) if len(xs) == 1 else np.minimum(*xs),
        "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
        "softplus": lambda x: np.log1p(np.exp(x)),
        "relu": lambda x: np.maximum(x, 0),
        "erf": np.vectorize(math.erf),
        "softmax": lambda x: np.exp(x) / np.sum(np.exp(x), axis=-1, keepdims=True),
    }.items()
}
VERSION = re.compile("(?<!_)[123]d$")  # over how many axes a function works
REMARK = (  # what stands after a formula, on other lines or beside it
    r"[,;] (?=(?:and 0|with|where|for|otherwise|over the entries that are not nan|over all rows|repeated|rounded|in the dtype|elsewhere)\b)"
    r"|; |, (?=\w+ = )"
)


def r(*shape):
    """Return a tensor of numbers between 0.2 and 0.8."""
    return Tensor(DRAW.uniform(0.2, 0.8, shape))


def positive(n):
    A = DRAW.normal(size=(n, n))
    return Tensor(A @ A.T + np.eye(n))


# The call at which the formula of a function is evaluated, where that of its example is too special, such as one of ones.
CALLS = {
    "clip": "clip(r(5), 0.4, 0.6)",
    "lerp": "lerp(r(4), r(4), r(4))",
    "addcmul": "addcmul(r(4), r(4), r(4), value=3.0)",
    "addcdiv": "addcdiv(r(4), r(4), r(4), value=3.0)",
    "safe_log": "safe_log(r(4), eps=0.5)",
    "masked_fill": "masked_fill(r(4), np.array([True, False, True, False]), r())",
    "nan_to_num": "nan_to_num(Tensor([0.5, np.inf, 2.0]))",
    "vector_norm": "vector_norm(Tensor([0.3, -0.5, 0.7]), ord=3)",
    "matrix_norm": "matrix_norm(r(2, 3))",
    "norm": "norm(r(2, 3))",
    "sum": "sum(r(4))",
    "mean": "mean(r(4))",
    "prod": "prod(r(4))",
    "var": "var(r(4), ddof=1)",
    "std": "std(r(4), ddof=1)",
    "logsumexp": "logsumexp(r(4))",
    **{name: f"{name}(r(4))" for name in ("max", "min", "amax", "amin", "nanmax", "nanmin", "nansum", "nanprod", "nanmean")},
    **{name: f"{name}(r(4), ddof=1)" for name in ("nanvar", "nanstd")},
    "cond": "cond(r(3, 3))",
    "partition": "partition(r(6), 2)",
    "median": "median(r(6))",
    "astype": "astype(r(4), np.float64)",
    "atleast_1d": "atleast_1d(r(2))",
    "view": "view(r(2, 3), (3, 2))",
    **{name: f"{name}(r(2, 3), 1)" for name in ("unsqueeze", "expand_dims")},
    **{name: f"{name}(r(2, 3, 4), 0, -1)" for name in ("moveaxis", "movedim")},
    "matrix_transpose": "matrix_transpose(r(2, 3))",
    "select": "select(r(2, 3), 1, 2)",
    "average": "average(r(4), weights=r(4))",
    "ptp": "ptp(r(4))",
    "diff": "diff(r(4))",
    "gradient": "gradient(r(7), 0.5)",
    "broadcast_to": "broadcast_to(r(2, 1), (2, 3))",
    "flip": "flip(r(4))",
    "repeat": "repeat(r(3), 2)",
    "tile": "tile(r(3), 2)",
    "pad": "pad(r(4), 2, constant_values=0.5)",
    "diagonal": "diagonal(r(3, 4), 1)",
    "trace": "trace(r(3, 3))",
    "tril": "tril(r(3, 3), 1)",
    "triu": "triu(r(3, 3), -1)",
    "concatenate": "concatenate([r(2), r(3)])",
    "cat": "cat([r(2), r(3)])",
    "getitem": "getitem(r(4), [2, 0, 2])",
    "index_put": "index_put(r(4), np.array([True, False, True, False]), r())",
    "roll": "roll(r(5), 2)",
    "take": "take(r(3), [[2, 0], [0, 1]])",
    "addmm": "addmm(r(2, 4), r(2, 3), r(3, 4), beta=2, alpha=3)",
    "baddbmm": "baddbmm(r(5, 2, 4), r(5, 2, 3), r(5, 3, 4), beta=2, alpha=3)",
    "dot": "dot(r(3), r(3))",
    "inner": "inner(r(3), r(3))",
    "matmul": "matmul(r(2, 3), r(3, 4))",
    "linear": "linear(r(2, 3), r(4, 3), r(4))",
    "bilinear": "bilinear(r(2), r(3), r(4, 2, 3), r(4))",
    "einsum": "einsum('ij,jk->ik', r(2, 3), r(3, 4))",
    "cholesky": "cholesky(positive(3))",
    "det": "det(r(3, 3))",
    "inv": "inv(positive(3))",
    "slogdet": "slogdet(positive(3))",
    "solve": "solve(positive(3), r(3, 2))",
    **{name: f"{name}(positive(3))" for name in ("eig", "eigh", "eigvals", "eigvalsh")},
    "pinv": "pinv(r(4, 2))",
    "svd": "svd(r(3, 2), full_matrices=False)",
    "svdvals": "svdvals(r(3, 2))",
    "cross": "cross(r(3), r(3))",
    "kron": "kron(r(2, 2), r(2, 3))",
    "matrix_power": "matrix_power(r(3, 3), 4)",
    "multi_dot": "multi_dot([r(2, 3), r(3, 4), r(4, 2)])",
    "vdot": "vdot(r(3), r(3))",
    "vecdot": "vecdot(r(3), r(3))",
    "conv": "conv(r(2, 3, 7), r(4, 3, 2), r(4), stride=2, dilation=2)",
    "conv2d": "conv2d(r(2, 2, 4, 5), r(3, 2, 2, 2), r(3), stride=2)",
    "conv_transpose": "conv_transpose(r(2, 3, 3), r(3, 2, 2), r(2), stride=2)",
    "unfold": "unfold(r(2, 2, 6), (2,), stride=2)",
    "fold": "fold(r(1, 4, 5), (6,), (2,))",
    "max_pool": "max_pool(Tensor([0.3, 0.7, 0.7, 0.7, 0.2, 0.6, 0.1]), (3,), stride=2)",  # two ties, and an entry in both
    "avg_pool": "avg_pool(r(7), (2,), stride=3)",
    "lp_pool": "lp_pool(r(7), 3, (2,), stride=2)",
    "smooth_max_pool": "smooth_max_pool(r(7), (2,), stride=2, beta=3.0)",
    "adaptive_avg_pool": "adaptive_avg_pool(r(7), (3,))",
    "adaptive_max_pool": "adaptive_max_pool(r(7), (3,))",
    "interpolate": "interpolate(r(1, 2, 4), scale_factor=1.3)",
    "pixel_shuffle": "pixel_shuffle(r(1, 8, 2, 3), 2)",
    "pixel_unshuffle": "pixel_unshuffle(r(1, 2, 4, 6), 2)",
    "softmax": "softmax(r(4))",
    "log_softmax": "log_softmax(r(4))",
    "prelu": "prelu(Tensor([-2.0, -0.5, 0.4, 3.0]), r(1))",
    **{name: f"{name}(Tensor([-2.0, -0.5, 0.4, 3.0]))" for name in ("selu", "mish", "softsign", "logsigmoid", "hardtanh", "hardswish")},
    "celu": "celu(Tensor([-2.0, -0.5, 0.4, 3.0]), 0.7)",
    "relu6": "relu6(Tensor([-2.0, 0.5, 4.0, 7.0]))",
    "hardsigmoid": "hardsigmoid(Tensor([-4.0, -1.0, 2.0, 5.0]))",
    "glu": "glu(r(4))",
    "batch_norm": "batch_norm(r(5, 1), weight=r(1), bias=r(1), training=True)",
    "batch_norm_relu": "batch_norm_relu(r(5, 1), weight=r(1), bias=r(1), residual=r(5, 1), training=True)",
    "group_norm": "group_norm(r(1, 1, 4), 1, r(1), r(1))",
    "instance_norm": "instance_norm(r(1, 1, 5), weight=r(1), bias=r(1))",
    "layer_norm": "layer_norm(r(4), 4, r(4), r(4))",
    "rms_norm": "rms_norm(r(4), 4, r(4), eps=0.1)",
    "cosine_similarity": "cosine_similarity(r(4), r(4), axis=0)",
    "normalize": "normalize(r(4), axis=0)",
    "dropout": "dropout(r(6), 0.4, rng=0)",
    "scaled_dot_product_attention": "scaled_dot_product_attention(r(1, 3), r(4, 3), r(4, 2), scale=0.7)",
    **{
        name: f"{name}(r(4), r(4))"
        for name in ("mse_loss", "mse", "l1_loss", "binary_cross_entropy", "bce", "binary_cross_entropy_with_logits", "kl_div")
    },
    "smooth_l1_loss": "smooth_l1_loss(r(4), r(4), beta=0.4)",
    "huber_loss": "huber_loss(r(4), r(4), delta=0.2)",
    "gaussian_nll_loss": "gaussian_nll_loss(r(4), r(4), r(4))",
    "poisson_nll_loss": "poisson_nll_loss(r(4), r(4))",
    "hinge_embedding_loss": "hinge_embedding_loss(Tensor([0.5, 0.3, 1.4, 0.2]), np.array([1, -1, -1, 1]))",
    "cross_entropy": "cross_entropy(r(3, 4), np.array([1, 0, 3]))",
    "nll_loss": "nll_loss(r(3, 4), np.array([1, 0, 3]))",
}
# Other calls of functions whose formulas say `for option=value` and `otherwise`.
MORE_CALLS = {
    "interpolate": (
        "interpolate(r(1, 2, 4), 6)",
        "interpolate(r(1, 2, 4), scale_factor=1.3, mode='linear')",
        "interpolate(r(1, 2, 4), 6, mode='linear', align_corners=True)",
        "interpolate(r(1, 2, 6, 1), (3, 1), mode='bilinear')",
        "interpolate(r(1, 2, 4, 1), scale_factor=(1.3, 1), mode='bicubic')",
        "interpolate(r(1, 1, 5, 1), (3, 1), mode='bicubic', align_corners=True)",
    ),
}
RESULTS = {
    "eig": "w V",
    "eigh": "w V",
    "svd": "U S Vh",
    "topk": "y places",
    "slogdet": "sign y",
    "solve": "x",
    "matmul": "y C",
    "mse_loss": "y mse",
    "mse": "y mse",
}
FIRST_ENTRIES = lambda names: {"m": len(names["xs"][0])}
STARTS = lambda names: {"c": np.cumsum([0, *(part.shape[0 if part.ndim < 3 else 2] for part in names["y"])])}
ONE_AXIS = lambda names: {k: np.ravel(names[k])[0] for k in ("kernel_size", "output_size", "stride") if np.ndim(names.get(k, 0))}
GAPS = lambda w: 1 / (w - w[:, None] + np.diag(np.full(len(w), np.inf)))  # 1 / (w[j] - w[i]), and 0 for i = j
VECTORS = lambda names: dict(zip(("V", "w"), reversed(np.linalg.eigh(names["A"]))))
SHUFFLED = lambda names: {"r": 2, "a in": range(2), "b in": range(2)}
BOXES = lambda names: {"m": names["output_size"][0]}
# The names that a formula has beside those of arguments and results, each with the value that the words around the formula give it.
MORE = {
    "average": lambda names: {"weight": names["weights"], "G_weight": names["G_weights"]},
    "diff": lambda names: {"i in": range(1, 3)},
    **{name: lambda names: {"x": names["xs"][0], "G_x": names["G_xs"][0]} for name in ("atleast_1d", "atleast_2d", "atleast_3d")},
    "pad": lambda names: {"w": names["pad_width"]},
    "concatenate": FIRST_ENTRIES,
    "cat": FIRST_ENTRIES,
    "hstack": FIRST_ENTRIES,
    **{name: STARTS for name in ("split", "array_split", "chunk", "hsplit", "vsplit", "dsplit")},
    "gradient": lambda names: {"h": 0.5, "i in": range(2, 5)},
    "cond": lambda names: dict(zip("usv", singular(names["x"]))),
    "einsum": lambda names: dict(zip(("A", "B", "G_A", "G_B"), (*names["xs"], *names["G_xs"]))),
    "kron": lambda names: dict(zip("mn", names["b"].shape)),
    "det": lambda names: {"p in": list(itertools.permutations(range(3))), "sign()": lambda p: np.linalg.det(np.eye(3)[list(p)])},
    "cholesky": lambda names: {"Φ()": lambda x: np.tril(x) - np.diag(np.diag(x)) / 2},
    **{name: lambda names: {"F": GAPS(names["w"])} for name in ("eig", "eigh")},
    "svd": lambda names: {"F": GAPS(names["S"] ** 2), "V": names["Vh"].T, "G_V": names["G_Vh"].T},
    "eigvals": VECTORS,
    "eigvalsh": VECTORS,
    "svdvals": lambda names: {"U": np.linalg.svd(names["A"], False)[0], "V": np.linalg.svd(names["A"], False)[2].T},
    "unfold": lambda names: {"size": 2, "i in": range(2)},
    "fold": lambda names: {"size": 2, "i in": range(2), "c in": range(2)},
    **{name: ONE_AXIS for name in ("avg_pool", "smooth_max_pool")},
    "max_pool": lambda names: ONE_AXIS(names) | {"t": np.lib.stride_tricks.sliding_window_view(names["x"], 3)[::2] == names["y"][:, None]},
    "lp_pool": lambda names: ONE_AXIS(names) | {"p": names["norm_type"]},
    "adaptive_avg_pool": BOXES,
    "adaptive_max_pool": BOXES,
    "interpolate": lambda names: {"old": names["x"].shape[2], "new": names["y"].shape[2], "s": distance(names), "size": np.abs},
    "pixel_shuffle": SHUFFLED,
    "pixel_unshuffle": SHUFFLED,
    "selu": lambda names: {"scale": 1.0507009873554805, "alpha": 1.6732632423543772},
    "glu": lambda names: {"a": names["x"][:2], "b": names["x"][2:], "G_a": names["G_x"][:2], "G_b": names["G_x"][2:]},
    "dropout": lambda names: {"m": names["y"] != 0},
    "scaled_dot_product_attention": lambda names: {"mask": 0},
    "cross_entropy": lambda names: {"q": np.eye(4)[names["target"]]},
    **{name: lambda names: {"size": lambda x: np.sqrt(np.sum(x * x))} for name in ("cosine_similarity", "normalize")},
}
ROWS = {row.name: row for row in rules.TABLE if not isinstance(row, VariadicRow)}
# Formulas that are not evaluated, by what they say, and why. Finite differences check all derivatives, whatever says them.
IN_WORDS = {
    r"(?:put|swapped|moved|flipped|rearranged) back|in the shape of|summed over the (?:copies|batch)": "it undoes a move along any axes",
    r"over the (?:batch|entries|mask)\b|^dz/dx(?:\[k\])? = (?:zeros|the )": "the places are those that the function takes",
    r"times the product of all other|the running sum|⋯": "a product or a sum with a gap",
    r"the symmetric part|cofactors|[uv]ᵢ|\(1 - A y\)": "other matrices, which the lines around name",
    r"^F\[": "one entry of a matrix, which would be 1 / 0",
    r"\)ᵏ": "a power above",
    r"H\[|dz/dH|the halves": "heads of attention side by side",
}
NOT_READ = {"multi_head_attention": "its formulas have heads side by side", "erf": "an integral"}
NO_DERIVATIVE_READ = {"matrix_power": "a power above", "multi_head_attention": "heads side by side"}


def formulas(docstring):
    """Return the lines of a docstring that are formulas."""
    return [line.strip() for line in inspect.cleandoc(docstring or "").split("\n") if line.startswith("    ") and " = " in line]


def for_this_call(lines, given):
    """Return the lines without those that end in `, for option=value` with another value, and in `, otherwise` after such a line."""
    kept: dict = {}
    for line in lines:
        left, option = line.split(" = ")[0], re.search(r", for (\w+)=(.*)$", line)
        if (
            option
            and str(given[option[1]]) in re.findall(r"\w+", option[2])
            or not option
            and not (line.endswith(", otherwise") and left in kept)
        ):
            kept.setdefault(left, []).append(line)
    return [line for lines in kept.values() for line in lines]


def called(name, call=None):
    """Return a function's bound arguments, floats as tensors, and its results, for a call, its call in CALLS, or its example."""
    function, calls = PUBLIC[name], []
    call = call or CALLS.get(name)
    space = {**PUBLIC, "np": np, "Tensor": Tensor, "r": r, "positive": positive}
    space[name] = lambda *args, **options: calls.append(inspect.signature(function).bind(*args, **options)) or function(*args, **options)
    if call:
        eval(call, space)
    else:
        exec("\n".join(example.source for example in DocTestParser().get_examples(function.__doc__)), space)
    bound = calls[0]
    bound.apply_defaults()
    for parameter, x in bound.arguments.items():
        bound.arguments[parameter] = x if call else drawn_again(parameter, x)
    y = function(*bound.args, **bound.kwargs)
    return bound.arguments, list(y) if isinstance(y, (tuple, list)) else [y]


def drawn_again(parameter, x):
    """Return numbers of an example as a tensor of other numbers: those of examples are often ones or zeros."""
    if parameter in ("xs", "arrays"):
        return [drawn_again("x", each) for each in x]
    return r(*np.shape(x)) if parameter in ARRAYS and isinstance(x, (list, np.ndarray, float)) else x


def singular(A):
    """Return the left singular vectors, the singular values, and the right vectors."""
    U, s, Vh = np.linalg.svd(A)
    return list(U.T), s, list(Vh)


def plain(x):
    several = isinstance(x, (list, tuple)) and any(isinstance(each, (Tensor, np.ndarray)) for each in x)
    return x.data if isinstance(x, Tensor) else [plain(each) for each in x] if several else np.asarray(x) if isinstance(x, list) else x


def distance(names):
    """Return how far new entries are apart in x."""
    factor = names["scale_factor"]
    return names["x"].shape[2] / names["y"].shape[2] if factor is None else 1 / np.ravel(factor)[0]


def values(name, call=None):
    """Return the value of each name that the formulas of a function may have: arguments, results and their gradients, functions."""
    given, results = called(name, call)
    upstream = [DRAW.normal(size=y.shape) if isinstance(y, Tensor) else None for y in results]
    weighted = [(y * G).sum() for y, G in zip(results, upstream) if G is not None]
    if weighted:
        builtins.sum(weighted[1:], weighted[0]).backward()
    arguments = {n: plain(x) for n, x in given.items()}
    first = next((x for x in arguments.values() if isinstance(x, np.ndarray) and x.ndim), np.zeros(1))
    finite = first[np.isfinite(first)]
    names = {"e": math.e, "π": math.pi, "size": np.abs, **FUNCTIONS}
    names |= {"n": first.shape[-1], "N": len(first), "mean": finite.mean(), "variance": finite.var(), **arguments}
    if name in PARTS:
        names |= {"y": plain(results), "G_y": upstream}
    else:
        names |= {"y": plain(results[0]), "G_y": upstream[0]}
        said = RESULTS.get(name, "y").split()
        for n, y, G in zip(said, itertools.cycle(results), itertools.cycle(upstream)):
            names |= {n: plain(y), f"G_{n}": G}
    names |= {f"G_{n}": x.grad for n, x in given.items() if isinstance(x, Tensor)}
    lists = {n: x for n, x in given.items() if isinstance(x, list | tuple) and all(isinstance(each, Tensor) for each in x)}
    names |= {f"G_{n}": [each.grad for each in x] for n, x in lists.items()}
    for short, long in SHORT.get(name, {}).items():
        names |= {short: names[long], f"G_{short}": names[f"G_{long}"]}
    return names | MORE.get(name, lambda names: {})(names)


def equations(lines, names):
    """Give the equations among the lines. Definitions, which may stand beside them, become names or, if they have letters, text."""
    pieces = [piece for line in lines for piece in re.split(REMARK, line)]
    pieces = [re.sub(r"^(?:with|where) ", "", piece) for piece in pieces if " = " in piece and not piece.startswith("and ")]
    written = {}
    found = []
    for piece in reversed(pieces):
        if any(re.search(words, piece) for words in IN_WORDS):
            continue
        left, right = piece.split(" = ", 1)
        if re.fullmatch(r"\w+", left) and left not in names and not left.startswith("dz"):
            for name, text in written.items():
                right = re.sub(rf"\b{name}(?![A-Za-z0-9_])", f"({text})", right)  # d³, too
            try:
                names[left] = Formula(right)(names)
            except InWords:
                written[left] = right
        else:
            found.append(piece)
    for equation in reversed(found):
        for name, text in written.items():
            equation = re.sub(rf"\b{name}(?![A-Za-z0-9_(])", f"({text})", equation)
        yield equation


def holds(equation, names):
    """Assert that both sides of an equation are equal, everywhere where it says something."""
    count = 0
    for left, right in sides(equation, names):
        left, right = np.broadcast_arrays(np.asarray(left, float), np.asarray(right, float))
        said = ~np.isnan(right)
        count += np.sum(said)
        assert left[said] == pytest.approx(right[said], rel=1e-7, abs=1e-10), (equation, left, right)
    assert count, equation


def read(name, call=None):
    """Give each equation of a function's docstring that can be evaluated for its call, and assert that it holds."""
    names = values(name, call)
    for equation in equations(for_this_call(formulas(PUBLIC[name].__doc__), names), names):
        if any(re.search(words, equation) for words in IN_WORDS):
            continue
        holds(equation, names)
        yield equation


def is_forward(equation):
    return "dz/d" not in equation.split(" = ")[0]


@each("name", [name for name, function in PUBLIC.items() if formulas(function.__doc__) and name not in ROWS and not VERSION.search(name)])
def test_the_formulas_of_a_docstring_are_those_of_the_engine(name):
    found = [is_forward(equation) for equation in read(name)]
    assert any(found) or name in NOT_READ
    assert not all(found) or name in NO_DERIVATIVE_READ


@each("name", MORE_CALLS)
def test_the_formulas_of_options_are_those_of_the_engine(name):
    for call in MORE_CALLS[name]:
        assert [is_forward(equation) for equation in read(name, call)] == [True, False], call


@each("name", [name for name in PUBLIC if VERSION.search(name)])
def test_a_version_for_some_axes_has_the_formulas_of_its_function(name):
    general = formulas(PUBLIC[VERSION.sub("", name)].__doc__)
    assert general and (formulas(PUBLIC[name].__doc__) == general or name == "conv2d")


@each("row", [row for row in ROWS.values() if row.formula and row.name not in NOT_READ], ids=lambda row: row.name)
def test_the_formula_of_a_row_holds_at_its_points(row):
    for point in ORACLES[row.name].points:
        y = row(*point)
        names = {"e": math.e, "π": math.pi, "size": abs, **FUNCTIONS, **dict(zip(row.parameters, point)), "y": y}
        names |= {"G_y": 1.0, **{f"G_{x}": row.partial(k, point, y) for k, x in enumerate(row.parameters)}}
        for equation in equations(row.formula.split("\n"), names):
            holds(equation, names)


def test_the_integral_of_erf_is_its_value():
    t = np.linspace(0, 0.8, 2001)
    assert rules.erf(0.8) == pytest.approx(2 / math.sqrt(math.pi) * np.trapezoid(np.exp(-(t**2)), t), rel=1e-6)
