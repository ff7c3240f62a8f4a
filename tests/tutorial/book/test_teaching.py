"""The teacher's page takes its times and outcomes from the chapters, and its answers from the built pages."""

import json
import re
from types import SimpleNamespace

import pytest

from tests.each import swept
from tests.viz.script_data import script_data
from tutorial.book.teaching import answers, files, plan
from tutorial.book.teaching.files import CHOSEN, short_of
from tutorial.classroom.on_paper.page import paper_page
from tutorial.exercises.authored import find
from tutorial.reading.chapter import BOOK, Cell, Chapter, Predict, chapters, walk

PAGE = """<form class="predict" data-right="2"><fieldset><legend><span class="tag">Predict</span> How much?</legend>
<label><input type="radio" name="choice" value="1" aria-label="a"> 0.8</label><details class="reply" data-choice="1"><summary>the
reply</summary><p>One path only.</p></details><label><input type="radio" name="choice" value="2"> 1.1</label><details class="reply"
data-choice="2"><summary>the reply</summary><p>Both.</p></details></fieldset></form>
<details class="sd-sphinx-override sd-dropdown sd-card"><summary class="x">Hint 1</summary><div><p>Add.</p></div></details>
<section id="a-common-mistake"><h2>A common mistake</h2><p><em>“It is 2.”</em> No.</p></section>
<section id="questions"><h2>Questions</h2>
<details class="sd-sphinx-override sd-dropdown sd-card"><summary class="x">Why?</summary><div><p>Because 3.</p></div></details>
<details class="sd-sphinx-override sd-dropdown sd-card"><summary class="x">When?</summary><div><p>Now.</p></div></details></section>"""


def test_the_answers_of_a_chapter_are_its_right_choices_and_the_answers_to_its_questions():
    found = answers.answers(PAGE)
    assert "<strong>How much?</strong></p><p>✓ 1.1</p><p>Both.</p>" in found and "One path only" not in found
    assert "<strong>Why?</strong></p><div><p>Because 3.</p></div>" in found and "Hint 1" not in found


def test_the_mistakes_of_a_chapter_are_its_wrong_choices_with_their_replies():
    found = answers.mistakes(PAGE)
    assert "<dt>If they say “0.8”</dt><dd><p>One path only.</p></dd>" in found and "1.1" not in found


def test_a_class_ends_with_the_first_question_which_finds_the_common_mistake():
    found = answers.last_minutes("small", PAGE)
    assert "<em>“It is 2.”</em>" in found and "Ask: <strong>Why?</strong>" in found and "Because 3." in found and "When?" not in found


def test_a_chapter_without_the_words_of_its_mistake_is_an_error_and_italics_of_a_later_section_are_not_taken_for_them():
    silent = PAGE.replace("<em>“It is 2.”</em> No.", "No.") + "<section><p><em>PyTorch calls this</em></p></section>"
    with pytest.raises(ValueError, match=r"^small: the section \*A common mistake\* must begin .* in italics"):
        answers.last_minutes("small", silent)


@pytest.mark.parametrize("left_out", ['<section id="questions">', 'sd-dropdown sd-card"><summary class="x">W'])
def test_a_chapter_without_questions_is_named(left_out):
    with pytest.raises(ValueError, match=r"^small: a chapter ends with the section \*Questions\*"):
        answers.last_minutes("small", PAGE.replace(left_out, "<p>"))


def test_filling_a_page_again_changes_nothing(tmp_path):
    path = tmp_path / "teachers.html"
    path.write_text(f"<p>before</p>{plan.mark('mistakes')}<p>after</p>")
    answers.place(path, "mistakes", '<img src="_images/x.svg"><div>1</div>')
    once = path.read_text()
    answers.place(path, "mistakes", '<img src="_images/x.svg"><div>1</div>')
    assert path.read_text() == once and once.startswith("<p>before</p>") and once.endswith("<p>after</p>") and 'src="_images/x.svg"' in once


def test_a_term_has_every_chapter_once_in_its_order_and_its_minutes():
    known = chapters()
    text = dict(plan.pages(BOOK, None))["teachers.md"]
    table = text.partition("## A term of 10 weeks")[2].partition("## ")[0]
    assert re.findall(r"\(chapters/(.*?)\.md\)", table) == [c.name for c in known]
    weeks = re.findall(r"^\| \d+ \|.*\| (\d+) \| (\d+) \|$", table, re.M)
    assert len(weeks) == 10 and sum(int(minutes) for minutes, _ in weeks) == sum(c.minutes for c in known)
    assert sum(int(minutes) for _, minutes in weeks) == sum(plan.minutes_of_exercises()[c.name] for c in known) > 0
    assert "## A class of 20 minutes" in text and all("learners can |\n" in text for _ in known)


def test_a_chapter_without_an_outcome_is_named():
    with pytest.raises(ValueError, match="small: a chapter says what the reader will be able to do"):
        plan.able_to(Chapter("small", "Small", 1, "", 5, "**Time:** 5 minutes."))


def test_each_chosen_plan_is_that_of_a_chapter():
    assert CHOSEN.keys() <= {c.name for c in chapters()}


@swept("chapter", chapters(), every=6, ids=lambda chapter: chapter.name)
def test_each_chapter_has_a_short_plan_whose_question_player_and_exercise_are_in_it(chapter):
    short = short_of(chapter)
    asked = [block for block in walk(chapter.blocks) if isinstance(block, Predict) and not block.recalls]
    here = files.EXERCISE.findall(chapter.markdown)
    played = sum("play(" in block.source.replace("def play(", "") for block in walk(chapter.blocks) if isinstance(block, Cell))
    assert 1 <= short.question <= len(asked) and 1 <= short.player <= played
    assert short.exercise in here


def test_each_chapter_has_an_exercise_that_its_reader_can_do_in_20_minutes():
    minutes = {c.name: [int(find(number).meta["minutes"]) for number in files.EXERCISE.findall(c.markdown)] for c in chapters()}
    assert not [name for name, each in minutes.items() if min(each, default=99) > 20]


def test_a_chapter_offers_only_the_handouts_that_belong_to_it():
    known = {c.name: c for c in chapters()}
    assert [name for name, c in known.items() if "handout" in dict(files.prints(c, paper_page))] == ["inductive-chain-rule"]
    assert files.prints(known["descent"], paper_page) == [("exercises-descent", "the exercises on paper")]
    made = files.files(known.values(), paper_page)
    assert {name for c in known.values() for name, _ in files.prints(c, paper_page)} <= set(made)
    assert find("13").title in made["exercises-descent"]() and find("26").title not in made["exercises-descent"]()


def test_handouts_are_written_again_if_a_chapter_has_another_exercise(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "LESSONS", {})
    monkeypatch.setattr(files, "three_slides", lambda: "three slides")
    chapter = lambda number: Chapter("small", "Small", 1, "", 5, f"```{{exercise}} {number}\n```\n")
    written = tmp_path / "teachers" / "exercises-small.html"
    for number in ("00", "01", "01"):
        before = written.stat().st_mtime_ns if written.exists() else 0
        files.write(tmp_path, [chapter(number)], paper_page)
        assert find(number).title in written.read_text(encoding="utf-8")
    assert written.stat().st_mtime_ns == before, "nothing has changed"


def test_the_three_slides_of_figure_1_are_a_title_the_nudge_and_the_derivatives():
    slides = json.loads(script_data(SimpleNamespace(html=files.three_slides())))["slides"]
    assert len(slides) == 3 and [slide["act"] for slide in slides[1:]] == ["nudge", "backward"]
