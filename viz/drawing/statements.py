"""The statements of a drawing, gathered before they are written: nodes of known width, frames, edges. Knows nothing of graphs."""

from collections import defaultdict

from viz.layout.ranks import ranks


class Statements:
    """Nodes, frames and columns in the order in which they are written, then edges."""

    def __init__(self, line):
        self.line = line  # the colour of an edge that has none of its own
        self.items = []  # (kind, its name or names, its attributes)
        self.edges = []  # (tail, head, width of the label, attributes)
        self.open_frames = []
        self.frames = defaultdict(list)  # {frame: the nodes in it}
        self.depth, self.frame = {}, {}  # {frame: how many frames are around it}, {node: the innermost frame around it}
        self.width, self.first = {}, {}  # {node: its width}, {node: the first node of its column}
        self.lengths = {}  # {(tail, head): the ranks between them}, if more than one
        self.owner, self.companions = {}, {}  # {companion: the node that it stands above or below}, {that node: at most two companions}

    def node(self, name, width, **look):
        self.width[name], self.frame[name] = width, self.open_frames[-1] if self.open_frames else None
        for frame in self.open_frames:
            self.frames[frame].append(name)
        self.items.append(("node", name, look))

    def edge(self, tail, head, label_width=0, **look):
        self.edges.append((tail, head, label_width, look))

    def open(self, name, look):
        self.depth[name] = len(self.open_frames)
        self.open_frames.append(name)
        self.items.append(("open", name, look))

    def close(self):
        self.items.append(("close", self.open_frames.pop(), {}))

    def column(self, names):
        """Let nodes stand one below the other, in this order."""
        self.first.update(dict.fromkeys(names, names[0]))
        self.items.append(("column", names, {}))

    def companion(self, name, owner):
        """Let a node whose only edge leads to its owner share the owner's rank: the first above the owner, the second below."""
        companions = self.companions.setdefault(owner, [])
        if len(companions) < 2:
            companions.append(name)
            self.owner[name] = owner

    def lengthen(self, lengths):
        """Let edges pass ranks: `lengths` gives {(tail, head): how many ranks the tail stands before the head}."""
        self.lengths |= lengths
        for tail, head, _, look in self.edges:
            if (node_of(tail), node_of(head)) in lengths:
                look["minlen"] = str(lengths[node_of(tail), node_of(head)])

    def ranks(self):
        """Return {node: its rank}."""
        same = lambda name: self.first.get(of := self.owner.get(node_of(name), node_of(name)), of)
        links = ((same(a), same(b)) for a, b, *_ in self.edges if same(a) != same(b))
        found = ranks(map(same, self.width), links, {(same(a), same(b)): n for (a, b), n in self.lengths.items()})
        return {name: found.get(same(name), 0) for name in self.width}

    def outputs(self):
        """Return {node: the nodes to which its edges lead}."""
        found = defaultdict(set)
        for tail, head, *_ in self.edges:
            found[node_of(tail)].add(node_of(head))
        return found

    def reverse(self, chosen):
        """Write the edges for which chosen(tail, head) is true from head to tail. Their arrows stay where they are."""
        self.edges = [(b, a, wide, look | {"dir": "back"}) if chosen(a, b) else (a, b, wide, look) for a, b, wide, look in self.edges]

    def place_companions(self, in_rows):
        """Let companions share the rank of their owner. Within a rank the engine lets edges lead downwards, in a frame upwards."""
        ends = {names[-1]: [names[0], owner, *names[1:]] for owner, names in self.companions.items()}
        placed = ([item, ("rank", ends[item[1]], {})] if item[0] == "node" and item[1] in ends else [item] for item in self.items)
        self.items = [item for several in placed for item in several]
        upwards = lambda name: in_rows or self.frame[name] is not None
        turned = {name for names in self.companions.values() for n, name in enumerate(names) if upwards(name) != (n == 1)}
        self.reverse(lambda tail, head: tail in turned)

    def write(self, d):
        """Write all statements onto a Drawing, in one piece."""
        for item in self.items:
            put(d, *item)
        for tail, head, _, look in self.edges:
            d.edge(tail, head, **look)


def node_of(end):
    """Return the node of an end of an edge, which may name a side: s3:e is the right side of s3."""
    return end.split(":")[0]


def put(d, kind, name, look):
    """Write one statement onto a Drawing."""
    if kind == "node":
        d.node(name, **look)
    elif kind == "open":
        d.body.append(f"\tsubgraph cluster_{name} {{\n\t\tgraph [peripheries=1 id={name} {look}]\n")
    elif kind == "close":
        d.body.append("\t}\n")
    else:
        with d.subgraph() as same:
            same.attr(rank="same")
            for each in name:
                same.node(each)
            for a, b in zip(name, name[1:]) if kind == "column" else ():
                same.edge(a, b, style="invis")
