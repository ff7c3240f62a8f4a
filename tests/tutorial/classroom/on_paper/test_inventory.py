"""The inventory on paper: each form shows its questions and no answer, the key stands apart, and the table of answers can be read."""

import re

import pytest

from tests.tutorial.classroom.on_paper.test_page import text_of
from tutorial.book.teaching import files, plan
from tutorial.classroom.inventory import FIRST, other_form_first
from tutorial.classroom.live.questions.question import LETTERS
from tutorial.classroom.live.questions.source import form
from tutorial.classroom.on_paper.inventory import pages
from tutorial.classroom.report.statistics.answers import is_table
from tutorial.cli.main import main
from tutorial.misconceptions import MISCONCEPTIONS
from tutorial.reading.chapter import BOOK


@pytest.fixture(scope="module")
def made():
    return pages()


def test_a_form_shows_each_question_and_its_choices_and_nothing_that_tells_an_answer(made):
    for letter in "AB":
        html, questions = made[f"form-{letter.lower()}.html"], form(letter)
        assert html.count('<span class="box">') == sum(len(question.choices) for question in questions)
        assert all(question.asked in html and all(choice.text in html for choice in question.choices) for question in questions)
        text = text_of(html)
        assert (
            f"(draft), form {letter}" in text
            and f"for those who were born on {FIRST[letter]} of a month" in text
            and "<script" not in html
            and not re.search(r"\[?M\d\d", text)
        )
        assert not any(
            choice.reply and choice.reply in html for question in questions for choice in question.choices if len(choice.reply) > 9
        )


def test_who_takes_which_form_on_paper_takes_it_on_phones():
    parity = {"an odd day": 1, "an even day": 0}
    for day in range(1, 32):
        before = "AB"[other_form_first(f"ET{day:02}", "")]
        assert parity[FIRST[before]] == day % 2


def test_the_key_names_the_right_letters_and_what_each_wrong_choice_believes(made):
    key = text_of(made["key.html"].replace("<br>", " "))
    letters = [LETTERS[question.right] for question in form("A")]
    assert " ".join(f"{k} {letter}" for k, letter in enumerate(letters, 1)) in key
    for question in form("A"):
        assert all(f"{MISCONCEPTIONS[choice.believes]} [{choice.believes}]" in key for choice in question.choices if choice.believes)
    assert "Form A: 0.4. 4 times the nudge 0.1. Form B: 1. 5 times the nudge 0.2." in key and "draft" in key


def test_the_sheet_for_interviews_says_what_to_ask_and_has_a_line_for_each_item(made):
    sheet = made["interview.html"]
    assert sheet.count('<td class="words"></td>') == 20 and "read as meant?" in sheet and "do not teach" in sheet and "draft" in sheet


def test_the_command_writes_a_folder_whose_table_the_report_reads(made, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["teach", "handout", "inventory"]) == 0
    assert {path.name for path in (tmp_path / "inventory").iterdir()} == set(made) and capsys.readouterr().out.count("Written") == len(made)
    assert is_table(tmp_path / "inventory" / "answers.csv")


def test_the_teachers_page_of_the_book_links_to_each_page(made, tmp_path, monkeypatch):
    monkeypatch.setattr(files, "files", lambda *about: {})
    text = dict(plan.pages(BOOK, None))["teachers.md"]
    files.write(tmp_path, inventory=lambda: made)
    linked = set(re.findall(r'href="teachers/(inventory-[^"]*)"', text))
    assert linked == {f"inventory-{name}" for name in made if name.endswith(".html")}
    assert all((tmp_path / "teachers" / name).stat().st_size < 400_000 for name in linked) and "It is a draft" in text
