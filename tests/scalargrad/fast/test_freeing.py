"""Deep graphs are freed one variable at a time, so that no stack overflows."""

import sys

import pytest

from scalargrad import CycleError, Value
from scalargrad.fast.freeing import free


class Watched(Value):
    """A Value that notes, when it goes, how many references its input has."""

    __slots__ = ()
    noted: list = []

    def __del__(self):
        if self.inputs:
            self.noted.append(sys.getrefcount(self.inputs[0]))


def chain(length):
    Watched.noted = []
    z = Watched(1)
    for _ in range(length):
        z = Watched(1, (z,), (1,))
    return z


def test_an_input_is_still_referenced_when_the_variable_that_used_it_goes():
    z = chain(30)
    del z  # here each variable holds the last reference to its input, and so takes it along
    alone = set(Watched.noted)
    mine = [chain(30)]
    free(mine)
    assert len(alone) == 1 and len(Watched.noted) == 30
    assert min(Watched.noted) > max(alone)


def test_variables_go_each_before_its_inputs_and_one_that_is_kept_stays():
    x = Value(2, name="x")
    y = x * x
    mine = [y * y, x + y, y]
    free(mine)
    assert mine == [] and y.inputs == (x, x) and y.data == 4


def test_a_long_chain_is_freed():
    mine = [chain(100_000)]
    free(mine)
    assert len(Watched.noted) == 100_000


def test_a_cycle_is_an_error_and_the_list_stays():
    x = Value(1, name="x")
    y = x + 1
    x.inputs = (y,)
    mine = [y]
    with pytest.raises(CycleError):
        free(mine)
    assert mine == [y]
    x.inputs = ()
