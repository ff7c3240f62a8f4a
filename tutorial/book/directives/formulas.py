"""Formulas of the book in MathML, which a browser shows without a script and without a network."""

from docutils.nodes import SkipNode

from tutorial.text.mathml import mathml


def add(app):
    """Let Sphinx write formulas with this renderer."""
    app.add_html_math_renderer("latex2mathml", (inline, None), (display, None))


def inline(self, node):
    self.body.append(mathml(node.astext(), "inline"))
    raise SkipNode


def display(self, node):
    number = f'<span class="eqno">({node["number"]})</span>' if node.get("number") else ""
    own = f' id="{node["ids"][0]}"' if node["ids"] else ""
    self.body.append(f'<div class="math"{own}>{number}{mathml(node.astext(), "block")}</div>')
    raise SkipNode
