"""Files of arrays: what is read is what was written, and every damaged, absurd or malicious file gives one clear error."""

import io
import json
import struct
import tracemalloc
import zipfile

import numpy as np
import pytest

from tensorgrad import Tensor
from tensorgrad.saving import read, write
from tensorgrad.saving.files import FORMATS
from tensorgrad.saving.npz import AMPLE
from tests.clock import assert_linear
from tests.each import each
from tests.peak import peak_of

ARRAYS = {
    "bool": np.array([True, False, True]),
    "bytes": np.arange(5, dtype=np.uint8),
    "half": np.array([[1.5, -np.inf]], np.float16),
    "single": np.arange(6, dtype=np.float32).reshape(2, 3),
    "double": np.array([np.nan, -0.0, 1e300]),
    "0-d": np.array(7, np.int64),
    "empty": np.zeros((0, 3), np.int32),
    "fortran": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    "strided": np.arange(10)[::2],
    "big-endian": np.arange(3, dtype=">f4"),
    "a name, with ünïcode/and.dots": np.arange(2, dtype=np.uint64),
}


@pytest.fixture(params=[".safetensors", ".npz"])
def path(request, tmp_path):
    return tmp_path / f"file{request.param}"


def test_arrays_and_metadata_return_to_the_bit(path):
    write(path, ARRAYS, {"epoch": "3", "ü": ""})
    arrays, metadata = read(path)
    assert metadata == {"epoch": "3", "ü": ""} and set(arrays) == set(ARRAYS)
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype.newbyteorder("=") and arrays[name].shape == array.shape
        assert arrays[name].tobytes() == array.astype(array.dtype.newbyteorder("=")).tobytes(), name


def header_of(path):
    """Return the header of a safetensors file, {name: entry}, and the byte at which its arrays begin."""
    content = path.read_bytes()
    length = int.from_bytes(content[:8], "little")
    return json.loads(content[8 : 8 + length]), 8 + length


@pytest.mark.parametrize("letters", range(8))
def test_every_array_of_a_safetensors_file_begins_at_a_multiple_of_its_entries(letters, tmp_path):
    """So a program may map the file into memory and use its arrays there, as PyTorch does."""
    write(tmp_path / "a.safetensors", {"odd": np.ones(3, np.uint8), "half": np.ones(3, np.float16)} | ARRAYS, {"a": "b" * letters})
    header, start = header_of(tmp_path / "a.safetensors")
    del header["__metadata__"]
    assert start % 8 == 0, "the header is not padded"
    size = {"BOOL": 1, "U8": 1, "F16": 2, "I32": 4, "F32": 4, "F64": 8, "I64": 8, "U64": 8}
    misplaced = {name: entry["data_offsets"] for name, entry in header.items() if entry["data_offsets"][0] % size[entry["dtype"]]}
    assert not misplaced, "these arrays are not aligned"


def test_arrays_that_were_read_may_be_changed(path):
    write(path, ARRAYS)
    assert all(a.flags.writeable for a in read(path)[0].values())


def test_the_same_arrays_give_the_same_bytes(path):
    write(path, ARRAYS, {"a": "b"})
    first = path.read_bytes()
    write(path, ARRAYS, {"a": "b"})
    assert path.read_bytes() == first
    if path.suffix == ".npz":
        with zipfile.ZipFile(path) as archive:
            assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}, "the time of writing stands in the file"


def test_a_tensor_counts_as_its_array(path):
    write(path, {"w": Tensor([1.0, 2.0])})
    assert read(path)[0]["w"].tolist() == [1, 2]


def test_numpy_reads_what_was_written_and_its_compressed_files_are_read(tmp_path):
    write(tmp_path / "ours.npz", ARRAYS)
    with np.load(tmp_path / "ours.npz") as theirs:
        np.testing.assert_array_equal(theirs["double"], ARRAYS["double"])
    np.savez_compressed(tmp_path / "theirs.npz", **ARRAYS)
    np.testing.assert_array_equal(read(tmp_path / "theirs.npz")[0]["fortran"], ARRAYS["fortran"])


