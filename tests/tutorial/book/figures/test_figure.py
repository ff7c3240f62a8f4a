"""The directive of a figure says in one sentence what is wrong with it."""

import pytest

from tests.each import each


@pytest.fixture
def said(monkeypatch):
    """said(text) reads text with the directive and returns the messages."""
    from docutils import nodes
    from docutils.core import publish_doctree
    from docutils.parsers.rst import directives

    from tutorial.book.figures.figure import Figure

    monkeypatch.setitem(directives._directives, "figure", Figure)

    def said(text):
        tree = publish_doctree(text, settings_overrides={"report_level": 5})
        return [message.children[0].astext() for message in tree.findall(nodes.system_message)]

    return said


MISTAKES = {
    ".. figure:: tangens\n\n   A caption.\n": "there is no figure 'tangens'; the figures are arm_race, ",
    ".. figure:: tangent\n": "the figure 'tangent' needs a caption: a sentence that says what it shows",
}


@each("text", MISTAKES)
def test_a_mistake_is_one_sentence(text, said):
    (message,) = said(text)
    assert MISTAKES[text] in message


def test_a_figure_with_a_caption_is_read(said):
    assert said(".. figure:: tangent\n\n   A caption.\n") == []
