"""The time at the top of a chapter follows from its words and its tasks."""

import re

import pytest

from tests.each import each
from tests.tutorial.reading.minutes import EXERCISE, LINES, TASK, WORDS, minutes
from tutorial.reading.chapter import Cell, Chapter, Directive, Predict, Text, blocks_of, chapters, walk, with_recaps

LISTED = re.compile(r"\s*([-*]|\d+\.) ")  # an item of a list
DONE = re.compile(rf"{EXERCISE.pattern}|^:::\{{figure\}}.*?^:::$", re.M | re.S)

PARTS = {  # of a chapter: its Markdown, and its minutes
    "prose": (" ".join(["word"] * WORDS), 1),
    "a program that is shown": ("```{code-cell}\n" + "x = 1\n" * LINES + "```", 1 + TASK["run"]),
    "a program that is not shown": ("```{code-cell}\n:tags: [remove-cell]\n" + "x = 1\n" * LINES + "```", 0),
    "a player": ("```{code-cell}\n:tags: [remove-input]\nviz.play(z)\n```", TASK["player"]),
    "a figure": (":::{figure} tangent\n" + " ".join(["word"] * WORDS) + "\n:::", 1 + TASK["figure"]),
    "an exercise": ("```{exercise} 00\n```", 0),
    "a question": (":::{predict} Which?\n:right: 1\n\n- a\n\n  Yes.\n- b\n\n  No.\n:::", TASK["predict"] + 4 / WORDS),
    "a question about an earlier chapter": (
        ":::{predict} Which?\n:recall: descent\n:right: 1\n\n- a\n\n  Yes.\n- b\n\n  No.\n:::",
        TASK["recall"] + 4 / WORDS,
    ),
}


@each("part", PARTS)
def test_the_minutes_of_a_part(part):
    markdown, expected = PARTS[part]
    said = len(markdown.split()[2:]) - WORDS if part == "a figure" else 0  # its caption in a notebook says that there is a figure
    assert minutes(Chapter("small", "Small", 1, "", 5, markdown)) == pytest.approx(expected, abs=0.06 + said), part


@each("page", with_recaps(), ids=lambda page: page.name)
def test_a_chapter_and_a_recap_say_how_long_they_take(page):
    measured = minutes(page)
    most = 5 if page.number else 1  # minutes away; a page of recaps is short
    assert abs(page.minutes - measured) <= most, f"{page.name} says {page.minutes} minutes, and takes about {measured:.0f}"


def parts(markdown):
    """Yield "paragraph", and "action" for what the reader does: predict, run, step, drag, open an answer, write a program."""
    for block in walk(blocks_of(DONE.sub("ACTION", markdown))):
        if isinstance(block, Text):
            texts = re.split(r"\n\s*\n", block.markdown)
            yield from ("action" if text == "ACTION" else "paragraph" for text in texts if not LISTED.match(text))
        elif isinstance(block, Cell):
            yield from ["action"] * (block.shows_code or "viz.play(" in block.source)
        elif isinstance(block, Predict) or isinstance(block, Directive) and block.name == "dropdown":
            yield "action"


@each("chapter", chapters(), ids=lambda chapter: chapter.name)
def test_at_most_four_paragraphs_stand_between_two_things_that_the_reader_does(chapter):
    assert "paragraph " * 5 not in " ".join(parts(chapter.markdown)) + " "
