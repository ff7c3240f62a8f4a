"""Downloads of the command train: what is shown meanwhile, and what it says if no mirror answers."""

import io

from rich.console import Console

from tensorgrad import data
from tensorgrad.data.download import PublishedFile
from tutorial.cli.main import main
from tutorial.training.terminal_progress import downloading


def shown(terminal):
    console = Console(file=io.StringIO(), force_terminal=terminal, width=100)
    with downloading(console) as progress:
        for name, size in ("a.gz", 2_500_000), ("b.gz", 300_000):
            for share in 1, 2, 4:
                progress(name, share * size // 4, size)
    return console.file.getvalue()


def test_in_a_pipe_each_file_has_one_line():
    assert shown(False) == "Downloading a.gz: 2.5 MB\nDownloading b.gz: 0.3 MB\n"


def test_in_a_terminal_each_file_has_a_bar_that_ends_full():
    text = shown(True)
    assert "a.gz" in text and "b.gz" in text and "2.5/2.5 MB" in text and "300.0/300.0 kB" in text


def test_without_a_download_nothing_is_shown():
    console = Console(file=io.StringIO(), force_terminal=True)
    with downloading(console):
        pass
    assert console.file.getvalue() == ""


def test_a_download_that_no_mirror_answers_is_one_error(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("no_proxy", "*")
    nowhere = PublishedFile("train-images-idx3-ubyte.gz", 10, "0" * 64, ("http://127.0.0.1:9/train-images-idx3-ubyte.gz",))
    monkeypatch.setitem(data.mnist.__globals__, "MNIST", {"train-images-idx3-ubyte": (nowhere, "0" * 32)})
    assert main(["train", "mnist", "--data", str(tmp_path), "--download", "--out", str(tmp_path / "out")]) == 2
    assert "train-images-idx3-ubyte.gz was not downloaded (http://127.0.0.1:9/" in capsys.readouterr().err
