"""python -m tutorial exercises: a student's way through the commands, the exit codes, and what is told at which time."""

import hashlib
import io
import json
import os
import re
import shutil
import sys
import zipfile

import pytest

from tutorial.classroom.grading import processes
from tutorial.cli.main import main
from tutorial.cli.shared.exercise_session import Session, number_in
from tutorial.exercises.authored import exercises, find
from tutorial.exercises.practice.folder import MOST_BYTES, Folder, NoFolder, program_to_write
from tutorial.exercises.practice.printer import Printer
from tutorial.exercises.practice.progress import STATE

FIRST, FIGURE1 = exercises()[0], find("02")


@pytest.fixture(scope="module")
def as_given(tmp_path_factory):
    """The folder of a student who has not begun."""
    path = tmp_path_factory.mktemp("student") / "own"
    assert main(["exercises", "init", str(path)]) == 0
    return path


@pytest.fixture
def folder(as_given, tmp_path, monkeypatch):
    monkeypatch.chdir(shutil.copytree(as_given, tmp_path / "own"))
    return Folder(tmp_path / "own")


@pytest.fixture
def tell(capsys):
    """Run a command, and return its exit code and what it printed."""

    def tell(*words):
        code = main(["exercises", *words])
        shown = capsys.readouterr()
        assert all(len(line) <= 80 for line in shown.out.splitlines())
        return code, shown.out + shown.err

    return tell


def write(folder, number, program):
    folder.file(find(number)).write_text(program, encoding="utf-8")


def test_a_new_folder_has_a_program_for_each_exercise_and_keeps_what_is_there(folder, tell):
    assert [folder.program(exercise) for exercise in exercises()] == list(map(program_to_write, exercises()))
    write(folder, "02", "mine")
    assert main(["exercises", "init", str(folder.path)]) == 0
    assert folder.program(FIGURE1) == "mine"


def test_the_way_of_a_student(folder, tell):
    code, shown = tell()
    assert code == 0 and FIRST.title in shown and "0/" in shown
    code, shown = tell("check")
    assert code == 1 and ". Not started" in shown
    write(folder, "02", FIGURE1.wrong["only-y2"].program)
    code, shown = tell("check", "2")
    assert (
        code == 1
        and "✗ x4 is wrong" in shown
        and "x4 is 14. It should be 16." in " ".join(shown.split())
        and "Which functions use x4?" in shown
    )
    code, shown = tell("solution", "02")
    assert code == 1 and "return" not in shown
    write(folder, "02", FIGURE1.solution)
    code, shown = tell("check", "02_figure1.py")
    assert code == 0 and "✓ Right" in shown and f"Next: {folder.file(FIRST).name}" in shown
    code, shown = tell("solution", "02")
    assert code == 0 and "def figure1" in shown
    code, shown = tell("list")
    assert code == 0 and "✓ 02 Figure 1 on paper" in shown and "\n. 04" in shown
    assert all(len(line) <= 80 and line[:1] in "✓✗.U" for line in shown.splitlines())
    code, shown = tell("progress")
    assert code == 0 and "1 of" in shown


def test_observation_then_rule_then_hint(folder, tell):
    for times in (1, 2, 3):
        write(folder, "02", FIGURE1.wrong["only-y2"].program + "\n" * times)
        for _ in range(2):  # the same program counts once
            code, shown = tell("check", "02")
            assert code == 1
            assert ("you followed y2 but not y1" in " ".join(shown.split()) and "[M93]" in shown) == (times > 1), shown
            assert ("Hint 1: " in shown) == (times > 2)
    assert "Hint 2 of 3" in tell("hint", "02")[1]  # the first one has been told
    write(folder, "02", FIGURE1.wrong["square-late"].program)
    assert "[M67]" not in tell("check", "02")[1]
    write(folder, "02", FIGURE1.wrong["square-late"].program + "\n")
    assert "The mistake: the rule of one function holds for another one. [M67]" in " ".join(tell("check", "02")[1].split())


