"""Slides of graphs for which nothing was tuned. One browser is enough: what Firefox shows differently, test_slides.py finds."""

from pathlib import Path

import pytest

from tests.browser.lesson_slides import walk
from tests.viz.graphs_of_others import PROGRAMS
from viz import slides

FEW = "perceptron", "spring", "attention", "four_hundred", "long_names"  # the others are slow together


@pytest.mark.parametrize("name", [pytest.param(name, marks=() if name in FEW else pytest.mark.slow) for name in PROGRAMS])
def test_every_slide_of_any_graph_can_be_read_at_the_back(visit, tmp_path, name):
    player = visit(Path(slides(PROGRAMS[name], title=name).save(tmp_path / "lesson.html")))
    assert walk(player) == {}
    player.resize(1920, 1080)
    assert walk(player) == {}
