"""The loader: its order follows from the seed, it resumes at any batch, and a thread changes no result."""

import re
import threading

import numpy as np
import pytest

from tensorgrad import Tensor, data, no_grad
from tensorgrad.data import ArrayDataset, Compose, DataLoader, Dataset, RandomCrop, RandomHorizontalFlip, ToFloat
from tests.each import each

NUMBERS = ArrayDataset(np.arange(10), np.arange(10) * 2)
IMAGES = ArrayDataset(np.arange(10 * 36, dtype=np.uint8).reshape(10, 1, 6, 6), np.arange(10))
AUGMENTED = {"transform": Compose([RandomCrop(6, padding=2), RandomHorizontalFlip(), ToFloat()]), "batch_size": 3, "shuffle": True}


def epoch(loader):
    return [batch[0].tolist() for batch in loader]


def test_without_shuffle_the_batches_are_in_order_and_the_last_may_be_smaller():
    loader = DataLoader(NUMBERS, batch_size=4)
    assert epoch(loader) == epoch(loader) == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]] and len(loader) == 3
    assert epoch(DataLoader(NUMBERS, batch_size=4, drop_last=True)) == [[0, 1, 2, 3], [4, 5, 6, 7]]
    assert len(DataLoader(NUMBERS, batch_size=5, drop_last=True)) == len(DataLoader(NUMBERS, batch_size=5)) == 2


def test_shuffled_epochs_hold_every_sample_once_and_differ_and_follow_the_seed():
    loader, same, other = (DataLoader(NUMBERS, batch_size=3, shuffle=True, seed=seed) for seed in (1, 1, 2))
    first, second = epoch(loader), epoch(loader)
    assert sorted(sum(first, [])) == sorted(sum(second, [])) == list(range(10))
    assert first != second and [first, second] == [epoch(same), epoch(same)] and first != epoch(other)
    for numbers, doubles in loader:
        assert (doubles == 2 * numbers).all()


def test_the_order_of_a_seed_stays_the_same_in_all_versions():
    assert DataLoader(NUMBERS, shuffle=True, seed=5).order(epoch=2).tolist() == [1, 3, 6, 9, 5, 4, 0, 2, 7, 8]


def test_any_object_with_a_length_and_items_is_a_data_set():
    assert [x.tolist() for (x,) in DataLoader([1.5, 2.5, 3.5], batch_size=2)] == [[1.5, 2.5], [3.5]]


@each("prefetch", [0, 2])
def test_a_loader_resumes_after_every_batch_with_the_same_bits(prefetch):
    def loader():
        return DataLoader(IMAGES, seed=4, prefetch=prefetch, **AUGMENTED)

    whole, states = [], [loader().state_dict()]
    running = loader()
    for _ in range(2):
        for x, labels in running:
            whole.append((x.tobytes(), labels.tolist()))
            states.append(running.state_dict())
    for done, state in enumerate(states):
        resumed = loader()
        resumed.load_state_dict(state)
        rest = []
        while resumed.epoch < 2:
            rest += [(x.tobytes(), labels.tolist()) for x, labels in resumed]
        assert rest == whole[done:], done


def test_every_batch_of_every_epoch_draws_numbers_of_its_own():
    drawn = []
    loader = DataLoader(NUMBERS, batch_size=2, transform=lambda x, generator: drawn.append(generator.random()) or x)
    assert len([*loader]) == len([*loader]) == 5 and len({*drawn}) == 10
    shuffled = DataLoader(NUMBERS, batch_size=2, shuffle=True)
    assert shuffled._generator(0).random() not in drawn  # the one that draws the order


def test_a_state_after_the_last_batch_ends_the_epoch_before_the_next_begins():
    loader = DataLoader(NUMBERS, batch_size=5)
    states = [loader.state_dict() for _ in loader]
    assert loader.epoch == 1 and states[-1]["epoch"] == 0
    loader.load_state_dict(states[-1])
    assert epoch(loader) == [] and loader.epoch == 1 and len(epoch(loader)) == 2