def test_a_program_that_fails_is_told_with_its_own_line(folder, tell):
    write(folder, "02", "x = 1\n1 / 0\n")
    code, shown = tell("check", "02")
    assert code == 1 and "02_figure1.py:2" in shown and "ZeroDivisionError" in shown
    write(folder, "02", "def f(:\n")
    code, shown = tell("check", "02")
    assert code == 1 and "02_figure1.py:1" in shown and "SyntaxError" in shown
    write(folder, "02", "import os\nos._exit(0)\n")
    code, shown = tell("check", "02")
    assert code == 1 and "The program ended before it answered" in shown
    write(folder, "02", "raise ValueError('\\x1b[2J')\n")
    code, shown = tell("check", "02")
    assert code == 1 and "ValueError" in shown and "\x1b[2J" not in shown


def test_what_is_not_a_program_ends_with_2(folder, tell, tmp_path, monkeypatch):
    path = folder.file(FIGURE1)
    path.write_bytes(b"\xff\xfe")
    assert tell("check", "02") == (2, "tutorial: 02_figure1.py is not text in UTF-8; save it as UTF-8\n")
    path.write_bytes(b"#" * (MOST_BYTES + 1))
    assert tell("check", "02")[0] == 2
    path.unlink()
    code, shown = tell("check", "02")
    assert code == 2 and "exercises reset 02" in shown
    if hasattr(os, "symlink") and os.name != "nt":
        path.symlink_to("/etc/passwd")
        assert tell("check", "02") == (2, "tutorial: 02_figure1.py is not a file\n")
    code, shown = tell("check", "99")
    assert code == 2 and "there is no exercise '99'" in shown
    monkeypatch.chdir(tmp_path)
    code, shown = tell("check")
    assert code == 2 and "exercises init DIR" in shown


def test_a_failure_of_the_checker_is_not_the_students(folder, tell, monkeypatch):
    monkeypatch.setattr(processes, "WORKER", folder.path / "missing.py")
    write(folder, "02", FIGURE1.solution)
    code, shown = tell("check", "02")
    assert code == 3 and "The checker failed, not your program" in shown
    assert not folder.progress.of


def test_all_are_those_that_were_begun_and_the_worst_decides_the_exit_code(folder, tell):
    folder.file(FIRST).unlink()
    assert tell("check", "all") == (0, "No file has changed yet.\n")
    write(folder, "02", FIGURE1.solution)
    code, shown = tell("check", "all")
    assert code == 0 and shown.count("✓ Right") == 1
    write(folder, "08", find("08").wrong["overwrite"].program)
    code, shown = tell("check", "all")
    assert code == 1 and shown.count("✓ Right") == shown.count("✗ a is wrong") == 1


def test_hints_come_one_after_the_other(folder, tell):
    for k in (1, 2, 3, 3):
        code, shown = tell("hint", "02")
        assert code == 0 and shown.count("Hint ") == k


def test_a_number_is_predicted(folder, tell, monkeypatch):
    for typed, code in (("16\n", 0), ("14\n", 1), ("abc\n", 2), ("", 2)):
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        found, shown = tell("predict", "02")
        assert found == code and "What is" in shown
    assert number_in("1/3") * 3 == 1 and number_in("−2.5") == -2.5
    assert number_in("1/0") is None and number_in("9" * 99) is None


def test_reset_keeps_the_students_program(folder, tell):
    write(folder, "02", "mine")
    code, shown = tell("reset", "02")
    assert code == 0 and "02_figure1.before-reset.py" in shown
    assert folder.program(FIGURE1) == program_to_write(FIGURE1)
    assert (folder.path / "02_figure1.before-reset.py").read_text() == "mine"


def test_the_graph_on_which_a_program_is_wrong_is_a_page(folder, tell):
    code, shown = tell("show", "08")
    assert code == 0 and "08.html" in shown
    assert "your answer and the right one" in (folder.path / "08.html").read_text(encoding="utf-8")


def test_a_saved_file_is_noticed_once_and_one_that_is_saved_unchanged_is_not(folder):
    session, texts = Session(folder, Printer(io.StringIO())), iter(["a", "b", "b", "b", "c"])
    saved = session.saved(lambda: write(folder, "04", next(texts)))
    assert [(next(saved).number, folder.program(find("04"))) for _ in "abc"] == [("04", "a"), ("04", "b"), ("04", "c")]


