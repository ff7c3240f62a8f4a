"""The handwritten digits of 8 by 8 pixels that this package holds: 1797 images, 1437 for training and 360 for testing."""

from pathlib import Path

import numpy as np

from tensorgrad.data.arguments import must_be_bool
from tensorgrad.data.dataset import ArrayDataset
from tensorgrad.data.idx import read_idx

FOLDER = Path(__file__).with_name("files")
WHITE = 16  # pixels are integers from 0 to 16
TESTED = 360  # images, a fifth
SPLIT_SEED = 0


def digits(train: bool = True) -> ArrayDataset:
    """Return images of handwritten digits, (n, 1, 8, 8) of float32 from 0 to 1, and the digit of each, an integer.

    There are 1437 images with train=True and 360 others with train=False. A fixed seed drew the split.
    Source: Alpaydin and Kaynak, "Optical Recognition of Handwritten Digits", UCI Machine Learning Repository, 1998, its 1797 test
    images, under the licence CC BY 4.0.

    >>> images, labels = digits().arrays; images.shape, labels[:5].tolist()
    ((1437, 1, 8, 8), [0, 1, 3, 4, 5])
    """
    must_be_bool("digits", train=train)
    images, labels = read_idx(FOLDER / "digits-images.idx.gz"), read_idx(FOLDER / "digits-labels.idx.gz")
    order = np.random.default_rng(SPLIT_SEED).permutation(len(images))
    chosen = np.sort(order[TESTED:] if train else order[:TESTED])
    pixels = images[chosen, None].astype(np.float32) / np.float32(WHITE)
    return ArrayDataset(pixels, labels[chosen].astype(np.int64), classes=[str(digit) for digit in range(10)])
