"""Draw any graph and step through backpropagation. After `import viz`, a variable in a notebook shows its graph."""

from typing import TYPE_CHECKING

from scalargrad.messages.foreign_names import answering
from viz import notebook
from viz.animation import animate
from viz.document import Document, Page, Picture
from viz.drawing.draw import draw
from viz.drawing.svg.graphviz_engine import Drawing, EngineFailed, NoEngine
from viz.export import export
from viz.handout import handout
from viz.in_terminal import step, walk
from viz.large_graphs.explore import explore
from viz.memory.lifetimes import lifetimes
from viz.mermaid import mermaid
from viz.page.play import play
from viz.slides import slides

__all__ = ["animate", "draw", "explore", "export", "handout", "lifetimes", "mermaid", "play", "slides", "step", "walk"]
__all__ += ["Document", "Drawing", "EngineFailed", "NoEngine", "Page", "Picture"]

notebook.register()

FOREIGN = {  # names from other libraries, and what to write here
    "draw_dot make_dot dot show render plot view": 'write draw(z), and draw(z).save("z.svg") for a file',
    "memory": 'write lifetimes(z), and lifetimes(z).save("memory.svg") for a file',
    "trace build_graph": "scalargrad.ancestors(z) lists the variables that z depends on, scalargrad.Trace(z) the steps of backpropagation",
}
if not TYPE_CHECKING:
    __getattr__ = answering(__name__, FOREIGN)
