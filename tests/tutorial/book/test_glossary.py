"""The glossary of the book defines each word once, and has those of the players."""

from tutorial.book.reference.glossary import TERMS, pages, terms
from viz.glossary import GLOSSARY


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
