"""The examples of a page: grey digits are dark on light, and the points of the plane stand where they are."""

import re

import numpy as np
import pytest

from tensorgrad import data
from tutorial.training.page import MARGIN, as_pixels, plane
from tutorial.training.settings import settings_for
from tutorial.training.tasks import task_for


def test_a_grey_image_is_dark_on_light_and_a_photograph_keeps_its_colours():
    grey = np.array([[[-1.0, 0.0, 3.0]]])
    assert as_pixels(grey).tolist() == [[255, 191, 0]] and as_pixels(0 * grey).tolist() == [[255, 255, 255]]
    colours = np.array([[[0.0, 1.0]], [[2.0, 0.0]], [[0.0, 0.0]]])  # (channels, height, width)
    assert as_pixels(colours).tolist() == [[[0, 255, 0], [127, 0, 0]]]


def test_each_point_of_the_plane_stands_at_its_place_with_the_mark_of_its_class():
    task = task_for(settings_for("moons", epochs=1))
    points, labels = np.array([[0.0, 2.0], [4.0, 0.0], [4.0, 2.0]], np.float32), np.array([0, 0, 1])
    task.test_set = data.ArrayDataset(points, labels)
    drawn = plane(task)
    wide, high = 4 + 2 * MARGIN, 2 + 2 * MARGIN
    circles = [tuple(map(float, at)) for at in re.findall(r'<circle [^>]*cx="([\d.]+)" cy="([\d.]+)"', drawn)]
    rows = round(160 * high / wide)
    height, left, top = 100 * rows / 160, 100 * MARGIN / wide, MARGIN / high
    expected = [(left, top * height), (100 - left, (1 - top) * height)]  # the first point is above the second
    np.testing.assert_allclose(circles, expected, atol=0.02)
    ((x, y),) = re.findall(r'<path class="m1[^>]*d="M([\d.]+) ([\d.]+)l', drawn)
    assert float(x) == pytest.approx(100 - left, abs=0.02) and float(y) == pytest.approx(top * height - 0.7, abs=0.02)
    assert len(re.findall(r'class="m\d bad"', drawn)) == int(re.search(r"wrong side of the boundary: (\d+)", drawn)[1])
