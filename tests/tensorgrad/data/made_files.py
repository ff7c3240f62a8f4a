"""Make small files in the exact formats of MNIST and CIFAR-10, and archives with chosen members."""

import gzip
import importlib.util
import io
import tarfile
from pathlib import Path

import numpy as np
import pytest

from tensorgrad.data.idx import UNSIGNED_BYTE

RNG = np.random.default_rng(0)


def idx_bytes(array):
    """Return the content of the idx file of an array of bytes with 1 to 4 axes."""
    return bytes([0, 0, UNSIGNED_BYTE, array.ndim]) + np.array(array.shape, dtype=">u4").tobytes() + array.tobytes()


def mnist_files(folder, count=20, packed=True):
    """Write the four files of MNIST with `count` images each; return {part: (images, labels)}."""
    folder.mkdir(parents=True, exist_ok=True)
    made = {}
    for part in ("train", "t10k"):
        images, labels = RNG.integers(0, 256, (count, 28, 28), dtype=np.uint8), RNG.integers(0, 10, count, dtype=np.uint8)
        for name, array in (f"{part}-images-idx3-ubyte", images), (f"{part}-labels-idx1-ubyte", labels):
            content = idx_bytes(array)
            path = folder / (f"{name}.gz" if packed else name)
            path.write_bytes(gzip.compress(content, mtime=0) if packed else content)
        made[part] = images, labels
    return made


CIFAR_NAMES = [*(f"data_batch_{i}" for i in range(1, 6)), "test_batch"]


def cifar_batches(count=4):
    """Return {name: (rows of pixels, labels)} of the six files of CIFAR-10."""
    return {name: (RNG.integers(0, 256, (count, 3072), dtype=np.uint8), RNG.integers(0, 10, count)) for name in CIFAR_NAMES}


def binary_members(batches):
    """Return [(name, content)] of the binary version."""
    members = [("cifar-10-batches-bin/batches.meta.txt", b"airplane\n")]
    for name, (pixels, labels) in batches.items():
        members.append((f"cifar-10-batches-bin/{name}.bin", np.column_stack([labels.astype(np.uint8), pixels]).tobytes()))
    return members


def python_members(batches):
    """Return [(name, content)] of the python version."""
    members = [("cifar-10-batches-py/batches.meta", python_2_pickle({b"num_vis": 3072}))]
    for name, (pixels, labels) in batches.items():
        found = {b"batch_label": b"one", b"labels": labels.tolist(), b"data": pixels, b"filenames": [b"a.png"] * len(labels)}
        members.append((f"cifar-10-batches-py/{name}", python_2_pickle(found)))
    return members


def archive(path, members):
    """Write a .tar.gz of members: (name, content) or a TarInfo."""
    with tarfile.open(path, "w:gz") as tar:
        for member in members:
            info = member if isinstance(member, tarfile.TarInfo) else tarfile.TarInfo(member[0])
            if info is not member:
                info.size = len(member[1])
            tar.addfile(info, None if info is member else io.BytesIO(member[1]))
    return path


def python_2_pickle(x):
    """Return x as Python 2 wrote it with protocol 2: texts are BINSTRING, arrays call numpy.core.multiarray._reconstruct."""
    memo = iter(range(10**6))

    def put():
        i = next(memo)
        return b"q" + bytes([i]) if i < 256 else b"r" + i.to_bytes(4, "little")

    def integer(n):
        return b"K" + bytes([n]) if 0 <= n < 256 else b"J" + n.to_bytes(4, "little", signed=True)

    def text(x):
        return (b"U" + bytes([len(x)]) if len(x) < 256 else b"T" + len(x).to_bytes(4, "little")) + x

    def written(x):
        if isinstance(x, dict):
            return b"}" + put() + b"(" + b"".join(written(key) + written(value) for key, value in x.items()) + b"u"
        if isinstance(x, list):
            return b"]" + put() + b"(" + b"".join(map(written, x)) + b"e"
        if isinstance(x, bytes):
            return text(x) + put()
        if isinstance(x, int):
            return integer(x)
        shape = b"(" + b"".join(map(integer, x.shape)) + b"t"
        dtype = b"cnumpy\ndtype\n" + text(x.dtype.str[1:].encode()) + integer(0) + integer(1) + b"\x87R"
        dtype += b"(" + integer(3) + text(b"|") + b"NNN" + integer(-1) + integer(-1) + integer(0) + b"tb"
        made = b"cnumpy.core.multiarray\n_reconstruct\n" + put() + b"cnumpy\nndarray\n" + integer(0) + b"\x85" + text(b"b") + b"\x87R"
        return made + b"(" + integer(1) + shape + dtype + b"\x89" + text(x.tobytes()) + b"tb"

    return b"\x80\x02" + written(x) + b"."


def source_of(path):
    """Return the text of a file of an installed package, which is not imported. Skip the test if it is not installed."""
    spec = importlib.util.find_spec(path.partition("/")[0])
    if spec is None:
        pytest.skip("not installed")
    return (Path(spec.origin).parent.parent / path).read_text(encoding="utf-8")
