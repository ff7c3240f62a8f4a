"""All public functions: lists and numbers count as arrays, and PyTorch's argument names are answered with ours."""

import inspect
import pickle
import re

import numpy as np
import pytest

import tensorgrad as tg
from scalargrad.formulas.notations import PRETTY
from scalargrad.formulas.symbols import render
from scalargrad.graph import inputs_first
from tensorgrad import Tensor
from tensorgrad.errors.torch_names import CALLED
from tensorgrad.families import FAMILIES, PUBLIC
from tensorgrad.inspection.formulas import function_formula
from tensorgrad.public import Array, Arrays, AsGiven, Option, alias, public
from tensorgrad.rule import RENAMED, TABLE, Rule
from tests.each import each
from tests.tensorgrad.cases import every_case

FUNCTIONS = {id(f): f for f in [*PUBLIC.values(), *TABLE]}
CALLED_SO = {id(f): name for name, f in PUBLIC.items()}
CASES = [case for case in every_case() if id(case.function) in FUNCTIONS]


def signature_of(function):
    return function.signature if isinstance(function, Rule) else inspect.signature(function)


# Lists


@each("case", [c for c in CASES if all(np.size(a) for a in c.arrays())], ids=repr)
def test_lists_and_numbers_count_as_arrays(case):
    arrays = case.arrays()
    found, expected = case(*[a.tolist() for a in arrays]), case(*arrays)
    for f, e in zip(found, expected) if isinstance(expected, tuple | list) else [(found, expected)]:
        assert np.shape(f) == np.shape(e)
        np.testing.assert_allclose(f, e, rtol=1e-12)


@public
def doubled(y: Array, times: Option = 2):
    return sum([y] * (times - 1), start=y)


@public
def by_text(y: "Array | None" = None):
    return y + y


@public
def of_tensors(y: Tensor, z: np.ndarray):
    return y + z


@public
def several(*ys: Array):
    return ys[0] + ys[-1]


@public
def with_mask(y: AsGiven, ys: Arrays = ()):
    return y.dtype, ys


def test_an_annotation_makes_a_parameter_an_array_whatever_its_name():
    for found in (doubled([1, 2]), by_text([1, 2]), alias("twice", doubled)([1, 2]), of_tensors([1, 2], [1, 2]), several([1, 2])):
        np.testing.assert_array_equal(found, [2.0, 4.0])
    assert doubled(y=[1, 2]).dtype == float and with_mask([True, False], [1]) == (bool, [1])
    x = Tensor([1.0, 2.0])
    doubled(x, 3).sum().backward()
    assert x.grad.tolist() == [3.0, 3.0] and str(inspect.signature(doubled)) == "(y, times=2)"


def test_a_parameter_that_does_not_say_whether_it_is_an_array_is_refused():
    for function in (lambda y: y + y, lambda *y: y, lambda *, y: y):
        with pytest.raises(TypeError, match=r"^public: <lambda> does not say what y is; write y: Array, or y: Option$"):
            public(function)


def test_every_parameter_that_a_case_gives_an_array_is_annotated_as_one():
    for case in CASES:
        if not isinstance(case.function, Rule):
            takes = inspect.signature(case.function, follow_wrapped=False).parameters
            inner = inspect.signature(inspect.unwrap(case.function, stop=lambda f: not hasattr(f, "arrays"))).parameters
            for p, _ in zip(inner.values(), case.shapes):
                assert p.annotation in (Array, AsGiven, Arrays) or p.name in case.function.arrays, f"{case.name}: {p.name}"
            assert not takes or all(p.annotation is p.empty for p in takes.values())  # help shows none


def test_every_method_is_public():
    for family in FAMILIES:
        for name, function in vars(family).items():
            if hasattr(function, "is_method") and getattr(function, "__module__", None) == family.__name__:
                assert PUBLIC[name] and hasattr(Tensor, name), f"{family.__name__}.{name}"


