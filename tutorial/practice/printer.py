"""Print to a terminal or a pipe whose encoding and width may be small, without the control characters of a learner's texts."""

import re

from rich.console import Console
from rich.padding import Padding
from rich.syntax import Syntax
from rich.text import Text

from scalargrad.formulas.text import printable

WIDTH = 80


class Printer:
    """Prints to a file with at most 80 columns."""

    def __init__(self, file):
        self.file = file
        terminal = Console(file=file)
        self.console = Console(file=file, width=min(terminal.width, WIDTH) if terminal.is_terminal else WIDTH, highlight=False)

    def say(self, text, style="", indent=0):
        """Print a text, folded and indented."""
        self.text(Text("\n".join(map(printable, text.split("\n"))), style), indent)

    def source(self, text):
        """Print a program in Python."""
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
