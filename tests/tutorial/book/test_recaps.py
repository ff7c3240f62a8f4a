"""A recap page asks five questions about earlier chapters. Each wrong answer is named by what exercises diagnose, too."""

import re

from tests.each import each
from tutorial.book.reading.chapter import BOOK, NOTHING, blocks_of, chapters
from tutorial.misconceptions import MISCONCEPTIONS, OF_ANSWERS
from viz.mistakes import KINDS

INDEX = (BOOK / "index.md").read_text(encoding="utf-8")
RECAPS = sorted(path.stem for path in (BOOK / "recaps").glob("*.md"))
NUMBERS = {chapter.name: chapter.number for chapter in chapters()}


QUESTION = re.compile(r"^:::\{predict\}.*?^:::$", re.M | re.S)
DIAGNOSED = {  # in the marks of wrong answers
    id
    for path in (BOOK.parent / "exercises").glob("e[0-9]*.py")
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
