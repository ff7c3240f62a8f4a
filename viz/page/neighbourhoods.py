"""What is near each variable of a large graph: small scenes in frames of one size, so that nothing jumps from one to the next."""

from functools import cached_property
from math import floor

from viz.page.box_sizes import NEAR, lines_of, size_of_fold
from viz.page.edge_labels import place_labels
from viz.page.layered_layout import columns
from viz.page.overview import overview
from viz.page.placing import Parts, bounds, framed, rectangles
from viz.page.surroundings import FEW, Whole

WIDEST, HIGHEST = 1340, 416  # a larger scene shows less of what a step does not look at, so that its texts can be read
BEFORE = 0.4  # of a frame's width is left of the variable in the middle
BESIDE_LABELS, UNLABELLED = 48, 44
MOST_LABELLED = 24  # edges of a scene; where a function takes one variable more often than that there is no room for more labels


def neighbourhoods(trace):
    """The scenes of all variables, which of them a step shows, and a map of the whole: see `scene`."""
    near = Nearby(trace)
    every = [(i, *scene) for i, scenes in enumerate(near.scenes) for _, *scene in scenes]
    sizes = [layout.size for layout in dict.fromkeys(layout for *_, layout in every) if layout.fits]
    size = tuple(map(max, zip(*sizes))) if sizes else (0, 0)
    layouts, scenes, place = [], [], {}
    for i, around, layout in every:
        middle = around.shown.index(i)
        if (layout, middle) not in place:
            place[layout, middle] = len(layouts)
            layouts.append(layout.framed(middle, *size))
        edges = [near.parts.at[j, slot] for _, j, slot in around.edges]
        folds = [{"count": count, "lines": lines_of(count, noun)} for count, noun in around.folds]
        scenes.append({"variable": i, "layout": place[layout, middle], "nodes": around.shown, "edges": edges, "folds": folds})
    return {
        "width": max(layout["width"] for layout in layouts),
        "height": max(layout["height"] for layout in layouts),
        "nodes": [],
        "edges": [],
        "boxes": near.parts.nodes,
        "numbers": [[k, n] for k, n in enumerate(near.parts.numbers) if n],
        "layouts": layouts,
        "scenes": scenes,
        "at": near.scene_of_steps(),
        "of": near.first,
        "overview": overview(trace.graph, near.parts.edges),
    }


def fits(box):
    left, top, right, bottom = box
    return right - left <= WIDEST and bottom - top <= HIGHEST


def frame(box, x, y, width, height):
    """A frame of this size, or larger if need be, around a box, in which the point x, y is where it is in all frames, if it can be.

    >>> frame((0, 0, 60, 20), 10, 10, 100, 40), frame((0, 0, 100, 20), 10, 10, 100, 40)
    ((-30, -10, 70, 30), (0, -10, 100, 30))
    """
    left, top, right, bottom = box
    width, height = max(width, right - left), max(height, bottom - top)
    left = max(min(floor(x - BEFORE * width), left), right - width)
    top = max(min(floor(y - height / 2), top), bottom - height)
    return left, top, left + width, top + height


