"""Programs are taken out of a notebook by name or by heading; only definitions, assignments and the imports that they use."""

import json

import pytest

from tests.each import each
from tutorial.exercises.authored import find
from tutorial.exercises.checking.check import check
from tutorial.exercises.practice.notebook_programs import programs_in

PLOT = "import numpy as np\nimport matplotlib.pyplot as plt\n%matplotlib inline\nplt.plot([1])\nfor k in range(3): print(k)"


def notebook(*cells):
    """Return the text of a notebook of code cells; a cell that begins with ## is Markdown."""
    kinds = [{"cell_type": "markdown" if cell.startswith("##") else "code", "source": cell.splitlines(True)} for cell in cells]
    return json.dumps({"cells": kinds, "nbformat": 4})


def test_functions_are_taken_by_name_and_nothing_else_runs():
    known = [find("02"), find("08"), find("19")]
    found = programs_in(notebook(PLOT, find("02").solution, find("19").solution + "unbroadcast(1, 2)"), known)
    assert sorted(found) == ["02", "19"] and "plt" not in found["02"] and "unbroadcast(1, 2)" not in found["19"]
    assert all(check(find(number), program).state == "right" for number, program in found.items())


@pytest.mark.parametrize("number", ["10", "17", "27", "31", "33", "35"])
def test_an_import_that_only_the_frame_uses_is_taken(number):
    """The frame is what the exercise adds to the program; the import stands in the text that the student got."""
    imports = {"10": "import math"}.get(number, "import numpy as np")
    assert imports in programs_in(notebook(PLOT, imports, find(number).given), [find(number)])[number].splitlines()
    assert "plt" not in programs_in(notebook(PLOT, find(number).given), [find(number)])[number]


def test_a_heading_says_to_which_exercise_the_cells_below_it_belong():
    cells = ["STEP = 0.1", "## 11 Values", find("11").solution, "# 12. Backward\n" + find("12").solution, find("16").solution]
    found = programs_in(notebook(*cells), map(find, ("11", "12", "16")))
    assert sorted(found) == ["11", "12"] and all(program.startswith("STEP = 0.1\n") for program in found.values())
    assert check(find("11"), found["11"]).state == check(find("12"), found["12"]).state == "right"


def test_a_cell_that_is_not_python_stays_so_that_the_student_sees_why():
    found = programs_in(notebook("## 02", "def figure1(:\n    return"), [find("02")])
    assert check(find("02"), found["02"]).state == "crashed"


def test_a_cell_that_is_not_python_keeps_its_line_numbers_without_its_magics():
    """An error names a line, which the student looks for in the cell."""
    found = programs_in(notebook("## 02", "%matplotlib inline\n!pip list\ndef figure1(:\n    return\n  ?figure1"), [find("02")])
    assert found["02"].split("\n") == ["", "", "def figure1(:", "    return", "", ""]


def test_a_decorated_function_is_taken_with_its_decorators():
    cell = "from functools import cache\nseen = []\n\n@cache\n@seen.append\ndef figure1(x1):\n    return {}\n"
    assert programs_in(notebook(cell), [find("02")])["02"] == cell.replace("\n\n", "\n")


@each("text", ["", "[]", "{}", '{"cells": 3}', '{"cells": [{}]}', '{"cells": [{"cell_type": "code", "source": [1]}]}', "[" * 10**5])
def test_what_is_not_a_notebook_is_refused(text):
    with pytest.raises(ValueError, match="not a notebook"):
        programs_in(text, [find("02")])
