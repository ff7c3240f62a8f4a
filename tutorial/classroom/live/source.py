"""The questions of a chapter, with the drawing or the program that stands before each, and the players that a class can follow."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tutorial.book.reading.chapter import NOTHING, Cell, Chapter, Heading, Predict, blocks_of, find, walk
from tutorial.book.reading.program import Program
from tutorial.classroom.inventory import NAMES as INVENTORY
from tutorial.classroom.inventory import blocks as inventory
from tutorial.classroom.live.numbers import can_be_read, number_questions
from tutorial.classroom.live.of_exercises import exercise_questions
from tutorial.classroom.live.question import Choice, Code, Picture, Question
from tutorial.classroom.live.written import as_text, written
from tutorial.misconceptions import MISCONCEPTIONS, misconception
from viz.document import Page
from viz.drawing.draw import draw
from viz.drawing.graphviz_engine import Drawing

PLAY = re.compile(r"\bplay\(")


class NoQuestion(ValueError):
    """What is to be asked holds no question."""


@dataclass(frozen=True)
class Player:
    """A page that a class can follow: its title, and its text as HTML."""

    title: str
    html: str


@dataclass(frozen=True)
class Lesson:
    """What a class is asked, and the pages that it can follow.

    `form` is the form of the inventory, A or B: it is a test, which each student answers at their own pace. "" if it is a lesson.
    """

    title: str
    questions: tuple[Question, ...]
    players: tuple[Player, ...]
    form: str = ""


def lesson(which) -> Lesson:
    """Return the lesson of a chapter of the book, by its number or name, of a file in the form of a chapter, or of the inventory.

    The cells of the chapter run, up to the last question or player. Raises NoChapter, NoQuestion, OSError, and what a cell raises.
    """
    if form := INVENTORY.get(str(which), ""):
        blocks, name, known = inventory(form), f"inventory-{form}", ""
        title = f"{next(block.text for block in blocks if isinstance(block, Heading))}, form {form}"
    elif str(which).endswith(".md"):
        path = Path(which)
        blocks, name, known = blocks_of(path.read_text(encoding="utf-8")), path.stem, ""
        title = next((block.text for block in blocks if isinstance(block, Heading)), name)
    else:
        chapter: Chapter = find(which)
        blocks, name, known, title = list(chapter.blocks), chapter.name, chapter.name, f"{chapter.number}. {chapter.title}"
    questions: list = []
    players: list = []
    for found in read(list(walk(blocks)), name, title, known):
        (questions if isinstance(found, Question) else players).append(found)
    if not questions:
        raise NoQuestion(f"{which} asks no question; a question begins with :::{{predict}}, or a cell plays a graph")
    return Lesson(title, tuple(questions), tuple(players), form)


@cache
def form(letter) -> Lesson:
    """Return a form of the inventory, A or B."""
    return lesson(next(name for name, known in INVENTORY.items() if known == letter))


def read(blocks, name, title, chapter="") -> Iterator[Question | Player]:
    """Yield the questions and the players in these blocks. What stands below the last of them does not run.

    Beside a question stand the last drawing and the last program above it in its section, or the graph that it names. Then come
    questions about the numbers of the first player whose graph is small, and those of the chapter's exercises.
    """
    program, count, trace = Program(name), 0, None
    beside: dict = {}
    last = max((k for k, block in enumerate(blocks) if isinstance(block, Predict) or plays(block)), default=-1)
    for block in blocks[: last + 1]:
        match block:
            case Heading():
                beside = {}
            case Cell():
                value = program.run(block.source).value
                if isinstance(value, Page):
                    yield Player(value.title, value.html)
                    trace = trace or (value.trace if can_be_read(value.trace) else None)
                if found := shown(block, value):
                    beside[type(found)] = found
            case Predict():
                count += 1
                yield question(block, f"{name}-{count}", title, of_question(block, beside, program), program.evaluate, chapter)
    if trace:
        yield from number_questions(trace, name, title, chapter)
    if chapter:
        yield from exercise_questions(chapter, title)


def plays(block) -> bool:
    """Return whether a block is a cell that makes a player."""
    return isinstance(block, Cell) and PLAY.search(block.source) is not None


def without_mistake(reply, believes) -> str:
    """Return a reply without the sentence that names its misconception, which the class sees beside it."""
    return reply.removesuffix(misconception(believes)).rstrip() if believes in MISCONCEPTIONS else reply


def of_question(block, beside, program) -> tuple[Picture | Code, ...]:
    """Return what stands beside a question."""
    if block.draws:
        return (picture(draw(program.names[block.draws], gradients={}, theme="auto")),)
    return () if block.recalls else tuple(beside[kind] for kind in (Picture, Code) if kind in beside)


def picture(drawing) -> Picture:
    return Picture(drawing.svg, " ".join(drawing.sentences))


def shown(cell, value) -> Picture | Code | None:
    """Return what a cell shows a class: its drawing, or its program."""
    if isinstance(value, Drawing) and cell.shows_result:
        return picture(value)
    return Code(cell.source) if cell.shows_code else None


def question(block, id, title, beside, evaluate, chapter) -> Question:
    """Return a question of the book for a class."""
    text = lambda markdown: as_text(markdown, evaluate)
    html = lambda markdown: written(markdown, evaluate)
    believed = block.believes or [""] * len(block.choices)
    choices = tuple(
        Choice(html(choice), html(without_mistake(reply, believes)), believes.strip(NOTHING), text(choice))
        for (choice, reply), believes in zip(block.choices, believed)
    )
    asked = html(block.question), choices, block.right - 1, beside, text(block.question)
    return Question(id, title, *asked, block.recalls or chapter)
