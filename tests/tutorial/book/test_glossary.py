"""The glossary of the book defines each word once, and has those of the players."""

import re

from tutorial.book.reference.glossary import TERMS, pages, terms, uses
from tutorial.reading.chapter import BOOK, chapters
from viz.text.glossary import GLOSSARY


def test_no_word_has_two_definitions():
    assert len(terms()) == len(TERMS) + len(GLOSSARY)


def test_the_page_has_the_words_of_the_players_in_the_letters_of_the_book(tmp_path):
    ((name, page),) = pages(None, tmp_path)
    assert name == "glossary.md" and "{" not in page.replace("{glossary}", "").replace(r"\frac{", "").replace("}{d", "").replace(
        "G_{XY", ""
    ).replace(r"{\partial", "")
    assert "\nset of children\n  The set of the children of $x$" in page and "Written $c$($x$)." in page
    listed = [line for line, after in zip(page.splitlines(), page.splitlines()[1:]) if after.startswith("  ")]
    assert listed == sorted(listed, key=str.lower) and set(listed) == set(terms())


CODE = re.compile("```.*?```", re.S)
EVERYDAY = {"partial", "total", "leave", "arrives", "adds", "score", "disconnects", "saves", "window", "stages", "process", "running"}
EVERYDAY |= {
    "query",
    "key",
    "value",
    "heads",
    "module",
    "constant",
    "leaves",
    "shared weights",
}  # words with another meaning too, so that no use of them is a link


def test_a_word_that_a_chapter_introduces_stands_in_the_glossary():
    """A chapter sets it in bold. What begins with a capital letter begins a paragraph."""
    bold = {word for c in chapters() for word in re.findall(r"\*\*([a-z][^*\n]*)\*\*", CODE.sub("", text_of(c)))}
    assert {word for word in bold if len(word.split()) <= 3 and not any(uses(word))} == EVERYDAY


def text_of(chapter):
    return (BOOK / "chapters" / f"{chapter.name}.md").read_text(encoding="utf-8")
