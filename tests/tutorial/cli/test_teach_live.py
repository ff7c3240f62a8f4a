"""teach live on the command line: what it needs, and what it says of a mistake."""

import os
import socket

import pytest

from tests.each import each
from tests.tutorial.classroom.live.classes import LESSON, begin
from tutorial.classroom.live.questions.source import lesson
from tutorial.cli.commands.teach import live as teach_live
from tutorial.cli.main import main
from tutorial.cli.shared.parser import Mistake


def tell(capsys, *words):
    code = main(["teach", "live", *words])
    shown = capsys.readouterr()
    return code, shown.out + shown.err


def test_without_its_packages_it_says_what_to_install(capsys, monkeypatch):
    monkeypatch.setattr(teach_live, "PACKAGES", ("json", "no_such_package"))
    assert tell(capsys, "3") == (2, "tutorial: teach live needs no_such_package; install the extra `class`: pip install -e '.[class]'\n")


@each(
    "words, said",
    [
        ((), "teach live needs a chapter, such as 3, or with --resume a journal"),
        (("99",), "the book has no chapter '99'; its chapters are 1 nudge-and-slope"),
        (("none.md",), "none.md: No such file or directory"),
        (("--resume", "none.jsonl"), "none.jsonl: No such file or directory"),
        (("3", "--port", "80"), "'80' is not an integer from 1,024 to 65,534"),
    ],
)
def test_a_mistake_is_one_line(words, said, monkeypatch, tmp_path_factory, capsys):
    monkeypatch.chdir(tmp_path_factory.mktemp("class"))
    try:
        code, shown = tell(capsys, *words)
    except SystemExit as end:
        code, shown = end.code, capsys.readouterr().err
    assert code == 2 and said in shown.splitlines()[-1]


def test_a_journal_that_exists_and_a_port_that_is_taken_are_named(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tutorial.classroom.live.questions.source.lesson", lambda which: LESSON)
    begin(tmp_path).journal.close()
    code, shown = tell(capsys, "3", "--journal", "class.jsonl")
    assert code == 2 and shown.endswith("class.jsonl exists; choose another name, or go on with it: teach live --resume class.jsonl\n")
    with socket.create_server(("0.0.0.0", 0)) as taken:
        port = taken.getsockname()[1]
        code, shown = tell(capsys, "--resume", "class.jsonl", "--port", str(port))
    assert code == 2 and f"port {port} or {port + 1} is taken" in shown and "choose another one with --port" in shown


def test_it_says_where_students_and_teacher_go_and_goes_on_after_an_end(capsys, monkeypatch, tmp_path):
    """The class begins, ends, and goes on with its code."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tutorial.classroom.live.questions.source.lesson", lambda which: LESSON)
    monkeypatch.setattr(teach_live, "for_ever", at_once)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    code, first = tell(capsys, "3", "--journal", "a.jsonl", "--host", "127.0.0.1", "--port", port)
    again = tell(capsys, "--resume", "a.jsonl")[1]  # the journal knows host and port
    told = f"Students: http://127.0.0.1:{port}/   code "
    assert code == 0 and told in first and f"You:      http://127.0.0.1:{int(port) + 1}/#" in first
    assert [line for line in first.splitlines() if told in line] == [line for line in again.splitlines() if told in line]
    assert first.splitlines()[-1].startswith("The votes are in a.jsonl.")


def test_the_newest_journal_goes_on_if_none_is_named(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Mistake, match=r"this folder has no journal \(live-\*\.jsonl\)"):
        teach_live.newest()
    for age, name in enumerate(("live-b.jsonl", "live-a.jsonl", "other.jsonl")):
        (tmp_path / name).touch()
        os.utime(name, (age, age))
    assert teach_live.newest().name == "live-a.jsonl"


def test_the_file_that_the_help_shows_is_a_lesson(tmp_path):
    _, _, example = teach_live.DESCRIPTION.partition("  # My lesson")
    text = "# My lesson" + example.rpartition(":::")[0].replace("\n  ", "\n") + ":::\n"
    (tmp_path / "mine.md").write_text(text, encoding="utf-8")
    (asked,) = lesson(tmp_path / "mine.md").questions
    assert (asked.plain, asked.right) == ("What is the derivative of x² at 3?", 1)
    assert [(choice.plain, choice.believes) for choice in asked.choices] == [("3", "M93"), ("6", "")]


def test_a_check_names_the_addresses_the_ports_and_the_ways_out(capsys, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    monkeypatch.setattr("tutorial.classroom.live.network.addresses", lambda: ["127.0.0.1"])
    code, shown = tell(capsys, "--check", "--port", str(port))
    assert code == 1 and f"ok  ports {port} and {port + 1} are free\nno  This machine is in no network." in shown
    assert all(word in shown for word in ("Windows", "macOS", "client isolation", "hotspot", "A to D"))
    with socket.create_server(("127.0.0.1", port + 1)):
        code, shown = tell(capsys, "--check", "--port", str(port), "--host", "192.0.2.7")
    assert code == 1 and shown.startswith(f"no  port {port} or {port + 1} is taken; choose another one with --port\n")


async def at_once():
    pass


@pytest.fixture(autouse=True)
def quiet_browser(monkeypatch):
    monkeypatch.setattr(teach_live, "has_screen", lambda: False)