def functions_called(function, found):
    """Add to `found` a function, and what it calls if it is one of the cases' own."""
    function = function.origin if isinstance(function, Rule) else inspect.unwrap(function)
    if function not in found:
        found.add(function)
        if inspect.isfunction(function) and function.__module__.startswith("tests."):
            named = inspect.getclosurevars(function)
            for x in (*named.globals.values(), *named.nonlocals.values()):
                parts = [getattr(x, name, None) for name in function.__code__.co_names] if inspect.ismodule(x) else [x]
                for called in x if isinstance(x, list | tuple) else parts:
                    if isinstance(called, Rule) or inspect.isfunction(called):
                        functions_called(called, found)
    return found


def test_every_public_function_has_a_case():
    tried: set = set()
    for case in every_case():
        functions_called(case.function, tried)
    differentiable = {name: f for name, f in PUBLIC.items() if not re.search(r"\bplain\b", inspect.getdoc(f))}  # "the result is plain"
    without = [name for name, f in differentiable.items() if (f.origin if isinstance(f, Rule) else inspect.unwrap(f)) not in tried]
    assert not without, f"{without} have no case: add a Case to CASES in a file of tests/tensorgrad/cases"


def test_a_list_beside_a_tensor_takes_its_dtype_and_gets_no_gradient():
    t = Tensor(np.ones((2, 3)), dtype=np.float32)
    y = tg.layer_norm(t * [[1, 2, 3], [3, 2, 1]], 3, weight=[1, 2, 3], bias=[1, 0, 1])
    assert y.dtype == np.float32
    y.sum().backward()
    assert t.grad.dtype == np.float32


@each("bad", [[[1, 2], [3]], ["a"], [1j]])
def test_a_list_that_does_not_make_an_array_is_refused_with_the_name_of_the_function(bad):
    for function in (tg.gelu, tg.mish, tg.norm, tg.argsort, tg.unsqueeze):
        with pytest.raises(TypeError, match=f"^{function.__name__}: cannot combine a Tensor with "):
            function(bad, *[0][: function is tg.unsqueeze])


# Names of arguments


@each("name", [n for n, f in PUBLIC.items()])
def test_an_unknown_argument_is_refused_with_the_signature(name):
    function = PUBLIC[name]
    with pytest.raises(TypeError) as refusal:
        function(np.ones((2, 2)), quux=1)
    assert str(refusal.value) == f"{function.__name__}: unknown argument quux=; signature: {function.__name__}{signature_of(function)}"


@each("name", [n for n, f in PUBLIC.items()])
def test_every_argument_name_of_pytorch_is_answered_with_ours(name):
    function = PUBLIC[name]
    names = list(signature_of(function).parameters)
    for theirs, ours in CALLED.items():
        if theirs not in names and any(n in names for n in ours):
            with pytest.raises(TypeError) as refusal:
                function(np.ones((2, 2)), **{theirs: 1})
            meant = next(n for n in ours if n in names)
            assert str(refusal.value).startswith(f"{function.__name__}: unknown argument {theirs}= (here: {meant}")
            assert "got an unexpected" not in str(refusal.value)


def test_near_misses_and_arguments_without_a_counterpart_are_answered_with_advice():
    t = Tensor(np.ones((2, 2)))
    for call, text in [
        (lambda: tg.cat([t, t], dim=1), "cat: unknown argument dim= (here: axis, as in NumPy); signature: cat(xs, axis=0)"),
        (lambda: tg.linear(t, weight=t), "linear: unknown argument weight= (here: W); signature: linear(x, W, b=None)"),
        (
            lambda: tg.topk(t, 1, descending=True),
            "topk: unknown argument descending= (here: largest); signature: topk(x, k, axis=-1, largest=True",
        ),
        (lambda: t.permute(dims=(1, 0)), "permute: unknown argument dims= (here: axes, as in NumPy); signature: permute(x, axes)"),
        (lambda: t.reshape(size=(4,)), "reshape: unknown argument size= (here: shape); signature: reshape(x, shape)"),
        (
            lambda: t.sum(keepdimz=True),
            "sum: unknown argument keepdimz= (is keepdims meant?); signature: sum(x, axis=None, keepdims=False, where=True, initial=None, ",
        ),
        (lambda: tg.mish(t, t), "mish: too many positional arguments; signature: mish(x)"),
        (lambda: tg.lerp(t, t), "lerp: missing a required argument: 'weight'; signature: lerp(a, b, weight)"),
        (lambda: tg.conv2d(t), "conv2d: missing a required argument: 'weight'; signature: conv2d(x, weight, bias=None, "),
    ]:
        with pytest.raises(TypeError) as refusal:
            call()
        assert str(refusal.value).startswith(text)


