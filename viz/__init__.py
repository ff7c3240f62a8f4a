"""Draws and plays any graph: `draw(z)` is a picture; in a notebook a variable shows its graph once viz is imported."""

from viz import notebook
from viz.animation import animate
from viz.draw import draw
from viz.layout import Drawing, NoEngine
from viz.mermaid import mermaid
from viz.stepper import step
from viz.walk import walk

__all__ = ["animate", "draw", "mermaid", "step", "walk", "Drawing", "NoEngine"]

notebook.register()
