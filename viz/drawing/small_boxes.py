"""The small boxes beside a box, above and below it in turns: leaves that are used far from their own box, and constants."""

from collections import defaultdict

BESIDE, BESIDE_LABEL = 16, 6  # between a box and a small box above or below it; around a label, which stands beside its small box


class SmallBoxes:
    """The `companions` of boxes. `sizes` are those of all boxes, `labels` those of edges, or None; `apart` is the distance of boxes."""

    def __init__(self, companions, edges, sizes, labels, apart):
        self.companions, self.sizes, self.apart = companions, sizes, apart
        self.labels = defaultdict(dict)  # {a small box: {an edge that begins there: the size of its label}}
        beside = {name for names in companions.values() for name in names}
        for k, ((tail, *_), label) in enumerate(zip(edges, labels)):
            if label and tail in beside:
                self.labels[tail][k] = label

    def room_of(self, owner):
        """Return the size of a box with the room above and below it that its small boxes take."""
        (w, h), names = self.sizes[owner], self.companions.get(owner, ())
        return max(w, *(sum(map(self.slot, names[side::2])) for side in (0, 1))), h, max(map(self.high, names), default=0)

    def slot(self, name):
        """Return the width that a small box takes, with its labels and the distance to the next."""
        return self.sizes[name][0] + self.beside(name) + self.apart / 2

    def beside(self, name):
        """Return the width that the labels take beside a small box."""
        return sum(w + BESIDE_LABEL for w, _ in self.labels.get(name, {}).values())

    def high(self, name):
        """Return the height that a small box and its labels take above or below their owner."""
        return max(self.sizes[name][1] + BESIDE, *(h + 2 * BESIDE_LABEL for _, h in self.labels.get(name, {}).values()), 0)

    def added(self, boxes):
        """Return {node: its box (x, y, w, h)} with the small boxes, and {edge: the centre of its label} of those that begin there.

        Every second small box is above its owner, the others are below. Labels stand on the side away from the owner's middle.
        """
        found, centres = dict(boxes), {}
        for owner, names in self.companions.items():
            x, y, _, h = boxes[owner]
            for side, sign in ((0, -1), (1, 1)):
                left = x - sum(map(self.slot, names[side::2])) / 2 + self.apart / 4
                for place, name in enumerate(names[side::2]):
                    w, high = self.sizes[name]
                    before = self.beside(name) if 2 * place + 1 < len(names[side::2]) else 0
                    found[name] = left + before + w / 2, y + sign * ((h + high) / 2 + BESIDE), w, high
                    at = left if before else left + w + BESIDE_LABEL
                    for k, (wide, _) in self.labels.get(name, {}).items():
                        centres[k] = at + wide / 2, y + sign * (h + self.high(name)) / 2
                        at += wide + BESIDE_LABEL
                    left += self.slot(name)
        return found, centres
