"""The arrays that a page does not write in full: all of them have their numbers in the page, as far as a dialog can show them."""

import re

import numpy as np

import tensorgrad as tg
from scalargrad import Trace
from tests.each import each
from viz.page.page_data import page_data
from viz.page.variable_data import LEAST, MOST_ENTRIES, MOST_OF_PAGE, CutArrays, numbers_of


@each("shape", [(8, 8), (7,), (2, 3, 8, 8), (64, 1), (1, 64), (0, 3), (3, 3, 3, 3, 3)])
def test_a_moderate_array_has_all_its_numbers(shape):
    a = np.arange(np.prod(shape), dtype=float).reshape(shape) / 4
    found = numbers_of(a, MOST_ENTRIES)
    assert found["numbers"] == a.reshape(-1).tolist() and found["shape"] == list(shape) and found["dtype"] == "float64"


@each("shape", [(200, 300), (100_000,), (100_000, 2), (2, 100_000), (64, 64, 16, 16)])
def test_of_a_large_array_the_page_has_the_first_rows_columns_and_matrices(shape):
    a = np.arange(np.prod(shape), dtype=float).reshape(shape)
    found = numbers_of(a, 1000)
    rows, columns, numbers = found["rows"], found["columns"], found["numbers"]
    assert 500 <= len(numbers) <= 1000 and len(numbers) % (rows * columns) == 0
    matrix = a.reshape(-1, *a.shape[-2:])[0] if a.ndim > 1 else a[None]
    assert numbers[: rows * columns] == [float(f"{n:.6g}") for n in matrix[:rows, :columns].reshape(-1)]


def test_numbers_have_six_digits_and_what_is_not_finite_is_text():
    found = numbers_of(np.array([1 / 3, 1e-300, np.nan, -np.inf, 2.0, 1e9, 0.0]), 100)
    assert [str(n) for n in found["numbers"]] == ["0.333333", "1e-300", "nan", "−inf", "2", "1000000000.0", "0"]


def test_many_arrays_share_the_room_of_a_page():
    cut = CutArrays()
    arrays = [np.full((100, 100), float(k)) for k in range(100)]
    assert [cut[a] for a in (*arrays, *arrays)] == [*range(100), *range(100)]
    sizes = [len(entry["numbers"]) for entry in cut.data({})]
    assert min(sizes) >= LEAST and sum(sizes) <= MOST_OF_PAGE


def test_every_array_that_is_written_in_short_leads_to_its_numbers():
    K, image = tg.Tensor(np.eye(3)[None, None], name="K"), tg.Tensor(np.arange(64.0).reshape(1, 1, 8, 8), name="image")
    data = page_data(Trace((tg.conv2d(image, K) * 2).sum(), names={}))
    marks = [int(n) for text in data["strings"] for n in re.findall(r'data-array="(\d+)"', text)]
    assert {*marks} == {*range(len(data["arrays"]))} and not any(re.search(r"<mtext>\d+×\d", text) for text in data["strings"])
    of = lambda found: data["arrays"][found["array"]]["numbers"]
    named = {v["name"]: v for v in data["variables"]}
    assert of(named["image"]) == image.data.reshape(-1).tolist() and of(named["K"]) == np.eye(3).reshape(-1).tolist()
    total = next(t["total"] for t in data["insertions"] if data["variables"][t["variable"]]["name"] == "K")
    assert of(data["quantities"][total]) == [2.0 * image.data[0, 0, i : i + 6, j : j + 6].sum() for i in range(3) for j in range(3)]
    names = [data["strings"][entry["name"]] for entry in data["arrays"] if "name" in entry]
    assert "<mi>image</mi>" in names and any("<mfrac>" in name for name in names)


def test_arrays_of_the_same_range_stay_apart():
    A, B = tg.Tensor(np.arange(64.0).reshape(8, 8), name="A"), tg.Tensor(np.arange(64.0)[::-1].reshape(8, 8).copy(), name="B")
    data = page_data(Trace((A * B).sum(), names={}))
    a, b = (next(v for v in data["variables"] if v["name"] == name) for name in "AB")
    assert a["text"] == b["text"] and a["mathml"] != b["mathml"] and a["array"] != b["array"]


def test_a_page_without_large_arrays_holds_no_arrays():
    A = tg.Tensor(np.ones((2, 2)), name="A")
    assert "arrays" not in page_data(Trace((A * A).sum(), names={}))
