"""python -m tutorial train: lines in a pipe, a screen in a terminal, a page, curves, and clear errors."""

import io
import os
import shutil
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from rich.console import Console

from tests.each import each, swept
from tests.tensorgrad.data import made_files
from tutorial.cli.commands.train import resuming
from tutorial.cli.main import main
from tutorial.lock import held
from tutorial.training.page import run_page
from tutorial.training.page_plots import plot, png
from tutorial.training.run import CHECKPOINT, Run, settings_of
from tutorial.training.settings import settings_for
from tutorial.training.tasks import task_for
from tutorial.training.terminal_progress import curve, follow


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a finished run on two moons, of three epochs."""
    path = tmp_path_factory.mktemp("run")
    assert main(["train", "moons", "--epochs", "3", "--out", str(path)]) == 0
    return path


def test_in_a_pipe_each_epoch_is_a_line(tmp_path, capsys):
    assert main(["train", "moons", "--epochs", "2", "--out", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "moons: mlp with 1,218 parameters, 1,000 samples, 2 epochs."
    assert lines[1].startswith("epoch 1/2  loss 0.") and lines[2].startswith("epoch 2/2  loss 0.") and lines[2].endswith(" %")
    assert lines[-1] == f"Page: {tmp_path / 'report.html'}" and len(lines) == 5


def test_a_finished_run_may_be_resumed_for_its_page(folder, capsys):
    (folder / "report.html").rename(folder / "first.html")
    assert main(["train", "moons", "--resume", "--out", str(folder)]) == 0
    out = capsys.readouterr().out
    assert "moons: the run has ended after step 60 of 60; --epochs with a larger number than 3 goes on." in out
    assert (folder / "report.html").read_text() == (folder / "first.html").read_text()


def test_a_new_run_keeps_the_earlier_one_and_its_page(folder, tmp_path, capsys):
    place = tmp_path / "a run"
    shutil.copytree(folder, place)
    earlier = {name: (place / name).read_bytes() for name in (CHECKPOINT, "report.html")}
    assert main(["train", "moons", "--epochs", "1", "--out", str(place)]) == 0
    kept = place / "previous"
    assert f"moons: the earlier run is now in {kept}; continue it with --resume --out '{kept}'." in capsys.readouterr().out
    assert {path.name: path.read_bytes() for path in kept.iterdir()} == earlier
    (place / "report.html").unlink()
    assert main(["--seed", "3", "train", "moons", "--epochs", "1", "--out", str(place)]) == 0
    assert settings_of(place / CHECKPOINT).seed == 3  # an option before the command
    assert [path.name for path in kept.iterdir()] == [CHECKPOINT]  # it had no page
    assert settings_of(kept / CHECKPOINT).epochs == 1


def test_a_new_run_that_stops_leaves_no_page_of_the_earlier_one(folder, tmp_path):
    shutil.copytree(folder, tmp_path / "run")
    run = Run(task_for(settings_for("moons", epochs=1)), tmp_path / "run")
    assert run.keep_earlier() == tmp_path / "run" / "previous"
    assert not run.path.exists() and not (run.folder / "report.html").exists()
    assert run.keep_earlier() is None


def test_in_a_terminal_the_screen_fits_into_24_lines_of_80_columns(tmp_path):
    screen = io.StringIO()
    run = Run(task_for(settings_for("moons", epochs=2)), tmp_path)
    follow(run, run.steps(), Console(file=screen, force_terminal=True, width=80, height=24, highlight=False))
    assert "epoch 2/2" in screen.getvalue() and "loss of each step" in screen.getvalue()


def test_in_a_terminal_of_ascii_or_latin_1_only_lines_are_printed(tmp_path):
    for encoding in ("ascii", "latin-1"):
        screen = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
        run = Run(task_for(settings_for("moons", epochs=1)), tmp_path)
        follow(run, run.steps(), Console(file=screen, force_terminal=True, width=80, height=24, highlight=False))
        screen.flush()
        assert screen.buffer.getvalue().startswith(b"epoch 1/1  loss 0.") and screen.buffer.getvalue().count(b"\n") == 1


def test_the_page_needs_nothing_else_and_shows_the_loop_that_ran(folder):
    text = (folder / "report.html").read_text(encoding="utf-8")
    assert "http://" not in text.replace("http://www.w3.org/", "") and "https://" not in text and "<script" not in text
    assert "loss.backward()" in text and "test accuracy" in text and "layer3" in text


def test_the_page_explains_its_numbers(folder):
    text = (folder / "report.html").read_text(encoding="utf-8")
    for number, meaning in (("50", "samples of a step"), ("0.02", "largest learning rate"), ("1,218", "parameters")):
        assert f"<dt>{meaning}</dt><dd>{number}</dd>" in text
    assert "The loss is the mean cross entropy of the samples, in nats. Its axis is logarithmic." in text
    assert "The learning rate rises to 0.02 and falls to almost 0 at the end" in text and "the last step of epoch 2 of 3" in text
    assert "<code>viz.draw(loss, depth=1)</code>" in text and "Each layer is one box" in text


def test_the_page_of_a_text_shows_parts_of_the_network_and_says_what_its_loss_means(tmp_path, monkeypatch):
    monkeypatch.setattr("tutorial.training.page.WRITTEN", 5)
    run = Run(task_for(settings_for("text", epochs=1)), tmp_path)
    run.history.add_epoch(np.log(5), None, [("transformer.wte", 1, 1.0, 1.0, 0.0, 1.0, 1.0)])
    text = run_page(run)
    assert "steps in 1 epoch<" in text and "The table shows the last step of the only epoch, so its updates are small." in text
    assert "A test loss of 1.61 is that of a guess among e^1.61 = 5.0 equally probable characters." in text
    assert "texts of 64 characters for training" in text and "divided by the temperature 0.8" in text
    assert "Each part of the network is one box" in text and ">wte</text>" in text.replace("\n", "")


def test_an_axis_of_epochs_has_no_fractions():
    svg = plot({"a": ([1, 2], [1.0, 10.0])}, "epoch", "y")
    assert ">1</text>" in svg and ">2</text>" in svg and ">1.2</text>" not in svg


@each(
    "words, message",
    [
        (["moons", "--lr", "nan"], "argument --lr: 'nan' is not a number above 0"),
        (["moons", "--lr", "-1"], "argument --lr: '-1' is not a number above 0"),
        (["moons", "--epochs", "-1"], "argument --epochs: '-1' is not an integer from 1 to 10,000"),
    ],
    ids=lambda x: x if isinstance(x, str) else None,
)
def test_an_option_that_is_no_number_of_its_range_is_refused(words, message, capsys):
    with pytest.raises(SystemExit):
        main(["train", *words])
    assert message in capsys.readouterr().err


@swept(
    "words, message",
    [
        (["moons", "--model", "cnn"], "moons has no network 'cnn'; it has mlp"),
        (["mnist"], "mnist needs its files: --data DIR names their folder; with --download, what is missing there is fetched"),
        (["mnist", "--download"], "mnist needs its files: --data DIR names their folder"),
        (["mnist", "--data", __file__], "test_command.py' is a file; give the folder that holds train-images-idx3-ubyte.gz"),
        (["moons", "--data", "x"], "moons needs no files; leave --data, --download and --own-files out"),
        (["moons", "--epochs", "1", "--curves", "nodir/a.svg"], "nodir/a.svg: No such file or directory; the run is saved up to step 20; "),
        (["cifar10", "--data", "x"], "cifar-10-binary.tar.gz is not in the folder 'x'; give --download, or put the file"),
        (["moons", "--curves", "a.jpg"], "the extension of a.jpg is not one of .png, .svg, .pdf"),
        (["moons", "--resume"], "there is no run to resume: "),
        (["moons", "--batch", "2000"], "drop_last=True leaves no batch of 2000 from 1000 samples"),
        (["moons", "--epochs", "1", "--lr", "1e30"], "is nan at index (0, 0); begin again with --lr 0.02, or less"),
        (["moons", "--epochs", "1", "--lr", "1e20"], "begin again with --lr 0.02, or less"),
    ],
    every=4,
    ids=lambda x: x if isinstance(x, str) else None,
)
def test_a_mistake_is_one_line(words, message, capsys, tmp_path_factory):
    assert main(["train", *words, "--out", str(tmp_path_factory.mktemp("out"))]) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1, error


@each(
    "place, message",
    [
        ("file", "--out file: this is a file; name a folder"),
        ("file/run", "--out file/run: {folder}/file is a file, not a folder"),
    ],
)
def test_a_run_needs_a_folder_and_says_so_before_it_trains(place, message, tmp_path_factory, monkeypatch, capsys):
    folder = tmp_path_factory.mktemp("place")
    (folder / "file").touch()
    monkeypatch.chdir(folder)
    assert main(["train", "moons", "--out", place]) == 2
    assert capsys.readouterr() == ("", f"tutorial: {message.format(folder=folder)}\n")


def test_a_network_trains_on_files_of_your_own_in_the_format_of_mnist(tmp_path, capsys):
    made_files.mnist_files(tmp_path / "my data", count=30)
    words = [
        "train",
        "mnist",
        "--model",
        "mlp",
        "--epochs",
        "1",
        "--batch",
        "10",
        "--out",
        str(tmp_path / "run"),
        "--data",
        str(tmp_path / "my data"),
    ]
    assert main(words) == 2
    assert "bytes, the published file has 9,912,422; delete it and fetch it again, or give --own-files if it is" in capsys.readouterr().err
    assert main([*words, "--own-files"]) == 0
    assert "mnist: mlp with 669,706 parameters, 30 samples, 1 epoch." in capsys.readouterr().out
    images = tmp_path / "my data" / "train-images-idx3-ubyte.gz"
    images.write_bytes(images.read_bytes()[:900])
    assert main([*words, "--own-files"]) == 2
    assert capsys.readouterr().err == f"tutorial: {images}: the file is truncated; download it again\n"


def test_the_command_that_resumes_names_your_own_files(capsys):
    args = SimpleNamespace(task="mnist", out=None, data=Path("my data"), own_files=True)
    assert resuming(args) == "train mnist --resume --data 'my data' --own-files"


def test_a_folder_without_permission_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("os.access", lambda path, mode: False)
    assert main(["train", "moons", "--out", str(tmp_path / "run")]) == 2
    assert f"you may not write to the folder {tmp_path}; name another one" in capsys.readouterr().err


def test_a_disk_that_is_full_costs_no_saved_step(tmp_path, monkeypatch, capsys):
    def full(run):
        if len(run.history.losses) > 14:
            raise OSError(28, "No space left on device", str(run.path))
        save(run)

    save = Run.save
    monkeypatch.setattr(Run, "save", full)
    assert main(["train", "moons", "--epochs", "1", "--save-every", "7", "--out", str(tmp_path)]) == 2
    again = f"python -m tutorial train moons --resume --out {tmp_path}"
    said = f"{tmp_path / CHECKPOINT}: No space left on device; the run is saved up to step 14; when this is mended, continue with: {again}"
    assert capsys.readouterr().err == f"tutorial: {said}\n"
    monkeypatch.undo()
    assert main(["train", "moons", "--resume", "--out", str(tmp_path)]) == 0
    assert "continues after step 14 of 20" in capsys.readouterr().out


def test_a_run_that_is_stopped_has_a_page_of_its_epochs(tmp_path, monkeypatch, capsys):
    def finish_and_stop(run):
        finish(run)
        run.stopping = True

    finish = Run.finish_epoch
    monkeypatch.setattr(Run, "finish_epoch", finish_and_stop)
    assert main(["train", "moons", "--out", str(tmp_path)]) == 130
    out, error = capsys.readouterr()
    assert out.endswith(f"Page: {tmp_path / 'report.html'}\n") and "steps in 1 epoch<" in (tmp_path / "report.html").read_text()
    assert error == f"tutorial: stopped and saved after step 20; continue with: python -m tutorial train moons --resume --out {tmp_path}\n"


def test_a_run_that_is_stopped_in_its_first_epoch_has_no_page(tmp_path, monkeypatch):
    monkeypatch.setattr(Run, "save_is_due", lambda run, every: setattr(run, "stopping", True) or True)
    assert main(["train", "moons", "--out", str(tmp_path)]) == 130
    assert [path.name for path in tmp_path.iterdir()] == [CHECKPOINT]


def test_a_run_of_another_task_or_a_damaged_file_is_not_resumed(folder, tmp_path, capsys):
    assert main(["train", "digits", "--resume", "--out", str(folder)]) == 2
    assert "is one of moons, not of digits; name moons, or another folder" in capsys.readouterr().err
    content = (folder / CHECKPOINT).read_bytes()
    for damaged in (content[:900], content[:-300] + bytes([content[-300] ^ 64]) + content[-299:]):
        (tmp_path / CHECKPOINT).write_bytes(damaged)
        assert main(["train", "moons", "--resume", "--out", str(tmp_path)]) == 2
        error = capsys.readouterr().err
        assert "this run cannot be resumed: begin a new one, without --resume\n" in error and error.count("\n") == 1


def test_a_command_refuses_an_unknown_option_with_its_own_help(capsys):
    with pytest.raises(SystemExit):
        main(["train", "moons", "--network", "cnn"])
    assert capsys.readouterr().err == "tutorial: train has no option --network (see python -m tutorial train --help)\n"


def test_options_that_differ_from_those_of_the_run_are_refused(folder, capsys):
    assert main(["train", "moons", "--resume", "--batch", "9", "--out", str(folder)]) == 2
    assert "has batch 50, not 9; leave the option out" in capsys.readouterr().err
    assert main(["train", "moons", "--resume", "--epochs", "2", "--out", str(folder)]) == 2
    assert (
        "the run was begun for 3 epochs, over which its learning rate falls, so it cannot end after 2; leave --epochs out"
        in capsys.readouterr().err
    )


def test_a_finished_run_goes_on_with_more_epochs_and_says_what_happens_to_its_rate(folder, tmp_path, capsys):
    shutil.copytree(folder, tmp_path / "run")
    assert main(["train", "moons", "--resume", "--epochs", "4", "--out", str(tmp_path / "run")]) == 0
    out = capsys.readouterr().out
    assert "the run of 3 epochs becomes one of 4; its learning rate now follows the cycle of 4 epochs, so it goes on at 0.0" in out
    assert "the run continues after step 60 of 80" in out and "after 4 epochs" in out
    assert settings_of(tmp_path / "run" / CHECKPOINT).epochs == 4


def test_curves_are_drawn_where_matplotlib_is_installed(folder, tmp_path):
    pytest.importorskip("matplotlib")
    main(["train", "moons", "--resume", "--out", str(folder), "--curves", str(tmp_path / "a.svg")])
    assert "<svg" in (tmp_path / "a.svg").read_text()


# Pictures


def test_the_curve_in_the_terminal_has_the_mean_of_each_part():
    assert curve([], 9) == "" and curve([5, 5], 9) == "▁▁"
    assert curve([0, 0, 7, 7, 3.5, 3.5], 3) == "▁█▅"
    assert len(curve(range(1000), 72)) == 72


def test_a_plot_names_its_lines_and_leaves_out_what_cannot_be_drawn():
    svg = plot({"a": ([1, 2], [0.0, 10.0]), "b <": ([1, 2], [None, 1.0])}, "x", "y", logarithmic=True)
    assert svg.count("<circle") == 2 and "b &lt;" in svg
    assert "nothing to draw" in plot({"a": ([], [])}, "x", "y")


@each("shape", [(3, 5), (2, 4, 3)])
def test_an_image_has_its_pixels(shape):
    pytest.importorskip("matplotlib")
    import base64

    from matplotlib.image import imread

    pixels = np.random.default_rng(0).integers(0, 256, shape, dtype=np.uint8)
    found = imread(io.BytesIO(base64.b64decode(png(pixels).partition(",")[2])), format="png")
    np.testing.assert_array_equal(np.round(found * 255), pixels)


def test_two_runs_do_not_train_in_one_folder(folder, tmp_path, capsys):
    place = tmp_path / "run"
    shutil.copytree(folder, place)
    before = {path.name: path.read_bytes() for path in place.iterdir()}
    with held(place / "run.lock", ""):
        for words in (["--epochs", "1"], ["--resume"]):
            assert main(["train", "moons", *words, "--out", str(place)]) == 2
            assert f"process {os.getpid()} trains in this folder; wait until it ends" in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in place.iterdir()} == before
    assert main(["train", "moons", "--resume", "--out", str(place)]) == 0
    assert not list(place.glob("*.lock"))
