"""Read a chapter: its Markdown as a list of blocks. Does not run a cell, and does not need Sphinx.

A block is a Heading, a Text (paragraphs and lists), a Formula, a Cell, a Listing, a Predict or another Directive.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property, partial
from importlib import resources
from itertools import accumulate, count
from pathlib import Path
from textwrap import dedent

from tutorial.exercises.authored import find as find_exercise
from tutorial.exercises.checking.markdown import heading, markdown
from tutorial.misconceptions import misconception
from tutorial.reading.question_mistakes import NOTHING, mistake

BOOK = Path(str(resources.files("tutorial.book")))
RECAP = "recap-"  # begins the name of a page of recaps


@dataclass(frozen=True)
class Heading:
    """A heading; the chapter's title has level 1."""

    level: int
    text: str


@dataclass(frozen=True)
class Text:
    """Paragraphs and lists, as Markdown."""

    markdown: str


@dataclass(frozen=True)
class Formula:
    """A formula on lines of its own, in LaTeX; others refer to it by its label, if it has one."""

    tex: str
    label: str = ""


@dataclass(frozen=True)
class Cell:
    """Code that runs when the book is built."""

    source: str
    tags: tuple[str, ...] = ()

    @property
    def shows_code(self):
        return not {"remove-cell", "remove-input", "hide-input", "hide-cell"} & set(self.tags)

    @property
    def shows_result(self):
        return not {"remove-cell", "remove-output"} & set(self.tags)


@dataclass(frozen=True)
class Listing:
    """Code that does not run, such as pseudocode."""

    source: str
    language: str = ""


@dataclass(frozen=True)
class Predict:
    """A question that the reader answers before the next cell runs. A choice is its text and the reply to it; `right` counts from 1.

    `believes` has the misconception of each choice, such as M02, and NOTHING for the right one; it is empty if the question names none.
    `draws` and `shows` say what belongs to the question where it is asked without the chapter: a graph, and a program or a formula.
    With the name of a chapter in `recalls`, it asks about that chapter, and no cell waits for it.
    """

    question: str
    choices: tuple[tuple[str, str], ...]
    right: int
    recalls: str = ""
    believes: tuple[str, ...] = ()
    draws: str = ""
    shows: str = ""


@dataclass(frozen=True)
class Directive:
    """Any other directive of MyST, such as a dropdown: its argument, its options and the blocks in it."""

    name: str
    argument: str
    options: dict[str, str] = field(hash=False)
    blocks: tuple["Block", ...]


Block = Heading | Text | Formula | Cell | Listing | Predict | Directive


@dataclass(frozen=True)
class Chapter:
    """A chapter: its name, its title, its number in the book, the part of the book, its minutes and its text. Recaps have the number 0."""

    name: str
    title: str
    number: int
    part: str
    minutes: int
    markdown: str = field(repr=False)

    @property
    def page(self):
        """Its file in the book, without the ending."""
        return f"recaps/{self.name.removeprefix(RECAP)}" if self.name.startswith(RECAP) else f"chapters/{self.name}"

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """Read the blocks when they are needed: the book's list of chapters needs none."""
        return tuple(blocks_of(self.markdown))


class NoChapter(Exception):
    """The book has no such chapter. The message lists the chapters."""


def chapters(book=BOOK) -> list[Chapter]:
    """Return the chapters that the numbered tables of contents in `book`/index.md list, in their order.

    >>> [(c.number, c.part, c.title) for c in chapters()][:2]
    [(1, 'Numbers', 'A price for every joint'), (2, 'Numbers', 'Variables, functions, graphs')]
    """
    return [chapter for chapter in with_recaps(book) if chapter.number]


def with_recaps(book=BOOK) -> list[Chapter]:
    """Return the chapters and the pages of recaps between them, whose number is 0, in their order.

    A table of contents without a caption goes on with the part before it.

    >>> [(c.number, c.name) for c in with_recaps()][5:7]
    [(6, 'your-first-value'), (0, 'recap-numbers')]
    """
    index = blocks_of((Path(book) / "index.md").read_text(encoding="utf-8"))
    tables = [block for block in index if isinstance(block, Directive) and block.name == "toctree"]
    parts: Iterator[str] = accumulate([str(table.options.get("caption", "")) for table in tables], lambda before, own: own or before)
    found, numbers = [], count(1)
    for part, table in zip(parts, tables):
        for entry in table.argument.splitlines():
            if "numbered" in table.options:
                found.append(read(Path(book) / f"{entry}.md", next(numbers), part))
            elif entry.startswith("recaps/"):
                recap = read(Path(book) / f"{entry}.md", 0, part)
                found.append(replace(recap, name=RECAP + recap.name))
    return found


