"""Every chapter, in the terminal and as a notebook. Its cells run once, for the terminal: the notebook gets the numbers that they gave."""

import json
import re
from io import StringIO

import pytest

from tutorial.book.reading.chapter import Cell, Chapter, Predict, chapters, walk
from tutorial.book.reading.notebook import notebook
from tutorial.book.reading.program import Program
from tutorial.book.reading.reader import Reader

LATEX = re.compile(r"\\[a-zA-Z]+\b")


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


@pytest.mark.parametrize("chapter", chapters(), ids=lambda chapter: chapter.name)
def test_every_chapter_is_read_in_a_pipe_and_is_a_valid_notebook_that_keeps_every_cell_and_question(chapter: Chapter):
    reader = Reader(chapter, StringIO())
    reader.program = Remembering(chapter.name)
    reader.read()
    in_a_pipe(chapter, reader.file.getvalue())
    as_a_notebook(chapter, notebook(chapter, Again(reader.program)))


def in_a_pipe(chapter, text):
    code = "\n".join(block.source for block in walk(chapter.blocks) if isinstance(block, Cell))
    assert not set(LATEX.findall(text)) - set(LATEX.findall(code)) and "\x1b" not in text
    assert not re.search(r"\{[\w:-]+\}`|^ *:::|\$[a-z]|Traceback", text, re.M)
    assert text.startswith(f"{chapter.number}. {chapter.title}\n━") and "Three lines to remember\n───" in text
    assert text.count("✓ ") >= text.count("Predict before you run") >= 1


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
