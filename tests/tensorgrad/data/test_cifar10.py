"""CIFAR-10: both archives give the same images; an archive that is damaged or unsafe gives one clear error and writes nothing."""

import contextlib
import gzip
import io
import os
import pickle
import re
import tarfile

import numpy as np
import pytest

from tensorgrad.data import cifar10
from tensorgrad.data.archives import MOST_FILES, wanted_members
from tensorgrad.data.cifar10 import BINARY, PYTHON
from tensorgrad.data.safe_pickle import read_pickle
from tests.each import each
from tests.tensorgrad.data.made_files import archive, binary_members, cifar_batches, python_2_pickle, python_members, source_of

BATCHES = cifar_batches()
MEMBERS = {"binary": binary_members(BATCHES), "python": python_members(BATCHES)}


@pytest.mark.parametrize("version", MEMBERS)
def test_both_versions_give_the_images_as_channels_rows_and_columns(tmp_path, version):
    archive(tmp_path / f"cifar-10-{version}.tar.gz", MEMBERS[version])
    for train, names in (True, [f"data_batch_{i}" for i in range(1, 6)]), (False, ["test_batch"]):
        data = cifar10(tmp_path, train=train, checksum=False)
        images, labels = data.arrays
        assert images.dtype == np.uint8 and images.shape[1:] == (3, 32, 32) and data.classes[3] == "cat"
        assert (images.reshape(-1, 3072) == np.concatenate([BATCHES[name][0] for name in names])).all()
        assert (labels == np.concatenate([BATCHES[name][1] for name in names])).all() and labels.dtype == np.int64
    assert [path.name for path in tmp_path.iterdir()] == [f"cifar-10-{version}.tar.gz"]


def test_an_archive_that_is_not_the_published_one_is_refused(tmp_path):
    archive(tmp_path / "cifar-10-python.tar.gz", MEMBERS["python"])
    with pytest.raises(ValueError, match="cifar-10-python.tar.gz: it has [0-9,]+ bytes, the published file has 170,498,071; delete it"):
        cifar10(tmp_path)
    with open(tmp_path / "cifar-10-python.tar.gz", "r+b") as file:
        file.truncate(PYTHON.size)
    with pytest.raises(ValueError, match=f"its sha256 is .* the published file has {PYTHON.checksum}"):
        cifar10(tmp_path)


def test_the_address_of_the_python_version_is_the_one_in_torchvision():
    assert (
        PYTHON.addresses[0] in source_of("torchvision/datasets/cifar.py")
        and PYTHON.addresses[0].replace("python", "binary") in BINARY.addresses
    )


def member(name, kind=tarfile.REGTYPE, link=""):
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, link
    return info


def changed(version, name, content):
    """Return the members with another content for one, or without it."""
    return [(n, content if n.endswith(name) else c) for n, c in MEMBERS[version] if content is not None or not n.endswith(name)]


def pickled(**changes):
    pixels, labels = BATCHES["test_batch"]
    return python_2_pickle({b"labels": labels.tolist(), b"data": pixels} | {k.encode(): v for k, v in changes.items()})


BIN, FILE = "cifar-10-batches-bin", "test_batch.bin"
TWO_IMAGES = bytes(2 * 3073)


