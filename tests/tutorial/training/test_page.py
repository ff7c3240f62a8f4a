"""The page of a run: its numbers with their units, the epoch whose gradients it shows, and lines that stand where they are."""

import re
from types import SimpleNamespace

import pytest

from tests.each import each
from tutorial.training import page
from tutorial.training.page_plots import BOTTOM, HEIGHT, LEFT, MOST_POINTS, TOP, WIDTH, plot, thinned
from tutorial.training.run import History
from tutorial.training.settings import settings_for
from tutorial.training.tasks import task_for


def row_of(layer, ratio):
    """Return a row of the gradient report: layer, numbers, norms of weights and gradients, share of zeros, update, ratio."""
    return [layer, 12, 2.0, 0.5, 0.25, 2 * ratio, ratio]


@pytest.fixture
def run():
    """A run of three epochs of two steps, without training."""
    task = task_for(settings_for("moons", epochs=3, batch=500, lr=0.02, seed=7))
    history = History()
    history.losses = [3.0, 2.5, 2.0, 1.5, 1.0, 0.5]
    for k, accuracy in enumerate((0.5, 0.75, 0.98765)):
        history.add_epoch(1 / (k + 2), accuracy, [row_of("layer1", 10.0**-k), row_of("layer2", 2 * 10.0**-k)])
    return SimpleNamespace(task=task, history=history)


def test_the_line_of_numbers_has_units(run):
    shown = {what: number for what, number in re.findall("<dt>(.*?)</dt><dd>(.*?)</dd>", page.numbers(run))}
    assert shown == {
        "network": "mlp",
        "parameters": "1,218",
        "samples for training": "1,000",
        "samples of a step": "500",
        "largest learning rate": "0.02",
        "steps in 3 epochs": "6",
        "test accuracy": "98.77 %",
        "test loss": "0.2500",
        "seed": "7",
    }


def test_the_table_of_gradients_is_that_of_the_middle_epoch(run):
    found = page.gradients(run.history, 0.02)
    assert "the last step of epoch 2 of 3" in found
    cells = re.findall("<t[hd][^>]*>([^<]*)</t[hd]>", found.partition("<tbody>")[2].partition("</tbody>")[0])
    assert cells == ["layer1", "12", "2", "0.5", "25 %", "0.2", "0.1", "layer2", "12", "2", "0.5", "25 %", "0.4", "0.2"]


def test_of_many_layers_the_largest_the_median_and_the_smallest_ratio_are_drawn():
    reports = [[row_of(f"layer{k}", k + epoch) for k in (5, 1, 9, 2, 3, 8, 7, 4, 6)] for epoch in (0, 10)]
    found = {name: list(ys) for name, (_, ys) in page.ratios(reports).items()}
    assert found == {"largest of all layers": [9, 19], "median": [5, 15], "smallest": [1, 11]}
    few = page.ratios([rows[:2] for rows in reports])
    assert {name: list(ys) for name, (_, ys) in few.items()} == {"layer5": [5, 15], "layer1": [1, 11]}


def points_of(svg):
    """Return the points of each line of a plot."""
    return [[tuple(map(float, point.split(","))) for point in line.split()] for line in re.findall('points="(.*?)"', svg)]


def test_the_test_losses_stand_at_the_ends_of_their_epochs(run):
    losses, tests = points_of(page.curves(run).partition("</figure>")[0])
    place = lambda step: LEFT + (step - 1) / 5 * WIDTH  # of six steps
    assert [x for x, _ in losses] == pytest.approx([place(k) for k in range(1, 7)], abs=0.1)
    assert [x for x, _ in tests] == pytest.approx([place(k) for k in (2, 4, 6)], abs=0.1)


@each("logarithmic, middle", [(False, 1 - 9 / 99), (True, 1 / 2)])
def test_a_larger_number_stands_higher(logarithmic, middle):
    svg = plot({"a": ([0, 1, 2], [1.0, 10.0, 100.0])}, "x", "y", logarithmic=logarithmic)
    (line,) = points_of(svg)
    assert [x for x, _ in line] == pytest.approx([LEFT, LEFT + WIDTH / 2, LEFT + WIDTH], abs=0.1)
    assert [y for _, y in line] == pytest.approx([TOP + HEIGHT, TOP + middle * HEIGHT, TOP], abs=0.1)
    assert 'aria-label="y by x: a ends at 100"' in svg and f"0 0 {LEFT + WIDTH + 14} {TOP + HEIGHT + BOTTOM}" in svg


def test_every_line_has_its_own_colour_and_dash():
    svg = plot({f"line {k}": ([0, 1], [k, k + 1]) for k in range(20)}, "x", "y")
    kinds = re.findall(r'<polyline class="(c\d+ d\d+)"', svg)
    assert len(set(kinds)) == 20 and re.findall(r'<path class="(c\d+ d\d+)"', svg) == kinds


def test_of_many_points_each_part_has_its_mean():
    xs, ys = thinned(range(2 * MOST_POINTS), [0.0, 4.0] * MOST_POINTS)
    assert len(xs) == MOST_POINTS and ys == [2.0] * MOST_POINTS and xs[:2] == [0.5, 2.5]
