"""Take the programs of exercises out of a notebook, by their names: functions, classes, assignments and the imports that these use.

A heading or a comment that begins with a number, such as `## 08 Backpropagation`, says that the cells below it are of this exercise;
what stands above the first of them belongs to all. Without such headings the cells belong to each exercise whose functions they define.
Cells are taken as data: nothing of a notebook runs here.
"""

import ast
import json
import re
from collections.abc import Iterable

from tutorial.exercises import syntax
from tutorial.exercises.authored import Exercise

HEADING = re.compile(r"#+ *(\d\d)\b")
OF_IPYTHON = re.compile(r"^[ \t]*[%!?].*$", re.M)  # magics and commands of the shell
DEFINES = ast.FunctionDef | ast.ClassDef
TAKEN = DEFINES | ast.Assign | ast.AnnAssign | ast.Raise  # what is still to be written raises an error
IMPORTS = ast.Import | ast.ImportFrom


def programs_in(text, exercises: Iterable[Exercise]) -> dict[str, str]:
    """Return {number: program} of the exercises in the text of a notebook. Raises ValueError if it is not a notebook.

    >>> cell = {"cell_type": "code", "source": "def figure1(x1, x2, x3, x4):\\n    return {}\\nprint(figure1(1, 2, 3, 4))"}
    >>> from tutorial.exercises.authored import find
    >>> programs_in(json.dumps({"cells": [cell]}), [find("02")])
    {'02': 'def figure1(x1, x2, x3, x4):\\n    return {}\\n'}
    """
    sections = sections_of(cells_of(text))
    shared = sections.pop("")
    found = {}
    for exercise in exercises:
        cells = [*shared, *sections.get(exercise.number, [])]
        if exercise.number in sections or (not sections and names_in(cells) & names_in([exercise.given])):
            found[exercise.number] = taken(cells, exercise.frame)
    return found


def cells_of(text):
    """Yield the type and the source of each cell."""
    try:
        cells = json.loads(text)["cells"]
        for cell in cells:
            source = cell["source"]
            text = source if isinstance(source, str) else "".join(source)
            yield cell["cell_type"], text.encode(errors="replace").decode()  # half a character of JSON, \ud800, is none of a program
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ValueError("it is not a notebook") from None


def sections_of(cells) -> dict[str, list[str]]:
    """Return {number: the sources of its code}; "" for what stands above the first number."""
    sections: dict[str, list[str]] = {"": []}
    here = ""
    for kind, source in cells:
        if heading := HEADING.match(source.lstrip()):
            here = heading[1]
        if kind == "code":
            sections.setdefault(here, []).append(without_magics(source))
    return sections


def without_magics(source) -> str:
    """Return the source of a cell without the lines that only IPython understands; the others keep their numbers."""
    return OF_IPYTHON.sub("", source)


def names_in(sources) -> set[str]:
    """Return the functions and classes that these sources define."""
    return {node.name for source in sources for node in syntax.statements(source) if isinstance(node, DEFINES)}


def taken(sources, frame="") -> str:
    """Return the program: what is taken of each source, and a source that is not Python as it is, because the student has to see why.

    An import is taken if the program or the frame of the exercise uses it.
    """
    parts = [(node, part) for source in sources for node, part in statements(source)]
    using = [*(node for node, _ in parts if not isinstance(node, IMPORTS)), ast.parse(frame)]
    used = {name.id for node in using for name in ast.walk(node) if isinstance(name, ast.Name)}
    return "".join(f"{part}\n" for node, part in parts if not isinstance(node, IMPORTS) or used & bound(node))


def statements(source):
    """Yield each statement that is taken, with its text."""
    found = syntax.tree(source)
    if found is None:
        yield ast.Pass(), source
    lines = source.splitlines()
    for node in found.body if found else ():
        if isinstance(node, TAKEN | IMPORTS):
            first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
            yield node, "\n".join(lines[first - 1 : node.end_lineno])


def bound(node) -> set[str]:
    """Return the names that an import makes."""
    return {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
