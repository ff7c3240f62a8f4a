"""Write folded scopes as boxes, frames around open scopes, and layers of neurons as columns.

Legend: as in viz/drawing/scopes/scopes.py.
"""

from math import isfinite

from scalargrad.formulas.text import printable
from viz.drawing.arrays.heatmap import mix
from viz.drawing.box_contents import NAME, TEXT, BoxContents
from viz.drawing.edges import uses_of_boxes
from viz.drawing.highlight import THICK, box_look
from viz.drawing.scopes.scope_layers import layers_of, number_of, tree_of
from viz.drawing.scopes.scopes import Box, neighbours, scope_title
from viz.drawing.svg.html_label import Line, cut, frame, row, tip
from viz.graphs.marks import remarks_inside
from viz.text.array_text import is_array
from viz.text.formatter import plural

LONGEST_TITLE = 24  # characters
DIMMED = 0.3  # how much of its colour a box keeps if the step does not look at it
BETWEEN_LAYERS, BETWEEN, APART = 115, 28, 6  # points between layers; between boxes from rank to rank, and in a layer


class FoldedNodes:
    """Write the boxes of a selection, the frames around things, and the edges between them."""

    def __init__(self, nodes, edges):
        self.nodes, self.edges, self.statements, self.captions = nodes, edges, nodes.statements, nodes.captions
        self.theme, self.highlight = self.captions.theme, self.captions.highlight
        self.selection, self.folded = self.captions.selection, self.captions.selection.folded
        self.contents = BoxContents(self.captions)
        self.things, self.place = self.selection.things, self.captions.place
        before, after = neighbours(self.things, self.folded.thing)
        self.columns = layers_of(self.things, self.folded.place, before, after) if self.selection.boxes else {}
        known = self.highlight.final or self.captions.gradients  # the final gradients of a trace, so that a colour keeps its meaning
        slopes = [known.get(self.folded.only_output(box)) for box in self.selection.boxes]
        self.steepest = max((abs(g) for g in slopes if g is not None and not is_array(g) and isfinite(g)), default=0) or 1

    def distances(self):
        """Return the distances that depend on what is folded."""
        if self.columns:
            return {"between": BETWEEN_LAYERS, "apart": APART}
        return {"between": BETWEEN} if self.selection.boxes else {}

    def write(self):
        for group in self.columns.values():
            boxes = [thing for thing in group if type(thing) is Box]
            self.contents.wide.update(dict.fromkeys(boxes, max(map(self.contents.width, boxes), default=0)))
        self.write_frames()
        for group in self.columns.values():
            self.statements.column(list(map(self.captions.id, group)))
        for y in self.selection.variables:
            self.edges.edges(y)
        straight = {t for group in self.columns.values() for t in group}
        uses, left_out = uses_of_boxes(self.selection)
        for (a, b), between in uses.items():
            self.edges.merged(a, b, between, a in straight or b in straight)
        for box in self.selection.boxes:
            if left_out[box]:
                self.edges.left_out(self.captions.id(box), self.captions.id(box), left_out[box], TEXT)

    def write_frames(self):
        """Write frames, frames within them, and what stands in each."""
        tree = tree_of(self.things, self.folded.place)
        walk, open_paths = [iter(tree[()])], [()]
        while walk:
            entry = next(walk[-1], None)
            if entry is None:
                walk.pop()
                if open_paths.pop():
                    self.statements.close()
            elif type(entry) is not tuple:
                self.node(entry)
            else:
                self.statements.open(*self.frame_of(entry), number_of(entry))
                walk.append(iter(self.columns.get(entry, tree[entry])))
                open_paths.append(entry)

    def node(self, thing):
        self.box(thing) if type(thing) is Box else self.nodes.node(thing)

    def frame_of(self, path):
        """Return the name of the frame around an open scope, its attributes, and the width of its title."""
        name = "f" + "_".join(map(str, self.numbers(path)))
        title = Line(cut(scope_title(path), LONGEST_TITLE), NAME, self.theme.ink, bold=True)
        look = f'label=<{row(title.cell())}> style=rounded color="{self.theme.faint}" bgcolor="{self.wash()}"'
        return name, f'{look} class="scope open" tooltip="{quoted(path)}"', title.width

    def wash(self):
        return mix(self.theme.paper, self.theme.input_fill, 0.5)

    def numbers(self, path):
        """Return two numbers that identify a frame: the place of its first variable, and its depth."""
        first = next(t for t in self.things if self.folded.place(t)[: len(path)] == path)
        return self.place[first.variables[0] if type(first) is Box else first], len(path)

    # Boxes

    def box(self, box):
        theme, highlight, id = self.theme, self.highlight, self.captions.id(box)
        tags = {highlight.tags[v]: v for v in box.variables if v in highlight.tags}
        dim, current = highlight.current is not None and not tags, highlight.current in tags.values()
        fill, line, border, style = box_look(tags.values(), highlight, theme, self.fill(box, dim))
        border = border if current else min(border, 2)
        broken = any(map(self.captions.breaks, box.variables))
        if (broken or remarks_inside(box.variables)) and not tags:
            fill, line, border = theme.not_finite_fill, theme.not_finite, THICK
        tag = (lambda wide: self.nodes.tag(self.marked(tags), wide)) if self.captions.stepping else None
        inside = self.contents.inside(box, theme.quiet if dim else theme.ink, tag)
        label = frame(inside, fill, line, border, style, room=THICK)
        if len(box.paths) > 1:
            label = frame(label, theme.paper, line, 1, room=THICK)
        classes = ["scope", "folded", *["current"] * current, *["neighbour"] * bool(tags), *["not-finite"] * broken, *["dimmed"] * dim]
        said = tip(self.contents.sentence(box))
        self.statements.node(id, label=f"<{label}>", tooltip=said, **self.captions.marks(id, classes))
        self.nodes.repeats.put(box, self.statements)

    def marked(self, tags):
        """Return the variable that gives a box its tag, or None."""
        return self.highlight.current if self.highlight.current in tags.values() else next(iter(tags.values()), None)

    def slope(self, box):
        """Return the gradient of a box that computes one number, or None before it is known."""
        y = self.folded.only_output(box)
        return None if y is None or is_array(y) or y in self.highlight.running else self.captions.gradients.get(y)

    def fill(self, box, dim):
        theme, slope = self.theme, self.slope(box)
        if slope is None or not isfinite(slope):
            return mix(theme.paper, theme.input_fill, 0.7)
        share = round(16 * abs(slope) / self.steepest) / 16
        tint = mix(theme.zero_fill, theme.positive if slope > 0 else theme.negative, min(share, 1) * theme.deepest)
        return mix(theme.paper, tint, DIMMED) if dim else tint

    def caption(self):
        """Return the line that says what is folded or left out, and how to open it; None if every variable has its own box."""
        boxes, many = self.selection.boxes, len(self.selection.graph.variables)
        folded, inside = sum(len(box.variables) for box in boxes), sum(len(self.selection.inside(y)) for y in self.selection.variables)
        scopes = plural(sum(len(box.paths) for box in boxes), "scope") + (f" (depth={self.folded.depth})" if self.folded.depth else "")
        rest = many - folded - inside - len(self.selection.variables)
        said = [f"{folded:,} folded into {scopes}"] * bool(boxes)
        said += [f"{plural(inside, 'parameter')} inside their functions"] * bool(inside) + [f"{rest:,} left out"] * bool(rest)
        largest = max((box for box in boxes), key=lambda box: len(box.variables), default=None)
        opening = f'; expand="{"/".join(largest.path)}" opens one' if largest else ""
        return f"graph has {plural(many, 'variable')}: {', '.join(said)}{opening}" if boxes or inside else None


def quoted(path):
    return tip(printable("/".join(path))).replace('"', '\\"')
