"""A notebook shows a variable and a graph as a drawing, and a trace as a page. The engines know nothing of notebooks.

In a cell, and in a script that imports viz, variables get the names that they have in their functions: see `named`.
"""

import os
import sys
import warnings
from contextlib import suppress

from scalargrad.callers import is_users
from scalargrad.fast.value import Value
from scalargrad.graph import ChangedError, Graph
from scalargrad.tracing.trace import Trace
from scalargrad.user_names.local_names import named
from viz.drawing.draw import draw
from viz.drawing.svg.graphviz_engine import NoEngine
from viz.page.play import play

SHOWN = (Value, Graph, Trace)
MOST_NAMED = 1000  # variables of a cell or a script that look for their names; lines that had passes name so many more, see `named`
BY_NAME = ("tensorgrad.tensor", "Tensor"), ("tensorgrad.beside_torch.recording", "Recording")  # these need not be imported


def register():
    """Tell IPython, if it is running, how to show the types in SHOWN."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is not None and shell.display_formatter is not None:
        formatter = shell.display_formatter.formatters["image/svg+xml"]
        show = lambda shown: svg(shown, shell.user_ns)
        for type_ in SHOWN:
            formatter.for_type(type_, show)
        for named_type in BY_NAME:
            formatter.for_type_by_name(*named_type, show)
        shell.display_formatter.formatters["text/html"].for_type(Trace, html)
        cell = Cell()
        shell.events.register("pre_run_cell", cell.begin)
        shell.events.register("post_run_cell", cell.end)
    elif is_script(getattr(sys.modules.get("__main__"), "__file__", None) or ""):
        Cell().begin(None)


def is_script(file):
    """Return whether the user runs a file of their own, and neither a package nor an installed command such as pytest."""
    return file.endswith(".py") and not file.endswith("__main__.py") and is_users(os.path.abspath(file))


class Cell:
    """While a cell or a script runs, its first variables get the names of the locals of its functions; see `named`."""

    names: named | None = None

    def begin(self, info):
        self.end()
        self.names = named(MOST_NAMED).__enter__()

    def end(self, result=None):
        if self.names is not None:
            with suppress(ValueError):  # the cell ran in a context of its own, which is gone
                self.names.__exit__()
            self.names = None


def html(trace):
    return play(trace)._repr_html_()


def svg(shown, namespace):
    """Return the drawing of `shown` as SVG text. Return None, with a warning, if it cannot be drawn; the notebook then shows text.

    It cannot be drawn without a layout engine, or if a number has changed since the graph used it.
    """
    try:
        return draw(shown, names=name_of_z(shown, namespace)).pipe("svg", encoding="utf-8")
    except (NoEngine, ChangedError) as cannot:
        warnings.warn(str(cannot), stacklevel=2)
        return None


def name_of_z(shown, namespace):
    """Return {z: its name in the notebook}. IPython's own functions stand between the cell and us, and have other names for z."""
    if isinstance(shown, Trace) or hasattr(shown, "__graph__"):
        return {}
    z = shown.z if isinstance(shown, Graph) else shown
    return {z: next((name for name, v in namespace.items() if v is z and not name.startswith("_")), "z")}
