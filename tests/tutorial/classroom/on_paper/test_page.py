"""Exercises on paper: the sheets ask for everything and give no answer away, the solutions are on pages of their own."""

import re
from html import unescape

import pytest

from tutorial.book import site
from tutorial.classroom.on_paper.page import code, html, paper_page, solution, task
from tutorial.cli.main import main
from tutorial.exercises.authored import TO_WRITE, exercises, find
from tutorial.exercises.check_part import checks
from tutorial.exercises.checking.check import known


def text_of(html):
    return re.sub(r"\s+", " ", unescape(re.sub(r"<(?!br)[^>]*>", " ", re.sub(r"<style.*?</style>", "", html, flags=re.S))))


def lines_of(html):
    """Return the lines of all programs in HTML, without their indent."""
    programs = "\n".join(re.findall(r'<pre.*?</pre>|<ol class="program.*?</ol>', html, flags=re.S))
    return {line.strip() for line in unescape(re.sub(r"<[^>]*>", "", programs.replace("</li>", "\n"))).splitlines()}


def test_every_exercise_has_a_sheet_that_shows_what_is_given_and_not_the_solution():
    for exercise in exercises():
        sheet = task(exercise)
        given, right = ({line.strip() for line in text.splitlines()} for text in (exercise.given, exercise.solution))
        shown = lines_of(sheet)
        assert given - {"", TO_WRITE} <= shown, exercise.number
        in_the_statement = lines_of(html(exercise.statement))
        assert not (right - given - in_the_statement) & shown, exercise.number
        assert sheet.count("<p></p>") >= 2 and TO_WRITE not in unescape(sheet), exercise.number
        asked = checks(exercise).predict
        assert (f"Predict. {asked[0]}" if asked else "Predict.") in text_of(sheet) or not asked
        assert not asked or str(asked[1]) not in text_of(re.search(r'<p class="predict">.*?</p>', sheet)[0]).split()[-1]


def test_the_solution_has_the_program_and_what_the_check_says_of_every_wrong_answer():
    exercise = find("08")
    sheet = solution(exercise)
    assert {line.strip() for line in exercise.solution.splitlines()} <= lines_of(sheet)
    assert all(verdict.said in text_of(sheet) and verdict.name in text_of(sheet) for verdict in known(exercise))
    assert "[M03]" in sheet and all(hint in text_of(sheet) for hint in checks(exercise).hints)


def test_formulas_are_mathml_and_programs_have_colours():
    assert "<mfrac>" in html(r"is $\frac{dz}{dx}$") and 'display="block"' in html("$$\nx_1\n$$")
    assert 'class="formula" tabindex="0"' in html("$$x_1$$") and "<mfrac>" not in html("`$x$`")
    assert '<span class="k">return</span>' in code("def f():\n    return 1")
    assert html("the {term}`leaf` &lt; <b>") == "<p>the leaf &lt; <b></p>\n"


def test_the_command_writes_the_chosen_exercises(tmp_path, capsys, monkeypatch):
    path = tmp_path / "paper.html"
    assert main(["teach", "handout", "8", "2", "-o", str(path)]) == 0
    text = path.read_text(encoding="utf-8")
    assert re.findall(r"<h1>(.*?)</h1>", text) == ["02 Figure 1 on paper", "08 Backpropagation with a dictionary"]
    assert "<script" not in text and "default-src 'none'" in text and "solution" not in text_of(text)
    assert main(["teach", "handout", "8", "--solutions", "-o", str(path)]) == 0
    assert path.read_text(encoding="utf-8") == paper_page([find("08")], solutions=True)
    assert text_of(path.read_text(encoding="utf-8")).count("Backpropagation with a dictionary: solution") == 1
    assert main(["teach", "handout", "99", "-o", str(path)]) == 2 and "no exercise or unit '99'" in capsys.readouterr().err
    monkeypatch.setattr(site, "PACKAGES", ("no_such_package",))
    assert main(["teach", "handout", "8", "-o", str(path)]) == 2 and "no_such_package" in capsys.readouterr().err


def test_the_same_exercises_give_the_same_bytes():
    assert paper_page([find("11")], True) == paper_page([find("11")], True)
    with pytest.raises(KeyError):
        paper_page([find("99")])
