"""What is drawn, gathered before it is written: nodes of known width, frames, edges. A wide drawing is broken into rows, as text is.

Knows nothing of graphs. Legend: a rank is what stands below each other when a drawing goes from left to right.
"""

from bisect import bisect
from collections import Counter, defaultdict, deque
from itertools import accumulate
from math import inf

PAGE = 1180  # points: 1600 pixels, less the edge of the paper
FRAME = 18  # points that a frame takes at its left and at its right
LONG = 6  # nodes of a chain that stands in a column
SHORT = 2  # ranks before the last node of a short branch
ABOUT = 1.15  # so much wider is no wider
WORTH = 1.05  # a drawing has to be so much wider than its rows would be
LIMITS = tuple(range(100, 16, -4))  # of a row, in hundredths of a page
STRAIGHT = "50"  # how much the layout engine prefers a straight way back to the next row


class Sheet:
    """Statements of a drawing, in order; `write` puts them down."""

    def __init__(self, line):
        self.line = line  # the colour of an edge that has none of its own
        self.statements = []  # (what, name, look)
        self.within = []  # the names of the frames that are open
        self.frames = defaultdict(list)  # {name: the nodes in it}
        self.depth, self.frame = {}, {}  # {frame: how many are around it}, {node: the innermost frame around it}
        self.wide, self.first = {}, {}  # {node: its width}, {node: the node it shares its rank with}
        self.owner, self.pairs = {}, {}  # {node: the node that it stands above or below}, {that node: at most two of these}
        self.row_of = {}  # {node of a short branch: the node in whose row it stands}
        self.edges = []  # (tail, head, width of its label, look)

    def node(self, name, wide, **look):
        self.wide[name], self.frame[name] = wide, self.within[-1] if self.within else None
        for frame in self.within:
            self.frames[frame].append(name)
        self.statements.append(("node", name, look))

    def edge(self, tail, head, wide=0, **look):
        self.edges.append((tail, head, wide, look))

    def open(self, name, look):
        self.depth[name] = len(self.within)
        self.within.append(name)
        self.statements.append(("open", name, look))

    def close(self):
        self.statements.append(("close", self.within.pop(), {}))

    def column(self, names):
        """Nodes that stand one below the other, in this order."""
        self.first.update(dict.fromkeys(names, names[0]))
        self.statements.append(("column", names, {}))

    def beside(self, name, owner):
        """A node from which an edge leads to its owner alone stands in the same rank: the first above it, the second below it."""
        beside = self.pairs.setdefault(owner, [])
        if len(beside) < 2:
            beside.append(name)
            self.owner[name] = owner

    # Writing

    def write(self, d, between):
        """Onto a Drawing: in one piece; in rows, if it goes from left to right, `between` points between ranks, and is too wide."""
        rank = self.ranks() if between else {}
        rows, wide = self.rows(rank, between) if between else (None, 0)
        if wide > PAGE and (ladders := self.ladders(rank)):
            for ladder in ladders:
                self.stand(ladder)
            d.attr(remincross="false", nodesep="0.08")
            rank = self.ranks()
            rows, wide = self.rows(rank, between)
        elif wide > PAGE and self.pairs and self.hang(rank):
            rows, wide = self.rows(rank, between)
        self.stand_beside(bool(rows))
        if rows and self.row_of:
            self.stacks_in_order(rank, rows)
            d.attr(remincross="false")
        if rows or self.frames:  # otherwise frames between which edges go to and fro cannot be laid out
            d.attr(newrank="true")
        if rows:
            self.write_rows(d, rank, rows)
            return
        for statement in self.statements:
            put(d, *statement)
        for tail, head, _, look in self.edges:
            d.edge(tail, head, **look)

    def write_rows(self, d, rank, rows):
        """Rows (the ranks at which each begins), and between two of them the way back from the end of the one to the other."""
        at = {name: bisect(rows, rank[self.row_of.get(name, name)]) - 1 for name in rank}
        pieces: list = [[] for _ in rows]  # the statements of each row
        for what, name, look in self.statements:
            if what in ("open", "close"):  # a frame that goes on in another row is opened there too
                for n, row in enumerate(sorted({at[each] for each in self.frames[name]})):
                    pieces[row].append((what, f"{name}_{row}" if n else name, look))
            else:
                pieces[at[name if what == "node" else name[0]]].append((what, name, look))
        begins: list = [[] for _ in rows]
        first = [min(rank[name] for name in rank if at[name] == row) for row in range(len(rows))]
        for name, row in at.items():
            if rank[name] == first[row] and name not in self.owner:
                begins[row].append(name)
        for row, piece in enumerate(pieces):
            d.body.append(f'\tsubgraph cluster_row{row} {{\n\t\tgraph [peripheries=0 margin=0 id=row{row} class=row tooltip=""]\n')
            for statement in piece:
                put(d, *statement)
            d.body.append("\t}\n")
        put(d, "column", [f"back{row}" for row in range(1, len(rows))], {})
        put(d, "column", begins[0] + [name for row, begin in enumerate(begins[1:], 1) for name in (f"turn{row}", *begin)], {})
        ways: dict = defaultdict(list)
        for tail, head, _, look in self.edges:
            over = range(at[node_of(tail)] + 1, at[node_of(head)] + 1)
            for row in over:
                ways[row].append((tail if row == over[0] else f"back{row - 1}", look))
            if over:
                d.edge(f"back{over[-1]}:s", f"{node_of(head)}:w", tailclip="false", **look)
            else:
                d.edge(tail, head, **look)
        for row, edges in ways.items():
            way_back(d, row, edges, self.line)

    # Rows

    def ranks(self):
        """{node: its rank}."""
        same = lambda name: self.first.get(of := self.owner.get(node_of(name), node_of(name)), of)
        found = ranks(map(same, self.wide), ((same(a), same(b)) for a, b, *_ in self.edges if same(a) != same(b)))
        return {name: found.get(same(name), 0) for name in self.wide}

    def rows(self, rank, between):
        """The ranks at which rows begin; None, if all fits into one, or can stand in no more than one."""
        last = max(rank.values(), default=0)
        columns, gaps = [0] * (last + 1), [between] * (last + 1)  # the width of each rank, and of what lies to its left
        for name, r in rank.items():
            columns[r] = max(columns[r], self.wide[name])
        for tail, head, wide, _ in self.edges:
            if node_of(tail) not in self.owner:
                gaps[rank[node_of(head)]] = max(gaps[rank[node_of(head)]], between + wide)
        for names in self.frames.values():
            at = [rank[name] for name in names]
            gaps[min(at)] += FRAME
            columns[max(at)] += FRAME
        begin = list(range(last + 2))  # of a row, with the branches that stand in it
        for name, served in self.row_of.items():
            for r in range(rank[name] + 1, rank[served] + 1):
                begin[r] = min(begin[r], rank[name])
        fits = lambda a, b, limit: sum(columns[begin[a] : b]) + sum(gaps[begin[a] + 1 : b]) <= limit
        if fits(0, last + 1, PAGE):
            return None, 0
        found: dict = {}  # {rows: how wide that is}
        for depth in range(1 + max(self.depth.values(), default=-1) + 1):
            cuts = self.cuts(rank, last, depth)
            for limit in LIMITS:
                rows = [0]
                for cut, following in zip(cuts, [*cuts[1:], last + 1]):
                    if not fits(rows[-1], following, limit * PAGE / 100):
                        rows.append(cut)
                if len(rows) > 1:
                    found.setdefault(tuple(rows), overall(rows, begin, columns, gaps) + 2 * between)  # for the ways back
            if min(found.values(), default=inf) <= PAGE:
                break
        whole = overall([0], begin, columns, gaps)
        if min(found.values(), default=inf) * WORTH > whole:
            return None, whole
        narrow = PAGE if min(found.values()) <= PAGE else ABOUT * min(found.values())
        rows = min(found, key=lambda rows: (max(found[rows], narrow), len(rows), found[rows]))
        return list(rows), found[rows]

    def ladders(self, rank):
        """Long chains of nodes each of which joins the one before to a branch that serves it alone; the branches beside them.

        A ladder is a list of columns: the chain, what goes into it, what goes into that.
        """
        inputs, outputs = defaultdict(list), defaultdict(set)
        for tail, head, *_ in self.edges:
            inputs[node_of(head)].append(node_of(tail))
            outputs[node_of(tail)].add(node_of(head))
        own = {
            b: list(dict.fromkeys(a for a in found if len(outputs[a]) == 1 and self.frame[a] == self.frame[b]))
            for b, found in inputs.items()
        }
        joins = {b for b, found in own.items() if len(found) > 1}
        before, long = {}, {}  # {node: the one before it in its longest chain}, {node: how many that chain has}
        for b in sorted(joins, key=lambda b: (rank[b], b)):
            before[b] = max((a for a in own[b] if a in joins), key=long.get, default=None)
            long[b] = 1 + long.get(before[b], 0)
        ladders, used = [], set()
        for b in sorted(long, key=long.get, reverse=True):
            chain = [b]
            while before[chain[-1]]:
                chain.append(before[chain[-1]])
            if len(chain) > 1 and sum(a in joins for a in own[chain[-2]]) > 1:
                chain.pop()  # it is a branch as the one beside it
            ladder = [chain[::-1]]
            while ladder[-1]:
                ladder.append([a for b in ladder[-1] for a in own.get(b, ()) if a not in chain])
            if len(chain) >= LONG and used.isdisjoint(chain):
                ladders.append(ladder[:-1])
                used.update(*ladder)
        return ladders

    def hang(self, rank):
        """Let short branches that serve one node alone stand before it, in its row; whether there are any."""
        outputs = defaultdict(set)
        for tail, head, *_ in self.edges:
            outputs[node_of(tail)].add(node_of(head))
        for name in sorted(rank, key=rank.get, reverse=True):
            if rank[name] <= SHORT and len(outputs[name]) == 1 and name not in self.owner:
                (served,) = outputs[name]
                if self.frame[name] == self.frame[served] and (rank[served] > rank[name] + 1 or served in self.row_of):
                    self.row_of[name], rank[name] = self.row_of.get(served, served), rank[served] - 1
        for name, owner in self.owner.items():
            if owner in self.row_of:
                self.row_of[name], rank[name] = self.row_of[owner], rank[owner]
        return bool(self.row_of)

    def stand_beside(self, in_rows):
        """Write down which nodes share the rank of their owner. Within a rank an edge leads downwards, within a frame upwards."""
        ends = {names[-1]: [names[0], owner, *names[1:]] for owner, names in self.pairs.items()}
        statements = ([s, ("rank", ends[s[1]], {})] if s[0] == "node" and s[1] in ends else [s] for s in self.statements)
        self.statements = [statement for several in statements for statement in several]
        upwards = lambda name: in_rows or self.frame[name] is not None
        turned = {name for names in self.pairs.values() for n, name in enumerate(names) if upwards(name) != (n == 1)}
        self.edges = [(b, a, wide, {**look, "dir": "back"}) if a in turned else (a, b, wide, look) for a, b, wide, look in self.edges]

    def stacks_in_order(self, rank, rows):
        """Write down that of several nodes of a rank with others above and below them each stack stands by itself."""
        stacks = defaultdict(list)
        for owner in sorted(self.pairs, key=lambda owner: owner not in self.row_of):
            row = bisect(rows, rank[self.row_of.get(owner, owner)])
            stacks[row, rank[owner]].append([self.pairs[owner][0], owner, *self.pairs[owner][1:]])
        for several in stacks.values():
            ends = [name for lower, upper in zip(several[1:], several) for name in (lower[0], upper[-1])]
            if ends:
                self.statements.append(("rank", ends, {}))
            self.edges += [(lower, upper, 0, {"style": "invis"}) for lower, upper in zip(ends[::2], ends[1::2])]

    def stand(self, ladder):
        """Let the columns of a ladder stand side by side."""
        for owner in (name for names in ladder for name in names):
            for name in self.pairs.pop(owner, ()):
                del self.owner[name]
        end = next((i for i, s in enumerate(self.statements) if s[:2] == ("close", self.frame[ladder[0][0]])), len(self.statements))
        upwards = self.frame[ladder[0][0]] is not None  # that is how the engine stacks within a frame
        for names in ladder:
            self.first.update(dict.fromkeys(names, names[0]))
            self.statements.insert(end, ("column", names[::-1] if upwards else names, {}))
        links = set(zip(ladder[0], ladder[0][1:])) if upwards else ()
        self.edges = [(b, a, wide, {**look, "dir": "back"}) if (a, b) in links else (a, b, wide, look) for a, b, wide, look in self.edges]

    def cuts(self, rank, last, depth):
        """The ranks before which a row may end: one node alone is the tail of all edges over, and only frames above `depth` are torn."""
        reach: dict = {}
        for tail, head, *_ in self.edges:
            if node_of(tail) not in self.row_of:
                reach[node_of(tail)] = max(reach.get(node_of(tail), 0), rank[node_of(head)])
        spans = [(rank[name], end) for name, end in reach.items()]
        inner = [[rank[name] for name in names] for frame, names in self.frames.items() if self.depth[frame] >= depth]
        tails, torn = covered(spans, last), covered([(min(ranks), max(ranks)) for ranks in inner], last)
        return [r for r in range(1, last + 1) if tails[r] == 1 and not torn[r]]


