"""The small boxes beside a box, above and below it in turns: leaves that are used far from their own box, and constants."""

from collections import defaultdict

BESIDE, BESIDE_WITH_LABEL = 16, 30  # between a box and a small box above or below it


class SmallBoxes:
    """The `companions` of boxes. `sizes` are those of all boxes, `labels` those of edges, or None; `apart` is the distance of boxes."""

    def __init__(self, companions, edges, sizes, labels, apart):
        self.companions, self.sizes, self.apart = companions, sizes, apart
        self.labels = defaultdict(list)  # {a box: the labels of the edges that begin there}
        for (tail, *_), label in zip(edges, labels):
            if label:
                self.labels[tail].append(label)

    def room_of(self, owner):
        """Return the size of a box with the room above and below it that its small boxes take."""
        (w, h), names = self.sizes[owner], self.companions.get(owner, ())
        high = max((self.sizes[each][1] + self.distance(each) for each in names), default=0)
        return max(w, *(sum(map(self.slot, names[side::2])) for side in (0, 1))), h, high

    def slot(self, name):
        """Return the width that a small box takes, with its label and the distance to the next."""
        return max([self.sizes[name][0], *(label[0] for label in self.labels.get(name, ()))]) + self.apart / 2

    def distance(self, name):
        """Return the distance of a small box from its owner."""
        return BESIDE_WITH_LABEL if name in self.labels else BESIDE

    def added(self, boxes):
        """Return {node: its box (x, y, w, h)} with the small boxes. Every second one is above its owner, the others are below."""
        found = dict(boxes)
        for owner, names in self.companions.items():
            x, y, _, h = boxes[owner]
            for side in (0, 1):
                slots = list(map(self.slot, names[side::2]))
                left = x - sum(slots) / 2
                for name, slot in zip(names[side::2], slots):
                    w, high = self.sizes[name]
                    found[name] = left + slot / 2, y + (2 * side - 1) * ((h + high) / 2 + self.distance(name)), w, high
                    left += slot
        return found