def find(which, known=None) -> Chapter:
    """Return the chapter with this number, name or title, among those that are known: by default all. Raises NoChapter if there is none.

    >>> find("1").name, find("descent").title
    ('nudge-and-slope', 'Descent, and two moons')
    >>> find("recap-numbers", with_recaps()).title
    'Recap: five questions on numbers'
    """
    known = known or chapters()
    for chapter in known:
        if str(which).casefold() in (chapter.name, chapter.title.casefold()) or chapter.number and str(which) == str(chapter.number):
            return chapter
    listed = "; ".join(f"{chapter.number or ''} {chapter.name}".strip() for chapter in known)
    raise NoChapter(f"the book has no chapter {str(which)!r}; its chapters are {listed}")


def read(path, number=0, part="") -> Chapter:
    """Return the chapter in a Markdown file. Raises ValueError if it has no title or says no time."""
    text = Path(path).read_text(encoding="utf-8")
    title = TITLE.search(FRONT_MATTER.sub("", text, count=1))
    time = re.search(r"\*\*Time:\*\* (\d+) minutes", text)
    if title is None or time is None:
        raise ValueError(f"{path}: a chapter needs a title, # …, and its time, **Time:** N minutes")
    return Chapter(Path(path).stem, title[1], number, part, int(time[1]), text)


def walk(blocks) -> Iterator[Block]:
    """Yield every block, and after a directive the blocks in it."""
    for block in blocks:
        yield block
        if isinstance(block, Directive):
            yield from walk(block.blocks)


# From lines to blocks


FENCE = re.compile(r"(?P<fence>`{3,}|:{3,})(?:\{(?P<name>[\w:-]+)\})?[ \t]*(?P<argument>.*)")
TITLE = re.compile(r"^# +(.*\S)", re.M)
HEADING = re.compile(r"(#{1,6}) +(.*)")
FORMULA = re.compile(r"\$\$(?P<tex>.+?)\$\$(?: *\((?P<label>[\w:-]+)\))?", re.S)
FRONT_MATTER = re.compile(r"---\n.*?\n---\n", re.S)
SILENT = re.compile(r"\([\w:-]+\)=$|%|\+\+\+")  # a target of links, a comment, a break between cells
OPTION = re.compile(r":([\w-]+):(?: +(.*))?")


def blocks_of(text) -> list[Block]:
    """Return the blocks of Markdown. Raises ValueError for a fence that does not end.

    >>> blocks_of("# Title\\n\\nSome text.\\n\\n```{code-cell}\\n:tags: [remove-input]\\n1 + 1\\n```\\n")
    [Heading(level=1, text='Title'), Text(markdown='Some text.'), Cell(source='1 + 1', tags=('remove-input',))]
    """
    lines, found, said = FRONT_MATTER.sub("", text, count=1).splitlines(), [], []
    at = 0
    while at < len(lines):
        made, after = block_at(lines, at)
        if after == at:
            said.append(lines[at])
            at += 1
            continue
        found += [*text_of(said), *made]
        said, at = [], after
    return [*found, *text_of(said)]


def block_at(lines, at):
    """Return the blocks that begin at a line, at most one, and the place after them; the same place if the line is text."""
    line = lines[at]
    if fence := FENCE.fullmatch(line):
        return fenced(fence, lines, at)
    if heading := HEADING.fullmatch(line):
        return [Heading(len(heading[1]), heading[2].strip())], at + 1
    if line.startswith("$$"):
        formula = FORMULA.match("\n".join(lines[at:]))
        if formula is None:
            raise ValueError(f"line {at + 1}: a formula does not end: {line}")
        return [Formula(formula["tex"].strip(), formula["label"] or "")], at + formula[0].count("\n") + 1
    return [], at + bool(SILENT.match(line))


