"""Where a reader goes on from the page of a function: the chapters that use it, and the functions beside it."""

import re
from functools import cache
from pathlib import Path

from tensorgrad.families import PUBLIC

MOST_CHAPTERS, MOST_FUNCTIONS = 4, 6
USE = re.compile(r"\b(?:tg|tensorgrad|np|F)\.([a-z]\w*)\(|`(?:tg\.|np\.)?([a-z]\w*)(?:\([^`]*\))?`|(?:^|[ (=\[])([a-z]\w*)\(", re.M)
PYTHON = {"sum", "max", "min", "abs", "round", "sorted", "all", "any", "pow"}  # as calls they are Python's, without a prefix


def chapters_of(name, book):
    """Return the chapters that use a function, the one that uses it most often first: pairs of a file and how often."""
    return uses(Path(book)).get(name, [])[:MOST_CHAPTERS]


@cache
def uses(book):
    """Return {function: [(chapter, how often)]} of the chapters in a book."""
    found: dict = {}
    for path in sorted((book / "chapters").glob("*.md")):
        for match in USE.finditer(path.read_text(encoding="utf-8")):
            name = match[1] or match[2] or match[3]
            if name in PUBLIC and not (match[3] and name in PYTHON):
                count = found.setdefault(name, {})
                count[path.stem] = count.get(path.stem, 0) + 1
    return {name: sorted(count.items(), key=lambda item: -item[1]) for name, count in found.items()}


def beside(name, family):
    """Return the names of related functions: those that the docstring names, then the next ones in the family.

    >>> from tensorgrad.functions import activations
    >>> beside("log_softmax", activations)[:2]
    ['softmax', 'prelu']
    """
    said = [word for word in re.findall(r"`(\w+)`", PUBLIC[name].__doc__ or "") if word in PUBLIC]
    names = list(family.__all__)
    at = names.index(name)
    near = sorted(names, key=lambda other: abs(names.index(other) - at))
    found = dict.fromkeys([*said, *near])
    return [other for other in found if PUBLIC[other] is not PUBLIC[name]][:MOST_FUNCTIONS]
