"""Data sets: samples one by one and in batches, splits, and what a wrong one says."""

import re
from typing import NamedTuple

import numpy as np
import pytest

from tensorgrad.data import ArrayDataset, Dataset, Subset, train_val_split
from tensorgrad.tensor import Tensor
from tests.each import each


class Pairs(Dataset):
    def __len__(self):
        return 5

    def __getitem__(self, i):
        return np.full(2, i), i


def test_a_batch_of_any_data_set_stacks_its_samples():
    points, labels = Pairs().batch([3, 1])
    assert points.tolist() == [[3, 3], [1, 1]] and labels.tolist() == [3, 1]


class Point(NamedTuple):
    x: object
    y: object


def of(*samples):
    """Return a batch of these samples."""
    return Dataset.batch(samples, range(len(samples)))


@each(
    "samples, batch",
    [
        ([{"image": np.zeros((2, 2)), "label": 1}] * 3, {"image": np.zeros((3, 2, 2)), "label": [1, 1, 1]}),
        ([{"y": 1, "x": 2}, {"x": 4, "y": 3}], {"y": [1, 3], "x": [2, 4]}),
        ([({"ids": [1, 2], "mask": [True, False]}, 5)] * 2, ({"ids": [[1, 2]] * 2, "mask": [[True, False]] * 2}, [5, 5])),
        ([{"a": {"b": 1.5}}] * 2, {"a": {"b": [1.5, 1.5]}}),
        ([((np.zeros(2), np.zeros(3)), 1)] * 2, ((np.zeros((2, 2)), np.zeros((2, 3))), [1, 1])),
        ([((3, 4), 1)] * 2, ([[3, 4], [3, 4]], [1, 1])),
        ([Point(1, [2, 3])] * 2, Point([1, 1], [[2, 3], [2, 3]])),
        ([Tensor([1.0])] * 2, ([[1.0], [1.0]],)),
        ([{"text": "ab"}, {"text": "c"}], {"text": ["ab", "c"]}),
    ],
    ids=lambda x: None,
)
def test_a_batch_has_the_form_of_its_samples(samples, batch):
    found = of(*samples)
    np.testing.assert_equal(found, as_arrays(batch))
    assert type(found) is type(batch) and (type(batch) is not dict or [*found] == [*batch])


def as_arrays(x):
    if isinstance(x, dict):
        return {key: as_arrays(y) for key, y in x.items()}
    return tuple(map(as_arrays, x)) if isinstance(x, tuple) else np.asarray(x)


def test_arrays_give_the_same_batches_as_their_samples_one_by_one():
    data = ArrayDataset(np.arange(12).reshape(6, 2), np.arange(6) % 3, classes="abc")
    for ours, stacked in zip(data.batch([4, 0, 4]), Dataset.batch(data, [4, 0, 4])):
        np.testing.assert_array_equal(ours, stacked)
    assert data.classes == ("a", "b", "c") and repr(data) == "ArrayDataset(int64[6, 2], int64[6])"


def test_the_arrays_of_tensors_are_samples():
    data = ArrayDataset(Tensor([[1.0], [2.0]]), np.array([0, 1]))
    assert [part.tolist() for part in data.batch([1, 0])] == [[[2.0], [1.0]], [1, 0]]


def test_a_split_puts_every_sample_into_one_part_and_follows_the_seed():
    data = ArrayDataset(np.arange(50))
    train, val = train_val_split(data, 0.2, seed=3)
    assert (len(train), len(val)) == (40, 10)
    assert sorted([*train.batch(range(40))[0], *val.batch(range(10))[0]]) == list(range(50))
    again, other = train_val_split(data, 0.2, seed=3)[1], train_val_split(data, 0.2, seed=4)[1]
    assert val.indices.tolist() == again.indices.tolist() != other.indices.tolist()


def test_both_parts_of_a_split_have_a_sample():
    assert [len(part) for part in train_val_split(ArrayDataset(np.arange(2)), 0.0)] == [1, 1]
    assert [len(part) for part in train_val_split(ArrayDataset(np.arange(2)), 1)] == [1, 1]


def test_a_part_of_a_part_counts_its_own_samples():
    inner = Subset(Subset(Pairs(), [4, 2, 0]), [2, 0])
    assert [part.tolist() for part in inner.batch([0, 1])] == [[[0, 0], [4, 4]], [0, 4]]
    assert inner[1][1] == 4 and len(inner) == 2


def test_the_parts_of_a_data_set_have_its_classes():
    named = ArrayDataset(np.arange(10), np.arange(10) % 2, classes=("even", "odd"))
    for part in (Subset(named, [3, 1]), Subset(Subset(named, [3, 1]), [0]), *train_val_split(named)):
        assert part.classes == ("even", "odd")
    assert Subset(Pairs(), [0]).classes == ()


class Ragged(Pairs):
    def __getitem__(self, i):
        return (np.zeros(i),) if i < 3 else (1, 2)


@each(
    "call, message",
    [
        (lambda: of({"a": 1}, {"b": 1}), "tuple: one sample has the keys ['a'], another ['b']"),
        (
            lambda: of({"a": [1]}, {"a": [1, 2]}),
            "tuple: part 'a' has shape (1,) in one sample and (2,) in another; a batch needs",
        ),
        (lambda: of(({"a": [1]}, 2), ({"a": 3}, 2)), "tuple: part 0['a'] has shape (1,) in one sample and () in another"),
        (lambda: of({"a": 1}, (1, 2)), "tuple: a sample is a dictionary or a tuple in one sample, and something else in another"),
        (lambda: of({"a": None}), "tuple: part 'a' is None (NoneType); a sample has arrays and numbers"),
        (lambda: of((1, [1, [2]])), "tuple: part 1 is not an array: "),
        (lambda: ArrayDataset(), "ArrayDataset: needs at least one array"),
        (lambda: ArrayDataset(np.zeros(3), np.zeros(2)), "ArrayDataset: the arrays have 3 and 2 samples"),
        (lambda: ArrayDataset(3.0), "ArrayDataset: an array has no axes"),
        (lambda: ArrayDataset([[1], [2, 3]]), "ArrayDataset: setting an array element with a sequence"),
        (lambda: train_val_split(Pairs(), seed=-1), "train_val_split: seed=-1 is out of range; it must be 0 or more"),
        (lambda: Ragged().batch([1, 2]), "Ragged: part 0 has shape (1,) in one sample and (2,) in another"),
        (lambda: Ragged().batch([1, 4]), "Ragged: samples have 1 and 2 parts"),
        (lambda: len(Dataset()), "Dataset: write __len__"),
        (lambda: Dataset()[0], "Dataset: write __getitem__(i)"),
        (lambda: Subset(Pairs(), [5]), "Subset: 5 is not the number of a sample; the data set has the numbers 0 to 4"),
        (lambda: train_val_split(Pairs(), 2), "train_val_split: val_share=2 is out of range; it must be from 0 to 1"),
        (lambda: train_val_split(Pairs(), "a"), "train_val_split: val_share='a' is not a number"),
        (lambda: train_val_split(ArrayDataset(np.zeros(1))), "has 1 samples; two parts need at least 2"),
    ],
    ids=lambda x: x if isinstance(x, str) else "",
)
def test_a_wrong_call_says_what_to_do(call, message):
    with pytest.raises((TypeError, ValueError, IndexError, NotImplementedError), match=re.escape(message)):
        call()