def test_a_loop_that_is_left_early_ends_its_epoch():
    loader, whole = (DataLoader(NUMBERS, batch_size=2, shuffle=True) for _ in range(2))
    for _ in loader:
        break
    assert loader.state_dict()["epoch"] == 0 and loader.state_dict()["position"] == 1
    epoch(whole)
    assert epoch(loader) == epoch(whole) and loader.epoch == 2


def test_two_loops_over_one_loader_do_not_disturb_each_other():
    loader = DataLoader(NUMBERS, batch_size=5, shuffle=True)
    expected = [loader.batch(e, b)[0].tolist() for e in (0, 1) for b in (0, 1)]
    outer, inner = iter(loader), iter(loader)
    found = [next(loop)[0].tolist() for loop in (outer, inner, outer, inner)]
    assert found == [expected[i] for i in (0, 2, 1, 3)]
    assert next(outer, None) is None and loader.epoch == 1 and loader.position == 2
    assert next(inner, None) is None and loader.epoch == 2


def test_an_older_loop_does_not_move_the_position_of_the_newest():
    loader = DataLoader(NUMBERS, batch_size=2)
    outer, inner = iter(loader), iter(loader)
    for loop in (outer, inner, outer, outer):
        next(loop)
    assert (loader.epoch, loader.position) == (1, 1), "the newest loop has given one batch of epoch 1"


def threads_of_loaders():
    return [thread for thread in threading.enumerate() if thread.name.startswith("DataLoader")]


@each("prefetch", [1, 2, 50])
def test_batches_that_a_thread_prepares_are_the_same(prefetch):
    plain, early = DataLoader(IMAGES, seed=1, **AUGMENTED), DataLoader(IMAGES, seed=1, prefetch=prefetch, **AUGMENTED)
    for _ in range(2):
        for ours, theirs in zip(plain, early, strict=True):
            assert [array.tobytes() for array in ours] == [array.tobytes() for array in theirs]
    assert not threads_of_loaders()


def test_a_transform_in_the_thread_runs_in_the_modes_of_the_loop():
    def recorded(x, generator):
        return np.full(len(x), (Tensor([1.0]) * 2).node is not None)

    loader = DataLoader(NUMBERS, prefetch=2, transform=recorded)
    with no_grad():
        assert not any(x.any() for x, *_ in loader)
    assert all(x.all() for x, *_ in loader)


class Broken(Dataset):
    def __len__(self):
        return 6

    def __getitem__(self, i):
        if i == 4:
            raise OSError("sample 4 cannot be read")
        return (i,)


def test_an_error_in_the_thread_reaches_the_loop_after_the_batches_before_it():
    seen = []
    with pytest.raises(OSError, match="sample 4 cannot be read"):
        for (x,) in DataLoader(Broken(), batch_size=2, prefetch=3):
            seen.append(x.tolist())
    assert seen == [[0, 1], [2, 3]] and not threads_of_loaders()


def test_the_thread_ends_when_a_loop_is_left_or_fails():
    loader = DataLoader(NUMBERS, prefetch=2)
    for _ in loader:
        assert threads_of_loaders()
        break
    assert not threads_of_loaders()
    with pytest.raises(ZeroDivisionError):
        for _ in loader:
            1 / 0  # noqa: B018
    assert not threads_of_loaders()


def test_the_thread_is_at_most_prefetch_batches_ahead():
    asked = []

    class Asked(Broken):
        def __getitem__(self, i):
            asked.append(i)
            return (i,)

    loop = iter(DataLoader(Asked(), prefetch=2))
    next(loop)
    loop.close()
    assert len(asked) <= 3


def test_a_loader_gives_dictionaries_if_the_samples_are_dictionaries():
    samples = [{"x": np.full(2, i), "y": i} for i in range(5)]
    batches = [*DataLoader(samples, batch_size=2, transform=lambda x, generator: -x)]
    assert [batch["x"][:, 0].tolist() for batch in batches] == [[0, -1], [-2, -3], [-4]]
    assert [batch["y"].tolist() for batch in batches] == [[0, 1], [2, 3], [4]]