def test_the_safetensors_package_reads_what_was_written_and_the_reverse(tmp_path):
    theirs = pytest.importorskip("safetensors.numpy")
    native = {name: a.astype(a.dtype.newbyteorder("=")) for name, a in ARRAYS.items()}
    write(tmp_path / "ours.safetensors", native, {"format": "np"})
    found = theirs.load_file(tmp_path / "ours.safetensors")
    theirs.save_file({name: np.ascontiguousarray(a) for name, a in native.items()}, tmp_path / "theirs.safetensors", {"x": "y"})
    back, metadata = read(tmp_path / "theirs.safetensors")
    assert metadata == {"x": "y"} and set(found) == set(back) == set(native)
    for name, array in native.items():
        np.testing.assert_array_equal(found[name], array)
        np.testing.assert_array_equal(back[name].reshape(array.shape), array)


@pytest.mark.torch
def test_half_precision_of_pytorch_is_read(tmp_path):
    torch = pytest.importorskip("torch")
    theirs = pytest.importorskip("safetensors.torch")
    x = torch.tensor([1.0, -3.1415, 1e-30, float("inf")])
    theirs.save_file({"b": x.to(torch.bfloat16), "h": x.half()}, tmp_path / "a.safetensors")
    arrays, _ = read(tmp_path / "a.safetensors")
    np.testing.assert_array_equal(arrays["b"], x.to(torch.bfloat16).float().numpy())
    np.testing.assert_array_equal(arrays["h"], x.half().numpy())
    assert arrays["b"].dtype == np.float32


# Damaged safetensors files, and one of bfloat16


def safetensors(header, data=b"", length=None):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + data


def entry(dtype="F32", shape=(1,), offsets=(0, 4)):
    return {"dtype": dtype, "shape": shape, "data_offsets": offsets}


def test_bfloat16_is_the_upper_half_of_a_float32(tmp_path):
    numbers = [1.0, -3.140625, 2.0**-126, 2.0**-133, float("inf"), -0.0, 3.3895313892515355e38]
    halves = np.array([0x3F80, 0xC049, 0x0080, 0x0001, 0x7F80, 0x8000, 0x7F7F], "<u2")
    (tmp_path / "a.safetensors").write_bytes(safetensors({"a": entry("BF16", (7,), (0, 14))}, halves.tobytes()))
    array = read(tmp_path / "a.safetensors")[0]["a"]
    assert array.dtype == np.float32 and array.tobytes() == np.array(numbers, np.float32).tobytes()


