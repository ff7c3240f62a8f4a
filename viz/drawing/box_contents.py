"""Write what stands in the box of a folded scope: the value and gradient of a neuron, else a summary and the largest parameter.

Legend: as in viz/drawing/scopes/scopes.py.
"""

from collections import Counter
from math import prod, sqrt

from scalargrad.formulas.text import shape_text, shown_in_full
from viz.drawing.arrays.heatmap import heatmap
from viz.drawing.scopes.scopes import is_constant, stem
from viz.drawing.svg.html_label import LONGEST_NAME, Line, apart, around, centred, cut, rows, space
from viz.graphs.marks import remarks_inside
from viz.text.array_text import is_array
from viz.text.formatter import UNICODE, plural

NAME, VALUE, GRADIENT, TEXT = 14, 14, 12, 11  # font sizes
MARGIN, NARROWEST = 8, 60
LONGEST_TITLE, LONGEST_LINE = 24, 36  # characters
MOST_FUNCTIONS = 4  # a box with more kinds of functions does not list them


class BoxContents:
    """Write the contents of boxes."""

    def __init__(self, captions):
        self.captions, self.theme, self.folded = captions, captions.theme, captions.selection.folded
        self.only_output = self.folded.only_output
        self.wide: dict = {}  # {box in a column: the width of the widest box there}

    def content(self, box, ink):
        """Return the name of a box, its value, the lines it shows now, all its lines in a trace, and its picture."""
        captions, y = self.captions, self.only_output(box)
        name = Line(cut(box.title, LONGEST_TITLE), NAME, ink, bold=True)
        if y is not None and not is_array(y) and not any(map(is_array, box.variables)):
            lines = [Line(text, GRADIENT, ink) for text in captions.gradient_lines(y)]
            return name, Line(captions.number(captions.on.data(y)), VALUE, ink), lines[:1], lines, None
        shape = shape_text(y.shape) if y is not None else ""
        value = Line(f"×{len(box.paths)}" if len(box.paths) > 1 else shape, VALUE, self.theme.quiet)
        now, final = captions.gradients, captions.highlight.final
        texts = [list(self.about(box, shape, gradients)) for gradients in (now, final)]
        lines, later = ([Line(cut(text, LONGEST_LINE), TEXT, self.theme.quiet) for text in each] for each in texts)
        return name, value, lines, lines + later if captions.stepping else lines, self.heat(box)

    def width(self, box):
        name, value, _, lines, heat = self.content(box, self.theme.ink)
        return max(NARROWEST, name.width + value.width + 14, *(line.width for line in lines), heat.width if heat else 0) + 2 * MARGIN

    def inside(self, box, ink, tag=None):
        """Return what stands in a box. `tag` is a function that gives the tag above it for this width."""
        name, value, lines, _, heat = self.content(box, ink)
        wide = self.wide.get(box) or self.width(box)
        inside = [tag(wide)] if tag else []
        inside += [space(3), apart(name, value, wide, MARGIN), *(centred(line, wide) for line in lines)]
        if heat:
            inside += [space(2), around(heat.table, wide, heat.width), space(2)]
        return rows(*inside, space(3))

    def about(self, box, shape, gradients):
        """Yield lines on the contents of a box. A trace has the same number of lines at every step."""
        inner = Counter(kind_of(path) for path in inner_paths(box, self.folded.paths))
        functions = Counter(v.rule.name for v in box.variables if v.rule)
        if len(box.paths) > 1 and shape:
            yield shape
        if inner:
            yield ", ".join(f"{n} × {name}" if n > 1 else name for name, n in inner.items())
        elif functions and len(functions) <= MOST_FUNCTIONS:
            yield " · ".join(f"{n} × {name}" if n > 1 else name for name, n in functions.items())
        yield from self.counts(box).split(", ")
        yield from remarks_inside(box.variables)
        norm = self.norm(box, gradients)
        if norm is not None or (self.captions.stepping and parameters(box)):
            yield f"‖gradient‖ = {'?' if norm is None else in_four_digits(norm)}"
        largest = self.largest(box)
        if largest is not None:
            yield f"{self.caption(largest, gradients)} {shape_text(largest.shape)}"

    def caption(self, parameter, gradients):
        """Return what the picture in a box shows: a parameter, or dz/dparameter once that is known."""
        if not parameter.name:
            return "largest parameter's gradient" if parameter in gradients else "largest parameter"
        name = cut(parameter.name, LONGEST_NAME)
        return self.captions.total_of(name) if parameter in gradients else UNICODE.name(name)

    def counts(self, box):
        leaves = parameters(box)
        numbers = sum(prod(getattr(v, "shape", ())) for v in leaves)
        many = plural(len(box.variables), "variable")
        return many if not leaves or len(leaves) == len(box.variables) else f"{many}, {plural(numbers, 'parameter')}"

    def norm(self, box, gradients):
        """Return the norm of the gradient of all parameters of a box, or None if one gradient is not known."""
        found = [gradients.get(v) for v in parameters(box)]
        return None if not found or any(g is None for g in found) else length(*found)

    def largest(self, box):
        """Return the largest parameter of a box that holds no other scopes, if it is too large to show its numbers; else None."""
        arrays = [v for v in parameters(box) if is_array(v) and not shown_in_full(v.shape)]
        inner = len(box.paths) > 1 or inner_paths(box, self.folded.paths)
        return None if inner or not arrays else max(arrays, key=lambda v: prod(v.shape))

    def heat(self, box):
        """Return the picture of the largest parameter's gradient, or of its value if no gradient is known."""
        v = self.largest(box)
        return None if v is None else heatmap(self.captions.gradients.get(v, self.captions.on.data(v)), self.theme)

    def sentence(self, box):
        """Describe a box in a sentence, for its tooltip."""
        y, captions = self.only_output(box), self.captions
        where = "/".join(box.path) + (f" to {box.paths[-1][-1]}, {len(box.paths)} alike" if len(box.paths) > 1 else "")
        said = f"{where}{f' (part {box.part[0]} of {box.part[1]})' if box.part else ''}: {self.counts(box)}"
        if y is not None:
            said += f", gives {captions.number(captions.on.data(y))}"
            if y in captions.gradients and not is_array(y):
                said += f", gradient {captions.number(captions.gradients[y])}"
        norm = self.norm(box, captions.gradients)
        return said + (f", ‖gradient‖ = {in_four_digits(norm)}" if norm is not None else "")


def kind_of(path):
    """Return the name of a scope without its number: conv of conv1, ln of ln_1. A name that is only a number stays."""
    return stem(path[-1]).rstrip("_") or path[-1]


def inner_paths(box, paths):
    """Return the scopes directly inside a box."""
    found = {}
    for v in box.variables:
        for k in (len(box.path) + 1,):
            if len(paths[v]) >= k:
                found[paths[v][:k]] = None
    return [path for path in found if path[: len(box.path)] == box.path]


def parameters(box):
    """Return the leaves of a box that have a gradient."""
    return [v for v in box.variables if not v.inputs and not is_constant(v)]


def length(*gradients):
    """Return the square root of the sum of the squares of all numbers."""
    return sqrt(sum(float((g * g).sum() if is_array(g) else g * g) for g in gradients))


def in_four_digits(x):
    return UNICODE.number(float(format(float(x), ".4g")))  # format takes a Fraction from Python 3.12 on
