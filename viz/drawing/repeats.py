"""Repeat a thing beside each distant use, so that no line runs across the whole drawing.

Legend: a and b are things (variables or boxes) or ids of constant tensors; a link (a, b) stands for all uses of a by b.
"""

from collections import Counter, defaultdict
from math import inf

from scalargrad.formulas.text import shape_text
from scalargrad.graph import by_key
from scalargrad.statements.statement import uses_by
from viz.drawing.highlight import THICK, box_look
from viz.drawing.scopes.scopes import Box
from viz.drawing.svg.html_label import LONGEST_NAME, Line, apart, cut, frame, rows, space, tip
from viz.layout.ranks import ranks
from viz.text.array_text import is_array
from viz.text.formatter import UNICODE

MOST_FAR = (6, 3, 1, 0)  # distant links of a thing that are drawn as lines; fewer if all lines together would be too long
FAR = 3  # ranks that a distant link passes
LOST = 12  # ranks; a longer line from a parameter is too long to follow
LONGEST_LINES = 1000  # ranks that all lines together may pass
MOST_CONSTANTS = 8  # of boxes; if there are more, they are not drawn
NAME, VALUE, MARGIN, NARROWEST = 13, 12, 4, 40  # font sizes; points


def repeated(things, links, parameters=()):
    """Return {b: the things that are repeated beside b, as keys}. A thing with many distant links is repeated for each long link.
    So is one of the `parameters` with a link too long to follow, such as the weight that the first and the last layer share.

    A link is long if it passes a rank. The layout engine keeps a place for its line in each rank that it passes, and takes more
    than quadratic time for many such places.

    >>> steps = range(20)
    >>> found = repeated(["w", *steps], [*(("w", i) for i in steps), *zip(steps, steps[1:])])
    >>> 0 in found, list(found[1]), list(found[19])
    (False, ['w'], ['w'])
    """
    passed = lengths(things, links)
    long = by_key((link[0], link) for link, ranks_passed in passed.items() if ranks_passed)  # {a: the links from it that pass a rank}
    lost = {a for a in parameters if any(passed[link] > LOST for link in long.get(a, ()))}
    for most in MOST_FAR:
        often = dict.fromkeys(a for a in long if a in lost or sum(passed[link] >= FAR for link in long[a]) > most)
        if sum(passed[link] for a in long if a not in often for link in long[a]) <= LONGEST_LINES:
            break
    found = defaultdict(dict)
    for a, b in (link for each in often for link in long[each]):
        found[b][a] = None  # a dictionary, since a list would compare variables with ==
    return dict(found)


def lengths(things, links):
    """Return {link: the ranks it passes}. Leaves and branches of leaves stand as near as possible to what uses them first."""
    rank, before, after = ranks(things, links), defaultdict(list), defaultdict(list)
    for a, b in links:
        before[b].append(a)
        after[a].append(b)
    loose, late = {}, dict(rank)
    for a in sorted(rank, key=rank.get):
        loose[a] = not before[a] or (len(after[a]) == 1 and all(loose[x] for x in before[a]))
    for a in sorted(rank, key=rank.get, reverse=True):
        late[a] = min((late[b] - 1 for b in after[a]), default=rank[a])
    return {(a, b): (late[b] - late[a] if loose[a] else rank[b] - rank[a]) - 1 for a, b in links}


def taken_constants(captions):
    """Return {id: (a constant tensor, the things that use it)}. Many constants of boxes are left out."""
    taken: dict = {}
    for things, most in ((captions.selection.boxes, MOST_CONSTANTS), (captions.selection.variables, inf)):
        found: dict = {}
        for thing in things:
            for c in (c for y in getattr(thing, "variables", [thing]) for c in captions.on.constants(y)):
                found.setdefault(id(c), (c, {}))[1][thing] = None
        if len(found) <= most:
            for c, takers in found.values():
                taken.setdefault(id(c), (c, {}))[1].update(takers)
    return {f"c{n}": (c, list(takers)) for n, (c, takers) in enumerate(taken.values())}


