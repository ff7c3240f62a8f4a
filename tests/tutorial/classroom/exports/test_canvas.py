"""The CSV file for Canvas: its head, the row of points, identities from a roster, and one clear line if a student is not in it once."""

import csv
import io

import pytest

from tests.each import each
from tests.tutorial.classroom.exports.results_for_tests import HOSTILE, UNGRADED, hostile, result
from tutorial.classroom.exports.csv_cells import is_formula
from tutorial.classroom.exports.students import read_roster
from tutorial.cli.main import main

HEAD = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
ROSTER = 'student,Student,ID,SIS User ID,SIS Login ID,Section\nada,"Lovelace, Ada",7,u7,ada@x.org,A\nbob,,8,,bob@x.org,A\n'
BAD = {  # what is wrong: the roster, and a part of the message
    "missing": (ROSTER.replace("bob", "eve"), "bob is not in the roster"),
    "twice": (f"{ROSTER}ada,,9,,,\n", "ada stands twice in the roster"),
    "an ID twice": (f"{ROSTER}eve,,8,,,\n", "ID 8 of eve stands twice"),
    "a formula": (ROSTER.replace("u7", "=1+1"), "SIS User ID of ada in the roster"),
    "no student": (ROSTER.replace("student", "name", 1), "no column 'student'"),
    "too many cells": (f"{ROSTER}eve,,9,,,,,\n", "more cells than the head"),
    "not text": (ROSTER.encode("utf-16"), "not a CSV file in UTF-8"),
}


def read(text):
    return list(csv.reader(io.StringIO(text)))


def test_the_file_has_the_columns_of_canvas_and_the_points_below_the_head(export, tmp_path):
    (tmp_path / "roster.csv").write_text(ROSTER)
    results = [result("ada"), result("ada", "03", most=3), result("bob"), result("bob", "03", state=UNGRADED, most=3)]
    head, points, ada, bob = read(export("canvas", results, roster=read_roster(tmp_path / "roster.csv"), assignment="Exercises (77)"))
    assert head == [*HEAD, "Exercises (77)"] and points == ["    Points Possible", "", "", "", "", "5"]
    assert ada == ["Lovelace, Ada", "7", "u7", "ada@x.org", "A", "5"]
    assert bob == ["bob", "8", "", "bob@x.org", "A", ""]  # Canvas leaves the grade of an empty cell as it is


def test_a_roster_may_begin_with_the_mark_that_spreadsheets_write(tmp_path):
    """Excel saves CSV in UTF-8 with a byte order mark, which would become a part of the first column's name."""
    (tmp_path / "roster.csv").write_bytes(b"\xef\xbb\xbf" + ROSTER.encode())
    assert read_roster(tmp_path / "roster.csv")["ada"]["ID"] == "7"


@each("what", BAD)
def test_a_roster_in_which_a_student_is_not_found_once_is_refused_in_one_line_and_nothing_is_written(what, export, tmp_path, capsys):
    roster, said = BAD[what]
    (tmp_path / "roster.csv").write_bytes(roster.encode() if isinstance(roster, str) else roster)
    export("csv", [result("ada"), result("bob")], to=tmp_path / "grades.csv")  # which writes results.jsonl
    capsys.readouterr()
    words = [
        str(tmp_path / "results.jsonl"),
        "--to",
        "canvas",
        "--roster",
        str(tmp_path / "roster.csv"),
        "-o",
        str(tmp_path / "canvas.csv"),
    ]
    assert main(["teach", "export", *words]) == 2
    printed = capsys.readouterr().err
    assert said in printed and printed.count("\n") == 1
    assert not (tmp_path / "canvas.csv").exists() and not list(tmp_path.glob(".*"))


def test_without_a_roster_the_folder_is_the_name_and_no_cell_is_a_formula(export):
    _, _, *students = read(export("canvas", hostile()))
    assert len(students) == len(HOSTILE) and all(len(cells) == 6 for cells in students)
    assert not any(is_formula(text) for cells in students for text in cells)
    with pytest.raises(ValueError, match="begins as a formula"):
        export("canvas", [result("ada")], assignment="=1")
