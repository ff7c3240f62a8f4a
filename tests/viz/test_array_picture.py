"""Pictures of arrays: cells, means of blocks, matrices of higher axes, and the scale that belongs to them."""

import numpy as np

from tests.each import each
from viz.array_picture import LEVELS, block_means, borders, matrices, picture, picture_data
from viz.text.array_text import mean_of, statistics
from viz.text.formatter import UNICODE


def test_up_to_16_by_16_a_cell_is_an_entry():
    a = np.arange(256.0).reshape(16, 16) - 100
    found = picture(a)
    assert found.matrices == [a.tolist()] and found.note == "" and found.labels == ("−100", "155")
    assert found.levels[0][0][0] == round(-100 / 155 * LEVELS) and found.levels[0][15][15] == LEVELS


@each("shape", [(17, 3), (40, 40), (1, 1000), (999,)])
def test_above_16_by_16_a_cell_is_the_mean_of_a_block_and_each_number_is_in_one_block(shape):
    a = np.random.default_rng(0).standard_normal(shape)
    [matrix] = matrices(a)
    weights = np.outer(*[np.diff([*borders(n), n]) for n in matrix.shape])
    assert np.isclose((np.array(block_means([matrix])[0]) * weights).sum(), a.sum())
    assert max(weights.shape) == 16 and picture(a).note == "means of blocks"


def test_the_scale_is_that_of_the_cells_that_are_shown():
    found = picture(np.concatenate([np.full((40, 20), -1.0), np.full((40, 20), 3.0)], axis=1))
    assert found.ends == (-1, 3) and found.zero == 0.25 and found.bar[0] == round(-LEVELS / 3) and found.bar[-1] == LEVELS
    assert picture(np.full((7, 7), 2.0)).labels == ("all 2",) and picture(np.arange(49.0).reshape(7, 7)).zero is None


@each(
    "shape, count, across, rows, columns",
    [
        ((3, 8, 8), 3, 3, 8, 8),  # channels
        ((2, 3, 8, 8), 6, 3, 8, 8),  # a batch of them: a row for each image
        ((1, 1, 3, 3), 1, 1, 3, 3),  # a kernel
        ((64, 32, 3, 3), 12, 4, 3, 3),
        ((5, 7, 1, 1), 1, 1, 5, 7),  # as a matrix
        ((64, 1), 1, 1, 16, 1),
        ((64,), 1, 1, 1, 16),
    ],
)
def test_an_array_of_more_axes_is_a_few_of_its_matrices(shape, count, across, rows, columns):
    found = picture(np.arange(float(np.prod(shape))).reshape(shape))
    assert (len(found.matrices), found.across, found.rows, found.columns) == (count, across, rows, columns)
    assert ("first 12 of 2,048" in found.note) is (count == 12)


def test_what_is_not_finite_is_no_number_of_the_scale():
    a = np.zeros((8, 8))
    a[0, :3] = np.nan, np.inf, -2
    found = picture(a)
    assert found.levels[0][0][:4] == [None, None, -LEVELS, 0] and found.labels == ("−2", "0") and found.note == "× is not finite"
    assert picture(np.full((8, 8), np.nan)).labels == ("not finite",)


def test_small_arrays_and_numbers_have_no_picture():
    assert all(picture(a) is None for a in (None, 3.0, np.ones(6), np.ones((6, 6)), np.ones((0, 9)), np.float64(2)))
    assert picture_data(np.ones(2)) == {}


def test_the_page_gets_a_letter_for_each_cell():
    data = picture_data(np.linspace(-1, 1, 128).reshape(2, 8, 8))["picture"]
    assert [len(cells) for cells in data["cells"]] == [64, 64] and data["cells"][0][0] == "0" and data["cells"][1][-1] == "w"
    assert (data["columns"], data["across"], data["labels"], data["zero"]) == (8, 2, ("−1", "1"), 0.5) and len(data["bar"]) == 16


def test_the_lowest_float_which_marks_what_attention_may_not_see_has_a_picture_and_a_mean():
    lowest = np.finfo(float).min
    scores = np.where(np.tri(40, dtype=bool), 0.5, lowest)
    cells = picture_data(scores)["picture"]["cells"][0]
    assert len(cells) == 16 * 16 and "." not in cells
    assert np.isclose(mean_of(scores), lowest * (40 * 39 / 2 / 1600))
    assert "∞" not in statistics(scores, UNICODE)
