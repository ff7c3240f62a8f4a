"""What holds for every data set of the table in cases.py, and that the table has them all."""

import inspect

import numpy as np

from tensorgrad import data
from tensorgrad.data import ArrayDataset, DataLoader
from tests.each import each
from tests.tensorgrad.data.cases import CASES


@each("name", CASES)
def test_a_data_set_has_samples_labels_and_classes_and_differs_between_its_parts(name, tmp_path):
    case = CASES[name]
    parts = [case.make(train, tmp_path / name / str(train)) for train in (True, False)]
    for found, count in zip(parts, case.counts):
        samples, labels = found.arrays
        assert samples.shape == (count, *case.shape) and samples.dtype in (np.uint8, np.float32)
        assert labels.shape == (count,) and labels.dtype == np.int64
        assert labels.min() >= 0 and labels.max() < case.classes == len(found.classes)
        x, y = next(iter(DataLoader(found, batch_size=4, shuffle=True)))
        assert x.shape == (4, *case.shape) and y.shape == (4,)
    assert not {sample.tobytes() for sample in parts[0].arrays[0]} & {sample.tobytes() for sample in parts[1].arrays[0]}


def test_every_data_set_has_a_case():
    makers = {name for name in data.__all__ if inspect.signature(getattr(data, name)).return_annotation is ArrayDataset}
    assert makers == {name.partition(",")[0] for name in CASES}


def test_names_of_other_libraries_say_what_to_write():
    for name in ("TensorDataset", "MNIST", "BatchLoader", "make_moons"):
        try:
            getattr(data, name)
        except AttributeError as wrong:
            assert f"tensorgrad.data has no {name}: write " in str(wrong)
        else:
            raise AssertionError(name)
