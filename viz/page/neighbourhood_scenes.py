"""The scenes of a large graph: one for the neighbourhood of each variable. All have one size, so that nothing jumps between steps."""

from functools import cached_property
from math import floor

from viz.layout.labels import place_labels
from viz.layout.layered import layered
from viz.page.box_sizes import lines_of, size_of_fold
from viz.page.looks import NEAR, NEAR_WITH_FUNCTIONS
from viz.page.neighbourhoods import FEW, Neighbourhoods
from viz.page.overview import overview
from viz.page.placing import Parts, bounds, framed, rectangles

WIDEST, HIGHEST = 1340, 416  # a larger scene shows fewer other variables, so that its texts stay readable
BEFORE = 0.4  # the variable in the middle stands at this fraction of the frame's width
BESIDE_LABELS, UNLABELLED = 48, 44
MOST_LABELLED = 24  # edges with a label in a scene; there is no room for more if a function takes one variable more often


def neighbourhood_scenes(trace, functions=False):
    """Return the scenes of all variables, the scene of each step, and an overview: see `scene`."""
    found = Scenes(trace, NEAR_WITH_FUNCTIONS if functions else NEAR)
    every = [(i, *scene) for i, scenes in enumerate(found.scenes) for _, *scene in scenes]
    sizes = [layout.size for layout in dict.fromkeys(layout for *_, layout in every) if layout.fits]
    size = tuple(map(max, zip(*sizes))) if sizes else (0, 0)
    layouts, scenes, place = [], [], {}
    for i, (shown, folds, _, edges), layout in every:
        middle = shown.index(i)
        if (layout, middle) not in place:
            place[layout, middle] = len(layouts)
            layouts.append(layout.framed(middle, *size))
        edges = [found.parts.at[j, slot] for _, j, slot in edges]
        folds = [{"count": count, "lines": lines_of(count, noun)} for count, noun in folds]
        scenes.append({"variable": i, "layout": place[layout, middle], "nodes": shown, "edges": edges, "folds": folds})
    return {
        "width": max(layout["width"] for layout in layouts),
        "height": max(layout["height"] for layout in layouts),
        "look": NEAR.for_page(),
        "boxes": found.parts.nodes,
        "numbers": [[k, n] for k, n in enumerate(found.parts.numbers) if n],
        "layouts": layouts,
        "scenes": scenes,
        "at": found.scene_of_steps(),
        "of": found.first,
        "overview": overview(trace.graph, found.parts.edges),
    }


def fits(box):
    left, top, right, bottom = box
    return right - left <= WIDEST and bottom - top <= HIGHEST


def frame(box, x, y, width, height):
    """Return a frame of at least this size around a box. The point x, y has the same place in all frames, as far as possible.

    >>> frame((0, 0, 60, 20), 10, 10, 100, 40), frame((0, 0, 100, 20), 10, 10, 100, 40)
    ((-30, -10, 70, 30), (0, -10, 100, 30))
    """
    left, top, right, bottom = box
    width, height = max(width, right - left), max(height, bottom - top)
    left = max(min(floor(x - BEFORE * width), left), right - width)
    top = max(min(floor(y - height / 2), top), bottom - height)
    return left, top, left + width, top + height


