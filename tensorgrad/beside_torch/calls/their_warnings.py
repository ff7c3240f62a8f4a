"""PyTorch's warnings name the line of the program, and not the recorder's, and what runs again does not warn again."""

import sys
import warnings
from contextlib import contextmanager

from scalargrad.callers import callers, is_ours


@contextmanager
def at_the_program():
    """Within this block a warning that would name a line of ours names the line of the program that runs, and is filtered by it."""
    usual = warnings.showwarning

    def show(message, category, filename, lineno, file=None, line=None):
        frame = next(callers(), None) if is_ours(filename) else None
        if frame is None:
            usual(message, category, filename, lineno, file, line)
            return
        forget_ours(filename)
        registry = frame.f_globals.setdefault("__warningregistry__", {})
        warnings.warn_explicit(message, category, frame.f_code.co_filename, frame.f_lineno, frame.f_globals.get("__name__"), registry)

    warnings.showwarning = show
    try:
        yield
    finally:
        warnings.showwarning = usual


def forget_ours(filename):
    """Let the next warning at a line of ours be shown too: it may be for another line of the program."""
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_filename == filename:
            frame.f_globals.pop("__warningregistry__", None)
        frame = frame.f_back


@contextmanager
def unheard():
    """Ignore the warnings in this block, in which something runs again."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
