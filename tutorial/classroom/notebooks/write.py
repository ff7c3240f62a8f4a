"""Write an exercise as a Jupyter notebook, which runs from start to end before and after it is solved."""

import ast
import json

from tutorial.exercises.authored import Exercise
from tutorial.reading.notebook import FORMAT, KERNEL
from tutorial.text.inline import link_text, replaced

CHECK = 'from tutorial.classroom.notebooks.check import check\n\ncheck("{number}")'


def notebook(exercise: Exercise) -> str:
    """Return the text of an .ipynb file: the statement, the given program as a cell, and a cell that checks it.

    >>> from tutorial.exercises.authored import find
    >>> [cell["cell_type"] for cell in json.loads(notebook(find("02")))["cells"]]
    ['markdown', 'code', 'markdown', 'code']
    """
    cells = [
        markdown(f"# {exercise.number} {exercise.title}\n\n{replaced(exercise.statement, link_text)}"),
        code(exercise.given.strip()),
        markdown("Run the cell above, then this one. It needs Python with the package `gradsteps`."),
        code(CHECK.format(number=exercise.number)),
    ]
    numbered = [{"id": f"exercise-{exercise.number}-{k}"} | cell for k, cell in enumerate(cells)]
    return json.dumps({"cells": numbered, "metadata": KERNEL, **FORMAT}, indent=1, ensure_ascii=False) + "\n"


def markdown(text):
    return {"cell_type": "markdown", "metadata": {}, "source": text}


def code(source):
    """Return a cell. If what is to be written stands outside of functions, the tag lets the cells below run nevertheless."""
    raises = any(isinstance(node, ast.Raise) for node in ast.parse(source).body)
    tags = {"tags": ["raises-exception"]} if raises else {}
    return {"cell_type": "code", "metadata": tags, "source": source, "outputs": [], "execution_count": None}
