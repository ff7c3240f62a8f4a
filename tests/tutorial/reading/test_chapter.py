"""A chapter's Markdown as blocks, and the chapters of the book in their order."""

import pytest

from tutorial.reading.chapter import (
    BOOK,
    Cell,
    Directive,
    Formula,
    Heading,
    Listing,
    NoChapter,
    Predict,
    Text,
    blocks_of,
    chapters,
    find,
)

CHAPTERS = chapters()
QUESTION = ":::{predict} Which?\n:right: 2\n\n- $a$\n\n  It is not a,\n  nor c.\n- b\n\n  Yes.\n:::"
CHOICES = (("$a$", "It is not a,\nnor c."), ("b", "Yes."))
BLOCKS = [
    ("# A title", Heading(1, "A title")),
    ("one\ntwo\n\n- three", Text("one\ntwo\n\n- three")),
    ("$$\nx^2\n$$ (square)", Formula("x^2", "square")),
    ("$$x^2$$", Formula("x^2")),
    ("```{math}\n:label: square\nx^2\n```", Formula("x^2", "square")),
    ("```{code-cell}\n1 + 1\n```", Cell("1 + 1")),
    ("```{code-cell} ipython3\n:tags: [remove-input, live]\n\nx\n\ny\n```", Cell("x\n\ny", ("remove-input", "live"))),
    ("```text\n# code\n```", Listing("# code", "text")),
    ("```{code-block} python\nx\n```", Listing("x", "python")),
    (QUESTION, Predict("Which?", CHOICES, 2)),
    (QUESTION.replace("\n\n  ", "\n  \n  "), Predict("Which?", CHOICES, 2)),  # spaces that an editor has left
    (QUESTION.replace("2\n", "2\n:recall: descent\n", 1), Predict("Which?", CHOICES, 2, "descent")),
    (":::{dropdown} Why?\n:open:\nBecause.\n:::", Directive("dropdown", "Why?", {"open": ""}, (Text("Because."),))),
    ("::::{note}\n:::{dropdown} Why?\n:::\n::::", Directive("note", "", {}, (Directive("dropdown", "Why?", {}, ()),))),
]  # fmt: skip


@pytest.mark.parametrize("markdown, block", BLOCKS)
def test_each_kind_of_block_is_read(markdown, block):
    assert blocks_of(markdown) == [block]
    if not isinstance(block, Text):  # two texts are one
        assert blocks_of(f"before\n\n{markdown}\n\nafter") == [Text("before"), block, Text("after")]


def test_what_is_not_shown_is_left_out():
    assert blocks_of("---\nfile_format: mystnb\n---\n\n(target)=\n# A title\n% a comment\n") == [Heading(1, "A title")]


@pytest.mark.parametrize("markdown", ["one\n\n```{code-cell}\n1", ":::{dropdown} Why?\n::", "$$\nx"])
def test_a_block_that_does_not_end_is_an_error_that_names_its_line(markdown):
    with pytest.raises(ValueError, match=r"line \d: a \w+ does not end"):
        blocks_of(markdown)


def test_a_table_of_contents_without_a_caption_goes_on_with_the_part_before_it(tmp_path):
    for name in "abc":
        (tmp_path / f"{name}.md").write_text(f"# {name}\n**Time:** 5 minutes.\n")
    table = "```{{toctree}}\n{}:maxdepth: 1\n\n{}\n```\n".format
    parts = [
        table(":caption: One\n:numbered:\n", "a"),
        table("", "recap"),
        table(":numbered:\n", "b"),
        table(":caption: Two\n:numbered:\n", "c"),
    ]
    (tmp_path / "index.md").write_text("\n".join(parts))
    assert [(c.number, c.part, c.title) for c in chapters(tmp_path)] == [(1, "One", "a"), (2, "One", "b"), (3, "Two", "c")]


def test_chapters_are_numbered_across_the_parts_of_the_book():
    assert [chapter.number for chapter in CHAPTERS] == list(range(1, len(CHAPTERS) + 1))
    assert CHAPTERS[0].part == "Numbers" and len({chapter.part for chapter in CHAPTERS}) > 1
    assert {chapter.name for chapter in CHAPTERS} == {path.stem for path in (BOOK / "chapters").glob("*.md")}
    for chapter in CHAPTERS:
        assert find(chapter.number) == find(chapter.name) == chapter and 5 <= chapter.minutes <= 40


@pytest.mark.parametrize("which", ["0", "99", "no-such-chapter", "", 99])
def test_a_wrong_chapter_is_one_line_that_lists_the_chapters(which):
    with pytest.raises(NoChapter, match=r"^the book has no chapter .*; its chapters are 1 nudge-and-slope; 2 ") as wrong:
        find(which)
    assert "\n" not in str(wrong.value)