@each(
    "content, message",
    [
        (b"", "it has 0 bytes"),
        (b"\x01", "it has 1 bytes, and the length of the header alone needs 8"),
        (safetensors({}, length=2**63), "its header should have 9,223,372,036,854,775,808 bytes, and 4,194,304 are the most that is read"),
        (safetensors({}, length=9), "its header should have 9 bytes, but only 2 bytes follow"),
        (safetensors(b"{", b""), "its header cannot be read"),
        (safetensors(b"\xff\xfe"), "its header cannot be read"),
        (safetensors(b"[" * 100_000), "its header cannot be read"),
        (safetensors([]), "its header is not a table"),
        (safetensors(b'{"a":1,"a":2}'), "'a' occurs twice"),
        (safetensors({"a": 1}), "'a' lacks dtype, shape or data_offsets"),
        (safetensors({"a": entry("F8_E4M3")}), "'a' has the dtype 'F8_E4M3', which cannot be read here; the dtypes are BOOL, U8"),
        (safetensors({"a": entry(shape=(-1,))}), "'a' has the shape"),
        (safetensors({"a": entry(shape=(1.5,))}), "'a' has the shape"),
        (safetensors({"a": entry(shape=(True,))}), "'a' has the shape"),
        (safetensors({"a": entry(offsets=(4, 0))}), "does not fill its bytes, 4 to 0"),
        (safetensors({"a": entry(shape=(10**7, 10**7), offsets=(0, 4 * 10**14))}, b"1234"), "arrays end after 400,000,000,000,000 bytes"),
        (safetensors({"a": entry(), "b": entry(offsets=(2, 6))}, b"123456"), "'a' and 'b' overlap"),
        (safetensors({"a": entry(), "b": entry()}, b"1234"), "'a' and 'b' overlap"),
        (safetensors({"a": entry(), "b": entry(offsets=(8, 12))}, b"0" * 12), "'a' and 'b' have a gap between them"),
        (safetensors({"a": entry(offsets=(4, 8))}, b"0" * 8), "no array has the first 4 bytes"),
        (safetensors({"a": entry()}, b"12345"), "its arrays end after 4 bytes, and the file has 5 bytes of them"),
        (safetensors({"a": entry()}, b"123"), "its arrays end after 4 bytes, and the file has 3 bytes of them"),
        (safetensors({"__metadata__": {"a": 1}}), "its metadata is not a table of texts"),
        (safetensors({"__metadata__": None}), "its metadata is not a table of texts"),
        (safetensors({"a": {"b": entry()}}, b"1234"), "'a' lacks dtype, shape or data_offsets"),
        (safetensors({"x" * 100_000: 1}), "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx... lacks dtype"),
        (safetensors({"a": entry(offsets=(0, 4, 8))}, b"1234"), "'a' lacks dtype, shape or data_offsets"),
        (safetensors({"a": entry(offsets=(-4, 0))}, b"1234"), "at bytes (-4, 0)"),
        (safetensors({"a": entry(offsets=(0.0, 4.0))}, b"1234"), "at bytes (0.0, 4.0)"),
        (safetensors({"a": entry(shape="1")}, b"1234"), "'a' has the shape '1' at bytes (0, 4)"),
        (safetensors(b'{"a":{"dtype":"F32","shape":[NaN],"data_offsets":[0,4]}}', b"1234"), "'a' has the shape [nan]"),
        (safetensors({"a": entry(dtype=["F32"])}, b"1234"), "'a' has the dtype ['F32'], which cannot be read here"),
        (safetensors({"a": entry(shape=(10**4000,), offsets=(0, 4 * 10**4000))}), "'a' has the shape [1000000000"),
        (safetensors(b'{"a":{"shape":[' + b"9" * 5000 + b"]}}"), "its header cannot be read (Exceeds the limit"),
        (safetensors({"a": entry(shape=(0, 2**62, 2**62), offsets=(0, 0))}), "'a' has the shape [0, 4611686018427387904, "),
        (safetensors({"a": entry(shape=(1,) * 65)}, b"1234"), "'a' has the shape [1, 1, 1, "),
        (safetensors({"a": entry(shape={})}, b"1234"), "'a' has the shape {}"),
        (safetensors({"a": entry(shape="")}, b"1234"), "'a' has the shape ''"),
        (safetensors({"a": entry(shape=None)}, b"1234"), "'a' has the shape None"),
        (safetensors(b'{"a":' * 100_000), "its header cannot be read (maximum recursion depth"),
    ],
    ids=lambda x: x if isinstance(x, str) else None,
)
def test_a_damaged_safetensors_file_is_refused_before_memory_is_taken(content, message, tmp_path_factory):
    path = tmp_path_factory.mktemp("damaged") / "a.safetensors"
    path.write_bytes(content)
    refused(path, message)


def test_an_npz_file_under_the_name_of_a_safetensors_file_is_called_a_zip_archive(tmp_path):
    write(tmp_path / "a.npz", {"a": np.ones(2)})
    (tmp_path / "a.npz").rename(tmp_path / "a.safetensors")
    refuses(tmp_path / "a.safetensors", "it is a zip archive, as npz files and those of torch.save are")


def test_names_that_occur_twice_are_found_in_linear_time(tmp_path):
    def make(n):
        path = tmp_path / f"{n}.safetensors"
        path.write_bytes(safetensors(b"{%s}" % b",".join(b'"%d":1' % min(i, n - 2) for i in range(n))))
        return path

    assert_linear(lambda path: refuses(path, f"'{int(path.stem) - 2}' occurs twice"), make, 4000)


def refuses(path, message):
    with pytest.raises(ValueError, match=message):
        read(path)


