"""Run the examples of a docstring, and show what they print now. Knows nothing of the functions."""

import sys
from contextlib import redirect_stdout
from doctest import DocTestParser
from io import StringIO

import numpy as np

import tensorgrad
from tensorgrad.families import PUBLIC


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
