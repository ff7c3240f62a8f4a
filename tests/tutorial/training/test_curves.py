"""The curves of a run that matplotlib draws: the test loss of an epoch stands at its last step."""

import re

import pytest

from tutorial.training.run import History

pytest.importorskip("matplotlib")


def test_the_results_of_an_epoch_stand_at_its_last_step(tmp_path):
    from tutorial.training.run import draw_curves

    history = History()
    history.losses = [9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0]
    for k in range(3):
        history.add_epoch(10.0 - 3 * k, None, [])
    draw_curves(history, "a run", tmp_path / "a.svg")
    svg = (tmp_path / "a.svg").read_text(encoding="utf-8")
    lines = [[float(x) for x in re.findall(r"[ML] ([\d.]+) [\d.]+", path)] for path in re.findall(r'<path d="(M [^"]*)"', svg)]
    (steps,) = (line for line in lines if len(line) == 9)
    ends = next(line for line in lines if line == pytest.approx(steps[2::3], abs=0.01))
    assert len(ends) == 3