class Layout:
    """The places of boxes, edges, labels, folds and links. Neighbourhoods with boxes and labels of the same sizes share a layout.

    The first `shown` of the boxes are variables, the others folds; the first of the ends are those of edges, with the sizes of
    their labels (None: no label), the others those of links.
    """

    def __init__(self, layers, sizes, shown, ends, labels):
        self.sizes, self.shown, self.labels = sizes, shown, labels
        room = {pair: label[0] + BESIDE_LABELS for pair, label in zip(ends, labels) if label}
        found = layers.layout(sizes, lambda i, j: room.get((i, j), UNLABELLED))
        self.places, self.paths, self.links = found.places, found.splines[: len(labels)], found.splines[len(labels) :]
        self.fits = fits(bounds(*self.parts([None] * len(labels))))

    def parts(self, labels):
        """Return its boxes, edges, folds and links, as `placing` takes them."""
        boxes = [{"x": x, "y": y, "w": w, "h": h, "pad": pad} for (x, y), (w, h, pad) in zip(self.places, self.sizes)]
        edges = [{"path": path, "label": label} for path, label in zip(self.paths, labels)]
        return boxes[: self.shown], edges, boxes[self.shown :], [{"path": path} for path in self.links if path]

    @cached_property
    def labelled(self):
        """Its parts with their labels, which take longer to place."""
        every = [*self.paths, *self.links]
        centres, _ = place_labels(every, [*self.labels, *[None] * len(self.links)], rectangles(self.places, self.sizes))
        return self.parts([centre and dict(zip("xywh", (*centre, *size))) for centre, size in zip(centres, self.labels)])

    @cached_property
    def box(self):
        return bounds(*self.labelled)

    @property
    def size(self):
        left, top, right, bottom = self.box
        return right - left, bottom - top

    def framed(self, middle, width, height):
        """Return its parts in a frame of this size. The variable in the middle has the same place in all frames."""
        return framed(*self.labelled, within=frame(self.box, *self.places[middle], width, height), digits=0)


class Scenes:
    """For each variable its scenes: the variables that steps visit, the neighbourhood that is shown, and its layout."""

    def __init__(self, trace, look):
        self.trace, self.parts, self.neighbourhoods = trace, Parts(trace, look), Neighbourhoods(trace.graph)
        self.scattering = trace.schedule.scatters
        self.layouts, self.layers = {}, {}
        self.scenes, self.first = [], []
        for i in range(len(self.parts.nodes)):
            self.first.append(sum(map(len, self.scenes[-1:])) + (self.first[-1] if self.first else 0))
            self.scenes.append([scene for group in self.neighbourhoods.groups(i, self.scattering) for scene in self.scenes_of(i, group)])

    def scenes_of(self, middle, group):
        """Return the scenes of a variable while steps visit a group: [(group, neighbourhood, layout)].

        If a scene is too large, it shows fewer other variables, or the group is split into two scenes.
        """
        for few in range(FEW, -1, -1):
            shown = self.neighbourhoods.of(middle, group, self.scattering, few)
            layout = self.layout(middle, group, shown)
            if layout.fits:
                break
            if few == 1 and len(group) > 1:
                half = (len(group) + 1) // 2
                return self.scenes_of(middle, group[:half]) + self.scenes_of(middle, group[half:])
        return [(group, shown, layout)]

    def layout(self, middle, group, neighbourhood):
        parts, (shown, folds, links, edges) = self.parts, neighbourhood
        number = {i: n for n, i in enumerate(shown)} | {~k: len(shown) + k for k in range(len(folds))}
        sizes = (*(parts.sizes[i] for i in shown), *(size_of_fold(count, noun) for count, noun in folds))
        labels = self.labels(middle, group, edges)
        ends = (*((number[i], number[j]) for i, j, _ in edges), *((number[i], number[j]) for i, j in links))
        key = sizes, len(shown), ends, labels
        if key not in self.layouts:
            graph = len(sizes), ends, len(shown)
            self.layers[graph] = self.layers.get(graph) or layered(*graph)
            self.layouts[key] = Layout(self.layers[graph], *key)
        return self.layouts[key]

    def labels(self, middle, group, edges):
        """Return the sizes of the labels of edges; None for an edge that no step between `middle` and `group` visits."""
        found, left = [], MOST_LABELLED
        for i, j, slot in edges:
            visited = left and ((i == middle and j in group) or (j == middle and i in group))
            found.append(self.parts.labels[self.parts.at[j, slot]] if visited else None)
            left -= bool(visited)
        return tuple(found)

    def scene_of_steps(self):
        """Return the number of the scene for each step: the scene of its variable and of the group that the step visits."""
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
