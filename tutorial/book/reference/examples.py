"""Run the examples of a docstring, and show what they print now. Knows nothing of the functions."""

import ast
import sys
from contextlib import redirect_stdout
from doctest import DocTestParser
from io import StringIO

import numpy as np

import tensorgrad
from scalargrad import rules
from scalargrad.rule import VariadicRow
from tensorgrad.families import PUBLIC

ROWS = {row.name: row for row in rules.TABLE if not isinstance(row, VariadicRow)}


def examples(docstring):
    """Return the examples of a docstring, as doctest reads them."""
    return DocTestParser().get_examples(docstring or "")


def names_for(function):
    """Return the names that an example may use: those of the module, and all public functions of arrays."""
    return {**vars(tensorgrad), **names_of_module(function), **PUBLIC, "np": np}


def names_of_module(thing):
    """Return the names of the module of a class or a function, which its examples use; `sum` and `round` are Python's."""
    return dict(vars(sys.modules[thing.__module__])) if getattr(thing, "__module__", None) in sys.modules else {}


def shown(docstring, names):
    """Return the examples of a docstring as a Python session, with what they print when they run now.

    >>> shown(">>> 1 + x", {"x": 4}).splitlines()
    ['>>> 1 + x', '5']
    """
    names, lines = dict(names), []
    for example in examples(docstring):
        first, *rest = example.source.rstrip("\n").split("\n")
        lines += [f">>> {first}", *(f"... {line}" for line in rest), *printed(example.source, names)]
    return "\n".join(lines)


def example(docstring, names):
    """Return the examples of a docstring as a block of Markdown, in a list; an empty list if it has none."""
    return [f"```pycon\n{shown(docstring, names)}\n```"] if examples(docstring) else []


def cells(name, function):
    """Return the examples of a public function as cells: pairs of a program and what it prints now. The first imports what all use.

    A cell ends with the statement that prints. The example of a row is one of numbers, which needs no NumPy.
    """
    row = ROWS.get(name)
    package, docstring, names = ("scalargrad", row.__doc__, {name: row}) if row else ("tensorgrad", function.__doc__, names_for(function))
    found, lines = [], []
    for example in examples(docstring):
        lines.append(example.source.rstrip("\n"))
        if result := printed(example.source, names):
            found.append(("\n".join(lines), "\n".join(result)))
            lines = []
    nodes = [node for source, _ in found for node in ast.walk(ast.parse(source))]
    used = {node.id for node in nodes if isinstance(node, ast.Name)} - {each.name for node in nodes for each in getattr(node, "names", ())}
    ours = sorted(used & {"Tensor", *PUBLIC})
    imports = ["import numpy as np"] * ("np" in used) + [f"from {package} import {', '.join(ours)}"] * bool(ours)
    (first, result), *others = found
    return [("\n".join([*imports, "", first] if imports else [first]), result), *others]


def shown_as_cells(cells):
    """Return cells as Markdown, marked as those of chapters are, so that the page can make them live."""
    box = lambda kind, inside: f'<div class="{kind} docutils container">\n\n{inside}\n\n</div>'
    code = lambda language, text: f"```{language}\n{text}\n```"
    one = lambda source, result: f"{box('cell_input', code('python', source))}\n\n{box('cell_output', code('text', result))}"
    return "\n\n".join(box("cell", one(*cell)) for cell in cells)


def printed(source, names):
    """Return the lines that an example prints: its output, and the value of an expression. An exception is its last line."""
    out = StringIO()
    hook, sys.displayhook = sys.displayhook, lambda value: None if value is None else print(repr(value))
    try:
        with redirect_stdout(out):
            exec(compile(source, "<example>", "single"), names)
    except Exception as wrong:
        print(f"Traceback (most recent call last):\n{type(wrong).__name__}: {wrong}", file=out)
    finally:
        sys.displayhook = hook
    return out.getvalue().rstrip("\n").split("\n") if out.getvalue() else []
