"""Every layer: its output, gradients and buffers equal PyTorch's, the numbers frozen from PyTorch, and three oracles."""

import numpy as np
import pytest

import tensorgrad as tg
from tensorgrad import nn
from tests.each import each, swept
from tests.tensorgrad.nn.case import several, weighted
from tests.tensorgrad.nn.cases import CASES
from tests.tensorgrad.nn.frozen import frozen, summary

_FROZEN = frozen()
HOLD_MODULES = {"Module", "Sequential", "ModuleList", "ModuleDict", "ParameterList"}  # tested in test_module.py


def test_every_layer_has_a_case():
    layers = {name for name in nn.__all__ if isinstance(getattr(nn, name), type) and issubclass(getattr(nn, name), nn.Module)}
    assert layers - HOLD_MODULES == {case.kind for case in CASES}


def test_every_case_has_its_frozen_numbers():
    cases = {repr(case) for case in CASES}
    new, gone = sorted(cases - _FROZEN.keys()), sorted(_FROZEN.keys() - cases)
    assert not new and not gone, (
        f"PyTorch's numbers are not written yet for {new or 'no case'}, and there are numbers for {gone or 'no case'} that is gone. "
        "This says nothing about the layer: the other tests do. Run python -m tests.tensorgrad.nn.frozen, which needs PyTorch"
    )


@each("case", [case for case in CASES if repr(case) in _FROZEN], ids=repr)
def test_a_layer_gives_the_numbers_that_pytorch_gave(case):
    ours, theirs = summary(case.run()), _FROZEN[repr(case)]
    assert ours.keys() == theirs.keys()
    for name in ours:
        digits = 1e-9 if case.exact else 1e-6
        assert ours[name] == pytest.approx(theirs[name], rel=digits, abs=digits), name


FIRST_OF_ITS_KIND = {case.kind: id(case) for case in reversed(CASES)}
SAMPLE = [*FIRST_OF_ITS_KIND.values()][::4]


@swept("case", CASES, every=lambda case: id(case) in SAMPLE, ids=repr)
def test_the_derivatives_of_a_layer_with_each_option_pass_the_check(case):
    layer, inputs = case.layer(), case.tensors()
    found = tg.check(weighted(several(layer(*case.arguments(inputs), **case.call))), entries=1)
    assert found, str(found)


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore:LSTM with projections:UserWarning")
@each("dtype, tolerance", [(np.float64, 1e-10), (np.float32, 1e-6)])
@each("case", CASES, ids=repr)
def test_a_layer_equals_pytorchs(case, dtype, tolerance):
    from tests.tensorgrad.nn import theirs

    expected, found = theirs.run(case, dtype), case.run(dtype)
    assert {n for n, a in found.items() if a is not None} == expected.keys()
    most = max(np.size(x) for x in case.inputs())
    for name, a in expected.items():
        assert found[name].dtype == a.dtype, name
        tolerance = tolerance if case.exact else 1e-6
        scale = max(1.0, abs(a).max(), (most / a.size) ** 0.5)  # a sum over many entries is rounded more often
        np.testing.assert_allclose(found[name], a, rtol=tolerance, atol=tolerance * scale, err_msg=name)


@each("make, shape", [
    *[(lambda o, d=d: getattr(nn, f"BatchNorm{d}d")(4, dtype=np.float64, **o), (3, 4, *[2] * d)) for d in (1, 2, 3)],
    *[(lambda o, d=d: getattr(nn, f"InstanceNorm{d}d")(4, affine=True, dtype=np.float64, **o), (3, 4, *[2] * d)) for d in (1, 2, 3)],
    (lambda o: nn.GroupNorm(2, 4, dtype=np.float64, **o), (3, 4, 2)),
])  # fmt: skip
def test_a_normalisation_without_bias_is_the_one_whose_bias_is_0(make, shape):
    x = np.random.default_rng(0).standard_normal(shape)
    layer, usual = make({"bias": False}), make({})
    assert layer.bias is None and layer.state_dict().keys() == usual.state_dict().keys() - {"bias"}
    for of in (layer, usual):
        of.weight.data = np.array([1.0, 2.0, -1.0, 0.5])
        of(x).reshape(-1)[3:20].sum().backward()
    np.testing.assert_allclose(layer(x).data, usual(x).data, rtol=1e-12)
    np.testing.assert_allclose(layer.weight.grad, usual.weight.grad, rtol=1e-9, atol=1e-12)