def text_of(lines):
    text = "\n".join(lines).strip("\n")
    return [Text(text)] if text.strip() else []


def fenced(fence, lines, at):
    """Return the blocks that a fence stands for, and the place after it."""
    end = next((k for k in range(at + 1, len(lines)) if closes(lines[k], fence["fence"])), None)
    if end is None:
        raise ValueError(f"line {at + 1}: a fence does not end: {lines[at]}")
    body = lines[at + 1 : end]
    if fence["name"] is None:
        return [Listing("\n".join(body), fence["argument"])], end + 1
    options, body = options_of(body)
    if meant := misspelt(fence["name"], options):
        raise ValueError(f"line {at + 1}: {{{fence['name']}}} is not known; do you mean {{{meant}}}?")
    make = DIRECTIVES.get(fence["name"], partial(directive, fence["name"]))
    made = make(fence["argument"], options, body)
    return made if isinstance(made, list) else [made], end + 1


def misspelt(name, options) -> str:
    """Return which directive is meant by a name that is nearly its name, or that has the option of a question; else "".

    >>> misspelt("prediction", {}), misspelt("question", {"right": "2"}), misspelt("note", {})
    ('predict', 'predict', '')
    """
    if name in DIRECTIVES:
        return ""
    return "predict" if "right" in options else next(iter(get_close_matches(name, DIRECTIVES, cutoff=0.75)), "")


def closes(line, fence):
    line = line.rstrip()
    return len(line) >= len(fence) and set(line) == {fence[0]}


def options_of(lines):
    """Return the options at the start of a directive, {name: text}, and the lines after them."""
    options = {}
    for k, line in enumerate(lines):
        option = OPTION.fullmatch(line.rstrip())
        if option is None:
            return options, lines[k + (not line.strip()) :]
        options[option[1]] = option[2] or ""
    return options, []


def directive(name, argument, options, body):
    return Directive(name, argument, options, tuple(blocks_of("\n".join(body))))


def toctree(argument, options, body):
    """A table of contents; its argument lists the entries, one on each line."""
    return Directive("toctree", "\n".join(line.strip() for line in body if line.strip()), options, ())


def cell(argument, options, body):
    if body[:1] == ["---"]:
        raise ValueError("write the options of a cell as :tags: [remove-input]")
    return Cell("\n".join(body), tuple(re.findall(r"[\w-]+", options.get("tags", ""))))


def formula(argument, options, body):
    return Formula("\n".join([argument] * bool(argument) + body).strip(), options.get("label", ""))


def listing(argument, options, body):
    return Listing("\n".join(body), argument)


def predict(argument, options, body):
    """A question. Each item of its list is a choice, and in paragraphs of their own the reply. Raises ValueError if something is wrong."""
    items = re.split(r"^- ", "\n".join(map(str.rstrip, body)), flags=re.M)[1:]
    believes = tuple(options.get("believes", "").split())
    parts = [(choice.strip(), dedent(reply).strip()) for choice, _, reply in (item.partition("\n\n") for item in items)]
    if wrong := mistake(options, parts):
        raise ValueError(f"the question {argument!r}: {wrong}")
    if "recall" in options and believes:  # what a reader has forgotten is named
        parts = [(choice, f"{reply} {misconception(id)}" if id != NOTHING else reply) for (choice, reply), id in zip(parts, believes)]
    more = (options.get(name, "") for name in ("draw", "show"))
    return Predict(argument, tuple(parts), int(options["right"]), options.get("recall", ""), believes, *more)


def exercise(argument, options, body):
    """The blocks of an exercise: its title, its statement, the given program, the folded answer."""
    found = find_exercise(argument)
    return [Text(f"**{heading(found)}: {found.title}**"), *blocks_of(markdown(found))]


def figure(argument, options, body):
    """What is said where the site has a figure to drag or to step: its caption."""
    return Text(f"*Here the site has a figure.* {' '.join(body)}")


DIRECTIVES = {
    "code-cell": cell,
    "code-block": listing,
    "exercise": exercise,
    "figure": figure,
    "math": formula,
    "predict": predict,
    "toctree": toctree,
}
