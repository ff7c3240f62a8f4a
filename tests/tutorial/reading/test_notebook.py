"""A chapter as a notebook: nothing of the chapter is lost, its numbers are computed, and it runs from start to end."""

import json

import pytest

from tutorial.cli.main import main
from tutorial.reading.chapter import BOOK, chapters, read
from tutorial.reading.notebook import notebook

CHAPTERS = chapters()
nbformat = pytest.importorskip("nbformat")


@pytest.fixture
def small(tmp_path):
    """A chapter with one block of each kind."""
    (tmp_path / "small.md").write_text(
        "# Small\n\n**Time:** 5 minutes.\n\n```{code-cell}\n:tags: [remove-cell]\nx = 3\n```\n\n"
        ":::{predict} What is `x + 1`?\n:right: 2\n\n- $3$\n\n  It grows.\n- 4\n\n  Yes, {eval}`x + 1`.\n:::\n\n"
        "```{code-cell}\nx + 1\n```\n\nIt is {eval}`x + 1`, as {term}`sums <sum>` are.\n\n$$\nx^2\n$$ (square)\n\n"
        ":::{dropdown} Is x < 4 & x > 2?\nYes: {eval}`x`.\n:::\n"
    )
    return json.loads(notebook(read(tmp_path / "small.md", 7)))["cells"]


def test_blocks_become_cells_in_their_order(small):
    assert [cell["cell_type"] for cell in small] == ["markdown", "code", "markdown", "code", "markdown"]
    assert small[0]["source"].startswith("# Small\n\n*This notebook is chapter 7 ")
    assert small[1]["source"] == "x = 3" and small[1]["metadata"] == {"tags": ["remove-cell"], "jupyter": {"source_hidden": True}}
    assert small[3]["source"] == "x + 1" and small[3]["metadata"] == {} and small[3]["outputs"] == []


def test_a_question_stands_before_its_cell_and_the_replies_are_folded_after_it(small):
    assert small[2]["source"] == "**Predict before you read on.** What is `x + 1`?\n\n- $3$\n- 4"
    assert small[4]["source"].startswith(
        "<details>\n<summary>The replies</summary>\n\n**$3$**\n\nIt grows.\n\n**4** ✓\n\nYes, 4.\n\n</details>"
    )


def test_the_replies_to_a_question_about_an_earlier_chapter_are_folded_below_it(tmp_path):
    asked = ":::{predict} Which?\n:recall: descent\n:right: 1\n\n- a\n\n  Yes.\n- b\n\n  No.\n:::"
    (tmp_path / "small.md").write_text(f"# Small\n\n**Time:** 5 minutes.\n\n{asked}\n\n```{{code-cell}}\n1 + 1\n```\n")
    above, _ = json.loads(notebook(read(tmp_path / "small.md", 7)))["cells"]
    assert "**Do you remember?** Which?\n\n- a\n- b\n\n<details>\n<summary>The replies</summary>\n\n**a** ✓\n\nYes." in above["source"]


def test_numbers_are_computed_and_directives_are_plain(small):
    assert "It is 4, as sums are." in small[4]["source"] and r"x^2 \tag{square}" in small[4]["source"]
    assert "<summary>Is x &lt; 4 &amp; x > 2?</summary>\n\nYes: 3.\n\n</details>" in small[4]["source"]


@pytest.mark.slow
@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
@pytest.mark.filterwarnings("default")  # those of Jupyter
def test_every_notebook_runs_from_start_to_end_in_jupyter(chapter):
    nbclient = pytest.importorskip("nbclient")
    made = nbformat.reads(notebook(chapter), as_version=4)
    nbclient.NotebookClient(made, timeout=120, resources={"metadata": {"path": str(BOOK.parents[1])}}).execute()
    results = [output for cell in made.cells if cell.cell_type == "code" for output in cell.outputs]
    assert results and not [output for output in results if output.output_type == "error"]


def test_the_command_writes_the_file(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["notebook", "1"]) == 0 and main(["notebook", "variables-functions-graphs", "-o", "d.ipynb"]) == 0
    assert capsys.readouterr().out == "wrote nudge-and-slope.ipynb; open it with Jupyter\nwrote d.ipynb; open it with Jupyter\n"
    assert {path.name for path in tmp_path.iterdir()} == {"nudge-and-slope.ipynb", "d.ipynb"}


@pytest.mark.parametrize(
    "args, said",
    [
        (["99"], "no chapter '99'; its chapters are 1 nudge-and-slope; 2 "),
        (["1", "-o", "no/n.ipynb"], "tutorial: no/n.ipynb cannot be written: "),
    ],
)
def test_a_wrong_chapter_or_file_is_one_line(args, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["notebook", *args]) == 2
    out, err = capsys.readouterr()
    assert out == "" and said in err and err.count("\n") == 1
