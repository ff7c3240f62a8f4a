"""CIFAR-10: 60 000 colour images of 32 by 32 pixels in ten classes, read from the archives that people download.

The archive is never unpacked into a folder; its six files are read into memory. The binary version holds only labels and pixels.
The python version holds pickles, which `safe_pickle` reads. The tests read made-up archives of both formats, not the published ones.
"""

from pathlib import Path

import numpy as np

from tensorgrad.data.archives import read_members
from tensorgrad.data.arguments import must_be_bool
from tensorgrad.data.dataset import ArrayDataset
from tensorgrad.data.download import Progress, PublishedFile, find, must_be_published
from tensorgrad.data.safe_pickle import read_pickle

CLASSES = ("airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck")
SHAPE = (3, 32, 32)  # channels, height, width
PIXELS = 3 * 32 * 32
IMAGES_OF_A_FILE = 10_000
TRAIN, TEST = [f"data_batch_{i}" for i in range(1, 6)], ["test_batch"]

# md5: https://www.cs.toronto.edu/~kriz/cifar.html; sha256: keras/src/datasets/cifar10.py and many public programs
BINARY = PublishedFile(
    "cifar-10-binary.tar.gz", 170_052_171, "c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd",
    ("https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz",),
)  # fmt: skip
PYTHON = PublishedFile(
    "cifar-10-python.tar.gz", 170_498_071, "6d958be074577803d12ecdefd02955f39262c83c16fe9348329d7fe0b5c001ce",
    ("https://www.cs.toronto.edu/~kriz/cifar-10-python.tar.gz",),
)  # fmt: skip


def cifar10(folder, train: bool = True, download: bool = False, checksum: bool = True, progress: Progress | None = None) -> ArrayDataset:
    """Return CIFAR-10: images (50000, 3, 32, 32), or 10000 with train=False, of bytes from 0 to 255, and the class of each.

    `folder` holds cifar-10-binary.tar.gz or cifar-10-python.tar.gz; both give the same images. download=True fetches the binary version if
    both are missing: 170 MB; `progress(name, done, size)` is called meanwhile. checksum=False also reads archives of this format that are
    not the published ones, such as small ones for a test.
    Raises FileNotFoundError if there is no archive, OSError if it cannot be fetched, and ValueError if it is damaged or unsafe.
    Source: Krizhevsky, "Learning Multiple Layers of Features from Tiny Images", 2009.

    >>> cifar10("no such folder")
    Traceback (most recent call last):
        ...
    FileNotFoundError: cifar10: cifar-10-binary.tar.gz is not in the folder 'no such folder'; give download=True, or put the file ...
    """
    must_be_bool("cifar10", train=train, download=download, checksum=checksum)
    python = Path(folder, PYTHON.name)
    use_python = python.is_file() and not Path(folder, BINARY.name).is_file()
    path = python if use_python else find("cifar10", BINARY, [Path(folder)], download, progress)
    if checksum:
        must_be_published(path, PYTHON if use_python else BINARY)
    read = from_python if use_python else from_binary
    labels, images = (np.concatenate(parts) for parts in zip(*read(path, TRAIN if train else TEST)))
    return ArrayDataset(images.reshape(-1, *SHAPE), labels.astype(np.int64), classes=CLASSES)


def from_binary(path, names):
    """Return [(labels, rows of pixels)] of the files `names` in the binary version: each image is a label and 3072 pixels."""
    members = read_members(path, {f"cifar-10-batches-bin/{name}.bin": IMAGES_OF_A_FILE * (1 + PIXELS) for name in TRAIN + TEST})
    return [records(path, name, members[f"cifar-10-batches-bin/{name}.bin"]) for name in names]


def records(path, name, content):
    """Return the labels and the pixels of one file of the binary version."""
    if not content or len(content) % (1 + PIXELS):
        raise ValueError(f"{path}: {name}.bin has {len(content)} bytes, which is not a number of images of {1 + PIXELS} bytes")
    rows = np.frombuffer(content, dtype=np.uint8).reshape(-1, 1 + PIXELS)
    return checked(path, f"{name}.bin", rows[:, 0], rows[:, 1:])


def from_python(path, names):
    """Return [(labels, rows of pixels)] of the files `names` in the python version."""
    most = IMAGES_OF_A_FILE * (PIXELS + 100)  # with the names of the images
    members = read_members(path, {f"cifar-10-batches-py/{name}": most for name in TRAIN + TEST})
    return [batch(path, name, members[f"cifar-10-batches-py/{name}"]) for name in names]


def batch(path, name, content):
    """Return the labels and the pixels of one file of the python version."""
    try:
        found = read_pickle(content)
    except ValueError as wrong:
        raise ValueError(f"{path}: {name}: {wrong}; fetch it again from its publisher") from None
    pixels, labels = found.get(b"data"), found.get(b"labels")
    if not isinstance(pixels, np.ndarray) or not isinstance(labels, list) or not all(type(label) is int for label in labels):
        raise ValueError(f"{path}: {name} lacks an array 'data' or a list of integers 'labels'")
    if pixels.shape != (len(labels), PIXELS) or not labels:
        raise ValueError(f"{path}: {name} has pixels of shape {pixels.shape} and {len(labels)} labels; (n, {PIXELS}) and n are needed")
    return checked(path, name, np.array(labels, dtype=object), pixels)


def checked(path, name, labels, pixels):
    """Raise ValueError for a label that is not a class."""
    wrong = (labels < 0) | (labels >= len(CLASSES))
    if wrong.any():
        at = int(np.argmax(wrong))
        raise ValueError(f"{path}: {name}: label {labels[at]} of image {at} is not a class from 0 to {len(CLASSES) - 1}")
    return labels.astype(np.int64), pixels
