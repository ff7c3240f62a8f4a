"""Draw a graph of arrays with the gradients that were got: a wrong one has a red frame and red entries."""

import re
from xml.etree import ElementTree as tree

from scalargrad import Graph
from tutorial.exercises.values import difference, is_array
from viz.drawing.draw import draw
from viz.theme import LIGHT

SVG, XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
THICK = "3"


def array_picture(z, got, right) -> str:
    """Return the graph of z as SVG. `got` and `right` are {name: gradient} of some of its variables; a red entry is not the right one."""
    asked = {v.name: v for v in Graph(z).order if is_array(right.get(v.name))}
    shown = {name: got[name] for name, v in asked.items() if is_array(got.get(name)) and got[name].shape == v.shape}
    svg = draw(z, gradients={asked[name]: array for name, array in shown.items()}).svg
    wrong = {name for name in asked if difference(got.get(name), right[name])}
    if not wrong:
        return svg
    tree.register_namespace("", SVG)
    tree.register_namespace("xlink", XLINK)
    root = tree.fromstring(re.sub(r"^.*?(?=<svg)", "", svg, count=1, flags=re.S))
    for node in root.iter(f"{{{SVG}}}a"):
        parts = list(node)
        name = next((part.text for part in parts if part.tag.endswith("text")), None)
        if name in wrong:
            mark(parts, f"d{z.name}/d{name}", entries_that_differ(got[name], right[name]) if name in shown else [])
    return tree.tostring(root, encoding="unicode")


def entries_that_differ(got, right):
    """Return for each entry, row by row, whether it is wrong."""
    return [bool(difference(*pair)) for pair in zip(got.ravel().tolist(), right.ravel().tolist())]


def mark(parts, caption, wrong):
    """Colour the frame of a box, and below the caption the entries that are wrong. A large array is a picture without entries."""
    frame = next(part for part in parts if part.tag.endswith("path") and part.get("stroke") != "none")
    frame.set("stroke", LIGHT.not_finite)
    frame.set("stroke-width", THICK)
    below = next((k for k, part in enumerate(parts) if part.text == caption), len(parts))
    tints = [k for k in range(below + 1, len(parts)) if parts[k].tag.endswith("polygon")]
    if len(tints) == len(wrong):
        for k in (k for k, is_wrong in zip(tints, wrong) if is_wrong):
            parts[k].set("fill", LIGHT.not_finite_fill)
            parts[k + 1].set("fill", LIGHT.not_finite)