@each("prefetch", [0, 2])
def test_a_collate_function_makes_the_batches(prefetch):
    """Sequences of different lengths are padded to the longest of their batch."""

    def padded(samples):
        longest = max(len(sequence) for sequence, _ in samples)
        return np.array([sequence + [0] * (longest - len(sequence)) for sequence, _ in samples]), [label for _, label in samples]

    loader = DataLoader([([1] * n, n) for n in (1, 3, 2, 2)], 2, collate_fn=padded, prefetch=prefetch)
    assert [(x.tolist(), y) for x, y in loader] == [([[1, 0, 0], [1, 1, 1]], [1, 3]), ([[1, 1], [1, 1]], [2, 2])]


STATE = DataLoader(NUMBERS, batch_size=2).state_dict()


@each(
    "call, message",
    [
        (lambda: DataLoader(NUMBERS, batch_size=0), "DataLoader: batch_size=0 is out of range; it must be 1 or more"),
        (lambda: DataLoader(NUMBERS, batch_size=2.0), "DataLoader: batch_size=2.0 is not an integer"),
        (lambda: DataLoader(NUMBERS, prefetch=-1), "DataLoader: prefetch=-1 is out of range; it must be 0 or more"),
        (lambda: DataLoader(NUMBERS, batch_size=11, drop_last=True), "drop_last=True leaves no batch of 11 from 10 samples"),
        (lambda: DataLoader(ArrayDataset(np.zeros((0, 2)))), "DataLoader: the data set has no samples"),
        (lambda: DataLoader(3), "DataLoader: 3 is not a data set"),
        (
            lambda: DataLoader((np.ones((3, 2)), np.ones(3))),
            "DataLoader: a list of arrays is not a data set; write DataLoader(ArrayDataset",
        ),
        (lambda: DataLoader([np.ones((3, 2)), Tensor(np.ones(3))]), "DataLoader: a list of arrays is not a data set"),
        (lambda: DataLoader(NUMBERS, transform=3), "DataLoader: 3 is not a function (x, generator)"),
        (lambda: DataLoader(NUMBERS, transform=RandomCrop), "RandomCrop is a class; make a transform of it: RandomCrop(...)"),
        (lambda: DataLoader(NUMBERS, num_workers=2), "DataLoader: unknown argument num_workers= (here: prefetch=2, one thread)"),
        (lambda: DataLoader(NUMBERS, pin_memory=True), "DataLoader: unknown argument pin_memory= (there is no GPU; leave it out)"),
        (lambda: DataLoader(NUMBERS, collate_fn=3), "DataLoader: collate_fn=3 is not a function of a list of samples"),
        (lambda: DataLoader(NUMBERS, transform=lambda x, g: x, collate_fn=len).batch(0, 0), "a transform needs a tuple or a dictionary"),
        (lambda: DataLoader({"x": np.ones(3)}), "a dictionary is not a data set; write ArrayDataset(X, y), or a list of dictionaries"),
        (lambda: data.WeightedRandomSampler, "tensorgrad.data has no WeightedRandomSampler: DataLoader's shuffle=True draws the order"),
        (lambda: DataLoader(NUMBERS, shuffle=1), "DataLoader: shuffle=1 is not True or False"),
        (lambda: DataLoader(NUMBERS).batch(0, 10), "DataLoader: batch 10 does not exist; an epoch has 10 batches"),
        (lambda: DataLoader(NUMBERS, transform=lambda x: x), "write lambda x, generator: ..."),
        (lambda: DataLoader(NUMBERS).load_state_dict({}), "epoch, position, samples, batch_size, shuffle, seed, drop_last missing"),
        (lambda: DataLoader(NUMBERS).load_state_dict(STATE), "the state is of another loader: batch_size 2 (here 1)"),
        (lambda: DataLoader(NUMBERS, 2).load_state_dict(STATE | {"position": 6}), "epoch 0, batch 6 do not exist"),
    ],
    ids=lambda x: x if isinstance(x, str) else "",
)
def test_a_wrong_call_says_what_to_do(call, message):
    with pytest.raises((TypeError, ValueError, IndexError, AttributeError), match=re.escape(message)):
        call()
