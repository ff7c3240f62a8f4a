"""A recap page asks five questions about earlier chapters. Each wrong answer is named by what exercises diagnose, too."""

import json
import re

from tests.each import each
from tutorial.cli.main import main
from tutorial.misconceptions import MISCONCEPTIONS, OF_ANSWERS
from tutorial.reading.chapter import BOOK, NOTHING, blocks_of, chapters, with_recaps
from tutorial.reading.notebook import notebook
from viz.questions.mistakes import KINDS

INDEX = (BOOK / "index.md").read_text(encoding="utf-8")
RECAPS = sorted(path.stem for path in (BOOK / "recaps").glob("*.md"))
NUMBERS = {chapter.name: chapter.number for chapter in chapters()}


QUESTION = re.compile(r"^:::\{predict\}.*?^:::$", re.M | re.S)
DIAGNOSED = {  # in the marks of wrong answers
    id
    for path in (BOOK.parent / "exercises" / "catalogue").glob("e[0-9]*.py")
    for id in re.findall(r"^ *# (?:~|MUTANT) [\w-]+ (M\d{2,3})\b", path.read_text(encoding="utf-8"), re.M)
}


def asked(text):
    """Return the questions of a page. (To read all its blocks, exercises too, takes fifty times as long.)"""
    return [blocks_of(question)[0] for question in QUESTION.findall(text)]


@each("name", RECAPS)
def test_a_recap_page_has_five_questions_whose_wrong_answers_have_a_name(name):
    questions = asked((BOOK / "recaps" / f"{name}.md").read_text(encoding="utf-8"))
    assert len(questions) == 5 and len({q.right for q in questions}) > 1
    assert {id for question in questions for id in question.believes} - {NOTHING} <= DIAGNOSED


@each("name", RECAPS)
def test_a_recap_page_asks_about_chapters_that_stand_before_it(name):
    before = re.findall(r"^chapters/([\w-]+)$", INDEX.partition(f"\nrecaps/{name}\n")[0], re.M)
    questions = asked((BOOK / "recaps" / f"{name}.md").read_text(encoding="utf-8"))
    assert f"\nrecaps/{name}\n" in INDEX and {q.recalls for q in questions} <= set(before)
    assert NUMBERS[before[-1]] == len(before), "a table without a caption has the part of the one before it"


@each("path", sorted((BOOK / "recaps").glob("*.md")) + sorted((BOOK / "chapters").glob("*.md")), ids=lambda path: path.stem)
def test_each_wrong_choice_names_its_misconception(path):
    for question in asked(path.read_text(encoding="utf-8")):
        believed = list(question.believes)
        assert len(believed) == len(question.choices) and believed.pop(question.right - 1) == NOTHING, question.question
        assert set(believed) <= set(MISCONCEPTIONS), question.question


def test_each_mistake_that_the_player_recognises_has_a_misconception():
    assert OF_ANSWERS.keys() == KINDS.keys() - {"other", "shown"} and set(OF_ANSWERS.values()) <= set(MISCONCEPTIONS)


@each("chapter", chapters()[1:], ids=lambda chapter: chapter.name)
def test_what_a_chapter_recalls_stands_before_it_and_is_asked_at_its_start(chapter):
    """Its first question is about an earlier chapter, and no other one is."""
    first, *others = asked(chapter.markdown)
    assert NUMBERS[first.recalls] < chapter.number and not any(question.recalls for question in others)


def test_recaps_are_read_in_the_terminal_where_they_stand_in_the_book(capsys):
    assert main(["read"]) == 0
    listed = re.findall(r"([\w-]+)$", capsys.readouterr().out, re.M)
    assert [name for name in listed if name.startswith("recap-")] == ["recap-numbers", "recap-arrays", "recap-engines", "recap-networks"]
    assert listed.index("recap-numbers") == listed.index("descent") - 1
    assert main(["read", "recap-numbers"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert text.startswith("Recap: five questions on numbers") and text.count("Do you remember?") == 5


def test_where_a_recap_names_a_mistake_it_says_what_is_believed(capsys):
    for page in with_recaps():
        if not page.number:
            main(["read", page.name])
            for text in (" ".join(capsys.readouterr().out.split()), notebook(page)):
                named = re.findall(r"\[(M\d{2,3})\]", text)
                assert len(named) > 8 and all(f"{MISCONCEPTIONS[id]}. [{id}]" in text for id in named), page.name


def test_a_recap_is_a_notebook_of_text(tmp_path):
    assert main(["notebook", "recap-arrays", "-o", str(tmp_path / "n.ipynb")]) == 0
    (cell,) = json.loads((tmp_path / "n.ipynb").read_text(encoding="utf-8"))["cells"]
    assert "This notebook is a page of the book" in cell["source"] and cell["source"].count("<summary>The replies</summary>") == 5