class Layout:
    """Where boxes, edges, labels, folds and links of a neighbourhood stand: one for all that have boxes and labels of the same sizes.

    The first `shown` of the boxes are variables, the others folds; the first of the ends are those of edges, with the sizes of
    their labels (None: no label), the others those of links.
    """

    def __init__(self, sizes, shown, ends, labels):
        self.sizes, self.shown, self.labels = sizes, shown, labels
        room = {pair: label[0] + BESIDE_LABELS for pair, label in zip(ends, labels) if label}
        self.places, paths = columns(sizes, ends, lambda i, j: room.get((i, j), UNLABELLED), shown)
        self.paths, self.links = paths[: len(labels)], paths[len(labels) :]
        self.fits = fits(bounds(*self.parts([None] * len(labels))))

    def parts(self, labels):
        """Its boxes, edges, folds and links, as `viz.placing` has them."""
        boxes = [{"x": x, "y": y, "w": w, "h": h, "pad": pad} for (x, y), (w, h, pad) in zip(self.places, self.sizes)]
        edges = [{"path": path, "label": label} for path, label in zip(self.paths, labels)]
        return boxes[: self.shown], edges, boxes[self.shown :], [{"path": path} for path in self.links if path]

    @cached_property
    def labelled(self):
        """Its parts with labels, which take longer."""
        every = [*self.paths, *self.links]
        spots, _ = place_labels(every, [*self.labels, *[None] * len(self.links)], rectangles(self.places, self.sizes))
        return self.parts([spot and dict(zip("xywh", (*spot, *size))) for spot, size in zip(spots, self.labels)])

    @cached_property
    def box(self):
        return bounds(*self.labelled)

    @property
    def size(self):
        left, top, right, bottom = self.box
        return right - left, bottom - top

    def framed(self, middle, width, height):
        """Its parts in a frame of this size, with the middle one of the variables where it is in all frames."""
        return framed(*self.labelled, within=frame(self.box, *self.places[middle], width, height), digits=0)


class Nearby:
    """For each variable its scenes: what steps go through in each, what is shown around it, and where that stands."""

    def __init__(self, trace):
        self.trace, self.parts, self.whole = trace, Parts(trace, NEAR), Whole(trace.graph)
        self.scattering = trace.schedule.scatters
        self.layouts: dict = {}
        self.scenes, self.first = [], []
        for i in range(len(self.parts.nodes)):
            self.first.append(sum(map(len, self.scenes[-1:])) + (self.first[-1] if self.first else 0))
            self.scenes.append([scene for group in self.whole.groups(i, self.scattering) for scene in self.near(i, group)])

    def near(self, middle, group):
        """What is near a variable while a step goes through a group: [(group, what is shown, its layout)].

        Where that is too large, there is less of what the step does not look at, or the group is gone through in two parts.
        """
        for few in range(FEW, -1, -1):
            around = self.whole.around(middle, group, self.scattering, few)
            layout = self.layout(middle, group, around)
            if layout.fits:
                break
            if few == 1 and len(group) > 1:
                half = (len(group) + 1) // 2
                return self.near(middle, group[:half]) + self.near(middle, group[half:])
        return [(group, around, layout)]

    def layout(self, middle, group, around):
        parts, (shown, folds, links, edges) = self.parts, around
        number = {i: n for n, i in enumerate(shown)} | {~k: len(shown) + k for k in range(len(folds))}
        sizes = (*(parts.sizes[i] for i in shown), *(size_of_fold(count, noun) for count, noun in folds))
        looked_at = lambda i, j: (i == middle and j in group) or (j == middle and i in group)
        labelled = {edge for edge, _ in zip((edge for edge in edges if looked_at(*edge[:2])), range(MOST_LABELLED))}
        labels = tuple(parts.labels[parts.at[j, slot]] if (i, j, slot) in labelled else None for i, j, slot in edges)
        ends = tuple((number[i], number[j]) for i, j, *_ in (*edges, *links))
        key = sizes, len(shown), ends, labels
        if key not in self.layouts:
            self.layouts[key] = Layout(*key)
        return self.layouts[key]

    def scene_of_steps(self):
        """The number of the scene for each step: that of its variable, and of the group that the step is at."""
        place = self.parts.place
        group_of = [{j: n for n, (group, *_) in reversed(list(enumerate(scenes))) for j in group} for scenes in self.scenes]
        at, found = self.first[place[self.trace.graph.z]], []
        for s in self.trace.steps:
            middle, other = (s.y, s.x) if self.scattering else (s.x, s.y)
            i, j = place.get(middle), place.get(other)
            if i is not None:
                first, groups = self.first[i], group_of[i]
                at = first + groups[j] if j in groups else at if first <= at < first + len(self.scenes[i]) else first
            found.append(at)
        return found