@pytest.mark.parametrize("content", ["", "{", "[]", '{"schema": "other"}', '{"schema": "tutorial/state/v1"}'])
def test_a_broken_state_counts_as_empty(folder, tell, content):
    (folder.path / STATE).write_text(content)
    assert tell("check", "02")[0] == 1
    assert json.loads((folder.path / STATE).read_text())["exercises"]["02"]["attempts"] == 1


def test_the_report_can_be_written_in_ascii(folder):
    file = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    session = Session(folder, Printer(file))
    session.where()
    session.check(["02"])
    session.show("02")
    file.flush()
    assert b"y1 = x1 + x2" in file.buffer.getvalue()


def test_a_folder_is_found_from_within(folder):
    assert Folder.around(folder.path / "below" / "that").path == folder.path.resolve()
    with pytest.raises(NoFolder, match="init DIR"):
        Folder.around(folder.path.parent)


def test_a_notebook_takes_the_place_of_a_program_and_is_checked_like_one(folder, tell):
    assert tell("notebook", "02") == (0, "02_figure1.ipynb is in the place of 02_figure1.py.\n")
    assert tell("notebook", "02") == (0, "02_figure1.ipynb is there already.\n")
    path = folder.file(FIGURE1)
    assert path.name == "02_figure1.ipynb" and not folder.begun(FIGURE1)
    assert tell("check", "02")[0] == 1 and "Not started" in tell("check", "02")[1]
    for program, said in ((FIGURE1.solution, " Right\n"), (FIGURE1.wrong["only-y2"].program, " x4 is wrong\n")):
        cells = json.loads(path.read_text(encoding="utf-8"))
        cells["cells"][1]["source"] = f"%matplotlib inline\n!ls\n{program}\nprint(figure1(1, 2, 3, 4))"
        path.write_text(json.dumps(cells), encoding="utf-8")
        assert folder.begun(FIGURE1) and said in tell("check", "02")[1]
    path.write_text("{", encoding="utf-8")
    said = "tutorial: 02_figure1.ipynb cannot be read: it is not a notebook; save it again with Jupyter\n"
    assert tell("check", "02") == (2, said)
    assert tell("reset", "02")[0] == 0 and (folder.path / "02_figure1.before-reset.ipynb").read_text() == "{"
    write(folder, "08", find("08").solution)
    assert "You have begun 08_backprop_dict.py" in tell("notebook", "08")[1]


def test_what_is_handed_in_is_the_programs_that_were_begun_and_nothing_else(folder, tell):
    assert tell("submit") == (1, "tutorial: no file has changed yet, so there is nothing to hand in\n")
    write(folder, "02", FIGURE1.solution)
    write(folder, "08", find("08").wrong["overwrite"].program)
    (folder.path / "notes.py").write_text("mine")
    code, shown = tell("submit")
    assert code == 0 and " 02 Figure 1 on paper: Right" in shown and " 08 Backpropagation with a dictionary: a is wrong" in shown
    assert f"2 programs, {len(exercises()) - 2} exercises not started. Written: submission.zip" in shown
    content = (folder.path / "submission.zip").read_bytes()
    assert hashlib.sha256(content).hexdigest() in shown.replace("\n", "")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert {name: archive.read(name).decode() for name in archive.namelist()} == {
            "02_figure1.py": FIGURE1.solution,
            "08_backprop_dict.py": find("08").wrong["overwrite"].program,
        }
    assert tell("submit", "-o", "again.zip")[0] == 0 and (folder.path / "again.zip").read_bytes() == content
    folder.file(FIGURE1).write_bytes(b"\xff\xfe")
    assert tell("submit")[0] == 2 and (folder.path / "submission.zip").read_bytes() == content


def test_a_file_that_cannot_be_read_does_not_stop_the_others(folder, tell):
    folder.file(FIRST).write_bytes("x = 'é'".encode("latin-1"))
    write(folder, "02", FIGURE1.solution)
    code, shown = tell("check", "all")
    assert code == 2 and "✓ Right" in shown and f"{folder.file(FIRST).name} is not text in UTF-8" in shown
    code, shown = tell("check", "00", "2")
    assert code == 2 and "✓ Right" in shown
    assert tell("check", "2", "99")[0] == 2


