"""The arm of the book, with joints as numbers: how far its hand misses the cup, and its picture. (`arm_arrays` has it in arrays.)

    from tutorial.graphs.arm import Arm, descent, miss, points, slopes
    miss([0.3, 0.3])                         # 3.30: the square of the distance from the hand to the cup, here at CUP = (1, 2)
    points([0.3, 0.3])                       # the ends of the links, as pairs (x, y); the last one is the hand
    a, b = Value(0.3), Value(0.3)            # joints may be Values: then the miss is the end of a graph
    slopes([0.3, 0.3])                       # [-8.10, -4.59]: how the miss changes with each angle, from the engine of this package
    ways = descent(slopes, [0.3, 0.3], rate=0.05, steps=101)   # the angles at each step; any engine may stand for slopes, right or wrong
    Arm(ways[-1], trail=ways)                # as the last line of a cell: the picture, with where the arm has been
    miss(angles, cup=(-1.2, 1.9), length=3)  # another cup, another length, any number of joints

All links have the same length, together 3. An angle, in radians, counts from the direction of the link before, the first from the table.
"""

from itertools import accumulate
from numbers import Real

from scalargrad import Value, cos, sin

CUP, LENGTH = (1.0, 2.0), 3.0
START, RATE = (0.3, 0.3), 0.05  # of the arm with two joints that chapter 3 trains


def points(angles, length=LENGTH):
    """Return the end (x, y) of each link, from the table to the hand. An angle is a plain number or a Value.

    >>> points([0.0, 0.0, 0.0])
    [(1.0, 0.0), (2.0, 0.0), (3.0, 0.0)]
    """
    link, headings = length / len(angles), list(accumulate(angles))
    return list(zip(accumulate(link * cos(h) for h in headings), accumulate(link * sin(h) for h in headings)))


def miss(angles, cup=CUP, length=LENGTH):
    """Return the square of the distance between the hand and the cup.

    >>> round(miss([0.3, 0.3]), 2), miss([0.0, 0.0], cup=(3, 0))
    (3.3, 0.0)
    """
    x, y = points(angles, length)[-1]
    return (x - cup[0]) ** 2 + (y - cup[1]) ** 2


def slopes(angles, cup=CUP, length=LENGTH):
    """Return the derivative of the miss with respect to each angle.

    >>> slopes([0.0, 0.0], cup=(3, 1))
    [-6.0, -3.0]
    """
    joints = [Value(float(angle)) for angle in angles]
    miss(joints, cup, length).backward()
    return [joint.grad for joint in joints]


def descent(slopes, angles=START, rate=RATE, steps=101):
    """Return the angles before and after each step against `slopes(angles)`: one list of numbers more than there are steps.

    >>> descent(lambda angles: [1.0, -2.0], [0.0, 0.0], rate=0.5, steps=2)
    [[0.0, 0.0], [-0.5, 1.0], [-1.0, 2.0]]
    """
    found = [list(angles)]
    for _ in range(steps):
        found.append([angle - rate * slope for angle, slope in zip(found[-1], slopes(found[-1]))])
    return found


# The picture

ARM, MUG, PANEL = "var(--total, #7b3294)", "var(--child, #007a5e)", "var(--panel, #ffffff)"
BEFORE = 12  # arms of a trail that are drawn, at most
JOINTS = 24  # of an arm with more, joints are not drawn


class Arm:
    """The picture of an arm and its cup, as SVG that follows the page's colours. `trail` are angles of before, drawn as thin lines.

    >>> Arm([0.0, 0.0], cup=(3, 1))
    <an arm with 2 joints, whose hand misses the cup by 1.00>
    """

    def __init__(self, angles, cup=CUP, length=LENGTH, trail=()):
        every = -(-len(trail) // BEFORE) or 1
        arms = [[angle if isinstance(angle, Real) else angle.data for angle in arm] for arm in (*trail[::every], angles)]
        *self.before, self.ends = ([(0.0, 0.0), *points(arm, length)] for arm in arms)
        self.cup = cup

    def __repr__(self):
        joints, away = len(self.ends) - 1, abs(complex(*self.ends[-1]) - complex(*self.cup))
        return f"<an arm with {joints} joint{'s' * (joints != 1)}, whose hand misses the cup by {away:.2f}>"

    def _repr_html_(self):
        xs, ys = zip(*(end for arm in (*self.before, self.ends, [self.cup]) for end in arm))
        box = f"{min(xs) - 0.3:.2f} {-max(ys) - 0.3:.2f} {max(xs) - min(xs) + 0.6:.2f} {max(ys) - min(ys) + 0.6:.2f}"
        x, y = self.cup
        mug = f'<path d="M{x - 0.13:.3f} {-y - 0.15:.3f} h.26 l-.03 .3 h-.2 Z m.26 .07 q.13 0 .11 .08 q-.02 .09 -.13 .08"'
        before = "".join(line(ends, 0.02, 0.4) for ends in self.before)
        joints = "".join(disc(*end, 0.07, PANEL) for end in self.ends[:-1]) if len(self.ends) <= JOINTS else ""
        return (
            f'<svg role="img" aria-label="{repr(self)[1:-1]}" viewBox="{box}" style="width: 100%; max-width: 22rem; max-height: 18rem">'
            f'{before}{mug} fill="none" stroke-width=".04" stroke-linejoin="round" style="stroke: {MUG}"/>'
            f"{line(self.ends, 0.09)}{joints}{disc(*self.ends[-1], 0.1, 'none')}</svg>"
        )


def line(ends, width, opacity=1):
    """Return the links of an arm as one line."""
    corners = " ".join(f"{x:.3f},{-y:.3f}" for x, y in ends)
    look = f'fill="none" stroke-width="{width}" stroke-linejoin="round" opacity="{opacity}" style="stroke: {ARM}"'
    return f'<polyline points="{corners}" {look}/>'


def disc(x, y, radius, fill):
    return f'<circle cx="{x:.3f}" cy="{-y:.3f}" r="{radius}" stroke-width="0.03" style="fill: {fill}; stroke: {ARM}"/>'
