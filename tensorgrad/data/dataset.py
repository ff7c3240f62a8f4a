"""Data sets: numbered samples, one by one or many at once. A sample is a tuple or a dictionary of arrays: an image and its label."""

from collections.abc import Mapping, Sequence

import numpy as np

from scalargrad.messages.errors import brief, must_be_integers, number
from tensorgrad.tensor import array_of


class Dataset:
    """Samples with the numbers 0 to len(self) - 1. Write a subclass with `__len__` and `__getitem__`.

    `self[i]` returns sample i: a tuple or a dictionary of arrays or numbers, which have the same shapes in every sample.
    `batch(indices)` returns the same of arrays that have one axis more, the samples. Override `batch` if many samples can be read at
    once.

    >>> class Squares(Dataset):
    ...     def __len__(self):
    ...         return 4
    ...     def __getitem__(self, i):
    ...         return float(i), float(i * i)
    >>> Squares().batch([1, 3])
    (array([1., 3.]), array([1., 9.]))
    >>> Dataset.batch([{"x": 1.0, "y": 2}, {"x": 3.0, "y": 4}], [0, 1])
    {'x': array([1., 3.]), 'y': array([2, 4])}
    """

    def __len__(self) -> int:
        raise NotImplementedError(f"{type(self).__name__}: write __len__, which returns the number of samples")

    def __getitem__(self, i: int) -> tuple | dict:
        raise NotImplementedError(f"{type(self).__name__}: write __getitem__(i), which returns sample i as a tuple")

    def batch(self, indices) -> tuple | dict:
        """Return the samples with these numbers, joined along a new first axis.

        Raises ValueError if two samples differ in their parts, or in the shape of a part, TypeError if a part is not an array.
        """
        samples = [self[int(i)] for i in indices]
        found = joined(type(self).__name__, "", samples)
        return found if isinstance(samples[0], tuple | Mapping) else (found,)


def joined(name, place, parts):
    """Return the parts that several samples have at one place, joined: arrays as one array, dictionaries key by key."""
    kinds = {tuple if isinstance(part, tuple) else Mapping if isinstance(part, Mapping) else np.ndarray for part in parts}
    if len(kinds) > 1:
        raise ValueError(f"{name}: {place or 'a sample'} is a dictionary or a tuple in one sample, and something else in another")
    if kinds == {Mapping}:
        keys = [*parts[0]]
        if others := [part for part in parts if part.keys() != set(keys)]:
            raise ValueError(f"{name}: {place or 'one sample'} has the keys {brief(keys)}, another {brief([*others[0]])}")
        return {key: joined(name, inside(place, key), [part[key] for part in parts]) for key in keys}
    if kinds == {tuple} and not (place and stacks(parts)):
        if len({len(part) for part in parts}) > 1:
            raise ValueError(f"{name}: samples have {' and '.join(map(str, sorted({len(s) for s in parts})))} parts")
        columns = [joined(name, inside(place, i), column) for i, column in enumerate(zip(*parts))]
        return getattr(type(parts[0]), "_make", tuple)(columns)  # a namedtuple stays one
    return stacked(name, place or "part 0", parts)


def inside(place, key):
    """Return what messages call a part of a part."""
    return f"{place}[{key!r}]" if place else f"part {key!r}"


def stacks(parts):
    """Return whether tuples within samples are plain numbers, which are one array."""
    return all(isinstance(x, int | float | np.number) for part in parts for x in part)


def stacked(name, place, parts):
    """Return arrays of equal shapes as one array, along a new first axis."""
    try:
        arrays = [np.asarray(array_of(part)) for part in parts]
    except ValueError as wrong:  # a ragged list
        raise ValueError(f"{name}: {place} is not an array: {wrong}") from None
    shapes = dict.fromkeys(array.shape for array in arrays)
    if len(shapes) > 1:
        first, second = list(shapes)[:2]
        differ = f"{place} has shape {first} in one sample and {second} in another"
        raise ValueError(f"{name}: {differ}; a batch needs equal shapes, or a collate_fn that makes them equal")
    if any(array.dtype == object for array in arrays):
        other = next(part for part, array in zip(parts, arrays) if array.dtype == object)
        raise TypeError(f"{name}: {place} is {brief(other)} ({type(other).__name__}); a sample has arrays and numbers")
    return np.stack(arrays)


