"""Show backpropagation in the terminal. Its modules are imported when it is used: with rich they take a sixth of `import viz`."""

import os
import random
import sys
from contextlib import contextmanager

from scalargrad.tracing.trace import Trace
from viz.drawing.selection import unzoomed
from viz.graphs.detail import trace_of
from viz.options import require
from viz.terminal.keys import reads_keys, window
from viz.text.formatter import formatter_for


def walk(z, file=None, **options):
    """Print every iteration of backpropagation from z, or of a Trace: the dictionary, the partials, and equation (1) in three forms.

    `options` are those of `Trace`: order, schedule, names, detail, opened. Schedules other than the tutorial's print a line for each step.
    Lines have at most 80 columns and no colour. They are ASCII if `file` (default: standard output) cannot encode Unicode.

    >>> from scalargrad import Value
    >>> x = Value(3, name="x"); walk(x * 2, names={})  # doctest: +ELLIPSIS
    x = 3
    z = x·2 = 6
    ...
       invoke chain rule: dz/dx = dz/dz · ∂z/∂x
    ...
    """
    require(file=file)
    trace = trace_of(z, **options)
    file = sys.stdout if file is None else file
    with random_kept():
        from viz.terminal.print_trace import lines
    for line in lines(trace, formatter_for(file)):
        print(line, file=file)


def step(z, **options):
    """Step through backpropagation from z, or through a Trace, in the terminal. In a pipe or a notebook, print all steps.

    z may also be the result of zoom(...) if it shows one number. If it shows several, step through one of them,
    zoom(C.node).z[0, 0], or through their sum. `options` are those of `Trace`: order, schedule, names, detail, opened.
    The keys are those of the page: → next, ← back, ↓ ↑ iteration, Home, End, space play, q predict, y hides the reasons,
    ? shows all keys. Esc quits.

    >>> from scalargrad import Value
    >>> step(Value(3, name="x") * 2, names={})  # doctest: +ELLIPSIS
    x = 3
    z = x·2 = 6
    ...
    """
    trace = trace_of(z if isinstance(z, Trace) else one_of(z), **options)
    if not window() or not reads_keys() or os.environ.get("TERM") in ("dumb", "unknown"):
        return walk(trace)
    with random_kept():
        from viz.terminal.stepper import run
    run(trace)


def one_of(z):
    """Return z, or the one number that a zoom shows. Raises ValueError if there are several."""
    z = unzoomed(z)
    if isinstance(z, list | tuple) or (hasattr(z, "ravel") and not hasattr(z, "inputs")):
        many = getattr(z, "size", None) or len(z)
        raise ValueError(f"step: z must be one variable, got {many}; step through one of them, or through their sum")
    return z


@contextmanager
def random_kept():
    """Restore the state of `random`: rich takes a random number when it is imported."""
    state = random.getstate()
    yield
    random.setstate(state)
