"""A chapter as a Jupyter notebook. Its numbers are computed, and its cells run from start to end."""

import json
from dataclasses import dataclass, field
from typing import Any

from tutorial.reading.chapter import Cell, Chapter, Directive, Formula, Heading, Listing, Predict, Text
from tutorial.text.inline import link_text, replaced
from tutorial.text.program import Program

FORMAT = {"nbformat": 4, "nbformat_minor": 5}
KERNEL = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}, "language_info": {"name": "python"}}
ABOUT = "*This notebook is {which} of the book of gradsteps. Its cells need Python with the package `gradsteps`.*"


def notebook(chapter: Chapter, program=None) -> str:
    """Return the text of an .ipynb file, without outputs. Runs the chapter, for the numbers in its text; raises what a cell raises.

    `program` runs its cells and evaluates expressions, by default a new `Program`.

    A question becomes Markdown whose replies are folded below the next cell. A cell that the book does not show is kept and tagged.
    """
    writer = NotebookWriter(chapter, program or Program(chapter.name))
    writer.blocks(chapter.blocks)
    writer.end()
    cells = [{"id": f"{chapter.name[:50]}-{k}"} | cell for k, cell in enumerate(writer.cells)]
    return json.dumps({"cells": cells, "metadata": KERNEL, **FORMAT}, indent=1, ensure_ascii=False) + "\n"


@dataclass
class NotebookWriter:
    """Write blocks as cells. Text is collected until the next cell of code; replies wait until after it."""

    chapter: Chapter
    program: Any
    cells: list = field(default_factory=list)
    text: list = field(default_factory=list)
    replies: list = field(default_factory=list)

    def blocks(self, blocks):
        for block in blocks:
            if isinstance(block, Cell):
                self.code(block)
            elif isinstance(block, Directive) and any(isinstance(inner, Cell) for inner in block.blocks):
                self.text.append(f"**{self.inline(block.argument) or block.name}**")  # a cell cannot be in a folded text
                self.blocks(block.blocks)
            else:
                self.text.append(self.markdown(block))

    def code(self, cell):
        self.end_text()
        self.program.run(cell.source)
        tags = {"tags": list(cell.tags)} if cell.tags else {}
        folded = {} if cell.shows_code else {"jupyter": {"source_hidden": True}}
        self.cells.append({"cell_type": "code", "metadata": tags | folded, "source": cell.source, "outputs": [], "execution_count": None})
        self.text, self.replies = self.replies, []

    def end(self):
        self.text += self.replies
        self.end_text()

    def end_text(self):
        if self.text:
            self.cells.append({"cell_type": "markdown", "metadata": {}, "source": "\n\n".join(self.text)})
        self.text = []

    def markdown(self, block):
        match block:
            case Heading():
                which = f"chapter {self.chapter.number}" if self.chapter.number else "a page"
                about = "\n\n" + ABOUT.format(which=which) if block.level == 1 else ""
                return f"{'#' * block.level} {self.inline(block.text)}{about}"
            case Text():
                return self.inline(block.markdown)
            case Formula():
                label = rf" \tag{{{block.label}}}" if block.label else ""
                return f"$$\n{block.tex}{label}\n$$"
            case Listing():
                return f"```{block.language}\n{block.source}\n```"
            case Predict():
                return self.question(block)
            case Directive():
                return folded(self.inline(block.argument) or block.name, "\n\n".join(map(self.markdown, block.blocks)))

    def question(self, predict):
        choices = [(self.inline(choice), self.inline(reply)) for choice, reply in predict.choices]
        right = "\n\n".join(f"**{choice}**{' ✓' * (k == predict.right)}\n\n{reply}" for k, (choice, reply) in enumerate(choices, 1))
        listed = "\n".join(f"- {choice}" for choice, _ in choices)
        if predict.recalls:
            return f"**Do you remember?** {self.inline(predict.question)}\n\n{listed}\n\n{folded('The replies', right)}"
        self.replies.append(folded("The replies", right))
        return f"**Predict before you read on.** {self.inline(predict.question)}\n\n{listed}"

    def inline(self, text):
        return replaced(text, lambda role, content: self.program.evaluate(content) if role == "eval" else link_text(role, content))


def folded(summary, text):
    """Return text that opens with a click. The summary is HTML, so it has its own signs for < and &."""
    summary = summary.replace("&", "&amp;").replace("<", "&lt;")
    return f"<details>\n<summary>{summary}</summary>\n\n{text}\n\n</details>"
