"""python -m tutorial torch FILE:FUNCTION: the report, the check, the page, and what a wrong file gets."""

from pathlib import Path

import pytest

from tutorial.cli.commands.torch import BUGS, source_of
from tutorial.cli.main import main

HEAD = "import torch\nfrom torch import nn\nmodel, x = nn.Linear(2, 1), torch.ones(3, 2)\n"


@pytest.fixture
def program(tmp_path, capsys):
    """Runs the command on a program, and returns its exit code and what it wrote to both streams."""

    def program(source, *options, name=""):
        path = tmp_path / "own.py"
        path.write_text(source, encoding="utf-8")
        code = main(["torch", f"{path}{name}", *options])
        return code, *capsys.readouterr()

    return program


def test_a_missing_file_and_the_programs_with_bugs_need_no_pytorch(tmp_path, capsys):
    assert main(["torch", "nowhere.py:loss"]) == 2 and "there is no file 'nowhere.py'" in capsys.readouterr().err
    assert main(["torch"]) == 2 and "name a Python file" in capsys.readouterr().err
    assert main(["torch", "--bugs", str(tmp_path / "bugs")]) == 0
    assert [line.rpartition("/")[2] for line in capsys.readouterr().out.splitlines()] == list(BUGS)
    (tmp_path / "bugs" / BUGS[0]).write_text("mended")
    assert main(["torch", "--bugs", str(tmp_path / "bugs")]) == 0 and (tmp_path / "bugs" / BUGS[0]).read_text() == "mended"
    assert [BUGS.index(Path(line.partition(" (kept")[0]).name) for line in capsys.readouterr().out.splitlines() if "kept" in line] == [0]
    assert (tmp_path / "bugs" / BUGS[1]).read_text() == source_of(BUGS[1])


@pytest.mark.torch
def test_a_program_gets_a_report_and_a_page(program, tmp_path):
    source = HEAD + "def loss():\n    return model(x).sum()\ndef other():\n    return lambda: model(x).mean()\n"
    page = tmp_path / "mine.html"
    code, out, err = program(source, "-o", str(page))
    assert (code, err) == (0, "") and out.startswith("loss ") and "weight" in out and out.endswith(f"Written: {page}\n")
    assert "own.py:5" in page.read_text(encoding="utf-8") or page.stat().st_size > 200_000
    assert program(source, name=":other")[0] == 0
    drawing = tmp_path / "mine.svg"
    assert program(source, "-o", str(drawing))[0] == 0 and drawing.read_text().startswith("<?xml")


@pytest.mark.torch
def test_what_is_no_function_that_returns_a_loss_is_refused_in_one_line(program):
    for source, name, said in (
        (HEAD, "", "own.py has no function loss; write def loss(): ... that returns the loss"),
        (HEAD, ":model", "own.py:model is not a function of no arguments"),
        (HEAD + "def loss(x): return model(x).sum()", "", "own.py:loss is not a function of no arguments"),
        (HEAD + "def loss(): return 3", "", "the function returned int; return the loss"),
    ):
        code, out, err = program(source, name=name)
        assert code == 2 and said in err and err.count("\n") == 1, err


@pytest.mark.torch
def test_an_exception_of_the_program_shows_its_own_lines_alone(program):
    code, out, err = program(HEAD + "def loss():\n    return helper()\ndef helper():\n    return model(torch.ones(3))\n")
    assert code == 1 and "return helper()" in err and "return model(torch.ones(3))" in err and "RuntimeError" in err
    assert "tensorgrad" not in err and "cli" not in err
    code, out, err = program("import torch\n1 / 0\n")
    assert code == 1 and err.splitlines()[-1] == "ZeroDivisionError: division by zero" and "importlib" not in err
    code, out, err = program("def loss(:\n")
    assert code == 1 and "SyntaxError" in err and "own.py" in err
