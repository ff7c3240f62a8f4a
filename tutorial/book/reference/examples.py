"""Run the examples of a docstring, and show what they print now. Knows nothing of the functions."""

import sys
from contextlib import redirect_stdout
from doctest import DocTestParser
from io import StringIO

import numpy as np

import tensorgrad
from tensorgrad.methods import PUBLIC


def examples(docstring):
    """Return the examples of a docstring, as doctest reads them."""
    return DocTestParser().get_examples(docstring or "")


def names_for(function):
    """Return the names that an example may use: those of the module, and all public functions of arrays."""
    module = sys.modules.get(getattr(function, "__module__", ""))
    return {**vars(tensorgrad), **(vars(module) if module else {}), **PUBLIC, "np": np}


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
