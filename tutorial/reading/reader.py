"""A chapter in the terminal: its text, its formulas as text, and its cells, which run while one reads.

At a terminal the reader answers each question and steps through each player. In a pipe everything is printed.
"""

import re
from io import StringIO
from pprint import pformat

from rich.console import Console, Group
from rich.markdown import Markdown
from rich.padding import Padding
from rich.syntax import Syntax
from rich.text import Text as Line

import viz
from tutorial.text.encodable import encodable, overprinted
from tutorial.text.inline import link_text, replaced
from tutorial.text.plain_formulas import plain_formula
from tutorial.text.program import Program
from viz.document import Page
from viz.drawing.svg.graphviz_engine import Drawing

WIDTH = 80
LONGEST_WALK = 60  # lines of a player that are printed in a pipe; of a longer one only the graph's derivatives
MARKUP = re.compile(r"([\\`*_\[\]<>#|])")


class Reader:
    """Prints a chapter to a file. `ask` asks the reader for a line, and is None in a pipe."""

    def __init__(self, chapter, file, ask=None):
        self.chapter, self.file, self.ask = chapter, file, ask
        self.console = Console(file=file, width=None if ask else WIDTH)
        self.program = Program(chapter.name)
        self.replies = []  # what follows the next result

    def read(self):
        """Print the whole chapter. Raises what a cell raises, and EOFError if the reader ends it."""
        self.blocks(self.chapter.blocks)
        self.reply()

    def blocks(self, blocks):
        for block in blocks:
            getattr(self, type(block).__name__.lower())(block)

    def say(self, *parts, indent=0):
        """Print rich text, and an empty line."""
        with self.console.capture() as captured:
            self.console.print(Padding(Group(*parts), (0, 0, 0, indent)))
        self.write(re.sub(r"[ \t]+$", "", captured.get(), flags=re.M).strip("\n") + "\n\n")

    def write(self, text):
        self.file.write(encodable(text, getattr(self.file, "encoding", None)))

    # Blocks

    def heading(self, block):
        if block.level == 2 and self.ask:
            self.question("Press Enter to go on, Ctrl-D to end: ")
        title = self.line(block.text)
        if block.level == 1:
            title = f"{self.chapter.number}. {title}" if self.chapter.number else title
        self.say(Line(title, "bold"), Line(("━" if block.level == 1 else "─") * len(title), "dim"))

    def text(self, block):
        self.say(Markdown(self.inline(block.markdown)))

    def formula(self, block):
        self.say(*(Line(line) for line in folded(plain_formula(block.tex), self.console.width - 8)), indent=4)

    def listing(self, block):
        self.code(block.source, "text")

    def code(self, source, language="python"):
        self.say(Syntax(source, language, theme="ansi_dark", background_color="default", word_wrap=True), indent=4)

    def cell(self, block):
        if block.shows_code:
            self.code(block.source)
        result = self.program.run(block.source)
        if block.shows_result:
            if result.printed:
                self.say(*map(Line, overprinted(result.printed).rstrip("\n").split("\n")), indent=2)
            if result.value is not None:
                self.value(result.value)
        if "remove-cell" not in block.tags:
            self.reply()

    def value(self, value):
        if isinstance(value, Drawing):
            self.say(Line("The graph:", "dim"), *map(Line, reversed(value.sentences)), indent=2)
        elif isinstance(value, Page):
            self.player(value)
        else:
            shown = (
                pformat(value, width=self.console.width - 4, sort_dicts=False) if isinstance(value, dict | list | tuple) else repr(value)
            )
            self.say(*map(Line, shown.split("\n")), indent=2)

    def player(self, page):
        self.say(Line(f"▶ {page.title}", "bold"), indent=2)
        if self.ask:
            if self.question("Type s and Enter to step through it, or Enter to go on: ").strip().lower() == "s":
                viz.step(page.trace)
            return
        walked = StringIO()
        viz.walk(page.trace, walked)
        lines = walked.getvalue().rstrip().split("\n")
        if len(lines) > LONGEST_WALK:
            last = next(k for k, line in enumerate(lines) if "final output" in line)
            lines = [f"{len(page.trace)} steps; {len(lines[last:]) - 1} lines of results:", *lines[last + 1 :]][:LONGEST_WALK]
        self.say(*map(Line, lines), indent=2)

    def predict(self, block):
        choices = "\n".join(f"{k}. {self.inline(choice)}" for k, (choice, _) in enumerate(block.choices, 1))
        begin = "Do you remember?" if block.recalls else "Predict before you read on."
        self.say(Markdown(f"**{begin}** {self.inline(block.question)}"), Markdown(choices))
        chosen = self.choice(len(block.choices)) if self.ask else 0
        for k in sorted({chosen, block.right} if chosen else range(1, len(block.choices) + 1)):
            choice, reply = block.choices[k - 1]
            sign = "✓ " if k == block.right else "You said " if k == chosen else ""
            self.replies.append(Markdown(f"{sign}**{k}. {self.inline(choice)}**: {self.inline(reply)}"))
        if block.recalls:
            self.reply()

    def choice(self, most):
        while True:
            answer = self.question(f"Your prediction, a number from 1 to {most}: ").strip()
            if answer.isdecimal() and 1 <= int(answer) <= most:
                self.write("\n")
                return int(answer)

    def directive(self, block):
        """A folded answer comes after the question; at a terminal when the reader asks for it."""
        title = self.inline(block.argument)
        if title:
            self.say(Markdown(f"**{title}**"))
        if block.name == "dropdown" and self.ask:
            self.question("Press Enter for the answer: ")
        self.blocks(block.blocks)

    def reply(self):
        if self.replies:
            self.say(*self.replies, indent=2)
        self.replies = []

    # Lines

    def question(self, text):
        self.file.flush()
        return self.ask(encodable(text, getattr(self.file, "encoding", None)))

    def inline(self, text):
        """Return Markdown without roles and formulas."""
        return replaced(text, self.role, tex=lambda tex: MARKUP.sub(r"\\\1", plain_formula(tex)), link=MARKUP.sub(r"\\\1", "{}").format)

    def role(self, role, content):
        return MARKUP.sub(r"\\\1", self.program.evaluate(content) if role == "eval" else link_text(role, content))

    def line(self, text):
        """Return a heading without marks."""
        return replaced(text, lambda role, content: link_text(role, content), tex=plain_formula, code=str, link=str)


def folded(text, width):
    """Return the lines of a formula, broken before the last = or + that fits.

    >>> folded("a = b + c = d", 8)
    ['a = b', '  + c', '  = d']
    """
    lines = [text]
    while len(lines[-1]) > width and (
        places := [m.start() for m in re.finditer(r"(?<=.) (?=[=+] )|   ", lines[-1]) if 2 < m.start() <= width]
    ):
        last = lines.pop()
        lines += [last[: places[-1]].rstrip(), "  " + last[places[-1] :].lstrip()]
    return lines
