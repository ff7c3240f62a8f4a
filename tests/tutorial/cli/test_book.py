"""python -m tutorial book and slides, and the command without arguments: the book if it is built, else Figure 1."""

import re
import sys
from pathlib import Path

import pytest

from tests.tutorial.cli.test_browser import Terminal, program, terminal
from tutorial.book import site
from tutorial.cli.commands.reading import book, build
from tutorial.cli.main import main
from tutorial.cli.shared import browser


@pytest.fixture
def seat(monkeypatch, tmp_path):
    """A user at a terminal with a browser, in a folder with a built site. The list has the addresses that the browser opened."""
    monkeypatch.chdir(tmp_path)
    opened = []
    monkeypatch.setattr(book, "built", lambda folder: folder / "index.html")
    monkeypatch.setattr(book, "at_terminal", lambda: True)
    monkeypatch.setattr(book, "has_screen", lambda: True)
    monkeypatch.setattr(book, "wait", lambda: None)
    monkeypatch.setattr(book.webbrowser, "open", opened.append)
    book.SITE.mkdir(parents=True)
    (book.SITE / "index.html").write_text("the book")
    return opened


def test_the_book_opens_where_the_reader_left_off(seat, capsys):
    assert main(["book"]) == 0 and main([]) == 0
    assert len(seat) == 2 and all(re.fullmatch(r"http://127\.0\.0\.1:\d+/index\.html\?go=on", address) for address in seat)
    assert f"The book is at {seat[0]} (Ctrl-C ends)\n" in capsys.readouterr().out


def test_slides_open_the_chapter_by_number_or_name(seat):
    assert main(["slides", "4"]) == 0 and main(["slides", "descent"]) == 0
    assert [address.partition("chapters/")[2] for address in seat] == ["order-matters.html#slides=1", "descent.html#slides=1"]


def test_slides_of_no_chapter_are_one_line(seat, capsys):
    assert main(["slides", "99"]) == 2
    out, err = capsys.readouterr()
    assert (out, seat) == ("", []) and "its chapters are 1 nudge-and-slope" in err and err.count("\n") == 1


def test_in_a_pipe_the_book_is_built_and_not_served(seat, monkeypatch, capsys):
    monkeypatch.setattr(book, "at_terminal", lambda: False)
    assert main(["book"]) == 0
    assert (capsys.readouterr().out, seat) == (f"open {book.SITE / 'index.html'} in a browser\n", [])


def test_a_book_that_cannot_be_built_is_not_opened(seat, monkeypatch, capsys):
    monkeypatch.setattr(book, "built", build.built)
    monkeypatch.setattr(site, "PACKAGES", ("no_such_package",))
    assert main(["book"]) == 2 and main(["slides", "1"]) == 2
    assert capsys.readouterr().err.count("the book needs the package no_such_package: run `pip install") == 2 and not seat


@pytest.mark.parametrize(
    "made, screen, packages, said",
    [
        (False, True, (), "The book: python -m tutorial book"),
        (True, True, ("no_such_package",), "The book: run pip install -e '.[tutorial]', then python -m tutorial book; or read it"),
        (True, False, (), "The book: python -m tutorial read"),
    ],
)
def test_else_figure_1_is_played_and_one_line_tells_of_the_book(made, screen, packages, said, seat, monkeypatch, capsys):
    monkeypatch.setattr(book.play, "run", lambda args: print("Figure 1") or 0)
    monkeypatch.setattr(book, "has_screen", lambda: screen)
    monkeypatch.setattr(site, "PACKAGES", packages)
    if not made:
        (book.SITE / "index.html").unlink()
    assert main([]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == "Figure 1" and second.startswith(said) and not seat


def test_a_pipe_gets_figure_1_alone(seat, monkeypatch, capsys):
    monkeypatch.setattr(book, "at_terminal", lambda: False)
    monkeypatch.setattr(book.play, "run", lambda args: print("Figure 1") or 0)
    assert main([]) == 0 and capsys.readouterr().out == "Figure 1\n"


def test_sphinx_tells_how_far_it_is():
    lines = [
        "reading sources... [ 33%] chapters/descent",
        "writing output... [100%] index",
        "reading sources... [  7%] a .. b",
        "copying assets...",
    ]
    command = [sys.executable, "-c", f"import sys; print({chr(10).join(lines)!r}); print('wrong', file=sys.stderr); sys.exit(3)"]
    told = []
    assert site.run(command, lambda *step: told.append(step)) == (3, "wrong\n")
    assert told == [("reading sources", 33), ("writing output", 100), ("reading sources", 7)]


@terminal
@pytest.mark.processes
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # pexpect forks
def test_at_a_terminal_the_first_command_says_how_to_open_the_book(tmp_path):
    said = Terminal([], tmp_path, BROWSER=program(tmp_path, 0)).ends()
    assert "Page: gradsteps-out/page.html" in said and "The book: python -m tutorial book" in said
    assert browser.PAGE in {path.name for path in Path(tmp_path, "gradsteps-out").iterdir()}
