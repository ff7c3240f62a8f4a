"""Pictures of chapters have every line with its name, round ticks, and the levels of a function."""

import re

from tutorial.book.pictures import Curves, Images, Landscape


def test_every_curve_is_drawn_in_the_frame_and_has_its_name_at_its_end():
    found = Curves({"train": [(0, 3.0), (5, 1.0)], "a < b": [(0, 2.0), (5, 1.1)]}, x="step", y="loss")._repr_html_()
    assert found.count("<polyline") == 2 and ">train</text>" in found and ">a &lt; b</text>" in found
    places = [tuple(map(float, place.split(","))) for line in re.findall(r'points="(.*?)"', found) for place in line.split()]
    assert all(0 <= x <= 480 and 0 <= y <= 260 for x, y in places) and places[0][1] < places[1][1]  # a loss that falls goes down
    ends = [float(y) for y in re.findall(r'y="([\d.]+)" text-anchor="start">(?:train|a &lt; b)', found)]
    assert abs(ends[0] - ends[1]) >= 17  # the names do not overlap


def test_a_name_stands_at_the_right_of_its_curve_and_within_the_picture():
    found = Curves({"a name that is long": [(0, 1.0), (-3, 2.0), (-15, 9.0)]}, x="step", y="error")._repr_html_()
    (x,) = map(float, re.findall(r'x="([\d.]+)" y="[\d.]+" text-anchor="start">a name', found))
    (*_, first) = re.findall(r"H([\d.]+)", found)
    assert x == float(first) + 6 and x + 8 * len("a name that is long") < 480  # where the step is 0


def test_captions_of_small_images_have_as_many_lines_as_they_need():
    found = Images([(f"kernel {k}", [[1, 0]]) for k in range(8)], across=8)._repr_html_()
    assert found.count(">kernel</text>") == 8 and found.count(">3</text>") == 1


def test_a_landscape_has_bands_and_a_mark_at_every_step_of_a_path():
    found = Landscape(lambda x, y: x * x + y * y, (-2, 2), (-2, 2), {"descent": [(1, 1), (0.5, 0.5), (0, 0)]})._repr_html_()
    assert found.count("<circle") == 3 and len(set(re.findall(r'opacity="(.*?)"', found))) == 2


def test_an_image_has_a_square_for_each_number_except_zeros_and_two_colours_if_some_are_negative():
    found = Images([("grey", [[0, 2], [1, 0]]), ("signed", [[-1, 1]])], across=2)._repr_html_()
    assert found.count("<rect") == 2 and found.count("h1v1h-1z") == 2 + 2 and found.count("--negative") == 1 and 'opacity="0.50"' in found
    assert ">grey</text>" in found and 'aria-label="2 images: grey; signed"' in found


def test_squares_of_one_colour_are_one_path():
    found = Images([("an image", [[1, 2] * 20] * 40)])._repr_html_()
    assert found.count("<path") == 2 and found.count("M3 2h1v1h-1z") == 1 and len(found) < 40 * 40 * 20


def test_the_letters_of_a_square_image_stand_at_its_rows_and_its_columns():
    svg = Images([("a head", [[1, 0], [0.5, 0.5]])], letters="ab")._repr_html_()
    assert svg.count(">a</text>") == svg.count(">b</text>") == 2
