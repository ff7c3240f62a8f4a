"""The time at the top of a chapter follows from its words and its tasks."""

import pytest

from tests.each import each
from tutorial.book.reading.chapter import Chapter, chapters
from tutorial.book.reading.minutes import LINES, TASK, WORDS, minutes

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


@each("chapter", chapters(), ids=lambda chapter: chapter.name)
def test_a_chapter_says_how_long_it_takes(chapter):
    measured = minutes(chapter)
    assert abs(chapter.minutes - measured) <= 5, f"{chapter.name} says {chapter.minutes} minutes, and takes about {measured:.0f}"
