"""The questions of a chapter and its exercises, with the drawing or program before each, and the players that a class can follow."""

import ast
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from html import escape, unescape
from pathlib import Path
from traceback import extract_tb

from tutorial.classroom.inventory import FORMS
from tutorial.classroom.inventory import NAMES as INVENTORY
from tutorial.classroom.inventory import blocks as inventory
from tutorial.classroom.live.questions.beside import above, named, needs_program, runs, shown
from tutorial.classroom.live.questions.line_as_html import as_text, written
from tutorial.classroom.live.questions.numbers import MOST_MISTAKES, OTHER, can_be_read, number_questions
from tutorial.classroom.live.questions.question import Beside, Choice, Code, Picture, Question
from tutorial.exercises.authored import exercises
from tutorial.exercises.check_part import checks
from tutorial.misconceptions import MISCONCEPTIONS, misconception
from tutorial.reading.chapter import NOTHING, Cell, Chapter, Heading, Predict, blocks_of, find, walk, with_recaps
from tutorial.text.program import Program
from viz.document import Page
from viz.handout import Handout
from viz.questions.quiz import agrees, parse
from viz.text.formatter import UNICODE

PLAY = re.compile(r"\b(play|explore|slides)\(")
TITLE = re.compile(r"<title>([^<]*)</title>")
COMPUTED = "{eval}"  # a role whose text the program gives

HOW_IN_FILE = "a question begins with :::{predict}, as `teach live --help` shows, or a cell plays a graph"
HOW_IN_PROGRAM = "give it a graph to play: viz.play(z)"


class NoQuestion(ValueError):
    """What is to be asked holds no question, or its program fails. The message says where, and what to do."""


@dataclass(frozen=True)
class Player:
    """A page that a class can follow: its title, and its text as HTML. A page of the book needs the files of its folder."""

    title: str
    html: str
    book: Path | None = None  # the folder of the book
    path: str = ""  # of the page in it


@dataclass(frozen=True)
class Lesson:
    """What a class is asked, and the pages that it can follow.

    `form` is the form of the inventory, A or B: it is a test, which each student answers at their own pace. "" if it is a lesson. Half of
    the students get the questions of the `other` form, which ask the same by other numbers.
    """

    title: str
    questions: tuple[Question, ...]
    players: tuple[Player, ...]
    form: str = ""
    other: tuple[Question, ...] = ()


def lesson(which) -> Lesson:
    """Return the lesson of a chapter of the book, by its number or name, of a file in the form of a chapter, of a Python program that
    makes pages, of a page that is to be followed, or of the inventory.

    The cells of the chapter run, up to the last one that a question or a player needs. Raises NoChapter, NoQuestion, OSError, and
    ValueError for a question that is not well written.
    """
    blocks: list
    if letter := INVENTORY.get(str(which), ""):
        return inventory_test(letter)
    if str(which).endswith((".md", ".py", ".html")):
        path = Path(which)
        text, name, known = text_of(path), path.stem, ""
        if path.suffix == ".html":
            title = unescape(titled[1]) if (titled := TITLE.search(text)) else name
            book = next((folder for folder in path.resolve().parents if (folder / "_static").is_dir()), None)
            within = path.resolve().relative_to(book).as_posix() if book else ""
            return Lesson(title, (), (Player(title, text, book, within),))
        blocks = blocks_of(text) if path.suffix == ".md" else [cell_of(text, which)]
        title = next((block.text for block in blocks if isinstance(block, Heading)), name)
    else:
        chapter: Chapter = find(which, with_recaps())
        blocks, name, known = list(chapter.blocks), chapter.name, chapter.name
        title = f"{chapter.number}. {chapter.title}" if chapter.number else chapter.title
    questions: list = []
    players: list = []
    for found in read(list(walk(blocks)), name, title, known):
        (questions if isinstance(found, Question) else players).append(found)
    if not questions and not players:
        raise NoQuestion(f"{which} asks no question; {HOW_IN_PROGRAM if str(which).endswith('.py') else HOW_IN_FILE}")
    return Lesson(title, tuple(questions), tuple(players))


