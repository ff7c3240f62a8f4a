"""The directive of a question says in one sentence what is wrong with it."""

import pytest

from tests.each import each

CHOICES = "\n\n   - a\n\n     No.\n   - b\n\n     Yes.\n"
MISTAKES = {
    f".. predict:: Which?{CHOICES}": "predict needs :right: and a list whose items are a choice and, in a paragraph of its own, a reply",
    f".. predict:: Which?\n   :right: 3{CHOICES}": "predict needs :right: and a list",
    ".. predict:: Which?\n   :right: 1\n\n   - a\n   - b\n": "predict needs :right: and a list",
    f".. predict:: Which?\n   :right: 1\n   :recall: no-such{CHOICES}": "recall: the book has no chapter 'no-such'; its chapters are 1 ",
    f".. predict:: Which?\n   :right: 2\n   :believes: M02{CHOICES}": "believes: M02 needs a misconception such as M02 for",
    f".. predict:: Which?\n   :right: 2\n   :believes: M02 M03{CHOICES}": "and - for the right one",
    f".. predict:: Which?\n   :right: 2\n   :believes: M00 -{CHOICES}": "needs a misconception such as M02",
}


@pytest.fixture
def said(monkeypatch):
    """said(text) reads text with the directive and returns the messages."""
    from types import SimpleNamespace

    from docutils import nodes
    from docutils.core import publish_doctree
    from docutils.parsers.rst import directives

    from tutorial.book.directives.predict import Predict

    monkeypatch.setitem(directives._directives, "predict", Predict)
    monkeypatch.setattr(Predict, "env", SimpleNamespace(docname="chapters/a", note_dependency=lambda path: None))

    def said(text):
        tree = publish_doctree(text, settings_overrides={"report_level": 5})
        return [message.children[0].astext() for message in tree.findall(nodes.system_message)]

    return said


@each("text", MISTAKES)
def test_a_mistake_is_one_sentence(text, said):
    (message,) = said(text)
    assert MISTAKES[text] in message


def test_a_question_about_an_earlier_chapter_is_read(said):
    assert said(f".. predict:: Which?\n   :right: 2\n   :recall: descent\n   :believes: M99 -{CHOICES}") == []
