"""Schedules: the rates and momenta of each group at every step are PyTorch's, and each option of a schedule changes them."""

import inspect

import numpy as np
import pytest

from tensorgrad import Tensor, optim
from tests.each import each
from tests.tensorgrad.optim import rates

FROZEN = rates.frozen()
KINDS = ["SGD", "Adam"]
FOR_ALL = {"last_epoch"}  # an argument of every schedule


def ours(name, options, kind):
    """Return the numbers of a case from our schedule."""
    optimiser = rates.optimiser_of(optim, kind, lambda: Tensor([1.0]))
    return rates.followed(getattr(optim, name)(optimiser, **options), optimiser)


@each("kind", KINDS)
@each("name, options", rates.CASES)
def test_every_step_has_the_rate_and_the_momentum_that_pytorch_gave(name, options, kind):
    np.testing.assert_allclose(ours(name, options, kind), FROZEN[rates.name_of(name, options, kind)], rtol=1e-10)


@each("kind", KINDS)
def test_a_sequence_has_the_rates_that_pytorch_gave(kind):
    optimiser = rates.optimiser_of(optim, kind, lambda: Tensor([1.0]))
    found = rates.followed(rates.sequence(optim, optimiser), optimiser)
    np.testing.assert_allclose(found, FROZEN[f"{rates.SEQUENCE}, of {kind}"], rtol=1e-10, atol=1e-16)


@each("name", dict.fromkeys(name for name, _ in rates.CASES))
def test_a_case_without_one_of_its_options_has_other_rates(name):
    """So an option that a schedule forgets, or a case that lacks, is found."""
    takes = list(inspect.signature(getattr(optim, name)).parameters.values())[1:]
    for option in (p.name for p in takes if p.default is not p.empty and p.name not in FOR_ALL):
        with_it = [options for other, options in rates.CASES if other == name and option in options]
        assert any(changes(name, options, option) for options in with_it), f"no case shows what {option}= does"


def changes(name, options, option):
    """Return whether a case has other numbers, or is refused, without one of its options."""
    try:
        without = ours(name, {key: x for key, x in options.items() if key != option}, "SGD")
    except TypeError:
        return True
    return without != ours(name, options, "SGD")


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore::UserWarning")  # that its optimiser has not stepped
def test_pytorch_still_gives_these_rates():
    pytest.importorskip("torch")
    found = rates.theirs()
    assert found.keys() == FROZEN.keys()
    for case, numbers in found.items():
        np.testing.assert_allclose(numbers, FROZEN[case], rtol=1e-10, atol=1e-16, err_msg=case)