@each(
    "members, message",
    [
        ([*MEMBERS["binary"], ("../evil", b"x")], "it has the unsafe path '../evil'"),
        ([*MEMBERS["binary"], (f"{BIN}/../../evil", b"x")], f"it has the unsafe path '{BIN}/../../evil'"),
        ([*MEMBERS["binary"], ("/tmp/evil", b"x")], "it has the unsafe path '/tmp/evil'"),
        ([*MEMBERS["binary"], ("C:\\evil", b"x")], "it has the unsafe path 'C:\\\\evil'"),
        ([*MEMBERS["binary"], member(f"{BIN}/a", tarfile.SYMTYPE, "/etc/passwd")], f"its member '{BIN}/a' is a link"),
        ([*MEMBERS["binary"], member(f"{BIN}/a", tarfile.LNKTYPE, "/etc/passwd")], f"its member '{BIN}/a' is a link"),
        ([*changed("binary", FILE, None), member(f"{BIN}/{FILE}", tarfile.SYMTYPE, "/etc/passwd")], "is a link"),
        ([*MEMBERS["binary"], member(f"{BIN}/a", tarfile.CHRTYPE)], f"its member '{BIN}/a' is not a plain file"),
        ([*MEMBERS["binary"], member(f"{BIN}/a", tarfile.FIFOTYPE)], f"its member '{BIN}/a' is not a plain file"),
        ([*MEMBERS["binary"], MEMBERS["binary"][1]], "twice"),
        (changed("binary", FILE, None), f"it lacks {BIN}/test_batch.bin"),
        ([], f"it lacks {BIN}/data_batch_1.bin, {BIN}/data_batch_2.bin"),
        (MEMBERS["python"], f"it lacks {BIN}/data_batch_1.bin"),
        (changed("binary", FILE, TWO_IMAGES[:-1]), "test_batch.bin has 6145 bytes, which is not a number of images of 3073 bytes"),
        (changed("binary", FILE, b""), "test_batch.bin has 0 bytes"),
        (changed("binary", FILE, bytes(3073) + b"\x0a" + bytes(3072)), "test_batch.bin: label 10 of image 1 is not a class from 0 to 9"),
        (changed("binary", FILE, bytes(12_293)), f"its member '{BIN}/{FILE}' has 12293 bytes, at most 12292 are expected"),
        ([*MEMBERS["binary"], ("zeros", bytes(2_000_000))], "it unpacks to more than 1122328 bytes"),
        ([*MEMBERS["binary"], *((f"file{i}", b"") for i in range(MOST_FILES))], f"it has more than {MOST_FILES} files"),
    ],
    ids=lambda x: x[:40] if isinstance(x, str) else "",
)
def test_an_unsafe_or_wrong_archive_gives_one_error_and_writes_nothing(tmp_path, monkeypatch, members, message):
    monkeypatch.setitem(cifar10.__globals__, "IMAGES_OF_A_FILE", 4)
    path = archive(tmp_path / "cifar-10-binary.tar.gz", members)
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        cifar10(tmp_path, train=False, checksum=False)
    assert str(caught.value).startswith(f"{path}: ") and "\n" not in str(caught.value)
    assert os.listdir(tmp_path) == ["cifar-10-binary.tar.gz"]
    path.unlink()


GOOD = io.BytesIO()
with tarfile.open(fileobj=GOOD, mode="w") as tar:
    for name, content in MEMBERS["binary"]:
        info = tarfile.TarInfo(name)
        info.size = len(content)
        tar.addfile(info, io.BytesIO(content))
TAR = GOOD.getvalue()
PACKED = gzip.compress(TAR, mtime=0)


