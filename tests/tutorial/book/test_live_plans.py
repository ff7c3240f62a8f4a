"""The lessons with `teach live` take twenty minutes, and ask and show what their chapters have."""

from tests.each import each
from tests.tutorial.book.test_recaps import asked
from tutorial.book.teaching.live_plans import PLANS, Ask, Show, live_lessons
from tutorial.reading.chapter import BOOK


@each("plan", PLANS, ids=lambda plan: plan.title)
def test_a_lesson_takes_twenty_minutes_with_questions_and_a_player_of_its_chapter(plan):
    text = (BOOK / "chapters" / f"{plan.chapter}.md").read_text(encoding="utf-8")
    questions = [question.question for question in asked(text)]
    assert sum(step.minutes for step in plan.steps) == 20
    for step in plan.steps:
        assert not isinstance(step, Ask) or sum(question.startswith(step.question) for question in questions) == 1, step
        assert not isinstance(step, Show) or f'"{step.player}"' in text, step


def test_only_lessons_whose_chapter_is_there_are_listed():
    assert live_lessons({"descent"}) == [] and "".join(live_lessons({"broadcasting"})).count("20:00") == 0
    assert "".join(live_lessons({plan.chapter for plan in PLANS})).count("| 0:00 |") == len(PLANS) == 3
