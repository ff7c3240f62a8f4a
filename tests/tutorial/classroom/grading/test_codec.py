"""The codec: every plain value comes back as it was, and no line of a learner's process does more than raise NotPlain."""

import base64
import json
import math
from collections import OrderedDict, defaultdict
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from tests.examples import at_most
from tutorial.classroom.grading.codec import Limits, NotPlain, dumps, loads

SCALARS = st.none() | st.booleans() | st.integers() | st.integers(-(10**200), 10**200) | st.floats() | st.text() | st.fractions()
KEYS = st.recursive(SCALARS.filter(lambda x: x == x), lambda inner: st.tuples(inner, inner), max_leaves=4)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.sets(KEYS) | st.dictionaries(KEYS, inner),
    max_leaves=20,
)
DTYPES = arrays.floating_dtypes(sizes=(16, 32, 64)) | arrays.integer_dtypes() | arrays.unsigned_integer_dtypes() | arrays.boolean_dtypes()


def same(one, other):
    """Return whether two values are the same to the bit, with types and the order of keys."""
    if type(one) is not type(other):
        return False
    if isinstance(one, float):
        return math.isnan(one) and math.isnan(other) or one == other and math.copysign(1, one) == math.copysign(1, other)
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return same(list(one), list(other)) and same(list(one.values()), list(other.values()))
    return one == other


@at_most(40)
@given(VALUES)
def test_a_plain_value_comes_back_as_it_was(value):
    line = dumps(value)
    assert same(loads(line), value)
    assert line.isascii() and b"\n" not in line


@given(arrays.arrays(DTYPES, arrays.array_shapes(min_dims=0, min_side=0)))
def test_an_array_and_its_numbers_come_back_as_they_were(array):
    found = loads(dumps(array))
    assert type(found) is np.ndarray and found.dtype == array.dtype.newbyteorder("<") and found.shape == array.shape
    assert np.array_equal(found, array, equal_nan=array.dtype.kind == "f") and found.flags.writeable
    for number in array.flat[:1]:
        back = loads(dumps(number))
        assert back.dtype.kind == number.dtype.kind and np.array_equal(back, number, equal_nan=array.dtype.kind == "f")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)
)


@at_most(30)
@given(JSON)
def test_any_json_is_a_plain_value_or_not_plain(found):
    try:
        value = loads(json.dumps(found).encode())
    except NotPlain:
        return
    assert same(loads(dumps(value)), value)


@given(st.binary())
def test_any_bytes_are_a_plain_value_or_not_plain(line):
    with suppress(NotPlain):
        dumps(loads(line))


class Equal(np.ndarray):
    def __eq__(self, other):
        return True


def test_a_subclass_loses_its_class():
    assert type(loads(dumps(np.ones(2).view(Equal)))) is np.ndarray
    assert type(loads(dumps(defaultdict(int, a=1)))) is dict and type(loads(dumps(OrderedDict(a=1)))) is dict
    assert type(loads(dumps(type("Own", (int,), {})(3)))) is int
    assert type(loads(dumps(frozenset((1, 2))))) is set


class Reduced:
    def __reduce__(self):
        return print, ("this would run",)


@pytest.mark.parametrize(
    "value", [Reduced(), object, len, 1j, b"x", range(3), (x for x in ()), np.array([None]), np.array(["x"]), np.longdouble(1), [Reduced()]]
)
def test_what_is_not_plain_is_not_written(value):
    with pytest.raises(NotPlain, match="not plain|not a plain value"):
        dumps(value)


def array_line(dtype="<f8", shape=(1,), data=bytes(8)):
    return json.dumps({"array": [dtype, shape, base64.b64encode(data).decode()]}).encode()


@pytest.mark.parametrize(
    "line",
    [
        b"[" * 100_000,
        b"[" * 60 + b"]" * 60,
        b"1" * 5000,
        b"1e999",
        b"NaN",
        b'{"float":"1"}',
        b'{"int":"0x' + b"f" * 100_000 + b'"}',
        b'{"fraction":[1,0]}',
        b'{"fraction":[1.5,2]}',
        b'{"fraction":[1]}',
        b'{"set":[[1]]}',
        b'{"dict":[[[1],2]]}',
        b'{"dict":[[1]]}',
        b'{"tuple":3}',
        b'{"pickle":"gA=="}',
        b"{}",
        b'{"list":[],"tuple":[]}',
        array_line("|O"),
        array_line("<c8"),
        array_line("<f8", [0, 10**18]),
        array_line("<f8", [10**9]),
        array_line("<f8", [2]),
        array_line("<f8", [-1]),
        array_line("<f8", [1.0]),
        array_line("<f3"),
        array_line("<f8", [1] * 40),
        b'{"array":["<f8",[1],"*"]}',
        b'{"array":3}',
        b"\xff",
        b"",
    ],
)
def test_a_line_that_is_not_that_of_a_value_is_refused(line):
    with pytest.raises(NotPlain):
        loads(line)


def test_both_directions_are_bounded():
    few = Limits(bytes=100, depth=3, elements=10, bits=64)
    for value in ([0] * 11, [[[[[]]]]], "x" * 200, 1 << 65, np.zeros(11)):
        line = dumps(value)
        with pytest.raises(NotPlain):
            dumps(value, few)
        with pytest.raises(NotPlain):
            loads(line, few)
    circle: list = []
    circle.append(circle)
    with pytest.raises(NotPlain, match="deep"):
        dumps(circle)
