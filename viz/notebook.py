"""In a notebook a variable and a graph show themselves as a drawing, a trace as a page. The engines know nothing of it."""

import sys
import warnings

from scalargrad.graph import ChangedError, Graph
from scalargrad.trace import Trace
from scalargrad.value import Value
from viz.drawing.draw import draw
from viz.drawing.graphviz_engine import NoEngine
from viz.page.play import play

SHOWN = (Value, Graph, Trace)
TENSOR = ("tensorgrad.tensor", "Tensor")  # by name: it need not be imported


def register():
    """Tell the IPython that is running, if any, how to show the types in SHOWN."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is not None and shell.display_formatter is not None:
        formatter = shell.display_formatter.formatters["image/svg+xml"]
        show = lambda shown: svg(shown, shell.user_ns)
        for type_ in SHOWN:
            formatter.for_type(type_, show)
        formatter.for_type_by_name(*TENSOR, show)
        shell.display_formatter.formatters["text/html"].for_type(Trace, html)


def html(trace):
    """The page of a trace in a frame of its own; None, so that the notebook shows what else there is, without a layout engine."""
    try:
        return play(trace)._repr_html_()
    except NoEngine:  # of which `svg` warns
        return None


def svg(shown, namespace):
    """The drawing of `shown` as SVG text; None, so that the notebook shows its text, where it cannot be drawn.

    That is where there is no layout engine, and after a number was changed.
    """
    try:
        return draw(shown, names=name_of_z(shown, namespace)).pipe("svg", encoding="utf-8")
    except (NoEngine, ChangedError) as cannot:
        warnings.warn(str(cannot), stacklevel=2)
        return None


def name_of_z(shown, namespace):
    """{z: its name in the notebook}: between us and the cell stand IPython's own functions, which call z what they like."""
    if isinstance(shown, Trace):
        return {}
    z = shown.z if isinstance(shown, Graph) else shown
    return {z: next((name for name, v in namespace.items() if v is z and not name.startswith("_")), "z")}
