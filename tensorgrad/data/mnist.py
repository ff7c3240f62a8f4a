"""MNIST and Fashion-MNIST: 70 000 grey images of 28 by 28 pixels in ten classes, read from the files that people download.

Addresses and checksums are those of torchvision (`torchvision/datasets/mnist.py`); the sha256 sums stand in many public programs.
The tests read made-up files of this format, not the published ones.
"""

from pathlib import Path

import numpy as np

from tensorgrad.data.arguments import must_be_bool
from tensorgrad.data.dataset import ArrayDataset
from tensorgrad.data.download import Progress, PublishedFile, find, must_be_published
from tensorgrad.data.idx import read_idx

SIDE = 28  # pixels
MOST_BYTES = 2**26  # of a file, unpacked; the largest published one has 47 million
DIGITS = tuple(map(str, range(10)))
CLOTHES = ("T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot")


def files(*addresses, rows):
    """Return {name without .gz: (the file, the md5 of its content)}."""
    return {
        name: (PublishedFile(f"{name}.gz", size, sha256, tuple(f"{address}{name}.gz" for address in addresses)), md5)
        for name, size, sha256, md5 in rows
    }


# fmt: off
MNIST = files(
    "https://ossci-datasets.s3.amazonaws.com/mnist/", "http://yann.lecun.com/exdb/mnist/",
    rows=[
        ("train-images-idx3-ubyte", 9912422, "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609", "6bbc9ace898e44ae57da46a324031adb"),
        ("train-labels-idx1-ubyte", 28881, "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c", "a25bea736e30d166cdddb491f175f624"),
        ("t10k-images-idx3-ubyte", 1648877, "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6", "2646ac647ad5339dbf082846283269ea"),
        ("t10k-labels-idx1-ubyte", 4542, "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6", "27ae3e4e09519cfbb04c329615203637"),
    ],
)
FASHION_MNIST = files(
    "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/",
    rows=[
        ("train-images-idx3-ubyte", 26421880, "3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84", "f4a8712d7a061bf5bd6d2ca38dc4d50a"),
        ("train-labels-idx1-ubyte", 29515, "a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845", "9018921c3c673c538a1fc5bad174d6f9"),
        ("t10k-images-idx3-ubyte", 4422102, "346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073", "8181f5470baa50b63fa0f6fddb340f0a"),
        ("t10k-labels-idx1-ubyte", 5148, "67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5", "15d484375f8d13e6eb1aabb0c3f46965"),
    ],
)
# fmt: on


def mnist(folder, train: bool = True, download: bool = False, checksum: bool = True, progress: Progress | None = None) -> ArrayDataset:
    """Return MNIST: images (60000, 1, 28, 28), or 10000 with train=False, of bytes from 0 to 255, and the digit of each.

    `folder` holds train-images-idx3-ubyte.gz and the other three files, unpacked or not; or MNIST/raw/ in it does, as torchvision has it.
    download=True fetches what is missing: 12 MB; `progress(name, done, size)` is called meanwhile. checksum=False also reads files
    of this format that are not the published ones.
    Raises FileNotFoundError if a file is missing, OSError if it cannot be fetched, and ValueError if it is damaged or not MNIST.
    Source: LeCun, Cortes and Burges, "The MNIST database of handwritten digits".

    >>> mnist("no such folder")
    Traceback (most recent call last):
        ...
    FileNotFoundError: mnist: train-images-idx3-ubyte.gz is not in the folder 'no such folder'; give download=True, or put the file ...
    """
    return read("mnist", MNIST, [Path(folder), Path(folder, "MNIST", "raw")], DIGITS, train, download, checksum, progress)


def fashion_mnist(
    folder, train: bool = True, download: bool = False, checksum: bool = True, progress: Progress | None = None
) -> ArrayDataset:
    """Return Fashion-MNIST: images of clothes, in the files and shapes of MNIST; see `mnist`. A download is 31 MB.

    The files have the names of MNIST's files, so give each its own folder.
    Source: Xiao, Rasul and Vollgraf, "Fashion-MNIST: a novel image dataset for benchmarking machine learning algorithms", 2017.

    >>> fashion_mnist("no such folder")
    Traceback (most recent call last):
        ...
    FileNotFoundError: fashion_mnist: train-images-idx3-ubyte.gz is not in the folder 'no such folder'; give download=True, or put ...
    """
    folders = [Path(folder), Path(folder, "FashionMNIST", "raw")]
    return read("fashion_mnist", FASHION_MNIST, folders, CLOTHES, train, download, checksum, progress)


def read(function, published, folders, classes, train, download, checksum, progress):
    """Return the images and labels of one part of a data set in MNIST's format."""
    must_be_bool(function, train=train, download=download, checksum=checksum)
    part = "train" if train else "t10k"
    paths, beside = [], [file.name for name, (file, _) in published.items() if not any(Path(folder, name).is_file() for folder in folders)]
    for name in (f"{part}-images-idx3-ubyte", f"{part}-labels-idx1-ubyte"):
        packed, md5 = published[name]
        unpacked = [path for folder in folders if (path := Path(folder, name)).is_file()]
        missing = not any(Path(folder, packed.name).is_file() for folder in folders)
        paths.append(unpacked[0] if missing and unpacked else find(function, packed, folders, download, progress, beside))
        if checksum:
            must_be_published(paths[-1], packed, md5 if paths[-1].suffix != ".gz" else None)
    images, labels = (read_idx(path, MOST_BYTES) for path in paths)
    must_belong_together(*paths, images, labels, len(classes))
    return ArrayDataset(images[:, None], labels.astype(np.int64), classes=classes)


def must_belong_together(images_path, labels_path, images, labels, classes):
    """Raise ValueError for arrays that are not images and their labels."""
    if images.ndim != 3 or images.shape[1:] != (SIDE, SIDE):
        raise ValueError(f"{images_path}: an array of shape {images.shape}; images have the shape (n, {SIDE}, {SIDE})")
    if labels.shape != images.shape[:1]:
        raise ValueError(f"{labels_path}: labels of shape {labels.shape} do not fit {len(images)} images in {images_path.name}")
    if labels.size and labels.max() >= classes:
        raise ValueError(f"{labels_path}: label {labels.max()} (position {labels.argmax()}) is not a class from 0 to {classes - 1}")