def test_our_reader_and_the_safetensors_package_refuse_the_same_headers(tmp_path):
    """The package reads neither more nor less, except dtypes that NumPy lacks, and headers of more than 4 MB."""
    theirs = pytest.importorskip("safetensors.numpy")
    path, rng, verdicts = tmp_path / "a.safetensors", np.random.default_rng(0), {True: 0, False: 0}
    write(path, {"a": np.arange(5.0), "b": np.arange(3, dtype=np.uint8)}, {"m": "n"})
    whole = path.read_bytes()
    for _ in range(300):
        changed = bytearray(whole)
        changed[rng.integers(len(whole))] = rng.choice([*b'0123456789[]{},:"abFU '])
        path.write_bytes(changed)
        found = [reads(lambda: read(path)[0]), reads(lambda: theirs.load_file(path))]
        assert found[0] == found[1], changed
        verdicts[found[0]] += 1
    assert min(verdicts.values()) > 30


def reads(call):
    try:
        return bool(call()) or True
    except Exception:
        return False


def refused(path, message):
    tracemalloc.start()
    try:
        with pytest.raises(ValueError) as error:
            read(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert str(path) in str(error.value) and message in str(error.value) and "\n" not in str(error.value), error.value
    assert peak < 2e6 + 10 * path.stat().st_size


def test_a_file_that_is_cut_off_anywhere_is_refused(path):
    write(path, {"a": np.arange(20.0), "b": np.arange(3)}, {"m": "n"})
    whole = path.read_bytes()
    for length in range(0, len(whole), 7):
        path.write_bytes(whole[:length])
        with pytest.raises(ValueError, match="not a whole"):
            read(path)


# Damaged npz files


def npy(array, **options):
    file = io.BytesIO()
    np.lib.format.write_array(file, array, **options)
    return file.getvalue()


def header(text, version=1):
    text = text.ljust(118).encode()
    return b"\x93NUMPY" + bytes([version, 0]) + len(text).to_bytes(2 if version == 1 else 4, "little") + text


def archive(members, compression=zipfile.ZIP_STORED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression, compresslevel=1) as z:
        for name, content in members:
            z.writestr(name, content)
    return file.getvalue()


ONES = npy(np.ones(3))
LENGTH = len(ONES)
ONE = archive([("a.npy", ONES)])
CENTRAL = ONE.index(b"PK\1\2")  # where the central directory begins, which lists the members


def overlapping(count):
    """Return an archive whose members all claim the same bytes."""
    whole = archive([("00000.npy", npy(np.zeros(2**17)))], zipfile.ZIP_DEFLATED)
    start, end = whole.index(b"PK\1\2"), whole.index(b"PK\5\6")
    entries = b"".join(whole[start:end].replace(b"00000", b"%05d" % i) for i in range(count))
    return whole[:start] + entries + struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, count, count, len(entries), start, 0)


def claiming(place, code, *values):
    """Return the archive ONE with other values at a place of the entry of its member."""
    changed = bytearray(ONE)
    struct.pack_into(code, changed, CENTRAL + place, *values)
    return bytes(changed)


def zip64(unpacked=LENGTH, packed=LENGTH, offset=0):
    """Return the archive ONE with sizes and place in the numbers of 64 bits that ZIP64 adds."""
    entry, extra = bytearray(ONE[CENTRAL : ONE.index(b"PK\5\6")]), struct.pack("<HHQQQ", 1, 24, unpacked, packed, offset)
    struct.pack_into("<II", entry, 20, 2**32 - 1, 2**32 - 1)
    struct.pack_into("<H", entry, 30, len(extra))
    struct.pack_into("<I", entry, 42, 2**32 - 1)
    entry += extra
    return ONE[:CENTRAL] + entry + struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 1, 1, len(entry), CENTRAL, 0)


def described(descr="<f8", shape="(1,)", order="False", data=bytes(8)):
    """Return an archive with one array that has this header."""
    return archive([("a.npy", header(f"{{'descr': {descr!r}, 'fortran_order': {order}, 'shape': {shape}}}") + data)])