class ArrayDataset(Dataset):
    """Samples that stand in arrays: sample i is (array[i] for each array). `self.arrays` are these arrays, not copies.
    A tensor counts as its array.

    `classes` names the classes that the labels number. Raises TypeError without an array, and ValueError if the lengths differ.

    >>> points, labels = np.array([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]), np.array([0, 1, 0])
    >>> data = ArrayDataset(points, labels); len(data), data[2]
    (3, (array([4., 5.]), np.int64(0)))
    >>> data.batch([0, 2])
    (array([[0., 1.],
           [4., 5.]]), array([0, 0]))
    """

    def __init__(self, *arrays, classes: Sequence[str] = ()):
        try:
            self.arrays = tuple(np.asarray(array_of(array)) for array in arrays)
        except ValueError as wrong:
            raise ValueError(f"ArrayDataset: {wrong}") from None
        if not arrays:
            raise TypeError("ArrayDataset: needs at least one array, such as ArrayDataset(points, labels)")
        if any(array.ndim == 0 for array in self.arrays):
            raise ValueError("ArrayDataset: an array has no axes; its first axis numbers the samples")
        lengths = [len(array) for array in self.arrays]
        if len(set(lengths)) > 1:
            raise ValueError(f"ArrayDataset: the arrays have {' and '.join(map(str, lengths))} samples; give each the same number")
        self.classes = tuple(classes)

    def __len__(self):
        return len(self.arrays[0])

    def __getitem__(self, i):
        return tuple(array[i] for array in self.arrays)

    def batch(self, indices):
        return tuple(array[indices] for array in self.arrays)

    def __repr__(self):
        return f"ArrayDataset({', '.join(f'{array.dtype}{list(array.shape)}' for array in self.arrays)})"


class Subset(Dataset):
    """Some samples of another data set: sample i is dataset[indices[i]].

    >>> part = Subset(ArrayDataset(np.array([5, 6, 7, 8])), [3, 0]); len(part), part.batch([0, 1])
    (2, (array([8, 5]),))
    """

    def __init__(self, dataset, indices):
        self.dataset, self.indices = dataset, np.asarray(indices, dtype=np.int64)
        outside = self.indices[(self.indices < 0) | (self.indices >= len(dataset))]
        if outside.size:
            raise IndexError(f"Subset: {outside[0]} is not the number of a sample; the data set has the numbers 0 to {len(dataset) - 1}")
        self.classes = getattr(dataset, "classes", ())

    def __len__(self):
        return len(self.indices)

    def __getitem__(self, i):
        return self.dataset[self.indices[i]]

    def batch(self, indices):
        return batch_of(self.dataset, self.indices[indices])

    def __repr__(self):
        return f"Subset({len(self)} of {self.dataset!r})"


def batch_of(dataset, indices):
    """Return a batch of any object with `dataset[i]`, by its own `batch` if it has one."""
    own = getattr(dataset, "batch", None)
    return own(indices) if own is not None else Dataset.batch(dataset, indices)


def train_val_split(dataset, val_share: float = 0.1, seed: int = 0) -> tuple[Subset, Subset]:
    """Return the samples in two parts, drawn by `seed`: (for training, for validation). Each sample is in one of them.

    The validation part has round(val_share · len(dataset)) samples, at least 1, and leaves at least 1. Both keep the order of
    the data set. Raises ValueError if the data set has fewer than two samples, or if val_share is not between 0 and 1.

    >>> train, val = train_val_split(ArrayDataset(np.arange(10)), val_share=0.3); len(train), len(val)
    (7, 3)
    >>> sorted([*train.indices, *val.indices]) == list(range(10))
    True
    """
    number("train_val_split", "val_share", val_share, 0, 1)
    must_be_integers("train_val_split", 0, seed=seed)
    count = len(dataset)
    if count < 2:
        raise ValueError(f"train_val_split: {brief(dataset)} has {count} samples; two parts need at least 2")
    val = min(max(1, round(val_share * count)), count - 1)
    order = np.random.default_rng(seed).permutation(count)
    return Subset(dataset, np.sort(order[val:])), Subset(dataset, np.sort(order[:val]))
