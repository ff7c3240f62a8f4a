"""Formulas of the book in MathML, which a browser shows without a script and without a network."""

import re

from docutils.nodes import SkipNode
from latex2mathml.converter import convert


def add(app):
    """Let Sphinx write formulas with this renderer."""
    app.add_html_math_renderer("latex2mathml", (inline, None), (display, None))


def inline(self, node):
    self.body.append(mathml(node.astext(), "inline"))
    raise SkipNode


def display(self, node):
    number = f'<span class="eqno">({node["number"]})</span>' if node.get("number") else ""
    self.body.append(f'<div class="math"{self_id(node)}>{number}{mathml(node.astext(), "block")}</div>')
    raise SkipNode


def self_id(node):
    return f' id="{node["ids"][0]}"' if node["ids"] else ""


def mathml(tex, how):
    """Return a formula in MathML; how is "inline" or "block".

    >>> mathml("x_1", "inline")
    '<math display="inline"><mrow><msub><mi>x</mi><mn>1</mn></msub></mrow></math>'
    """
    return re.sub(' xmlns="[^"]*"', "", convert(tex, display=how))
