"""Names that mean NumPy's function and not PyTorch's: one table lists them all, and each of its calls does what it says."""

import warnings
from functools import cache, partial

import numpy as np
import pytest

import tensorgrad as tg
from tensorgrad.errors import numpy_meanings
from tensorgrad.errors.numpy_meanings import MEANINGS
from tensorgrad.families import PUBLIC
from tests.each import each
from tutorial.book.reference.functions import function_page, index

X = np.random.default_rng(0).standard_normal((6, 3))
Y = np.random.default_rng(1).standard_normal((6, 3))


def evaluated(code, variable, functions):
    """Return the arrays that an expression gives for variables x and y, or the error that it raises."""
    try:
        return arrays(eval(code, {**functions, "x": variable(X), "y": variable(Y)}))
    except Exception as wrong:
        return wrong


def arrays(y):
    """Return a result of either library as an array, or as a list of them."""
    return [arrays(part) for part in y] if isinstance(y, list | tuple) else np.asarray(getattr(y, "_data", y))


def same(a, b):
    """Return whether two results have the same structure, shapes and numbers."""
    if isinstance(a, list) or isinstance(b, list):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    return isinstance(a, np.ndarray) and isinstance(b, np.ndarray) and a.shape == b.shape and np.allclose(a, b, equal_nan=True)


def ours(code):
    return evaluated(code, tg.Tensor, PUBLIC)


@each("meaning", MEANINGS)
def test_the_call_and_what_to_write_for_pytorch_differ(meaning):
    found = ours(meaning.instead)
    assert not isinstance(found, Exception), found
    assert not same(ours(meaning.call), found)


@pytest.mark.torch
@each("meaning", MEANINGS)
def test_what_to_write_gives_pytorchs_result(meaning):
    assert same(ours(meaning.instead), theirs(meaning.call)), meaning.call


def theirs(code):
    torch = pytest.importorskip("torch")
    functions = {**vars(torch.nn.functional), "vector_norm": torch.linalg.vector_norm, **vars(torch)}
    return evaluated(code, torch.tensor, functions)


def test_help_and_the_index_of_the_book_have_the_table():
    assert numpy_meanings.text() in tg.__doc__ and f"\n{numpy_meanings.markdown()}\n" in index()


def test_the_page_of_a_function_says_what_its_name_means_in_pytorch():
    family = next(f for f in tg.families.FAMILIES if "split" in f.__all__)
    assert "- `x.split(2)`: here 2 equal parts, in PyTorch parts of length 2: `x.split([2, 4])`." in function_page(
        "split", PUBLIC["split"], family
    )


# What is not in the table although it differs

NOT_NUMPYS = {
    "dropout": "random",
    "eigh eigvalsh": "PyTorch's reads one triangle of a matrix that is not symmetric",
    "lp_pool1d lp_pool2d lp_pool3d": "the docstring says how it differs",
    "cross softmax log_softmax svd": "PyTorch warns that this call is deprecated",
}
EXCEPTED = {name for names in NOT_NUMPYS for name in names.split()}
# fmt: off
CALLS = [
    "", "0", "1", "-1", "2", "3", "0, 1", "1, 0", "2, 1", "1, 2", "3, 0", "2, 2", "0, 0", "1, True", "0, True", "None", "0.5",
    "0.5, 1.5", "(0, 1)", "(1, 0)", "(1, 2)", "(1, 1, 1, 1)", "(2, 3, 2)", "2, 3, 2", "1, 2, 1",
    "y", "y, 0", "y, 1", "0, y", "0, k", "1, k", "k", "[x, y]",
]
# fmt: on
SHAPES = [(2, 3), (2, 3, 2), (3,), (3, 3)]


@pytest.mark.torch
def test_no_other_name_gives_silently_another_result_than_pytorch():
    """Calls every function and method that PyTorch has too with many arguments; PyTorch refuses most of them."""
    torch = pytest.importorskip("torch")
    listed = {name for meaning in MEANINGS for name in meaning.names}
    found = set()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in sorted(PUBLIC.keys() - EXCEPTED - listed):
            places = [owner for owner in (torch, torch.nn.functional, torch.linalg) if hasattr(owner, name)]
            pairs = [(f"{name}(x, {call})", [(f"f(x, {call})", getattr(place, name)) for place in places]) for call in CALLS]
            if hasattr(tg.Tensor, name) and hasattr(torch.Tensor, name):
                pairs += [(f"x.{name}({call})", [(f"x.{name}({call})", None)]) for call in CALLS]
            for shape in SHAPES:
                for call, others in pairs:
                    if differs(call, {name: PUBLIC[name]}, others, shape, torch):
                        found.add(call)
    assert not found, sorted(found)


def differs(call, function, others, shape, torch):
    """Return whether both give a result, and no result of PyTorch is ours. PyTorch is not asked where we give none.

    The call sees this one function of ours alone. With all 580, a message would look through their names for those of the arguments.
    """
    x, y, k = *numbers(shape).copy(), np.arange(2) % shape[0]
    mine = attempted(call, {**function, "x": tg.Tensor(x), "y": tg.Tensor(y), "k": k})
    if mine is None:
        return False
    results = [attempted(code, {"f": f, "x": torch.tensor(x), "y": torch.tensor(y), "k": torch.tensor(k)}) for code, f in others]
    results = [result for result in results if result is not None]
    return bool(results) and not any(same(mine, result) for result in results)


@cache
def numbers(shape):
    return np.random.default_rng(2).standard_normal((2, *shape))


compiled = cache(partial(compile, filename="a call", mode="eval"))


def attempted(code, names):
    """Return what an expression gives, or None if it raises."""
    try:
        return arrays(eval(compiled(code), names))
    except Exception:
        return None