def test_sizes_of_64_bits_are_read(tmp_path):
    (tmp_path / "a.npz").write_bytes(zip64())
    assert read(tmp_path / "a.npz")[0]["a"].tolist() == [1, 1, 1]


@each(
    "content, message",
    [
        (b"not a zip", "File is not a zip file"),
        (archive([("a.txt", b"")]), "which is not an array"),
        (archive([("a.npy", b"junk")]), "'a' has no readable header"),
        (archive([("a.npy", npy(np.array([{}, 1]), allow_pickle=True))]), "'a' holds object, and only arrays of numbers are read"),
        (archive([("a.npy", npy(np.zeros(2, [("x", "f4")])))]), "only arrays of numbers are read"),
        (archive([("a.npy", npy(np.ones(2, complex)))]), "'a' holds complex128"),
        (archive([("a.npy", ONES[:-1])]), "'a' of shape (3,) and dtype float64 does not fill its"),
        (archive([("a.npy", header("{'descr':'<f8','fortran_order':False,'shape':(10000000000000,)}"))]), "does not fill its"),
        (archive([("a.npy", header("{'descr':'<f8','fortran_order':False,'shape':(-1,)}") + b"12345678")]), "'a'"),
        (archive([("a.npy", header("__import__('os').abort()"))]), "'a' has no readable header"),
        (archive([("a.npy", header("{}", version=9))]), "'a' has no readable header"),
        (archive([("a.npy", ONES)]).replace(ONES[-8:], b"\0" * 8, 1), "Bad CRC-32"),
        (archive([("__metadata__.npy", npy(np.array("{")))]), "its metadata cannot be read"),
        (archive([("__metadata__.npy", npy(np.array("[]")))]), "its metadata is not a table of texts"),
        (overlapping(2), "'00000.npy' and '00001.npy' overlap"),
        (overlapping(1000), "'00000.npy' and '00001.npy' overlap"),
        (claiming(42, "<I", 2**31), "'a.npy' lies outside of the file"),
        (claiming(24, "<I", 2**31), "bytes would unpack to 2,147,483,648"),
        (claiming(24, "<I", 10), "Bad CRC-32"),
        (claiming(8, "<H", 1), "'a' is encrypted, or compressed in a way that NumPy does not write"),
        (archive([("a.npy", ONES)], zipfile.ZIP_BZIP2), "'a' is encrypted, or compressed in a way that NumPy"),
        (archive([("a.npy", ONES)], zipfile.ZIP_LZMA), "'a' is encrypted, or compressed in a way that NumPy"),
        (zip64(offset=2**63), "'a.npy' lies outside of the file"),
        (zip64(unpacked=2**62), "bytes would unpack to 4,611,686,018,427,387,904"),
        (zip64(packed=2**62), "'a.npy' lies outside of the file"),
        (archive([("a/", b"")]), "it has the file 'a/', which is not an array"),
        (archive([("../../etc/passwd", b"")]), "it has the file '../../etc/passwd', which is not an array"),
        (archive([("a.npy", b"\x93NUMPY\2\0\xff\xff\xff\xff")]), "'a' has no readable header (4,294,967,295 bytes)"),
        (archive([("a.npy", header("-" * 9000 + "1"))]), "'a' has no readable header ("),
        (archive([("a.npy", header("(" * 9000))]), "'a' has no readable header (too many nested parentheses"),
        (archive([("a.npy", header("{'descr': ("))]), "'a' has no readable header ("),
        (archive([("a.npy", header("{1, 2}"))]), "'a' has no readable header ("),
        (described(shape=(1,) * 65), "'a' has the shape (1, 1, 1, "),
        (described(shape=f"(0, {2**62}, {2**62})", data=b""), "'a' has the shape (0, 4611686018427387904, "),
        (described(shape="(True,)"), "'a' has the shape (True,)"),
        (described(order="3"), "and fortran_order 3"),
        (described("<U0", "(1000000000000000,)", data=b""), "'a' holds <U0, and only arrays of numbers are read"),
        (described(("<f8", (10**9,))), "'a' "),
        (described("<M8[D]"), "'a' holds datetime64[D], and only arrays of numbers are read"),
        (described("|S8"), "'a' holds |S8, and only arrays of numbers are read"),
    ],
    ids=lambda x: x if isinstance(x, str) else None,
)
def test_a_damaged_npz_file_is_refused_before_memory_is_taken(content, message, tmp_path_factory):
    path = tmp_path_factory.mktemp("damaged") / "a.npz"
    path.write_bytes(content)
    refused(path, message)


