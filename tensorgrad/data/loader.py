"""The loader: batches of a data set, epoch after epoch. Its order and its random numbers follow from the seed alone.

Batch b of epoch e is a function of (seed, e, b). So a thread may prepare batches early, and a run may resume inside an epoch.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

import numpy as np

from scalargrad.messages.errors import brief, must_be_integers
from scalargrad.rule import unknown_argument
from tensorgrad.arrays.numpy_array import NumPyArray
from tensorgrad.data.arguments import must_be_bool, must_be_transform
from tensorgrad.data.dataset import batch_of

SIGNATURE = "(dataset, batch_size=1, shuffle=False, seed=0, drop_last=False, transform=None, prefetch=0, collate_fn=None)"
ADVICE = {  # for arguments of other libraries
    **dict.fromkeys(["num_workers", "worker_init_fn", "persistent_workers", "multiprocessing_context"], "here: prefetch=2, one thread"),
    "prefetch_factor": "here: prefetch",
    "generator": "here: seed, an integer",
    **dict.fromkeys(["sampler", "batch_sampler"], "choose samples by Subset(dataset, indices)"),
    **dict.fromkeys(["pin_memory", "pin_memory_device"], "there is no GPU; leave it out"),
    **dict.fromkeys(["timeout", "in_order"], "leave it out"),
}


class DataLoader:
    """The batches of a data set. `for images, labels in loader:` is one epoch; the next such loop is the next epoch.

    `dataset` is a Dataset, or any object with len(dataset) and dataset[i]. Each batch is a tuple of NumPy's arrays, or a dictionary if
    the samples are dictionaries; len(labels), or labels.shape[0], is the number of its samples.
    shuffle: draw a new order for every epoch. drop_last: leave out a last batch of fewer than batch_size samples.
    transform: a function (x, generator), which gets the first array of each batch and a generator of its own.
    collate_fn: a function of a list of samples, which returns the batch, for example with sequences padded to one length.
    prefetch: the number of batches that a thread prepares in advance. It changes no result.

    `epoch` is the number of the current epoch, from 0. A loop that is left early ends its epoch. state_dict() is the position, also
    within an epoch: a loader that loads it continues with the next batch. Raises TypeError or ValueError for a wrong argument.

    >>> from tensorgrad.data import ArrayDataset
    >>> loader = DataLoader(ArrayDataset(np.arange(5)), batch_size=2, shuffle=True, seed=1); len(loader)
    3
    >>> [x.tolist() for x, in loader], [x.tolist() for x, in loader]
    ([[4, 1], [2, 3], [0]], [[4, 1], [0, 3], [2]])
    """

    def __init__(
        self, dataset, batch_size=1, shuffle=False, seed=0, drop_last=False, transform=None, prefetch=0, collate_fn=None, **others
    ):
        if others:
            name = next(iter(others))
            raise unknown_argument("DataLoader", name, SIGNATURE, ADVICE.get(name, ""))
        must_be_integers("DataLoader", 1, batch_size=batch_size)
        must_be_integers("DataLoader", 0, seed=seed, prefetch=prefetch)
        must_be_bool("DataLoader", shuffle=shuffle, drop_last=drop_last)
        if not (hasattr(dataset, "__len__") and hasattr(dataset, "__getitem__")):
            raise TypeError(f"DataLoader: {brief(dataset)} is not a data set; give one with len(dataset) and dataset[i]")
        if isinstance(dataset, Mapping):
            raise TypeError("DataLoader: a dictionary is not a data set; write ArrayDataset(X, y), or a list of dictionaries, one a sample")
        if are_columns(dataset):
            raise TypeError("DataLoader: a list of arrays is not a data set; write DataLoader(ArrayDataset(X, y), ...)")
        if transform is not None:
            must_be_transform("DataLoader", transform)
        if collate_fn is not None and not callable(collate_fn):
            raise TypeError(f"DataLoader: collate_fn={brief(collate_fn)} is not a function of a list of samples")
        self.dataset, self.batch_size, self.shuffle, self.seed = dataset, int(batch_size), shuffle, int(seed)
        self.drop_last, self.transform, self.prefetch, self.collate_fn = drop_last, transform, int(prefetch), collate_fn
        if not len(dataset):
            raise ValueError("DataLoader: the data set has no samples")
        if drop_last and len(dataset) < batch_size:
            raise ValueError(f"DataLoader: drop_last=True leaves no batch of {batch_size} from {len(dataset)} samples")
        self.epoch, self.position = 0, 0  # position: how many batches of this epoch have been given
        self._resumes, self._newest = True, None

    def __len__(self) -> int:
        """Return the number of batches of an epoch."""
        whole, rest = divmod(len(self.dataset), self.batch_size)
        return whole + (rest > 0 and not self.drop_last)

    def __iter__(self) -> Iterator:
        if not self._resumes:
            self.epoch, self.position = self.epoch + 1, 0
        self._resumes, self._newest = False, object()
        return self._batches_from(self.epoch, self.position, self._newest)

    def _batches_from(self, epoch, start, me):
        """Yield the batches of an epoch from `start`. Note the position, unless a newer loop has begun."""
        order = self.order(epoch)
        for number, batch in enumerate(self._prepared(epoch, order, start), start):
            if self._newest is me:
                self.position = number + 1
            yield batch
        if self._newest is me:
            self.epoch, self.position, self._resumes = epoch + 1, 0, True

    def _prepared(self, epoch, order, start):
        """Yield the batches; if `prefetch` is positive, a thread prepares so many in advance."""
        if not self.prefetch:
            yield from (self.batch(epoch, number, order) for number in range(start, len(self)))
            return
        waiting: deque = deque()
        thread = ThreadPoolExecutor(1, "DataLoader")
        try:
            for number in range(start, len(self)):
                waiting.append(thread.submit(copy_context().run, self.batch, epoch, number, order))
                if len(waiting) > self.prefetch:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            thread.shutdown(wait=True, cancel_futures=True)

    def order(self, epoch):
        """Return the numbers of all samples in the order of an epoch."""
        count = len(self.dataset)
        return self._generator(epoch).permutation(count) if self.shuffle else np.arange(count)

    def batch(self, epoch, number, order=None):
        """Return batch `number` of an epoch, without a change of the position. Raises IndexError if there is no such batch."""
        if not 0 <= number < len(self):
            raise IndexError(f"DataLoader: batch {number} does not exist; an epoch has {len(self)} batches")
        order = self.order(epoch) if order is None else order
        indices = order[number * self.batch_size : (number + 1) * self.batch_size]
        batch = self.collate_fn([self.dataset[int(i)] for i in indices]) if self.collate_fn else batch_of(self.dataset, indices)
        return answering(batch if self.transform is None else self.transformed(batch, self._generator(epoch, number)))

    def transformed(self, batch, generator):
        """Return a batch whose first array is transformed. Raises TypeError if the batch is not a tuple, a list or a dictionary."""
        if isinstance(batch, Mapping):
            key, first = next(iter(batch.items()))
            return {**batch, key: self.transform(first, generator)}
        if not isinstance(batch, tuple | list):
            raise TypeError(f"DataLoader: a transform needs a tuple or a dictionary, and collate_fn returned {brief(batch)}")
        first, *others = batch
        return (self.transform(first, generator), *others)

    def _generator(self, *key):
        return np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=key))

    def state_dict(self) -> dict:
        """Return the position, and what it must fit: {"epoch", "position", "samples", "batch_size", "shuffle", "seed", "drop_last"}."""
        return {"epoch": self.epoch, "position": self.position, **self._settings()}

    def _settings(self):
        settings = {"batch_size": self.batch_size, "shuffle": self.shuffle, "seed": self.seed, "drop_last": self.drop_last}
        return {"samples": len(self.dataset), **settings}

    def load_state_dict(self, state) -> None:
        """Continue after the batch at which state_dict() was called. Raises ValueError, and changes nothing, if the loaders differ."""
        missing = [name for name in ("epoch", "position", *self._settings()) if name not in state]
        if missing:
            raise ValueError(f"DataLoader.load_state_dict: {', '.join(missing)} missing; give the result of state_dict()")
        differ = [f"{name} {state[name]} (here {ours})" for name, ours in self._settings().items() if state[name] != ours]
        if differ:
            raise ValueError(f"DataLoader.load_state_dict: the state is of another loader: {', '.join(differ)}; make this one alike")
        epoch, position = int(state["epoch"]), int(state["position"])
        if epoch < 0 or not 0 <= position <= len(self):
            raise ValueError(f"DataLoader.load_state_dict: epoch {epoch}, batch {position} do not exist; an epoch has {len(self)} batches")
        self.epoch, self.position, self._resumes, self._newest = epoch, position, True, None

    def __repr__(self):
        return f"DataLoader({len(self)} batches of {self.batch_size} from {len(self.dataset)} samples)"


def answering(batch):
    """Return a batch whose arrays say what to write for PyTorch's names, such as labels.size(0)."""
    if isinstance(batch, Mapping):
        return {key: answering(x) for key, x in batch.items()}
    if isinstance(batch, tuple):
        return getattr(type(batch), "_make", tuple)(map(answering, batch))
    return batch.view(NumPyArray) if type(batch) is np.ndarray else batch


def are_columns(dataset):
    """Return whether these are arrays for all samples, such as (X, y), and not samples: samples have one shape."""
    if not isinstance(dataset, (tuple, list)) or not dataset or not all(hasattr(x, "shape") for x in dataset):
        return False
    return isinstance(dataset, tuple) or len({x.shape for x in dataset}) > 1 == len({x.shape[:1] for x in dataset})
