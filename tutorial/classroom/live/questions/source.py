"""The questions of a chapter, with the drawing or the program that stands before each, and the players that a class can follow."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from html import unescape
from pathlib import Path

import scalargrad
from tutorial.book.reading.chapter import NOTHING, Cell, Chapter, Heading, Predict, blocks_of, find, walk
from tutorial.book.reading.program import Program
from tutorial.classroom.inventory import NAMES as INVENTORY
from tutorial.classroom.inventory import blocks as inventory
from tutorial.classroom.live.questions.line_as_html import as_text, written
from tutorial.classroom.live.questions.numbers import can_be_read, number_questions
from tutorial.classroom.live.questions.of_exercises import exercise_questions
from tutorial.classroom.live.questions.question import Choice, Code, Picture, Question
from tutorial.misconceptions import MISCONCEPTIONS, misconception
from viz.document import Page
from viz.drawing.draw import draw
from viz.drawing.svg.graphviz_engine import Drawing

PLAY, DRAW = re.compile(r"\b(play|explore|slides)\("), re.compile(r"\bdraw\(")
TITLE = re.compile(r"<title>([^<]*)</title>")
COMPUTED = "{eval}"  # a role whose text the program gives

HOW_IN_FILE = "a question begins with :::{predict}, as `teach live --help` shows, or a cell plays a graph"
HOW_IN_PROGRAM = "give it a graph to play: viz.play(z)"


class NoQuestion(ValueError):
    """What is to be asked holds no question."""


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

    `form` is the form of the inventory, A or B: it is a test, which each student answers at their own pace. "" if it is a lesson.
    """

    title: str
    questions: tuple[Question, ...]
    players: tuple[Player, ...]
    form: str = ""


def lesson(which) -> Lesson:
    """Return the lesson of a chapter of the book, by its number or name, of a file in the form of a chapter, of a Python program that
    makes pages, of a page that is to be followed, or of the inventory.

    The cells of the chapter run, up to the last one that a question or a player needs. Raises NoChapter, NoQuestion, OSError, and what
    a cell raises.
    """
    blocks: list
    if form := INVENTORY.get(str(which), ""):
        blocks, name, known = inventory(form), f"inventory-{form}", ""
        title = f"{next(block.text for block in blocks if isinstance(block, Heading))}, form {form}"
    elif str(which).endswith((".md", ".py", ".html")):
        path = Path(which)
        text, name, known = path.read_text(encoding="utf-8"), path.stem, ""
        if path.suffix == ".html":
            title = unescape(titled[1]) if (titled := TITLE.search(text)) else name
            book = next((folder for folder in path.resolve().parents if (folder / "_static").is_dir()), None)
            within = path.resolve().relative_to(book).as_posix() if book else ""
            return Lesson(title, (), (Player(title, text, book, within),))
        blocks = blocks_of(text) if path.suffix == ".md" else cells_of(text, which)
        title = next((block.text for block in blocks if isinstance(block, Heading)), name)
    else:
        chapter: Chapter = find(which)
        blocks, name, known, title = list(chapter.blocks), chapter.name, chapter.name, f"{chapter.number}. {chapter.title}"
    questions: list = []
    players: list = []
    for found in read(list(walk(blocks)), name, title, known):
        (questions if isinstance(found, Question) else players).append(found)
    if not questions and not players:
        raise NoQuestion(f"{which} asks no question; {HOW_IN_PROGRAM if str(which).endswith('.py') else HOW_IN_FILE}")
    return Lesson(title, tuple(questions), tuple(players), form)


@cache
def form(letter) -> Lesson:
    """Return a form of the inventory, A or B."""
    return lesson(next(name for name, known in INVENTORY.items() if known == letter))


def cells_of(text, file) -> list[Cell]:
    """Return a program as cells, each of which ends with an expression, so that each page is found. Lines keep their numbers."""
    lines, cells, begin = text.splitlines(), [], 0
    for statement in ast.parse(text, str(file)).body:
        if isinstance(statement, ast.Expr):
            cells.append(Cell("\n" * begin + "\n".join(lines[begin : statement.end_lineno])))
            begin = statement.end_lineno or begin
    return [*cells, Cell("\n" * begin + "\n".join(lines[begin:]))]


def read(blocks, name, title, chapter="") -> Iterator[Question | Player]:
    """Yield the questions and the players in these blocks. A cell runs only if one of them needs it, or a cell below that they need.

    Beside a question stand the last drawing and the last program above it in its section, or the graph that it names. Then come
    questions about the numbers of players whose graphs are small, and those of the chapter's exercises.
    """
    program, count = Program(name), 0
    pages: list[Page] = []
    beside: dict = {}
    last = last_needed(blocks)
    for k, block in enumerate(blocks):
        match block:
            case Heading():
                beside = {}
            case Cell():
                value = program.run(block.source).value if k <= last else None
                for page in pages_of(value, program) if PLAY.search(block.source) else []:
                    if page not in pages:
                        yield Player(page.title, page.html)
                        pages.append(page)
                if found := shown(block, value):
                    beside[type(found)] = found
            case Predict():
                count += 1
                yield question(block, f"{name}-{count}", title, of_question(block, beside, program), program.evaluate, chapter)
    for number, page in enumerate(pages):
        if type(page) is Page and can_be_read(page.trace):
            yield from number_questions(page.trace, name, title, chapter, number)
    if chapter:
        yield from exercise_questions(chapter, title)


def last_needed(blocks) -> int:
    """Return the number of the last block up to which cells must run: a player, a drawing of a section that asks, a question with a graph
    or with computed text. Below it a chapter may train a network for minutes, of which no question shows anything.
    """
    needed, drawing = -1, -1
    for k, block in enumerate(blocks):
        match block:
            case Heading():
                drawing = -1
            case Cell():
                drawing = k if DRAW.search(block.source) else drawing
                needed = k if PLAY.search(block.source) else needed
            case Predict():
                texts = " ".join([block.question, *(text for pair in block.choices for text in pair)])
                needed = k if block.draws.isidentifier() or COMPUTED in texts else max(needed, drawing)
    return needed


def pages_of(value, program) -> list[Page]:
    """Return the pages that a cell has made: its value, or in a program of a teacher's own what its names hold."""
    return [page for page in (*program.names.values(), value) if isinstance(page, Page)]


def without_mistake(reply, believes) -> str:
    """Return a reply without the sentence that names its misconception, which the class sees beside it."""
    return reply.removesuffix(misconception(believes)).rstrip() if believes in MISCONCEPTIONS else reply


def of_question(block, beside, program) -> tuple[Picture | Code, ...]:
    """Return what stands beside a question."""
    if block.draws:
        drawn = graph_of(block.draws) if "=" in block.draws else program.names[block.draws]
        return (picture(draw(drawn, gradients={}, theme="auto")),)
    return () if block.recalls else tuple(beside[kind] for kind in (Picture, Code) if kind in beside)


def graph_of(lines):
    """Return a function that runs these lines of a program, between semicolons, and returns the variable that the last one computes.

    >>> graph_of("x = Value(3); z = x * x")().data
    9
    """
    lines = [line.strip() for line in lines.split(";")]
    source = "\n    ".join(["def graph():", *lines, f"return {lines[-1].partition(' =')[0]}"])
    names = vars(scalargrad).copy()
    exec(source, names)
    return names["graph"]


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
