"""Print to a terminal or a pipe whose encoding and width may be small, without the control characters of a learner's texts."""

import re

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

WIDTH = 80
FULL, EMPTY, DOTS = "●", "○", 10


class Printer:
    """Prints to a file with at most 80 columns."""

    def __init__(self, file):
        self.file = file
        terminal = Console(file=file)
        self.console = Console(file=file, width=min(terminal.width, WIDTH) if terminal.is_terminal else WIDTH, highlight=False)

    def say(self, text, style="", indent=0):
        """Print a text, folded and indented."""
        from scalargrad.formulas.text import printable

        self.text(Text("\n".join(map(printable, text.split("\n"))), style), indent)

    def heading(self, exercise, solved, all):
        """Print number and title of an exercise, and on the right how many of all are solved."""
        left, done = f"{exercise.number} {exercise.title}", solved * DOTS // all
        right = f"{FULL * done}{EMPTY * (DOTS - done)}  {solved}/{all}   unit {exercise.meta.get('unit', '-')}"
        self.text(Text.assemble((left, "bold"), " " * max(2, WIDTH - len(left) - len(right)), (right, "dim")))

    def source(self, text):
        """Print a program in Python."""
        from rich.syntax import Syntax

        self.text(Syntax(text, "python", theme="ansi_dark", background_color="default"))

    def text(self, thing, indent=0):
        with self.console.capture() as captured:
            self.console.print(Padding(thing, (0, 0, 0, indent)))
        self.file.write(self.encodable(re.sub(r"[ \t]+$", "", captured.get(), flags=re.M)))
        self.file.flush()

    def encodable(self, text):
        """Return text without characters that the encoding of the file cannot write."""
        encoding = getattr(self.file, "encoding", None) or "utf-8"
        if encoding.lower().replace("-", "") == "utf8":
            return text
        from tutorial.book.reading.reader import encodable

        return encodable(text, encoding)
