"""A picture of points shows each point on its side, and at each place the side that the model guesses."""

import re

from scalargrad import Value
from tutorial.book.plane import MARGIN, NEGATIVE, POSITIVE, Plane

POINTS, SIDES = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]], [1, -1, -1]


def test_each_point_has_the_mark_of_its_side():
    picture = Plane(POINTS, SIDES)._repr_html_()
    assert picture.count("<polygon") == 1 and picture.count("<circle") == 2 and "<rect" not in picture
    assert 'cx="1.000" cy="-1.000"' in picture, "y grows upwards"


def test_the_plane_shows_where_the_score_is_positive():
    picture = Plane(POINTS, SIDES, lambda point: point[0] - 0.5)._repr_html_()
    cells = re.findall(r'<rect x="(.*?)".*?width="(.*?)".*?fill: (.*?)"', picture)
    found = {colour: (float(x), float(x) + float(width)) for x, width, colour in cells}
    assert found[NEGATIVE][0] == -MARGIN and found[NEGATIVE][1] == found[POSITIVE][0]
    assert abs(found[POSITIVE][0] - 0.5) < 0.06 and found[POSITIVE][1] > 1


def test_a_model_of_values_is_asked_without_a_graph():
    asked = []

    def model(point):
        asked.append(point[0] * 2)
        return Value(1.0)

    Plane(POINTS, SIDES, model)._repr_html_()
    assert asked and not any(v.inputs for v in asked)
