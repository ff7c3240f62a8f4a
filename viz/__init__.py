"""Draws and plays any graph: `draw(z)` is a picture; in a notebook a variable shows its graph once viz is imported."""

from viz import notebook
from viz.animation import animate
from viz.draw import draw
from viz.export import export
from viz.handout import handout
from viz.layout import Drawing, NoEngine
from viz.mermaid import mermaid
from viz.play import Page, play
from viz.stepper import step
from viz.walk import walk

__all__ = ["animate", "draw", "export", "handout", "mermaid", "play", "step", "walk", "Drawing", "NoEngine", "Page"]

notebook.register()
