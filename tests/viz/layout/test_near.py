"""Rectangles near another one are found without reading all, so labels take time in proportion to the edges; wishes in few trials."""

import random

from viz.layout import labels
from viz.layout.labels import Rectangles, crossings, meets, place_labels
from viz.layout.view import distances, most, wishes


def scattered(dice, count, wide, high):
    return [(dice.uniform(0, wide), dice.uniform(0, high), dice.uniform(1, 60), dice.uniform(1, 60)) for _ in range(count)]


def test_the_rectangles_near_one_are_those_that_it_meets():
    dice = random.Random(1)
    for wide, high in ((2000, 100), (100, 2000), (500, 500), (0, 0)):
        boxes, others = scattered(dice, 60, wide, high), scattered(dice, 20, wide, high)
        found = Rectangles(boxes)
        for other in others:
            assert sorted(found.near(other)) == sorted(box for box in boxes if meets(box, other))
    assert Rectangles([]).near((0, 0, 1, 1)) == [] and crossings([], []) == 0


def test_labels_of_a_high_and_of_a_wide_graph_take_time_in_proportion_to_its_edges(monkeypatch):
    compared, meets_then = [], labels.meets
    monkeypatch.setattr(labels, "meets", lambda a, b: compared.append(None) or meets_then(a, b))

    def work(count, across):
        places = [(200 * k, 0) if across else (0, 60 * k) for k in range(count)]
        boxes = [(x - 60, y, 40, 30) for x, y in places] + [(x + 60, y, 40, 30) for x, y in places]
        paths = [[(x - 40, y), (x - 13, y), (x + 13, y), (x + 40, y)] for x, y in places]
        compared.clear()
        assert place_labels(paths, [None] * count, boxes)[1] == 0 and crossings(paths, boxes) == 0
        return len(compared)

    assert all(work(400, across) < 2.2 * work(200, across) for across in (True, False))


def test_labels_are_compared_with_those_near_them_alone(monkeypatch):
    compared, meets_then = [], labels.meets
    monkeypatch.setattr(labels, "meets", lambda a, b: compared.append(None) or meets_then(a, b))

    def work(count):
        compared.clear()
        centres, off = place_labels([[(200 * k + x, 0) for x in (0, 30, 60, 90)] for k in range(count)], [(60, 20)] * count, [])
        assert off == 0 and len(set(centres)) == count
        return len(compared)

    assert work(400) < 2.2 * work(200)


def test_the_first_wish_without_room_is_found_in_few_trials():
    def trials(room, guess):
        tried = []
        found = most(lambda more: tried.append(more) or more, range(1000), 1, guess, fits=lambda more: len(more) <= room)
        assert found == list(range(room))
        return len(tried)

    assert max(trials(room, guess) for room in (1, 300, 999) for guess in (0, 40, 1000)) <= 20


def test_of_a_variable_that_does_not_lead_to_z_a_picture_shows_the_inputs_of_z():
    taken, takers = [[], [0], [0, 3], [], [1, 2], [0]], [[1, 2, 5], [4], [4], [2], [], []]
    assert wishes(5, distances(4, taken), taken, takers) == [1, 2]
    assert wishes(0, distances(4, taken), taken, takers) == [1, 2, 3]