def ranks(things, links):
    """{thing: its rank}: the longest way to it, in links (a, b); what nothing leads to stands right before what it leads to."""
    links = dict.fromkeys(links)
    after, waiting = defaultdict(list), Counter(b for _, b in links)
    for a, b in links:
        after[a].append(b)
    sources = [a for a in dict.fromkeys(things) if not waiting[a]]
    rank, ready = dict.fromkeys(sources, 0), deque(sources)
    while ready:
        a = ready.popleft()
        for b in after[a]:
            rank[b] = max(rank.get(b, 0), rank[a] + 1)
            waiting[b] -= 1
            if not waiting[b]:
                ready.append(b)
    for a in sources:
        rank[a] = min((rank[b] - 1 for b in after[a]), default=0)
    return rank


def covered(spans, last):
    """How many of these spans lie over the border before each rank."""
    steps = [0] * (last + 2)
    for begin, end in spans:
        steps[begin + 1] += 1
        steps[end + 1] -= 1
    return list(accumulate(steps))


def node_of(end):
    """The node of an end of an edge, which may name a side: s3:e is the right side of s3."""
    return end.split(":")[0]


def overall(rows, begin, columns, gaps):
    """The width of a drawing in these rows: the first ranks of all stand below each other, and so on."""
    spans = [(begin[row], end) for row, end in zip(rows, [*rows[1:], len(columns)])]
    total = 0
    for k in range(max(last - first for first, last in spans)):
        at = [first + k for first, last in spans if first + k < last]
        total += max(columns[r] for r in at) + max((gaps[r] for r in at if k), default=0)
    return total


