"""A chapter's first use of a glossary's word leads to the glossary, where a reader sees it, and nowhere else."""

import pytest

pytest.importorskip("sphinx")

from docutils import nodes
from sphinx.addnodes import pending_xref

from tutorial.book.directives.first_uses import link
from tutorial.book.directives.predict import Prediction


def words(*blocks):
    """Return the (word, term) of each link that a page of these blocks gets. Its text stays."""
    page = nodes.container("", *blocks)
    said = page.astext()
    link(page)
    assert page.astext() == said
    return [(found.astext(), found["reftarget"]) for found in page.findall(pending_xref)]


def text(said):
    return nodes.paragraph("", said)


def test_the_first_use_of_each_word_is_a_link():
    page = text("Its Children come first, then a child."), nodes.paragraph("", "A leaf is ", nodes.strong("", "an input"))
    assert words(*page) == [("Children", "child"), ("leaf", "leaf"), ("input", "input")]


def test_a_longer_word_counts_as_one_even_when_it_has_its_link():
    assert words(text("A total derivative."), text("The total derivative, the derivative")) == [
        ("total derivative", "total derivative"),
        ("derivative", "derivative"),
    ]


def test_a_word_with_another_meaning_is_no_link():
    assert words(text("It is computed by the chain rule of GradCore-Tensor, in childhood")) == []


@pytest.mark.parametrize(
    "block",
    [
        nodes.title("", "Children"),
        nodes.paragraph("", "You will be able to count the children."),
        nodes.paragraph("", "", nodes.literal("", "child"), nodes.reference("", "child", refuri="a.html"), nodes.math("", "child")),
        Prediction("", nodes.paragraph("", "child"), right=1),
        nodes.container("", nodes.paragraph("", "child"), design_component="dropdown"),
    ],
    ids=["heading", "promise", "code, link and formula", "question", "folded"],
)
def test_what_is_not_running_text_has_no_links(block):
    assert words(block, text("the child")) == [("child", "child")]
    assert not list(block.findall(pending_xref))
