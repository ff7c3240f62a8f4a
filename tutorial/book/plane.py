"""A picture of points on two sides, and of what a model says about the plane around them, as SVG that follows the page's colours."""

from itertools import groupby

from scalargrad import Value, no_grad

POSITIVE, NEGATIVE = "var(--positive, #d55e00)", "var(--negative, #0072b2)"
CELL = 0.06  # the width of a cell of the plane, for which the model is asked once
MARGIN = 0.25  # around the points


class Plane:
    """Points, triangles on side +1 and circles on side -1. With a model, the plane has the colour of its guess: the sign of its score.

    >>> Plane([[0.0, 0.0], [1.0, 0.5]], [1, -1])
    <2 points of the plane, 1 on side +1>
    """

    def __init__(self, points, sides, model=None):
        self.points, self.sides, self.model = points, sides, model

    def __repr__(self):
        return f"<{len(self.points)} points of the plane, {sum(side > 0 for side in self.sides)} on side +1>"

    def _repr_html_(self):
        left, right = (pick(x for x, _ in self.points) + margin for pick, margin in ((min, -MARGIN), (max, MARGIN)))
        low, high = (pick(y for _, y in self.points) + margin for pick, margin in ((min, -MARGIN), (max, MARGIN)))
        guesses = (
            f'<g opacity="0.25" shape-rendering="crispEdges">{"".join(self.guesses(left, right, low, high))}</g>' if self.model else ""
        )
        marks = "".join(mark(x, -y, side) for (x, y), side in zip(self.points, self.sides))
        label = f"{len(self.points)} points on two moons" + ", and the side that the model guesses at each place" * bool(guesses)
        box = f"{left:.2f} {-high:.2f} {right - left:.2f} {high - low:.2f}"
        return f'<svg role="img" aria-label="{label}" viewBox="{box}" style="width: 100%; max-width: 34rem">{guesses}{marks}</svg>'

    def guesses(self, left, right, low, high):
        """Give the cells of the plane, row by row; neighbours with the same guess are one rectangle."""
        columns, rows = round((right - left) / CELL), round((high - low) / CELL)
        with no_grad():
            for j in range(rows):
                y = low + (j + 0.5) * CELL
                scores = [self.model([Value(left + (i + 0.5) * CELL), Value(y)]).data for i in range(columns)]
                i = 0
                for positive, run in groupby(scores, lambda score: score > 0):
                    width = len(list(run))
                    yield (
                        f'<rect x="{left + i * CELL:.2f}" y="{-y - CELL / 2:.3f}" width="{width * CELL:.2f}" height="{CELL * 1.02}" '
                        f'style="fill: {POSITIVE if positive else NEGATIVE}"/>'
                    )
                    i += width


def mark(x, y, side):
    """Return the mark of a point: a triangle or a circle."""
    if side > 0:
        corners = f"{x:.3f},{y - 0.045:.3f} {x - 0.042:.3f},{y + 0.03:.3f} {x + 0.042:.3f},{y + 0.03:.3f}"
        return f'<polygon points="{corners}" style="fill: {POSITIVE}"/>'
    return f'<circle cx="{x:.3f}" cy="{y:.3f}" r="0.035" style="fill: {NEGATIVE}"/>'
