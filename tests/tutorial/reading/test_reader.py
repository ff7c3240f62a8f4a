"""A chapter in the terminal: whole in a pipe, in every encoding, and with answers at a terminal."""

import re
from io import BytesIO, TextIOWrapper

import pytest

from tests.each import swept
from tests.tutorial.cli.test_command_line import encoded
from tutorial.cli.main import main
from tutorial.reading import reader
from tutorial.reading.chapter import find, read
from tutorial.reading.reader import Reader


def printed(chapter, encoding="utf-8", ask=None):
    file = TextIOWrapper(BytesIO(), encoding=encoding, newline="\n")
    Reader(chapter, file, ask).read()
    file.flush()
    return file.buffer.getvalue().decode(encoding)


@pytest.fixture
def small(tmp_path):
    (tmp_path / "small.md").write_text(
        "# Small\n\n**Time:** 5 minutes.\n\n```{code-cell}\n:tags: [remove-input]\nimport viz\nfrom scalargrad import Value\n"
        'x = Value(3, name="x")\nviz.play(x * x)\n```\n\n:::{predict} What is $x + 1$?\n:right: 2\n\n- $3$\n\n  It grows.\n- 4\n\n  Yes.\n'
        "- 5\n\n  Too much.\n:::\n\n```{code-cell}\nprint('a', x.data)\nx.data + 1\n```\n\nIt is {eval}`x.data + 1`: $x_1 * 2$.\n\n"
        ":::{dropdown} Why?\nBecause.\n:::\n\n## The end\n",
        encoding="utf-8",
    )
    return read(tmp_path / "small.md", 7)


def test_a_pipe_gets_everything_and_the_replies_after_the_result(small):
    text = printed(small)
    order = ["7. Small", "dz/dx = dz/dz", "What is x + 1?", "print('a', x.data)", "  a 3", "  4", "1. 3: It grows.", "✓ 2. 4: Yes."]
    order += ["It is 4: x₁ * 2.", "Why?", "Because.", "The end\n───"]
    places = [text.index(part) for part in order]
    assert places == sorted(places) and all(len(line) <= 80 for line in text.splitlines())


def test_a_long_player_is_its_results_in_a_pipe(small, monkeypatch):
    monkeypatch.setattr(reader, "LONGEST_WALK", 5)
    text = printed(small)
    assert "25 steps" not in text and re.search(r"\d+ steps; \d+ lines of results:\n +computed = \{dz/dz: 1, dz/dx:", text)
    assert "current node" not in text


def test_at_a_terminal_the_reader_predicts_and_steps(small, monkeypatch):
    stepped, asked, answers = [], [], iter(["s", "7", "x", "1", "", ""])
    monkeypatch.setattr(reader.viz, "step", stepped.append)
    monkeypatch.setenv("COLUMNS", "80")
    text = printed(small, ask=lambda question: asked.append(question) or next(answers))
    assert [trace.graph.z.data for trace in stepped] == [9]
    assert [question.split(",")[0] for question in asked][1:4] == ["Your prediction"] * 3 and asked[-1].startswith("Press Enter to go on")
    assert "You said 1. 3: It grows." in text and "✓ 2. 4: Yes." in text and "Too much" not in text
    assert text.index("  4") < text.index("You said") and "current node" not in text


RECALL = ":::{predict} Which?\n:recall: descent\n:right: 2\n\n- a\n\n  No.\n- b\n\n  Yes.\n:::"


def test_a_question_about_an_earlier_chapter_is_answered_at_once(tmp_path):
    (tmp_path / "small.md").write_text(f"# Small\n\n**Time:** 5 minutes.\n\n{RECALL}\n\nThe text.\n\n```{{code-cell}}\n1 + 1\n```\n")
    text = printed(read(tmp_path / "small.md", 7))
    places = [text.index(part) for part in ("Do you remember? Which?", "1. a: No.", "✓ 2. b: Yes.", "The text.", "1 + 1")]
    assert places == sorted(places) and "Predict" not in text


@swept("encoding", ["cp1252", "ascii"], every=2)
def test_an_encoding_without_our_letters_gets_others(encoding):
    text = printed(find(3), encoding)
    assert "dz/dx = Sum[y in c(x)] dz/dy" in text and "?/" not in text and "Dy/Dx" in text


def test_the_command_reads_and_lists_in_a_pipe(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    code, out = encoded("cp1252", "read", "1")
    assert code == 0 and out.startswith("1. A price for every joint\n====")
    code, (out, err) = main(["read"]), capsys.readouterr()
    assert (code, err) == (0, "") and re.search(r"^Numbers\n +1  A price for every joint +20 minutes +nudge-and-slope\n", out)
    assert not list(tmp_path.iterdir())


def test_a_wrong_chapter_is_one_line_that_lists_the_chapters(capsys):
    assert main(["read", "no-such"]) == 2
    out, err = capsys.readouterr()
    assert out == "" and "no chapter 'no-such'; its chapters are 1 nudge-and-slope" in err and err.count("\n") == 1