class Repeats:
    """Small boxes that repeat a variable, a scope or a constant beside a distant use."""

    def __init__(self, captions):
        self.captions, self.constants = captions, taken_constants(captions)
        things, thing = captions.selection.things, captions.selection.thing
        drawn = set(things)
        links: dict = {}
        self.uses: Counter = Counter()
        counted: set = set()
        for y in captions.selection.graph.variables:
            b = thing(y)
            for x, times in uses_by(y, counted):
                a = thing(x)
                if a in drawn and a is not b:
                    self.uses[a] += times
                    if b in drawn:
                        links[a, b] = None
        for at, (_, takers) in self.constants.items():
            self.uses[at] = len(takers)
            links |= {(at, b): None for b in takers}
        arrays = [a for a in things if type(a) is not Box and not a.inputs and is_array(a)]
        self.beside = repeated([*things, *self.constants], links, arrays)
        self.often = {a for found in self.beside.values() for a in found}
        self.links = {(captions.id(a), captions.entry(b)): (a, b) for a, b in links}

    def add(self, pairs):
        """Repeat the first thing of each pair of ids beside the second. Return whether there are any."""
        found = [self.links[pair] for pair in pairs if pair in self.links]
        for a, b in found:
            self.beside.setdefault(b, {})[a] = None
            self.often.add(a)
        return bool(found)

    def said(self, a):
        """Return how often a is used, if it is repeated."""
        return [f"used {self.uses[a]:,} times"] if a in self.often else []

    def tail(self, a, b):
        """Return the id at which a line from a to b begins: that of a, or of the box that repeats it beside b."""
        at = self.captions.id(a)
        return f"{at}_by_{self.captions.id(b)}" if a in self.beside.get(b, ()) else at

    def put(self, b, statements):
        """Write the boxes that stand beside b."""
        for a in self.beside.get(b, ()):
            at = self.tail(a, b)
            label, said, classes = self.box(a)
            statements.node(at, label=f"<{label}>", tooltip=tip(said), **self.captions.marks(at, ["repeated", *classes]))
            statements.companion(at, self.captions.entry(b))

    def box(self, a):
        """Return a small box that stands for a: its label, its tooltip, its classes."""
        theme, highlight = self.captions.theme, self.captions.highlight
        variables, name, value, said = self.words(a)
        current, near = any(v is highlight.current for v in variables), any(v in highlight.tags for v in variables)
        dim = highlight.current is not None and not near
        ink = theme.quiet if dim else theme.ink
        fill = theme.function_fill if variables and variables[-1].inputs else theme.input_fill
        look = box_look(variables, highlight, theme, fill, "ROUNDED" if variables else "ROUNDED,DOTTED")
        left, right = Line(name, NAME, ink, italic=type(a) is not Box), Line(value, VALUE, ink, bold=bool(variables))
        wide = max(NARROWEST, left.width + right.width + 2 * MARGIN + 8 * bool(value))
        label = frame(rows(space(1), apart(left, right, wide, MARGIN), space(1)), *look, room=THICK)
        classes = ["current"] * current + ["neighbour"] * (near and not current) + ["dimmed"] * dim
        return label, f"{said}; {self.said(a)[0]}", classes

    def words(self, a):
        """Return the variables that a stands for, its name, its value, and a sentence."""
        captions = self.captions
        if type(a) is Box:
            return a.variables, cut(a.title, LONGEST_NAME), "", "/".join(a.path)
        if a in self.constants:
            c = self.constants[a][0]
            name = UNICODE.name(captions.on.name(c))
            return [], cut(name, LONGEST_NAME), shape_text(c.shape), name
        shape = getattr(a, "shape", ())
        value = shape_text(shape) if shape else captions.number(captions.on.data(a))
        return [a], captions.name(a), value, captions.sentence(a)
