"""What is near each variable of a large graph: small scenes in frames of one size, so that nothing jumps from one to the next."""

from math import floor

from viz.around import FEW, Whole
from viz.boxes import NEAR, fold_box
from viz.columns import columns
from viz.overview import overview
from viz.placing import Parts, bounds, framed, rectangles
from viz.spots import place_labels
from viz.words import SCATTERING

WIDEST, HIGHEST = 1340, 416  # a larger scene shows less of what a step does not look at, so that its texts can be read
BEFORE = 0.4  # of a frame's width is left of the variable in the middle
BESIDE_LABELS, UNLABELLED = 48, 44


def neighbourhoods(trace):
    """The scenes of all variables, which of them a step shows, and a map of the whole: see `scene`."""
    near = Nearby(trace)
    parts = [(i, part) for i, scenes in enumerate(near.scenes) for _, part in scenes]
    boxes = [bounds(*part) for _, part in parts]
    sizes = [(right - left, bottom - top) for left, top, right, bottom in filter(fits, boxes)]
    width, height = map(max, zip(*sizes)) if sizes else (0, 0)
    scenes = []
    for (i, part), box in zip(parts, boxes):
        x, y = next((node["x"], node["y"]) for node in part[0] if node["variable"] == i)
        scenes.append({"variable": i, **framed(*part, within=frame(box, x, y, width, height), digits=0)})
    return {
        "width": max(s["width"] for s in scenes),
        "height": max(s["height"] for s in scenes),
        "nodes": [],
        "edges": [],
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


class Nearby:
    """For each variable its scenes: what steps go through in each, and (nodes, edges, folds, links)."""

    def __init__(self, trace):
        self.trace, self.parts, self.whole = trace, Parts(trace, NEAR), Whole(trace.graph)
        self.scattering = trace.schedule in SCATTERING
        self.scenes, self.first = [], []
        for i in range(len(self.parts.nodes)):
            self.first.append(sum(map(len, self.scenes[-1:])) + (self.first[-1] if self.first else 0))
            self.scenes.append([part for group in self.whole.groups(i, self.scattering) for part in self.near(i, group)])

    def near(self, middle, group):
        """What is near a variable while a step goes through a group: [(group, (nodes, edges, folds, links))].

        Where that is too large, there is less of what the step does not look at, or the group is gone through in two parts.
        """
        for few in range(FEW, -1, -1):
            unlabelled, labelled = self.neighbourhood(middle, group, self.whole.around(middle, group, self.scattering, few))
            if fits(bounds(*unlabelled)):
                break
            if few == 1 and len(group) > 1:
                half = (len(group) + 1) // 2
                return self.near(middle, group[:half]) + self.near(middle, group[half:])
        return [(group, labelled())]

    def neighbourhood(self, middle, group, around):
        """The nodes, edges, folds and links around one variable, and a function that gives them with labels, which takes longer."""
        parts, (shown, folds, links, edges) = self.parts, around
        number = {i: n for n, i in enumerate(shown)} | {~k: len(shown) + k for k in range(len(folds))}
        boxes = [fold_box(count, noun) for count, noun in folds]
        sizes = [*(parts.sizes[i] for i in shown), *((b["w"], b["h"], 0) for b in boxes)]
        numbers = [parts.at[j, slot] for _, j, slot in edges]
        looked_at = {frozenset((middle, other)) for other in group}
        labels = [parts.labels[k] if frozenset(parts.ends[k]) in looked_at else None for k in numbers]
        room = {(number[i], number[j]): label[0] + BESIDE_LABELS for (i, j, _), label in zip(edges, labels) if label}
        ends = [(number[i], number[j]) for i, j, *_ in [*edges, *links]]
        places, paths = columns(sizes, ends, lambda i, j: room.get((i, j), UNLABELLED), len(shown))
        nodes = parts.painted(places, shown)
        folded = [{"x": x, "y": y, **b} for (x, y), b in zip(places[len(shown) :], boxes)]
        linked = [{"path": p} for p in paths[len(edges) :] if p]

        def labelled():
            spots, _ = place_labels(paths, [*labels, *[None] * len(links)], rectangles(places, sizes))
            return nodes, parts.lines(paths, spots, numbers), folded, linked

        return (nodes, parts.lines(paths, [None] * len(edges), numbers), folded, linked), labelled

    def scene_of_steps(self):
        """The number of the scene for each step: that of its variable, and of the group that the step is at."""
        place = self.parts.place
        at, found = self.first[place[self.trace.graph.z]], []
        for s in self.trace.steps:
            middle, other = (s.y, s.x) if self.scattering else (s.x, s.y)
            i, j = place.get(middle), place.get(other)
            if i is not None:
                first, groups = self.first[i], [group for group, _ in self.scenes[i]]
                group = next((n for n, members in enumerate(groups) if j in members), None)
                at = first + group if group is not None else at if first <= at < first + len(groups) else first
            found.append(at)
        return found
