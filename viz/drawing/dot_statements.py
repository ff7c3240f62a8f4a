"""The statements of a drawing, gathered before they get their places: nodes, frames around them, edges. Knows nothing of graphs."""

from typing import NamedTuple

from viz.drawing.svg.html_label import size_of

MOST = 6  # small nodes above and below a node


class Statements:
    """Nodes and frames in the order in which they were opened, then edges."""

    def __init__(self):
        self.nodes = {}  # {node: its attributes}
        self.frames = {}  # {frame: its attributes}; a frame stands before those in it
        self.around = {}  # {node or frame: the innermost frame around it, or None}
        self.edges = []  # (tail, head, whether it is a straight line from side to side, attributes)
        self.keys = {}  # {node or frame: what it is sorted by, where everything in a rank has a key}
        self.companions = {}  # {node: a few small nodes, above and below it}
        self.open_frames = [None]

    def node(self, name, **look):
        self.nodes[name], self.around[name] = look, self.open_frames[-1]

    def edge(self, tail, head, straight=False, **look):
        self.edges.append((tail, head, straight, look))

    def open(self, name, look, width, key=None):
        """Begin a frame whose title has this width. In a rank of frames that all have a key, these are sorted."""
        self.frames[name], self.around[name] = (look, width), self.open_frames[-1]
        self.keys |= {} if key is None else {name: key}
        self.open_frames.append(name)

    def close(self):
        self.open_frames.pop()

    def column(self, names):
        """Let nodes of one rank stand one below the other, in this order."""
        self.keys |= {name: (n,) for n, name in enumerate(names)}

    def companion(self, name, owner):
        """Let a small node whose only edge leads to its owner stand above or below the owner, as long as there is room."""
        companions = self.companions.setdefault(owner, [])
        if len(companions) < MOST:
            companions.append(name)

    def geometry(self):
        """Return all on which their places depend."""
        return Geometry(
            tuple((name, size_of(look["label"])) for name, look in self.nodes.items()),
            tuple((*ends, size_of(look["label"]) if "label" in look else None) for *ends, look in self.edges),
            tuple((name, width) for name, (_, width) in self.frames.items()),
            tuple(self.around.items()),
            tuple(self.keys.items()),
            tuple((owner, tuple(names)) for owner, names in self.companions.items()),
        )


class Geometry(NamedTuple):
    """Statements without their texts and colours: drawings of the same geometry have the same places. A mapping is a tuple of items.

    sizes       {node: (w, h)}
    edges       (tail, head, whether it is a straight line from side to side, the (w, h) of its label or None)
    frames      {frame: the width of its title}
    around, keys, companions  as in `Statements`
    """

    sizes: tuple
    edges: tuple
    frames: tuple
    around: tuple
    keys: tuple
    companions: tuple
