"""Questions whose answer is a number or a small array: the derivatives that a player shows. What typical mistakes give is known.

A number is typed, and counted as the mistake that gives it. Of arrays one is chosen: on a phone nobody types six entries.
"""

from collections.abc import Iterator
from html import escape

from scalargrad.tracing.trace import Trace
from tutorial.classroom.live.questions.question import LETTERS, At, Choice, Picture, Question
from tutorial.misconceptions import OF_ANSWERS
from viz.drawing.draw import draw
from viz.questions.mistakes import mistakes
from viz.questions.quiz import agrees, asked_for, hint, parse, questions, right_number, why
from viz.text.array_text import is_array, numbers_of
from viz.text.formatter import UNICODE

MOST_VARIABLES = 12  # of a graph that can be read on a phone
MOST_MISTAKES = len(LETTERS) - 2  # beside the right number and any other one
MOST_ENTRIES = 9  # of an array whose choices can be told apart on a phone
OTHER, OTHER_ARRAY = "another number", "another array"


def can_be_read(trace) -> bool:
    """Return whether this is a trace, and its graph is small enough for a phone."""
    return isinstance(trace, Trace) and len(trace.graph.variables) <= MOST_VARIABLES


def number_questions(trace: Trace, name, title, chapter, page=0) -> Iterator[Question]:
    """Yield a question for each number or small array that the player of a small graph asks for, which is page number `page` of the lesson.

    >>> from scalargrad import Value
    >>> x = Value(3, name="x"); z = x * x; z.name = "z"
    >>> asked = [*number_questions(Trace(z), "mine", "", "")][-1]
    >>> asked.plain, [choice.plain for choice in asked.choices], asked.typed("6")
    ('What is dz/dx?', ['−6', '2', '3', '6', '9', 'another number'], 3)
    """
    z = trace.graph.z  # the drawing names a variable without a name as this function does
    drawing = draw(z, gradients={}, theme="auto")
    beside = (Picture(drawing.svg, " ".join(drawing.sentences)),)
    for count, asked in enumerate(questions(trace), 1):
        if len(numbers_of(right_number(trace, asked))) <= MOST_ENTRIES:
            id = f"{name}-number-{count}" if page == 0 else f"{name}-{page}-number-{count}"
            yield number_question(trace, asked, id, title, beside, chapter, At(page, asked.step))


def number_question(trace, asked, id, title, beside, chapter, at) -> Question:
    """Return one question. Its choices are in the order of their numbers, so that the place of the right one says nothing."""
    right = right_number(trace, asked)
    found = {UNICODE.number(right): (right, why(trace, asked), "")}
    for mistake in mistakes(trace, asked):
        number = mistake.number.item() if hasattr(mistake.number, "item") and not is_array(right) else mistake.number
        if len(found) <= MOST_MISTAKES and not same(number, right):
            found.setdefault(UNICODE.number(number), (number, mistake.said, OF_ANSWERS[mistake.kind]))
    ordered = sorted(found.items(), key=lambda item: numbers_of(item[1][0]))
    choices = [Choice(escape(text), escape(said), believes, text) for text, (_, said, believes) in ordered]
    numbers = [number for _, (number, *_) in ordered]

    def typed(text) -> int:
        """Return the number of the choice that a typed number means. Raises ValueError with one sentence if it is not a number."""
        given = parse(text)
        return next((k for k, number in enumerate(numbers) if agrees(given, number)), len(numbers))

    formula, other = UNICODE.formula(asked_for(trace, asked)), OTHER_ARRAY if is_array(right) else OTHER
    choices.append(Choice(other, escape(hint(trace, asked)), "", other))
    plain, place = f"What is {formula}?", next(k for k, number in enumerate(numbers) if number is right)
    type_it = None if is_array(right) else typed
    return Question(id, title, escape(plain), tuple(choices), place, beside, plain, chapter, type_it, at)


def same(number, right) -> bool:
    """Return whether a mistake gives what is right: such a mistake cannot be told from the answer."""
    shape = getattr(right, "shape", ())
    exact = [(entry, 0) for entry in numbers_of(number)]
    return getattr(number, "shape", ()) == shape and agrees(exact if shape else exact[0], right)
