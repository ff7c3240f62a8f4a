"""A question as a class sees it. Knows neither who answers nor where it came from."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

SIZE = re.compile(r'viewBox="\S+ \S+ (\S+) (\S+)"')
LETTERS = "ABCDEFGH"  # of the choices, and the keys by which hands are counted


@dataclass(frozen=True)
class Picture:
    """A drawing beside a question, as the text of an SVG file, and what it shows in words."""

    svg: str
    said: str = ""

    def size(self) -> list[int]:
        """Return the width and the height of a drawing, in whose units its letters are 11 high and more.

        >>> Picture('<svg viewBox="0 0 500 99.6"></svg>').size()
        [500, 100]
        """
        found = SIZE.search(self.svg)
        return [round(float(number)) for number in found.groups()] if found else [500, 250]


@dataclass(frozen=True)
class Code:
    """A program beside a question."""

    source: str


@dataclass(frozen=True)
class Typeset:
    """A formula beside a question, as HTML."""

    html: str


Beside = Picture | Code | Typeset


@dataclass(frozen=True)
class At:
    """The place of a question in a player that the class can follow: the page, and the step that first shows the answer."""

    page: int
    step: int


@dataclass(frozen=True)
class Choice:
    """A choice and its reply, as HTML. A wrong choice believes a misconception, such as M02; "" if none is known. `plain` is text."""

    text: str
    reply: str
    believes: str = ""
    plain: str = ""


@dataclass(frozen=True)
class Question:
    """What is asked, as HTML, with its choices, of which number `right` is right, counted from 0, and what stands beside it.

    `plain` is what is asked as text, and `chapter` the name of the chapter to read again, if there is one. If a number is to be typed,
    `typed` returns the number of the choice that it means, and raises ValueError with one sentence if it is not a number. `at` is where
    a player asks for this number.
    """

    id: str
    title: str
    asked: str
    choices: tuple[Choice, ...]
    right: int
    beside: tuple[Beside, ...] = ()
    plain: str = ""
    chapter: str = ""
    typed: Callable[[str], int] | None = field(default=None, compare=False)
    at: At | None = None

    def picture(self) -> Picture | None:
        return next((found for found in self.beside if isinstance(found, Picture)), None)

    def __post_init__(self):
        if not 2 <= len(self.choices) <= len(LETTERS) or self.right not in range(len(self.choices)):
            raise ValueError(f"{self.id}: a question needs 2 to {len(LETTERS)} choices, and one of them is right")
