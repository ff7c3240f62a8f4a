"""Write a line of the book as HTML for a page of the class, or as plain text: formulas, code, bold and italics. All else is text."""

import re
from collections.abc import Callable
from html import escape, unescape
from typing import NamedTuple
from xml.etree.ElementTree import tostring

from latex2mathml.converter import convert_to_element

from tutorial.text.inline import SPAN, link_text
from tutorial.text.plain_formulas import plain_formula

BOLD, ITALICS = re.compile(r"\*\*(.+?)\*\*"), re.compile(r"(?<!\*)\*(\S(?:[^*]*[^*\s])?)\*(?!\*)")
KEPT = re.compile("\ue000(\\d+)\ue001")
TOUCHED = re.compile(r"([^\s<>]*)(<math.*?</math>)([^\s<>]*)")  # a formula, and what stands beside it without a space
NAMESPACE = re.compile(' xmlns="[^"]*"')

Evaluate = Callable[[str], str]


class Writing(NamedTuple):
    """How to write text, code and formulas, and what stands around bold and around italic text."""

    text: Callable[[str], str]
    code: Callable[[str], str]
    formula: Callable[[str], str]
    bold: str
    italics: str


def line(markdown, writing: Writing, evaluate: Evaluate) -> str:
    """Write a line of Markdown. `evaluate` gives the text of a role {eval}; other roles become their own text."""
    kept: list[str] = []  # what is written already stands in the line as its number between two private characters

    def keep(written):
        kept.append(written)
        return f"\ue000{len(kept) - 1}\ue001"

    def span(found):
        if found["role"]:
            content = " ".join(found["content"].split())
            return keep(writing.text(evaluate(content) if found["role"] == "eval" else link_text(found["role"], content)))
        if found["ticks"]:
            return keep(writing.code(found["content"]))
        return keep(writing.formula(found["tex"])) if found["tex"] else found["link"]

    text = writing.text(SPAN.sub(span, re.sub("[\ue000\ue001]", "", markdown)))
    text = ITALICS.sub(writing.italics, BOLD.sub(writing.bold, text))
    return " ".join(KEPT.sub(lambda place: kept[int(place[1])], text).split())


def display(tex) -> str:
    """Return a formula that stands alone as MathML."""
    return formula(tex, "block")


def formula(tex, display="inline") -> str:
    """Return a formula as MathML, in which text stays text."""
    tree = convert_to_element(tex, display=display)
    for element in tree.iter():
        element.text = unescape(element.text) if element.text else element.text  # signs come as &#x02211;, which `tostring` would escape
    return NAMESPACE.sub("", tostring(tree, encoding="unicode"))


HTML = Writing(lambda text: escape(text, quote=False), lambda code: f"<code>{escape(code)}</code>", formula, r"<b>\1</b>", r"<i>\1</i>")
PLAIN = Writing(str, str, plain_formula, r"\1", r"\1")


def written(markdown, evaluate: Evaluate = str) -> str:
    """Return a line of Markdown as HTML. It holds only elements that are made here: what looks like one in the line is text.

    A browser breaks lines around formulas, so `z = 6$y$` could end a line with `z = 6`. What touches a formula stays beside it.

    >>> written("*Two*: `a < b`, and <b>")
    '<i>Two</i>: <code>a &lt; b</code>, and &lt;b&gt;'
    >>> written("$x_1$")
    '<math display="inline"><mrow><msub><mi>x</mi><mn>1</mn></msub></mrow></math>'
    """
    return TOUCHED.sub(lambda found: together(*found.groups()), line(markdown, HTML, evaluate))


def together(before, formula, after) -> str:
    return f'<span class="together">{before}{formula}{after}</span>' if before or after else formula


def as_text(markdown, evaluate: Evaluate = str) -> str:
    r"""Return a line of Markdown as plain text.

    >>> as_text(r"*Two* `a * b * c` of $\frac{dz}{dx_1}$")
    'Two a * b * c of dz/dx₁'
    """
    return line(markdown, PLAIN, evaluate)
