"""What the package holds: the digits and a book."""

import hashlib

import numpy as np
import pytest

from tensorgrad.data import alice, digits
from tensorgrad.data.digits import FOLDER
from tensorgrad.data.idx import read_idx


def test_the_digits_are_1797_images_and_no_image_is_in_both_parts():
    (train, train_labels), (test, test_labels) = digits().arrays, digits(train=False).arrays
    assert train.shape == (1437, 1, 8, 8) and test.shape == (360, 1, 8, 8)
    assert train.dtype == np.float32 and train.min() == 0 and train.max() == 1
    assert (np.bincount(np.concatenate([train_labels, test_labels])) == [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]).all()
    assert not {image.tobytes() for image in train} & {image.tobytes() for image in test}


def test_the_name_of_a_part_is_not_taken_for_true():
    with pytest.raises(TypeError, match="digits: train='test' is not True or False"):
        digits("test")


def test_the_digits_are_those_of_scikit_learn():
    pytest.importorskip("scipy")
    theirs = pytest.importorskip("sklearn.datasets").load_digits()
    np.testing.assert_array_equal(read_idx(FOLDER / "digits-images.idx.gz"), theirs.images)
    np.testing.assert_array_equal(read_idx(FOLDER / "digits-labels.idx.gz"), theirs.target)


def test_the_files_are_unchanged():
    """A training run is repeatable only if its data are."""
    found = {path.name: hashlib.sha256(path.read_bytes()).hexdigest()[:16] for path in FOLDER.glob("*.gz")}
    assert found == {
        "digits-images.idx.gz": "c41c947a1014aa9b",
        "alice.txt.gz": "bfc7f612c06dea64",
        "digits-labels.idx.gz": "147c919240519986",
    }


def test_the_book_begins_and_ends_as_it_should_and_has_no_note_of_an_editor():
    text = alice()
    assert text.split("\n")[0].strip() == "ALICE'S ADVENTURES IN WONDERLAND" and text.rstrip().endswith("THE END")
    assert text.count("CHAPTER ") == 12 and "[" not in text and "EDITION" not in text and "\r" not in text
