"""The first use of a glossary's word in a chapter leads to the glossary. The chapters stay plain: the links are made while Sphinx reads."""

import re

from docutils import nodes
from sphinx.addnodes import pending_xref

from tutorial.book.directives.exercise import Practice
from tutorial.book.directives.predict import Prediction, Recall
from tutorial.book.reference.glossary import uses

PAGES = re.compile("chapters/|notation$")
WITHOUT = (nodes.reference, pending_xref, nodes.literal, nodes.math, nodes.raw)
PROMISE = "You will be able to"  # begins a paragraph that names other chapters: a place for other links
FOLDED = (Prediction, Recall, Practice)  # a click there means something else


def add(app):
    """Let Sphinx link the words of the pages that it reads."""
    app.connect("doctree-read", lambda app, page: link(page) if PAGES.match(app.env.docname) else None)


def link(page):
    """Make the first use of each word a link, where a reader sees it: not in headings, code, formulas, questions or folded text."""
    done: set[str] = set()
    for paragraph in page.findall(nodes.paragraph):
        if is_open(paragraph):
            for text in list(paragraph.findall(nodes.Text)):
                if not within(text, WITHOUT):
                    text.parent.replace(text, list(linked(text.astext(), done)))


def linked(text, done):
    """Give a text as nodes, with a link at the first use of each word. `done` has the words that have a link."""
    at = 0
    for term, match in uses(text):
        if term not in done:
            done.add(term)
            word = nodes.inline("", match[0], classes=["word"])
            yield nodes.Text(text[at : match.start()])
            yield pending_xref("", word, refdomain="std", reftype="term", reftarget=term, refwarn=True)
            at = match.end()
    yield nodes.Text(text[at:])


def is_open(paragraph):
    if paragraph.astext().startswith(PROMISE):
        return False
    folded = lambda node: isinstance(node, FOLDED) or node.get("design_component") == "dropdown"
    return not any(folded(node) for node in ancestors(paragraph))


def within(node, kinds):
    return any(isinstance(above, kinds) for above in ancestors(node))


def ancestors(node):
    while node := node.parent:
        yield node