def put(d, what, name, look):
    if what == "node":
        d.node(name, **look)
    elif what == "open":
        d.body.append(f"\tsubgraph cluster_{name} {{\n\t\tgraph [peripheries=1 id={name} {look}]\n")
    elif what == "close":
        d.body.append("\t}\n")
    else:
        with d.subgraph() as same:
            same.attr(rank="same")
            for each in name:
                same.node(each)
            for a, b in zip(name, name[1:]) if what == "column" else ():
                same.edge(a, b, style="invis")


def way_back(d, row, edges, line):
    """The line from the end of the row before to the beginning of this one."""
    look = next((look for _, look in edges if "penwidth" in look), edges[0][1])
    look = {key: look[key] for key in ("color", "penwidth", "style", "tooltip", "class") if key in look}
    colour, thick = (
        look.get("color", line),
        f"{float(look.get('penwidth', 1)) - 1:.1f}",
    )  # its outline makes a flat box as thick as the line
    filled = {"fillcolor": colour, "color": colour, "penwidth": thick, "class": look["class"], "tooltip": look.get("tooltip", "")}
    for side in ("back", "end"):
        d.node(f"{side}{row}", shape="point", width="0.01", style="invis")
    d.node(
        f"turn{row}", shape="box", style="filled", width="0.04", height="0.015", label="", id=f"turn{row}", **filled
    )  # no gap in the line
    look |= {"arrowhead": "none", "headclip": "false"}
    for n, tail in enumerate(dict.fromkeys(node_of(tail) for tail, _ in edges)):
        d.edge(f"{tail}:e", f"end{row}:n", id=f"end{row}_{n}", **look)
    d.edge(f"back{row}", f"turn{row}", id=f"back{row}_turn", weight=STRAIGHT, tailclip="false", **look)
    d.edge(f"turn{row}", f"end{row}", id=f"turn{row}_end", weight=STRAIGHT, tailclip="false", **look)