def test_a_type_error_from_within_a_function_is_passed_on_unchanged():
    with pytest.raises(TypeError, match="^masked_fill: mask has dtype float64"):
        tg.masked_fill(Tensor([1.0]), np.ones(1), 0)


def test_methods_are_the_public_functions():
    t = Tensor(np.ones((2, 2)))
    assert t.reshape(shape=(4,)).shape == (4,) and t.permute(axes=(1, 0)).shape == (2, 2)
    assert Tensor.celu is tg.celu and Tensor.topk is tg.topk


# Arguments of the wrong type


T = Tensor(np.ones((2, 3)))


@each("name", [n for n, f in PUBLIC.items() if "axis" in signature_of(f).parameters])
@each("axis", [7, -4, 1.5, "x", (0, 7)])
def test_an_axis_that_does_not_exist_is_refused_with_the_shape_or_as_not_an_integer(name, axis):
    function = PUBLIC[name]
    others = {
        "xs": [T, T],
        "k": 1,
        "kth": 1,
        "sizes": (1, 3),
        "chunks": 2,
        "start": 0,
        "length": 1,
        "shift": 1,
        "repeats": 2,
        "x": T,
        "x1": T,
        "x2": T,
        "a": T,
        "b": T,
    }
    others |= {"indices_or_sections": 1, "index": np.zeros((2, 3), int), "indices": np.zeros((2, 3), int), "src": T, "source": T}
    others["values"] = T
    needed = [n for n, p in signature_of(function).parameters.items() if p.default is p.empty and p.kind is not p.VAR_POSITIONAL]
    if name in ("select", "index_select", "index_add"):
        others["index"] = 0
    with pytest.raises((TypeError, IndexError)) as refusal:
        function(**{n: others[n] for n in needed if n != "axis"}, axis=axis)
    says = rf"^\w+: (axis={re.escape(repr(axis))} is not an integer|axis [-\d]+ is out of range for shape \(2, 3\)[;,])"
    assert re.search(says, str(refusal.value)), refusal.value


WRONG = [
    (lambda: T.unsqueeze(7), "unsqueeze: axis 7 is out of range for shape (2, 3), which has 3 axes with the new one; use -3 to 2"),
    (lambda: tg.expand_dims(T, (0, 0)), "expand_dims: axis=(0, 0) names a new axis twice"),
    (lambda: tg.stack([T, T], -4), "stack: axis -4 is out of range for shape (2, 3), which has 3 axes with the new one; use -3 to 2"),
    (lambda: T.sum(axis=[0]), "sum: axis=[0] is a list; name several axes by a tuple"),
    (lambda: T.sum(axis=True), "sum: axis=True is not an integer"),
    (lambda: T.permute(1.5), "permute: axes=1.5 is not an integer"),
    (lambda: tg.topk(T, 1.5), "topk: k=1.5 is not an integer"),
    (lambda: tg.topk(T, [1]), "topk: k=[1] is not an integer"),
    (lambda: tg.topk(T, None), "topk: k=None is not an integer"),
    (lambda: T.reshape("ab"), "reshape: shape='ab' is not an integer"),
    (lambda: T.reshape(2, 1.5), "reshape: shape=(2, 1.5) is not an integer"),
    (lambda: tg.group_norm(T, 1.5), "group_norm: num_groups=1.5 is not an integer"),
    (lambda: tg.layer_norm(T, None), "layer_norm: normalized_shape=None is not an integer"),
    (lambda: tg.var(T, ddof="x"), "var: ddof='x' is not a number"),
    (lambda: tg.dropout(T, "half"), "dropout: p='half' is not a number"),
    (lambda: tg.celu(T, None), "celu: alpha=None is not a number"),
    (lambda: tg.diagonal(T, 1.5), "diagonal: offset=1.5 is not an integer"),
    (lambda: tg.tensordot(T, T, [0]), "tensordot: axes=[0] is not a number or a pair; give (axes of the"),
    (lambda: tg.normalize(T, axis=3), "normalize: axis 3 is out of range for shape (2, 3); use -2 to 1"),
    (lambda: tg.glu(T, axis=3), "glu: axis 3 is out of range for shape (2, 3); use -2 to 1"),
]


