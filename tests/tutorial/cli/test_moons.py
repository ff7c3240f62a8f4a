"""The two-moons program: its points, what it prints in a pipe and in a terminal, its picture, its refusals."""

import io
import math
import random
import sys

import pytest
from rich.console import Console

from scalargrad.moons import NOISE
from scalargrad.nn import MLP
from tutorial.cli import moons


def run(capsys, *argv):
    code = moons.main(list(argv))
    return code, *capsys.readouterr()


def test_the_moons_are_half_circles_of_radius_1_with_noise():
    points, sides = moons.two_moons(400, random.Random(0))
    assert sides.count(1) == sides.count(-1) == 200
    for (x1, x2), side in zip(points, sides):
        centre = (0, 0) if side > 0 else (1, 0.5)
        assert abs(math.dist((x1, x2), centre) - 1) < 5 * NOISE
        assert side * (x2 - centre[1]) > -5 * NOISE


def test_the_same_seed_gives_the_same_points():
    assert moons.two_moons(10, random.Random(4)) == moons.two_moons(10, random.Random(4)) != moons.two_moons(10, random.Random(5))


@pytest.mark.slow
def test_the_default_run_reaches_full_accuracy_and_says_so_at_every_step(capsys, tmp_path):
    picture = tmp_path / "new" / "moons.png"
    code, out, err = run(capsys, "--picture", str(picture))
    lines = out.splitlines()
    assert code == 0 and err == ""
    assert lines[0] == "Two moons: 100 points, 337 parameters."
    steps = [line.split() for line in lines[1:-2]]
    assert [int(words[1]) for words in steps] == list(range(101))
    losses = [float(words[3]) for words in steps]
    assert losses[-1] < 0.02 * losses[0] and steps[-1][4:] == ["accuracy", "100.0", "%"]
    assert lines[-2:] == ["Two moons: 100 of 100 points correct after 100 steps.", f"Picture: {picture}"]
    assert out.isascii(), "a pipe may have any encoding"
    assert picture.read_bytes().startswith(b"\x89PNG") and picture.stat().st_size > 20_000


def test_a_short_run_says_its_steps_and_writes_its_picture(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(moons, "GRID", 12)
    picture = tmp_path / "new" / "moons.png"
    code, out, err = run(capsys, "--steps", "4", "--points", "12", "--picture", str(picture))
    lines = out.splitlines()
    assert (code, err) == (0, "") and out.isascii()
    assert [int(line.split()[1]) for line in lines[1:-2]] == list(range(5))
    assert lines[-2].endswith("of 12 points correct after 4 steps.") and lines[-1] == f"Picture: {picture}"
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_reported_loss_and_accuracy_are_those_of_the_model():
    random.seed(2)
    points, sides = moons.two_moons(20, random)
    model = MLP(2, [16, 16, 1])
    scores = [model(point).data for point in points]
    step, loss, right = next(moons.train(model, points, sides, 1))
    assert step == 0
    assert loss == pytest.approx(sum(max(0, 1 - side * score) for side, score in zip(sides, scores)) / 20)
    assert right == sum(math.copysign(1, score) == side for side, score in zip(sides, scores))


def test_the_same_seed_gives_the_same_run_and_another_seed_another(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(moons, "draw", lambda *args: None)
    options = "--steps", "3", "--points", "10", "--picture", str(tmp_path / "a.svg")
    assert run(capsys, *options) == run(capsys, *options) != run(capsys, *options, "--seed", "2")


def test_a_terminal_shows_a_bar_and_every_tenth_of_the_steps(monkeypatch):
    screen = io.StringIO()
    monkeypatch.setattr(moons, "Console", lambda **options: Console(file=screen, force_terminal=True, width=80, **options))
    right = moons.report([(step, 1 / (step + 1), step) for step in range(41)], 40, 50)
    shown = screen.getvalue()
    assert right == 40
    assert "40/40" in shown and "\N{BOX DRAWINGS HEAVY HORIZONTAL}" in shown
    assert "step   20  loss 0.0476  accuracy  40.0 %" in shown and "step   21" not in shown


def test_a_picture_has_both_classes_by_shape_the_axes_and_the_title(capsys, tmp_path):
    picture = tmp_path / "moons.svg"
    run(capsys, "--steps", "30", "--points", "30", "--picture", str(picture))
    svg = picture.read_text(encoding="utf-8")
    for words in "Two moons: ", "x1", "x2", "side +1", "side -1", "boundary: score 0", "score of the network":
        assert f"<!-- {words}" in svg  # matplotlib draws letters as paths and keeps the words beside them


def test_a_picture_is_drawn_even_where_all_scores_are_on_one_side(tmp_path):
    model = MLP(2, [2, 1])
    for p in model.parameters():
        p.data = 0.0
    moons.draw(model, [[0.0, 0.0], [1.0, 1.0]], [1, -1], "flat", tmp_path / "flat.png")
    assert (tmp_path / "flat.png").exists()


def test_without_matplotlib_one_line_says_how_to_get_it(capsys, tmp_path, monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    code, out, err = run(capsys, "--steps", "1", "--points", "4", "--picture", str(tmp_path / "a.png"))
    assert code == 0 and "points correct" in out and "Picture" not in out
    assert err.count("\n") == 1 and "python -m pip install matplotlib" in err


@pytest.mark.parametrize("file", ["moons.nosuchformat", "file/moons.png"])
def test_a_picture_that_cannot_be_written_is_named(capsys, tmp_path, file):
    (tmp_path / "file").write_text("a file where a folder should be")
    code, out, err = run(capsys, "--steps", "1", "--points", "4", "--picture", str(tmp_path / file))
    assert code == 2 and f"{tmp_path / file} cannot be written" in err


TOO_LARGE = [["--points", "999999999999"], ["--steps", "9" * 5000], ["--seed", str(2**64)]]


@pytest.mark.parametrize(
    "options", [["--steps", "0"], ["--points", "1"], ["--steps", "2.5"], ["--seed", "-1"], ["--steps", "²"], *TOO_LARGE]
)
def test_a_number_that_makes_no_sense_is_refused(capsys, options):
    with pytest.raises(SystemExit) as stop:
        moons.main(options)
    assert stop.value.code == 2
    assert "is not an integer from" in capsys.readouterr().err


def test_the_help_says_what_a_step_is(capsys):
    with pytest.raises(SystemExit) as stop:
        moons.main(["--help"])
    out = capsys.readouterr().out
    assert stop.value.code == 0
    assert all(word in out for word in ("forward", "backward", "update", "relu(1 - side * score)", "examples:"))
    assert max(map(len, out.splitlines())) <= 80
