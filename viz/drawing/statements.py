"""The statements of a drawing, gathered before they get their places: nodes, frames around them, edges. Knows nothing of graphs."""

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
        self.owner = {}  # {small node: the node beside which it stands}
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
            self.owner[name] = owner
