"""How many minutes a chapter takes: its words are read, its programs are followed, and each task is done. Exercises say their own time."""

import re

from tutorial.reading.chapter import Cell, Chapter, Directive, Formula, Heading, Listing, Predict, Text, blocks_of, walk

WORDS, LINES = 140, 12  # a minute: words of prose with formulas, and lines of a program
TASK = dict(predict=1.0, recall=0.25, figure=1.5, player=1.5, run=0.2, formula=0.5, dropdown=0.2)  # minutes, beyond the reading
EXERCISE = re.compile(r"^```\{exercise\}.*?^```$", re.M | re.S)
FIGURE = re.compile(r"^:::\{figure\}", re.M)


def minutes(chapter: Chapter) -> float:
    """Return the minutes of a chapter without its exercises: reading, predicting, running, dragging and stepping.

    >>> from tutorial.reading.chapter import find
    >>> 10 < minutes(find("nudge-and-slope")) < 25
    True
    """
    markdown = EXERCISE.sub("", chapter.markdown)
    blocks = list(walk(blocks_of(markdown)))
    shown = [block.source for block in blocks if isinstance(block, Cell) and block.shows_code]
    programs = shown + [block.source for block in blocks if isinstance(block, Listing)]
    said = [words_of(block) for block in blocks]
    done = [kind for block in blocks if (kind := task_of(block))] + ["run"] * len(shown) + ["figure"] * len(FIGURE.findall(markdown))
    lines = sum(bool(line.strip()) for program in programs for line in program.splitlines())
    return sum(said) / WORDS + lines / LINES + sum(map(TASK.__getitem__, done))


def words_of(block):
    """Return how many words a reader reads in a block. Of the replies to a question these are the ones to one choice."""
    match block:
        case Text():
            return len(block.markdown.split())
        case Heading():
            return len(block.text.split())
        case Directive():
            return len(block.argument.split())
        case Predict():
            choices = [len(choice.split()) + len(reply.split()) / len(block.choices) for choice, reply in block.choices]
            return len(block.question.split()) + sum(choices)
    return 0


def task_of(block):
    """Return what a block asks the reader to do, or None."""
    match block:
        case Predict():
            return "recall" if block.recalls else "predict"
        case Cell():
            return "player" if re.search(r"\bviz\.play\(", block.source) else None
        case Formula():
            return "formula"
        case Directive(name="dropdown"):
            return "dropdown"
    return None