def test_a_file_that_an_earlier_version_gave_is_not_the_students(folder, tell, monkeypatch):
    old = program_to_write(FIGURE1)
    monkeypatch.setattr("tutorial.exercises.practice.folder.program_to_write", lambda exercise: f"{old}\n# new\n")
    assert not Folder(folder.path).begun(FIGURE1)
    code, shown = tell("check", "02")
    assert code == 1 and "Not started" in shown and "exercises reset 02" in " ".join(shown.split())
    tell("reset", "02")
    assert folder.program(FIGURE1) == f"{old}\n# new\n" and not Folder(folder.path).begun(FIGURE1)
    write(folder, "02", old + "x = 1\n")
    assert Folder(folder.path).begun(FIGURE1)


def test_a_solved_exercise_may_be_wrong_now(folder, tell):
    for program, state in ((FIGURE1.solution, "✓ 02 Figure 1 on paper"), (FIGURE1.wrong["only-y2"].program, "✗ 02 Figure 1 on paper")):
        write(folder, "02", program)
        tell("check", "02")
        assert state in tell("list")[1]
    assert "solved, now wrong\n" in tell("list")[1] and "solved (1 now wrong)" in tell("progress")[1]


def test_a_reset_copies_only_what_is_the_students_and_loses_nothing(folder, tell):
    assert "Yours" not in tell("reset", "02")[1] and not list(folder.path.glob("*before*"))
    for text in ("one", "two"):
        write(folder, "02", text)
        tell("reset", "02")
    assert [path.read_text() for path in sorted(folder.path.glob("*before*"))] == ["two", "one"]


def test_the_current_folder_needs_no_cd(folder, capsys):
    assert main(["exercises", "init", "."]) == 0
    shown = capsys.readouterr().out
    assert "cd" not in shown and "The exercises are in this folder. Next:\n" in shown


def test_what_is_said_of_a_wrong_prediction(folder, tell, monkeypatch):
    for typed, said in (("14", "14 is not right. You followed only the path over y₂."), ("13", "13 is not right. Try again on paper")):
        monkeypatch.setattr(sys, "stdin", io.StringIO(f"{typed}\n"))
        assert said in tell("predict", "02")[1]


def test_the_page_says_what_the_check_says_at_this_time(folder, tell):
    for times in (1, 2):
        write(folder, "08", find("08").given + "\n" * times)
        tell("check", "08")
        tell("show", "08")
        html = (folder.path / "08.html").read_text(encoding="utf-8")
        assert ("You overwrote" in html) == (times == 2) and 'href="08-steps.html"' in html
    assert "should be" in (folder.path / "08-steps.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(("value", "bold"), [("1", False), ("", True)])
def test_without_colours_nothing_is_bold(monkeypatch, value, bold):
    monkeypatch.setenv("NO_COLOR", value)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    file = io.StringIO()
    Printer(file).say("text", "bold")
    assert ("\x1b[1m" in file.getvalue()) == bold


def test_what_is_indented_goes_on_further_right():
    file = io.StringIO()
    Printer(file).say("    " + "word " * 30, indent=2)
    first, second, *_ = file.getvalue().splitlines()
    assert first.startswith(" " * 6 + "word") and second.startswith(" " * 10 + "word") and len(first) <= 80


def test_one_exercise_is_checked_without_reading_the_others(folder, tell, monkeypatch):
    monkeypatch.setattr("tutorial.exercises.authored.exercises", None)
    assert FIRST.title in tell("check")[1] and FIRST.title in tell()[1]
    assert "Not started" in tell("--folder", ".", "check", "02")[1]


def test_the_next_exercise_is_the_next_of_the_list(folder, tell):
    listed = re.findall(r"^. (\d\d) ", tell("list")[1], re.M)
    assert listed == sorted(listed) and len(listed) == len(exercises())
    for number in listed[:7]:
        assert tell()[1].startswith(f"{number} ")
        folder.progress.entry(number)["solved"] = True
        folder.progress.save()