def test_a_compressed_array_is_read_without_a_second_copy(tmp_path):
    (tmp_path / "a.npz").write_bytes(archive([("a.npy", npy(np.zeros(2**20)))], zipfile.ZIP_DEFLATED))
    assert peak_of(lambda: read(tmp_path / "a.npz")) < 1.5 * 2**23


def test_a_small_file_that_would_unpack_to_a_huge_one_is_refused_before_memory_is_taken(tmp_path):
    (tmp_path / "a.npz").write_bytes(archive([("a.npy", npy(np.zeros(AMPLE // 8)))], zipfile.ZIP_DEFLATED))
    refused(tmp_path / "a.npz", "bytes would unpack to 67,108,992; save the arrays without compression")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_an_array_that_occurs_twice_is_refused(tmp_path):
    (tmp_path / "a.npz").write_bytes(archive([("a.npy", ONES), ("a.npy", ONES)]))
    refused(tmp_path / "a.npz", "'a' occurs twice")


# What cannot be written


@each(
    "name, arrays, metadata, message",
    [
        ("a.pkl", {}, None, "write: the name '.*a.pkl' ends in neither .safetensors nor .npz"),
        ("a.pt", {}, None, "write: '.*a.pt' has the name of a pickle of PyTorch; no pickle is written here; let the name end in .saf"),
        (3, {}, None, "write: path=3 is not the name of a file"),
        ("a.npz", [1], None, "write: arrays=.* is not a dictionary of names and arrays"),
        ("a.npz", {"x": np.array(["text"])}, None, "write: x holds <U4"),
        ("a.npz", {"x": np.array([{}])}, None, "write: x holds object"),
        ("a.npz", {3: np.ones(1)}, None, "the name of an array=3 is not a text"),
        ("a.npz", {"__metadata__": np.ones(1)}, None, "is not a text other than '__metadata__'"),
        ("a.npz", {}, {"a": 1}, "write: metadata=.* is not a dictionary of texts"),
    ],
    ids=lambda x: x if isinstance(x, str) else None,
)
def test_what_cannot_be_written_is_refused_and_leaves_no_file(name, arrays, metadata, message, tmp_path_factory):
    folder = tmp_path_factory.mktemp("refused")
    with pytest.raises((TypeError, ValueError), match=message):
        write(folder / name if isinstance(name, str) else name, arrays, metadata)
    assert not list(folder.iterdir())


def test_a_disk_that_is_full_is_an_error_that_names_the_file_and_leaves_the_old_one(tmp_path, monkeypatch):
    def full(file, *more):
        raise OSError(28, "No space left on device")  # as file.write has it: without a name

    path = tmp_path / "a.npz"
    write(path, {"x": np.ones(1)})
    before = path.read_bytes()
    monkeypatch.setitem(FORMATS, ".npz", (None, full))
    with pytest.raises(OSError, match="No space left on device: '.*a.npz'") as error:
        write(path, {"x": np.ones(1)})
    assert error.value.filename == str(path) and path.read_bytes() == before and list(tmp_path.iterdir()) == [path]


def test_a_folder_that_does_not_exist_is_named_without_the_temporary_file(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no/a.npz'$"):
        write(tmp_path / "no" / "a.npz", {})


def test_a_pickle_of_pytorch_is_refused_with_the_line_that_converts_it(tmp_path):
    (tmp_path / "a.pt").touch()
    with pytest.raises(ValueError, match=r"a.pt' has the name of a pickle of PyTorch; .* in PyTorch write safetensors.torch.save_file\("):
        read(tmp_path / "a.pt")
