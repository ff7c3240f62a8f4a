"""Print to a terminal or a pipe whose encoding and width may be small, without the control characters of a learner's texts."""

import os
import re
import textwrap

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

WIDTH = 80
HANGING = 4  # columns more, in the next lines of an indented one
PLAIN: dict = {"color_system": None}  # no bold, either
FULL, EMPTY, DOTS = "●", "○", 10


def folded(line, width) -> list[str]:
    """Return a line as lines of this width at most.

    >>> folded("    one, two, three", 14)
    ['    one, two,', '        three']
    """
    begin = line[: len(line) - len(line.lstrip())]
    hanging = begin + " " * HANGING if begin else ""
    fold = textwrap.TextWrapper(width, subsequent_indent=hanging, break_on_hyphens=False, replace_whitespace=False, expand_tabs=False)
    return (fold.wrap(line) if len(line) > width else None) or [line]


class Printer:
    """Prints to a file with at most 80 columns."""

    def __init__(self, file):
        self.file = file
        terminal = Console(file=file)
        width = min(terminal.width, WIDTH) if terminal.is_terminal else WIDTH
        self.console = Console(file=file, width=width, highlight=False, **PLAIN if os.environ.get("NO_COLOR") else {})

    def say(self, text, style="", indent=0):
        """Print a text, folded and indented. What is indented in the text is indented more where it goes on in the next line."""
        from scalargrad.formulas.text import printable

        lines = [part for line in text.split("\n") for part in folded(printable(line), self.console.width - indent)]
        self.text(Text("\n".join(lines), style), indent)

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
        from tutorial.text.encodable import encodable

        return encodable(text, encoding)
