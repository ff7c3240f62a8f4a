"""Write a line of the book as HTML for a page of the class: formulas as MathML, code, bold and italics. All else is text."""

import re
from collections.abc import Callable
from html import escape, unescape
from xml.etree.ElementTree import tostring

from latex2mathml.converter import convert_to_element

from tutorial.book.reading.inline import SPAN, named

MARKS = ((re.compile(r"\*\*(.+?)\*\*"), r"<b>\1</b>"), (re.compile(r"(?<!\*)\*([^*]+)\*(?!\*)"), r"<i>\1</i>"))
NAMESPACE = re.compile(' xmlns="[^"]*"')


def written(markdown, evaluate: Callable[[str], str] = str) -> str:
    """Return a line of Markdown as HTML. `evaluate` gives the text of a role {eval}; other roles become their own text.

    The result holds only elements that are made here: what looks like one in the line is text.

    >>> written("*Two*: `a < b`, and <b>")
    '<i>Two</i>: <code>a &lt; b</code>, and &lt;b&gt;'
    >>> written("$x_1$")
    '<math display="inline"><mrow><msub><mi>x</mi><mn>1</mn></msub></mrow></math>'
    """
    kept: list[str] = []  # what is HTML already stands in the text as a private character and its number, until the marks are read

    def keep(html):
        kept.append(html)
        return f"\ue000{len(kept) - 1}\ue001"

    def one(span):
        if span["role"]:
            content = " ".join(span["content"].split())
            return keep(escape(evaluate(content) if span["role"] == "eval" else named(span["role"], content)))
        if span["ticks"]:
            return keep(f"<code>{escape(span['content'])}</code>")
        if span["tex"]:
            return keep(formula(span["tex"]))
        return span["link"]

    text = escape(SPAN.sub(one, re.sub("[\ue000\ue001]", "", markdown)), quote=False)
    for mark, html in MARKS:
        text = mark.sub(html, text)
    return re.sub("\ue000(\\d+)\ue001", lambda place: kept[int(place[1])], text).strip()


def formula(tex) -> str:
    """Return a formula as MathML, in which text stays text."""
    tree = convert_to_element(tex, display="inline")
    for element in tree.iter():
        element.text = unescape(element.text) if element.text else element.text  # signs come as &#x02211;, which the next line would escape
    return NAMESPACE.sub("", tostring(tree, encoding="unicode"))
