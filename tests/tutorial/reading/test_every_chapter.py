"""Every chapter, in the terminal and as a notebook: nothing of its Markdown is left over, and every cell and question is there.

The default tests read a few. Slow tests read every chapter, and run the cells of some, once: the notebook gets the numbers that they gave
in the terminal. The build of the book runs the cells of every chapter, and a cell that raises ends it.
"""

import ast
import json
import re
from io import StringIO

import pytest

from tutorial.exercises.authored import exercises
from tutorial.reading.chapter import BOOK, Cell, Chapter, Heading, Listing, Predict, Text, chapters, walk
from tutorial.reading.notebook import notebook
from tutorial.reading.reader import Reader
from tutorial.text.program import Program, Result

LATEX = re.compile(r"\\[a-zA-Z]+\b")
CHAPTERS = chapters()
SAMPLE = 2  # chapters that the default tests read; a slow test reads all
RUN = CHAPTERS[1::4]  # those whose cells run here


class NotRun:
    """Runs no cell, and has the same number for every expression."""

    def run(self, source):
        return Result("", None)

    def evaluate(self, expression):
        return "1"


class Remembering(Program):
    """Remembers the value of each expression, and after how many cells it was asked for."""

    def __init__(self, name):
        super().__init__(name)
        self.said = {}

    def evaluate(self, expression):
        self.said[self.cells, expression] = super().evaluate(expression)
        return self.said[self.cells, expression]


class Again:
    """Says what a program has said, and runs nothing."""

    def __init__(self, program):
        self.program, self.cells = program, 0

    def run(self, source):
        self.cells += 1

    def evaluate(self, expression):
        return self.program.said[self.cells, expression]


@pytest.mark.parametrize(
    "chapter",
    [pytest.param(c, id=c.name, marks=() if k % (len(CHAPTERS) // SAMPLE) == 0 else pytest.mark.slow) for k, c in enumerate(CHAPTERS)],
)
def test_a_chapter_is_read_whole_in_a_pipe_and_as_a_valid_notebook(chapter: Chapter):
    read_whole(chapter)
    has_its_exercises(chapter)
    has_cells_of_python_alone(chapter)
    in_a_pipe(chapter, printed(chapter, NotRun()))
    as_a_notebook(chapter, notebook(chapter, NotRun()))


@pytest.mark.slow
@pytest.mark.parametrize("chapter", RUN, ids=lambda chapter: chapter.name)
def test_so_it_is_with_the_results_of_its_cells(chapter: Chapter):
    program = Remembering(chapter.name)
    in_a_pipe(chapter, printed(chapter, program))
    as_a_notebook(chapter, notebook(chapter, Again(program)))


def printed(chapter, program):
    reader = Reader(chapter, StringIO())
    reader.program = program
    reader.read()
    return reader.file.getvalue()


def read_whole(chapter):
    """Each fence, cell and question of the file is in the blocks, and no text holds one that was not read."""
    text = (BOOK / "chapters" / f"{chapter.name}.md").read_text(encoding="utf-8")
    blocks = list(walk(chapter.blocks))
    count = lambda kind: sum(isinstance(block, kind) for block in blocks)
    assert count(Cell) == text.count("```{code-cell}") and count(Predict) == text.count("::{predict}") >= 1
    assert blocks[0] == Heading(1, chapter.title)
    for block in blocks:
        if isinstance(block, Text):
            assert not any(line.startswith(("```", ":::", "#", "$$")) for line in block.markdown.splitlines())
        if isinstance(block, Predict):
            assert 1 <= block.right <= len(block.choices) >= 2 and all(choice and reply for choice, reply in block.choices)


def has_its_exercises(chapter):
    """Each exercise stands in its chapter, with its answer folded below."""
    for exercise in (e for e in exercises() if e.meta["chapter"] == chapter.name):
        given, answer = (Listing(program.rstrip(), "python") for program in (exercise.given, exercise.solution))
        below = chapter.blocks[chapter.blocks.index(given) :]
        folded = next(block for block in below if getattr(block, "argument", "") == "The answer")
        assert answer in folded.blocks
        assert any("What the check says of wrong answers" in block.markdown for block in folded.blocks if isinstance(block, Text))


def has_cells_of_python_alone(chapter):
    """What runs in the book's kernel runs in a terminal too: it is Python, and asks for nothing that only a notebook has."""
    for block in walk(chapter.blocks):
        if isinstance(block, Cell):
            names = {node.id for node in ast.walk(ast.parse(block.source)) if isinstance(node, ast.Name)}
            assert not names & {"display", "get_ipython", "In", "Out"}, block.source


def in_a_pipe(chapter, text):
    code = "\n".join(block.source for block in walk(chapter.blocks) if isinstance(block, Cell))
    assert not set(LATEX.findall(text)) - set(LATEX.findall(code)) and "\x1b" not in text
    assert not re.search(r"\{[\w:-]+\}`|^ *:::|\$[a-z]|Traceback", text, re.M)
    assert text.startswith(f"{chapter.number}. {chapter.title}\n━") and "Three lines to remember\n───" in text
    assert text.count("✓ ") >= text.count("Predict before you read on") >= 1


def as_a_notebook(chapter, text):
    nbformat = pytest.importorskip("nbformat")
    nbformat.validate(nbformat.reads(text, as_version=4))
    cells = json.loads(text)["cells"]
    sources = [cell["source"] for cell in cells if cell["cell_type"] == "code"]
    assert sources == [block.source for block in walk(chapter.blocks) if isinstance(block, Cell)]
    said = "\n".join(cell["source"] for cell in cells if cell["cell_type"] == "markdown")
    assert not re.search(r"\{[\w:-]+\}`|^:::|^```\{", said, re.M)
    for block in walk(chapter.blocks):
        if isinstance(block, Predict):
            assert said.count(block.question) == 1 and said.count("✓") >= 1