@each(("call", "text"), WRONG, ids=[text[:30] for _, text in WRONG])
def test_an_argument_of_the_wrong_type_is_named(call, text):
    with pytest.raises((TypeError, ValueError, IndexError)) as refusal:
        call()
    assert str(refusal.value).startswith(text)


NAMED = {
    "conv2d": lambda x: tg.conv2d(x, np.ones((1, 1, 2, 2))),
    "conv": lambda x: tg.conv(x, np.ones((1, 1, 2, 2))),
    "conv_transpose2d": lambda x: tg.conv_transpose2d(x, np.ones((1, 1, 2, 2))),
    "max_pool2d": lambda x: tg.max_pool2d(x, 2),
    "smooth_max_pool2d": lambda x: tg.smooth_max_pool2d(x, 2),
    "pad": lambda x: tg.pad(x, 1),
    "cross_entropy": lambda x: tg.cross_entropy(x[0, 0], np.array([0, 1])),
    "nll_loss": lambda x: tg.nll_loss(x[0, 0], np.array([0, 1])),
}


@each("name", NAMED)
def test_a_function_of_the_graph_has_the_name_that_the_user_called(name):
    y = NAMED[name](tg.Tensor(np.arange(4.0).reshape(1, 1, 2, 2)))
    assert y.rule.name == y.rule.__name__ == name
    assert pickle.loads(pickle.dumps(y.rule)) is y.rule


@each("case", [c for c in CASES if id(c.function) in CALLED_SO], ids=repr)
def test_one_function_of_the_arguments_has_the_name_that_the_user_called(case):
    found = case(*map(Tensor, case.arrays()))
    for y in found if isinstance(found, tuple | list) else [found]:
        made = [v for v in inputs_first(y.node) if v.rule] if getattr(y, "node", None) is not None else []
        assert len(made) != 1 or made[0].rule.name == CALLED_SO[id(case.function)]


x = Tensor([[3.0, 1.0], [2.0, 5.0]], name="x")
OF_LISTS = {
    "cat(x, x, axis=1)": lambda: tg.cat([x, x], 1),
    "hstack(x, x)": lambda: np.hstack([x, x]),
    "append(x, x)": lambda: tg.append(x, x, 0),
    "split(x)": lambda: x.split(2)[1],
    "unbind(x)": lambda: x.unbind()[0],
    "topk(x)": lambda: x.topk(1)[0],
    "unsqueeze(x)": lambda: x.unsqueeze(0),
    "expand_dims(x)": lambda: np.expand_dims(x, 0),
    "clamp(x, 0, 6)": lambda: tg.relu6(x),
    "xᵀ": lambda: x.movedim(0, 1),
}


@each("formula", OF_LISTS)
def test_the_formula_of_a_function_names_only_what_the_user_gave(formula):
    y = OF_LISTS[formula]()
    assert render(function_formula(y.node, lambda v: v.name), PRETTY) == formula
    (y * y).sum().backward()  # under its name a rule computes as before
    assert x.grad.shape == (2, 2)
    assert pickle.loads(pickle.dumps(y.rule)) is y.rule


def test_a_pickled_rule_keeps_the_parameters_of_its_public_name_in_a_process_that_has_not_called_it(monkeypatch):
    squeezed = tg.squeeze(Tensor([[1.0, 2.0]])).node.rule
    written = pickle.dumps(squeezed)
    monkeypatch.delitem(RENAMED, (squeezed.origin, "squeeze"))
    again = pickle.loads(written)
    assert again is not squeezed and (again.name, again.parameters) == ("squeeze", ["x", "axis"])