@each(
    "content, message",
    [
        (PACKED[: len(PACKED) // 2], "the archive is truncated; fetch it again"),
        (PACKED[:-4], "the archive is truncated; fetch it again"),
        (PACKED[:-6] + b"xxxxxx", "the archive is damaged or not a .tar.gz (CRC check failed"),
        (PACKED[:50_000] + bytes(100) + PACKED[50_100:], "the archive is damaged or not a .tar.gz"),
        (b"<html>not found</html>", "the archive is damaged or not a .tar.gz (Not a gzipped file"),
        (gzip.compress(b"hello" * 500), "the archive is damaged: a header is not one of tar"),
        (gzip.compress(TAR[: len(TAR) // 2]), "the archive is truncated"),
        (gzip.compress(TAR.replace(b"data_batch_3", b"date_batch_3")), "the archive is damaged: the checksum of a header is wrong"),
    ],
    ids=lambda x: x[:40] if isinstance(x, str) else "",
)
def test_a_damaged_archive_is_named(tmp_path, content, message):
    (tmp_path / "cifar-10-binary.tar.gz").write_bytes(content)
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        cifar10(tmp_path, checksum=False)
    assert str(tmp_path) in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize("form", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT, tarfile.USTAR_FORMAT])
def test_archives_of_all_three_forms_of_tar_are_read(tmp_path, form):
    with tarfile.open(tmp_path / "cifar-10-binary.tar.gz", "w:gz", format=form) as tar:
        for name, content in [(f"{BIN}/{'long' * 22}/{'name' * 20}", b"x"), *MEMBERS["binary"]]:
            info = tarfile.TarInfo(f"./{name}")
            info.size = len(content)
            if form == tarfile.PAX_FORMAT:
                info.pax_headers = {"comment": "a note"}
            tar.addfile(info, io.BytesIO(content))
    images, _ = cifar10(tmp_path, train=False, checksum=False).arrays
    assert (images.reshape(-1, 3072) == BATCHES["test_batch"][0]).all()


def test_damaged_headers_never_raise_anything_but_valueerror():
    """Python's tarfile loops without end on some such archives."""
    buffer, rng = io.BytesIO(), np.random.default_rng(0)
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for name in "a", "b" * 150:
            info = tarfile.TarInfo(name)
            info.pax_headers = {"comment": "a note"}
            tar.addfile(info)
    good, seen = buffer.getvalue(), set()
    for _ in range(700):
        content, at = bytearray(good), int(rng.choice([0, 512, 1024, 1536, 2048]))
        for _ in range(2):
            content[at + rng.integers(512)] = rng.integers(256)
        block = content[at : at + 512]
        content[at + 148 : at + 156] = b"%06o\0 " % (sum(block) - sum(block[148:156]) + 256)
        try:
            wanted_members(io.BytesIO(bytes(content)), {"a": 1})
        except (ValueError, EOFError) as wrong:
            seen.add(str(wrong)[:24])
    assert {"it lacks a", "the archive is damaged: "} <= seen


class Evil:
    def __reduce__(self):
        return os.system, ("touch evil",)


PUT_FAR = b"\x80\x02}r\xff\xff\xff\x7f."
LONG_TEXT = b"\x80\x02T\xff\xff\xff\x7fabc."


@each(
    "content, message",
    [
        (pickle.dumps(Evil(), protocol=2), f"it asks for {os.name}.system; only an array of bytes is read"),
        (b"cnt\nsystem\n(S'touch evil'\ntR.", "it asks for nt.system"),
        (b"(cos\nsystem\nS'touch evil'\no.", "the operation OBJ"),
        (b"(S'touch evil'\nios\nsystem\n.", "the operation INST"),
        (pickle.dumps({"a": Evil()}, protocol=4), "the operation FRAME"),
        (b"\x80\x02cnumpy\nndarray\n)R.", "it calls numpy.ndarray"),
        (b"\x80\x02cnumpy\nndarray\n)\x81.", "the operation NEWOBJ"),
        (b"\x80\x02cnumpy\nndarray\nN}S'__class__'\nK\x01s\x86b.", "its pickle is damaged"),
        (pickled(data=np.zeros((4, 3072), dtype=np.float32)), "its array has dtype b'f4', not bytes"),
        (pickled(data=np.array([None])), "its array has dtype b'O', not bytes"),
        (PUT_FAR, "its pickle has more than 1000000 operations"),
        (LONG_TEXT, "its pickle is damaged"),
        (pickled()[:-5], "its pickle is damaged"),
        (b"", "its pickle is damaged"),
        (python_2_pickle([1]), "its pickle holds a list, not a dictionary"),
        (python_2_pickle({b"labels": [1]}), "lacks an array 'data' or a list of integers 'labels'"),
        (pickled(labels=[1, 2, 3, b"4"]), "lacks an array 'data' or a list of integers 'labels'"),
        (pickled(labels=[1, 2]), "has pixels of shape (4, 3072) and 2 labels"),
        (pickled(labels=[1, 2, -1, 4]), "label -1 of image 2 is not a class"),
        (pickled(labels=[1, 2, 3, 2**30]), "label 1073741824 of image 3 is not a class"),
        (pickled(data=np.zeros((0, 3072), dtype=np.uint8), labels=[]), "has pixels of shape (0, 3072) and 0 labels"),
    ],
    ids=lambda x: x[:40] if isinstance(x, str) else "",
)
def test_a_pickle_runs_nothing_and_says_why_it_is_refused(tmp_path, monkeypatch, content, message):
    monkeypatch.chdir(tmp_path)
    archive(tmp_path / "cifar-10-python.tar.gz", changed("python", "test_batch", content))
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        cifar10(tmp_path, train=False, checksum=False)
    assert "cifar-10-python.tar.gz: test_batch" in str(caught.value) and "\n" not in str(caught.value)
    assert os.listdir(tmp_path) == ["cifar-10-python.tar.gz"]


def test_damaged_pickles_never_raise_anything_but_valueerror():
    good, rng = bytearray(pickled()), np.random.default_rng(0)
    head = [i for i in range(len(good)) if i < 60 or i > len(good) - 30 or good[i] == 0x63 and good[i + 1 : i + 6] == b"numpy"]
    for _ in range(1000):
        content = bytearray(good)
        for i in rng.choice(head, 2):
            content[i] = rng.integers(256)
        with contextlib.suppress(ValueError):
            read_pickle(bytes(content))


def test_the_python_pickles_of_this_file_are_those_that_python_reads():
    pixels, labels = BATCHES["test_batch"]
    theirs = pickle.loads(pickled(), encoding="bytes")
    assert (theirs[b"data"] == pixels).all() and theirs[b"data"].dtype == np.uint8 and theirs[b"labels"] == labels.tolist()
    assert (read_pickle(pickled())[b"data"] == pixels).all()