def text_of(path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise NoQuestion(f"{path} is not a text in UTF-8; save it as UTF-8") from None


def inventory_test(letter) -> Lesson:
    """Return the test before a course, A, or after it, B."""
    title = next(block.text for block in inventory(letter) if isinstance(block, Heading))
    (other,) = {*FORMS} - {letter}
    return Lesson(f"{title}, {FORMS[letter]} the course", form(letter), (), letter, form(other))


@cache
def form(letter) -> tuple[Question, ...]:
    return tuple(found for found in read(list(walk(inventory(letter))), f"inventory-{letter}", "") if isinstance(found, Question))


def cell_of(text, file) -> Cell:
    try:
        ast.parse(text, str(file))
    except SyntaxError as error:
        raise NoQuestion(f"{file}, line {error.lineno}, is not Python: {error.msg}") from None
    return Cell(text)


def read(blocks, name, title, chapter="") -> Iterator[Question | Player]:
    """Yield the questions and the players in these blocks. A cell runs only if one of them needs it, or a cell below that they need.

    Then come questions about the numbers of players whose graphs are small, and those of the chapter's exercises.
    """
    program, count = Program(name), 0
    pages: list[Page] = []
    places, results = dict(above(blocks)), {}
    last = last_needed(blocks, places)
    wanted = {place for found in places.values() for place in found.values()}
    for k, block in enumerate(blocks):
        match block:
            case Cell() if k <= last:
                before = len(pages)
                with noted(pages, block.source):
                    result = ran(program.run, program, block.source)
                yield from (Player(page.title, page.html) for page in pages[before:])
                if k in wanted:
                    results[k] = result
            case Predict():
                count += 1
                beside = named(block, program.names, blocks)
                if beside is None:
                    beside = together(shown(blocks[place], results.get(place)) for place in places[k].values())
                if block.recalls:
                    find(block.recalls)  # it is named in the report
                evaluate = partial(ran, program.evaluate, program)
                yield question(block, f"{name}-{count}", title, beside, evaluate, chapter)
    for number, page in enumerate(pages):
        if type(page) is Page and can_be_read(page.trace):
            yield from number_questions(page.trace, name, title, chapter, number)
    if chapter:
        yield from exercise_questions(chapter, title)


def last_needed(blocks, places) -> int:
    """Return the number of the last block up to which cells must run: a player, what stands beside a question, a question with a graph of
    the program or with computed text. Below it a chapter may train a network for minutes, of which no question shows anything.
    """
    needed = -1
    for k, block in enumerate(blocks):
        match block:
            case Cell():
                needed = k if PLAY.search(block.source) else needed
            case Predict():
                texts = " ".join([block.question, *(text for pair in block.choices for text in pair)])
                own = k if needs_program(block) or COMPUTED in texts else -1
                needed = max(needed, own, *(place for place in places[k].values() if runs(blocks[place])))
    return needed


@contextmanager
def noted(pages: list[Page], source) -> Iterator[None]:
    """Meanwhile add to `pages` what a program plays, wherever it does so: in its last line, in a loop, or in a function.

    Not the functions that play are watched but the pages: a frame between a program and `viz.play` would take part in naming variables.
    """
    usual = Page.__init__

    def noting(page, *given):
        usual(page, *given)
        if not isinstance(page, Handout):
            pages.append(page)

    try:
        Page.__init__ = noting if PLAY.search(source) else usual  # type: ignore[method-assign]
        yield
    finally:
        Page.__init__ = usual  # type: ignore[method-assign]


def ran(run, program, source):
    """Return what a cell or an expression of a program gives. Raises NoQuestion if it raises an error, with the line."""
    try:
        return run(source)
    except (Exception, SystemExit) as error:  # a program of somebody else
        own = [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == f"<{program.name}, cell {program.cells}>"]
        number, lines = own[-1] if own else getattr(error, "lineno", 1), source.splitlines()
        line = lines[number - 1].strip() if number and number <= len(lines) else source
        raise NoQuestion(f"{program.name}: the line {line!r} raises {type(error).__name__}: {error}") from error


def together(found) -> tuple[Beside, ...]:
    """Return what a section shows beside a question, the picture first. A formula stands there only if nothing else does."""
    by_kind = {type(one): one for one in found if one is not None}
    return tuple(by_kind[kind] for kind in (Picture, Code) if kind in by_kind) or tuple(by_kind.values())


def line(block, write, evaluate, markdown) -> str:
    """Return a line of a question as `write` writes it. Raises NoQuestion if a formula cannot be written."""
    try:
        return write(markdown, evaluate)
    except NoQuestion:
        raise
    except Exception as error:  # of the writer of formulas, whose errors have no common class
        said = str(error) or type(error).__name__
        raise NoQuestion(f"the question {block.question!r}: {markdown!r} has a formula that cannot be read: {said}") from error


def question(block, id, title, beside, evaluate, chapter) -> Question:
    """Return a question of the book for a class."""
    text, html = (partial(line, block, write, evaluate) for write in (as_text, written))
    choices = []
    for (choice, reply), believes in zip(block.choices, block.believes or [""] * len(block.choices)):
        if believes in MISCONCEPTIONS:
            reply = reply.removesuffix(misconception(believes)).rstrip()  # the class sees this sentence beside it
        choices.append(Choice(html(choice), html(reply), believes.strip(NOTHING), text(choice)))
    asked = html(block.question), tuple(choices), block.right - 1, beside, text(block.question)
    return Question(id, title, *asked, block.recalls or chapter)


def exercise_questions(chapter, title) -> Iterator[Question]:
    """Yield a question for each exercise of a chapter that asks for a number. Beside it stands the program that students get.

    >>> asked, *_ = exercise_questions("inductive-chain-rule", "")
    >>> asked.plain, [choice.plain for choice in asked.choices], asked.typed("16.0"), asked.typed("14")
    ('What is dz/dx₄ at x = (2, 3, 5, 7)?', ['2', '9', '14', '16', '28', 'another number'], 3, 2)
    """
    for found in exercises():
        predicted = None if found.meta["chapter"] != chapter or found.recorded else checks(found).predict
        if predicted:
            yield number_question(found, predicted, title, chapter)


def number_question(exercise, predicted, title, chapter) -> Question:
    """Return the question for the number of an exercise. Its choices are in the order of their numbers."""
    said = {predicted.right: f"It is {UNICODE.number(predicted.right)}."} | dict([*predicted.wrong.items()][:MOST_MISTAKES])
    numbers = sorted(said)
    choices = *(Choice(text := UNICODE.number(number), escape(said[number]), "", text) for number in numbers), Choice(OTHER, "", "", OTHER)
    typed = lambda text: next((k for k, number in enumerate(numbers) if agrees(parse(text), number)), len(numbers))
    asked, place, beside = predicted.question, numbers.index(predicted.right), (Code(exercise.given.strip()),)
    return Question(f"exercise-{exercise.number}", title, escape(asked), choices, place, beside, asked, chapter, typed)
