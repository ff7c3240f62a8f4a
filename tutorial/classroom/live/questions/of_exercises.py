"""Questions of exercises: the number that an exercise asks for before its program is written."""

from collections.abc import Iterator
from html import escape

from tutorial.classroom.live.questions.numbers import OTHER
from tutorial.classroom.live.questions.question import Choice, Code, Question
from tutorial.exercises.authored import exercises
from tutorial.exercises.check_part import checks
from viz.questions.quiz import agrees, parse
from viz.text.formatter import UNICODE


def exercise_questions(chapter, title) -> Iterator[Question]:
    """Yield a question for each exercise of a chapter that asks for a number. Beside it stands the program that students get.

    >>> asked, *_ = exercise_questions("inductive-chain-rule", "")
    >>> asked.plain, [choice.plain for choice in asked.choices], asked.typed("16.0"), asked.typed("14")
    ('What is dz/dx₄ at x = (2, 3, 5, 7)?', ['16', 'another number'], 0, 1)
    """
    for found in exercises():
        predicted = None if found.meta["chapter"] != chapter or found.recorded else checks(found).predict
        if predicted:
            asked, right, *more = predicted
            yield number_question(found, asked, right, " ".join(more), title, chapter)


def number_question(exercise, asked, right, said, title, chapter) -> Question:
    text = UNICODE.number(right)
    choices = Choice(text, f"It is {escape(text)}.", "", text), Choice(OTHER, escape(said), "", OTHER)
    typed = lambda given: 0 if agrees(parse(given), right) else 1
    return Question(f"exercise-{exercise.number}", title, escape(asked), choices, 0, (Code(exercise.given.strip()),), asked, chapter, typed)
