"""MNIST and Fashion-MNIST: the files that people download, packed or not; damaged, truncated and mislabelled ones."""

import gzip
import re

import numpy as np
import pytest

from tensorgrad.data import fashion_mnist, mnist
from tensorgrad.data.idx import read_idx
from tensorgrad.data.mnist import FASHION_MNIST, MNIST
from tests.each import each
from tests.tensorgrad.data.made_files import idx_bytes, mnist_files, source_of


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("place", [".", "MNIST/raw"])
def test_both_parts_are_read_packed_or_not_also_from_the_folder_of_torchvision(tmp_path, packed, place):
    made = mnist_files(tmp_path / place, packed=packed)
    for train, part in (True, "train"), (False, "t10k"):
        data = mnist(tmp_path, train=train, checksum=False)
        images, labels = data.arrays
        assert images.shape == (20, 1, 28, 28) and images.dtype == np.uint8 and data.classes[7] == "7"
        assert (images[:, 0] == made[part][0]).all() and (labels == made[part][1]).all() and labels.dtype == np.int64


def test_fashion_mnist_has_the_same_files_and_other_classes(tmp_path):
    made = mnist_files(tmp_path / "FashionMNIST/raw")
    data = fashion_mnist(tmp_path, train=False, checksum=False)
    assert (data.arrays[0][:, 0] == made["t10k"][0]).all() and data.classes[9] == "Ankle boot"


@pytest.mark.parametrize("packed", [True, False])
def test_a_file_that_is_not_the_published_one_is_refused(tmp_path, packed):
    mnist_files(tmp_path, packed=packed)
    wrong = "it has [0-9,]+ bytes, the published file has 9,912,422" if packed else r"its md5 is \w+, the published file has \w+"
    with pytest.raises(ValueError, match=rf"train-images-idx3-ubyte(.gz)?: {wrong}; delete it and fetch it again, or give checksum=False"):
        mnist(tmp_path)


def test_a_file_with_the_size_of_the_published_one_is_refused_by_its_checksum(tmp_path):
    mnist_files(tmp_path)
    with open(tmp_path / "train-images-idx3-ubyte.gz", "r+b") as file:
        file.truncate(9_912_422)
    with pytest.raises(ValueError, match=r"its sha256 is \w+, the published file has 440fcabf\w+; delete it"):
        mnist(tmp_path)


def test_the_addresses_and_names_are_those_in_torchvision():
    source = source_of("torchvision/datasets/mnist.py")
    for files in MNIST, FASHION_MNIST:
        for file, md5 in files.values():
            assert len(file.checksum) == 64 and len(md5) == 32 and f'"{file.name}"' in source
            assert all(f'"{address.removesuffix(file.name)}"' in source for address in file.addresses)


def packed(content):
    return gzip.compress(content, mtime=0)


IMAGES = idx_bytes(np.zeros((2, 28, 28), dtype=np.uint8))


@each(
    "content, message",
    [
        (IMAGES[:-1], "the file is truncated: 1568 bytes of shape (2, 28, 28) are promised, 1567 follow"),
        (IMAGES + b"x", "bytes follow after the 1568 of shape (2, 28, 28)"),
        (packed(IMAGES)[:-9], "the file is truncated; download it again"),
        (packed(IMAGES)[:-8] + b"12345678", "the file is damaged (CRC check failed"),
        (packed(IMAGES)[:10] + b"\xff" * 200, "the file is damaged (Error -3"),
        (b"<html>not found", "this is not an idx file: it starts with the bytes 3c 68 74 6d"),
        (b"", "this is not an idx file: it starts with the bytes (none)"),
        (b"\0\0\x0d\x01\0\0\0\x01abcd", "an idx file of dtype code 13 with 1 axes; only bytes (code 8)"),
        (b"\0\0\x08\x09" + b"\xff" * 36, "dtype code 8 with 9 axes"),
        (b"\0\0\x08\x03\0\0", "the file is truncated within its header"),
        (b"\0\0\x08\x04" + b"\xff" * 16, f"its header promises {(2**32 - 1) ** 4} bytes"),
        (idx_bytes(np.zeros((2, 28, 27), dtype=np.uint8)), "an array of shape (2, 28, 27); images have the shape (n, 28, 28)"),
        (idx_bytes(np.zeros((3, 28, 28), dtype=np.uint8)), "labels of shape (2,) do not fit 3 images in train-images-idx3-ubyte"),
        (packed(b"\0\0\x08\x01\x03\xff\xff\xff" + bytes(2**20)), "the file is truncated: 67108863 bytes"),
        (packed(b"\0\0\x08\x01\x04\0\0\1" + bytes(2**20)), "its header promises 67108865 bytes of shape (67108865,); at most 67108864"),
    ],
    ids=lambda x: x[:40] if isinstance(x, str) else "",
)
def test_a_wrong_file_is_named_and_said_why(tmp_path, content, message):
    (tmp_path / "train-images-idx3-ubyte.gz").write_bytes(content)
    (tmp_path / "train-labels-idx1-ubyte").write_bytes(idx_bytes(np.array([1, 2], dtype=np.uint8)))
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        mnist(tmp_path, checksum=False)
    assert str(tmp_path) in str(caught.value) and "\n" not in str(caught.value)


def test_a_label_that_is_not_a_class_is_named(tmp_path):
    mnist_files(tmp_path)
    (tmp_path / "t10k-labels-idx1-ubyte.gz").write_bytes(packed(idx_bytes(np.full(20, 10, dtype=np.uint8))))
    with pytest.raises(ValueError, match=r"t10k-labels-idx1-ubyte.gz: label 10 \(position 0\) is not a class from 0 to 9"):
        mnist(tmp_path, train=False, checksum=False)


@each("shape", [(0,), (5,), (2, 3), (2, 3, 4), (2, 1, 3, 2)])
def test_what_is_written_is_read(tmp_path, shape):
    array = np.random.default_rng(1).integers(0, 256, shape, dtype=np.uint8)
    (tmp_path / "a").write_bytes(idx_bytes(array))
    assert read_idx(tmp_path / "a").tolist() == array.tolist()


def test_all_files_that_are_missing_are_named_at_once(tmp_path):
    others = "train-labels-idx1-ubyte.gz, t10k-images-idx3-ubyte.gz, t10k-labels-idx1-ubyte.gz"
    with pytest.raises(FileNotFoundError, match=f"mnist/train-images-idx3-ubyte.gz there, with {others}$"):
        mnist(tmp_path)
    (tmp_path / "t10k-images-idx3-ubyte.gz").touch()
    (tmp_path / "t10k-labels-idx1-ubyte").touch()
    with pytest.raises(FileNotFoundError, match="mnist/train-images-idx3-ubyte.gz there, with train-labels-idx1-ubyte.gz$"):
        mnist(tmp_path)
    mnist_files(tmp_path)
    (tmp_path / "t10k-images-idx3-ubyte.gz").unlink()
    (tmp_path / "t10k-labels-idx1-ubyte").unlink()
    with pytest.raises(FileNotFoundError, match="mnist/t10k-images-idx3-ubyte.gz there$"):
        mnist(tmp_path, train=False, checksum=False)
