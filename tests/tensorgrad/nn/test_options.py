"""Each option of each layer, and of its call, stands in a case with another value than its default, and changes numbers there.

So PyTorch's numbers show an option that a layer takes and forgets to pass on.
"""

import inspect
from copy import copy

import numpy as np

from tensorgrad import nn
from tests.each import each, swept
from tests.tensorgrad.nn.case import pattern
from tests.tensorgrad.nn.cases import CASES

WITHOUT_NUMBERS = {"dtype", "enable_nested_tensor", "generator", "inplace", "mask_check", "name"}  # options that change no number of a case
ELSEWHERE = {"dropout", "is_causal", "init"}  # random; PyTorch's needs a mask beside it; a case sets the parameters


def options_of(call):
    """Return the names of the options of a function that change its numbers."""
    takes = inspect.signature(call).parameters.values()
    return {p.name for p in takes if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD) and p.default is not p.empty} - WITHOUT_NUMBERS


def given(case):
    """Return {name: value} of what the layer of a case is made with."""
    return inspect.signature(getattr(nn, case.kind)).bind(*case.args, **case.options).arguments


def run(case, options, call):
    """Return the numbers of a case with other options."""
    other = copy(case)
    other.args, other.options, other.call = (), options, call
    return other.run()


def differs(case, options, call):
    """Return whether a case has other numbers, or is refused, with other options."""
    try:
        found, usual = run(case, options, call), case.run()
    except (ValueError, TypeError, IndexError, AssertionError):
        return True
    return found.keys() != usual.keys() or not all(
        np.shape(found[name]) == np.shape(x) and np.allclose(found[name], x, rtol=1e-7, atol=1e-9) for name, x in usual.items()
    )


def without(options, name):
    return {key: x for key, x in options.items() if key != name}


def shown(kind, options, made):
    """Return the options that a case of a kind shows. `options(case)` has them, `made(case, name)` are those of the case without one."""
    found = set()
    for case in (case for case in CASES if case.kind == kind):
        found |= {name for name in options(case) if name not in found and differs(case, *made(case, name))}
    return found


KINDS = dict.fromkeys(case.kind for case in CASES if case.kind != "Identity")  # which takes any options, for nothing


@swept("kind", KINDS, every=4)
def test_a_case_without_one_of_its_options_has_other_numbers(kind):
    seen = shown(kind, given, lambda case, name: (without(given(case), name), case.call))
    silent = options_of(getattr(nn, kind)) - seen - ELSEWHERE
    assert not silent, f"no case of {kind} shows what {', '.join(sorted(silent))} of the layer do"


@each("kind", KINDS)
def test_a_case_without_one_of_the_options_of_its_call_has_other_numbers(kind):
    call = getattr(nn, kind).forward
    inputs = list(inspect.signature(call).parameters)[1 : 1 + max(len(case.x) for case in CASES if case.kind == kind)]
    seen = shown(kind, lambda case: case.call, lambda case, name: (given(case), without(case.call, name)))
    silent = options_of(call) - seen - {*inputs} - ELSEWHERE
    assert not silent, f"no case of {kind} shows what {', '.join(sorted(silent))} of its call do"


def test_a_prelu_starts_at_its_init():
    assert nn.PReLU(3, init=0.4).weight.data.tolist() == np.full(3, 0.4, np.float32).tolist()
    assert nn.PReLU().weight.data.tolist() == [0.25]


def test_causal_attention_is_attention_with_a_mask_of_later_keys():
    attention, x = nn.MultiheadAttention(4, 2), pattern((5, 2, 4), 1)
    later = np.triu(np.ones((5, 5), bool), 1)
    for more in ({}, {"need_weights": False}):
        (y, _), (expected, _) = attention(x, x, x, is_causal=True, **more), attention(x, x, x, attn_mask=later, **more)
        np.testing.assert_allclose(y.data, expected.data, rtol=1e-6)
        assert not np.allclose(y.data, attention(x, x, x, **more)[0].data), "later keys count"


def test_attention_drops_weights_in_training_only():
    x = pattern((5, 2, 4), 1)
    drops, keeps = [nn.MultiheadAttention(4, 2, p, generator=np.random.default_rng(0)) for p in (0.5, 0.0)]
    one, two = drops(x, x, x)[0], drops(x, x, x)[0]
    assert not np.array_equal(one.data, two.data) and not np.allclose(one.data, keeps(x, x, x)[0].data), "nothing is dropped in training"
    drops.eval()
    for more in ({}, {"need_weights": False}):
        np.testing.assert_allclose(drops(x, x, x, **more)[0].data, keeps(x, x, x, **more)[0].data, rtol=1e-6)
