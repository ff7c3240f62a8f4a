"""The scene of a whole graph: roomy boxes with room for labels, or small ones close together. From left to right, or from top to bottom.

A graph that does not fit into the panel at a readable size is still one scene: the page shows a window onto it.
"""

from collections import defaultdict
from collections.abc import Sequence
from functools import wraps
from itertools import product
from typing import NamedTuple

from scalargrad.formulas.text import isolated
from viz.drawing.scopes.scopes import scope_title
from viz.drawing.svg.html_label import width
from viz.layout.labels import crossings, place_labels
from viz.layout.layered import layered, layered_in_scopes
from viz.layout.ranks import latest_ranks
from viz.page.scenes.placing import MARGINS, TURNED_MARGINS, Parts, clear_labels, framed, rectangles, size_of
from viz.page.scenes.text_sizes import COMPACT, NARROW, ROOMY, SLIM, UPRIGHT

MOST_VARIABLES, MOST_EDGES = 60, 160  # a larger graph is folded, or shown by neighbourhoods
SMALL = 25  # variables: the labels of a small graph do not overlap even if all are shown; it is also laid out from top to bottom
BESIDE_LABELS, CLOSE, TURNED = 60, 28, 14  # room beside labels; in a scene of small boxes; above and below them
BETWEEN_BOXES, BETWEEN_TURNED, ROOMY_TURNED = 8, 5, 24  # the last if there is room
TITLE = 18.6  # the font size of the title of a frame
MORE_ROOM, MORE_ROOM_TURNED = range(0, 151, 25), range(0, 151, 10)  # added until all labels are on their edges
FEW_OFF = 2  # labels that may be off
FEW = 12  # variables; a larger graph has no place for roomy boxes on a phone
MOST_TRIED, MOST_TRIED_OF_MANY = 8, 2  # layouts for which labels are placed; the same for a graph that is not small
WAYS, MANY_INPUTS = (1, 2, 3), 3  # columns for the inputs, if there are more than MANY_INPUTS
MOST_REMEMBERED = 200  # scenes of each kind
CROWDED = 0.4  # a gap between columns gets more room if its labels take more than this fraction of the height


class Panel(NamedTuple):
    """The room for a graph on a page, in CSS pixels, and the least size of its texts."""

    width: float
    height: float
    least: float

    def scale(self, scene):
        """Return the pixels of this panel for one unit of the scene."""
        return min(self.width / scene["width"], self.height / scene["height"])

    def holds(self, scene):
        """Return whether the whole scene can be read here."""
        return self.scale(scene) * scene["look"]["smallest"] >= self.least


PANEL, TALL = Panel(777, 264, 12), Panel(777, 388, 12)  # on a page of 1280 × 720; the same with more of the page's height
MIDDLE = Panel(621, 355, 12)  # on a page of 1024 × 768
WIDE = Panel(1236, 296, 12)  # the same with the page's width
PHONE = Panel(366, 452, 12)  # on a phone of 390 × 844


def whole_graph(trace, entries=False, functions=False):
    """Return the scene of the whole graph from left to right; None if it is too large. `entries`: see `Parts`.

    >>> from scalargrad import Trace, Value
    >>> x = Value(3, name="x"); whole_graph(Trace(x * x, names={}))["look"]["compact"]
    False
    """
    if too_large(trace, MOST_VARIABLES):
        return None
    make = lambda look: Parts(trace, look._replace(functions=functions), entries)
    roomy, many = make(ROOMY), entries or too_large(trace, SMALL)
    hopeful = not many and PANEL.holds(bare(roomy, spaced(roomy, BESIDE_LABELS)))
    found = [spacious(roomy, BESIDE_LABELS)] if hopeful else []
    if not any(scene and PANEL.holds(scene) for scene in found):
        close = roomy if has_arrays(trace) else make(COMPACT)
        scoped = spacious(close, CLOSE, True) if close.scopes and not entries else None
        ways, most = [close, *([make(UPRIGHT)] if has_pictures(roomy) else [])], MOST_TRIED_OF_MANY if many else MOST_TRIED
        if scoped:
            found = [scoped]
        else:
            small = [packed(parts, TALL, most) for parts in ways]
            found = [*(found if hopeful or many else [spacious_if_larger(roomy, BESIDE_LABELS, small, TALL, WIDE)]), *small]
    if not any(panel.holds(scene) for panel in (TALL, WIDE) for scene in found if scene):
        found += [scene for parts in (roomy, close) if (scene := in_rows(parts, TALL))][:1]
    best = most_readable(found, TALL, WIDE)
    return {**best, "tall": not PANEL.holds(best)}


def narrow_graph(trace, entries=False, functions=False):
    """Return the scene of the whole graph from top to bottom, for a phone; None if it is too large. `entries`: see `Parts`.

    >>> from scalargrad import Trace, Value
    >>> x = Value(3, name="x"); above, below = narrow_graph(Trace(x * x, names={}))["nodes"]; above["y"] < below["y"]
    True
    """
    if too_large(trace, SMALL):
        return None
    small, found = not (entries or too_large(trace, FEW)), []
    for look in (NARROW, SLIM) if small else (NARROW if has_arrays(trace) else SLIM,):
        parts = Parts(trace, look._replace(functions=functions), entries)
        close = packed(parts, PHONE, MOST_TRIED_OF_MANY)
        found += [spacious_if_larger(parts, TURNED, [*found, close], PHONE) if small else None, close]
        if any(scene and PHONE.holds(scene) for scene in found):
            break
    return most_readable(found, PHONE)


def has_arrays(trace):
    return any(hasattr(v, "shape") for v in trace.graph.variables)


def remembered(make):
    """Return a function of Parts that makes the scene of equal ones only once. It keeps no variables."""
    known: dict = {}

    @wraps(make)
    def scene(parts, *options):
        key = parts.key, options
        if key not in known:
            if len(known) >= MOST_REMEMBERED:
                del known[next(iter(known))]
            known[key] = make(parts, *options)
        return known[key]

    return scene


def has_pictures(parts):
    return any("cell" in box for box in parts.nodes)


def too_large(trace, most):
    """Return whether the graph of a trace has too many variables or edges."""
    return len(trace.graph.variables) > most or sum(map(len, trace.graph.children.values())) > MOST_EDGES


def large(parts):
    """Return whether a graph is not small."""
    return len(parts.nodes) > SMALL or len(parts.edges) > MOST_EDGES


def most_readable(scenes, *panels):
    """Return the scene whose texts are the largest in one of the panels; None if there is none."""
    return max(filter(None, scenes), key=lambda scene: size_of_texts(scene, *panels), default=None)


def size_of_texts(scene, *panels):
    return max(panel.scale(scene) for panel in panels) * scene["look"]["smallest"]


@remembered
def spacious(parts, more, always=False, largest=0, panels=()):
    """Return the scene with room for the widest label between all columns; None if labels do not fit onto their edges, unless there must
    be `always` one, or if its texts are not the `largest` in the panels even without lines and labels. Scopes have frames.
    """
    rooms = MORE_ROOM_TURNED if parts.look.turned else MORE_ROOM
    layers, paths = layers_of(parts)
    layouts = (spaced(parts, more + room, layers, paths) for room in (rooms[:1] if always and large(parts) else rooms))
    framed = ((layout, [(paths[scope], frame) for scope, frame in layout.frames.items()]) for layout in layouts)
    return best(parts, framed, always, lambda layout: not panels or size_of_texts(bare(parts, layout), *panels) >= largest)


def spacious_if_larger(parts, more, others, *panels):
    """Return the spacious scene; None if its texts are smaller than those of others."""
    return spacious(parts, more, False, max((size_of_texts(scene, *panels) for scene in others if scene), default=0), panels)


def spaced(parts, more, layers=None, paths=()):
    """Return the layout that has so much more room between all columns than the widest label needs."""
    if layers is None:
        layers, paths = layers_of(parts)
    beside, apart = max((w for w, _ in parts.labels), default=0) + more, BETWEEN_TURNED if parts.look.turned else BETWEEN_BOXES
    titles = [width(scope_title(path), TITLE) if path else 0 for path in paths]
    return layers.layout(parts.sizes, lambda i, j: beside, titles, apart, arrivals=parts.arrivals, roomy=roomy(parts))


def bare(parts, layout):
    """Return the size and the look of a scene without lines and labels, which is not larger than the scene with them."""
    return {**size_of(parts.painted(layout.places), (), margins_of(parts)), "look": parts.look.for_page()}


@remembered
def in_rows(parts, panel):
    """Return the scene in rows, so that a panel holds all of it; None if that is impossible."""
    layers, paths = layers_of(parts)
    if paths or parts.order or large(parts):
        return None
    most = panel.width * parts.look.smallest / panel.least - 2 * MARGINS[0]
    for gap in dict.fromkeys(gaps(parts).values()):
        layout = layers.layout(parts.sizes, gap, width=most, arrivals=parts.arrivals)
        if not panel.holds(bare(parts, layout)):
            return None
        found = all_apart(parts, layout)
        if found and not found.faults and panel.holds(scene := scene_of(parts, found)):
            return scene
    return None


def layers_of(parts):
    """Return the Layers of a graph and the path of the scope of each frame. A graph that is turned has no frames."""
    if parts.look.turned or not parts.scopes:
        return layered(len(parts.sizes), parts.ends), []
    number = {(): 0}
    for path in parts.scopes:
        for k in range(1, len(path) + 1):
            number.setdefault(path[:k], len(number))
    parents = [number[path[:-1]] if path else None for path in number]
    layers, scopes = layered_in_scopes(parts.ends, [number[path] for path in parts.scopes], parents)
    return layers, [list(number)[scope] for scope in scopes]


@remembered
def packed(parts, panel, most):
    """Return the scene as small as its labels allow, with inputs in several columns if needed."""
    ways = [tuple(dealt(parts, n).items()) for n in (WAYS if parts.order is None else WAYS[:1])]
    layers = {earlier: layered(len(parts.sizes), parts.ends, None, dict(earlier), parts.order) for earlier in dict.fromkeys(ways)}
    gap, made, tried = gaps(parts), {}, []
    for crowded, earlier in product(MORE_ROOM, ways):
        key = earlier, gap[crowded]
        if key not in made:
            layout = layers[earlier].layout(parts.sizes, gap[crowded], arrivals=parts.arrivals, roomy=roomy(parts))
            made[key] = round(panel.scale(bare(parts, layout)), 2), layout
        tried.append((made[key][0], crowded, made[key][1]))
    tried = sorted(tried, key=lambda layout: layout[:2], reverse=True)[:most]
    return best(parts, ((layout, ()) for layout in dict.fromkeys(layout for *_, layout in tried)), always=True)


def gaps(parts):
    """Return for each `crowded` the function gap(i, j): the shortest length of an edge. It has room for the label, and `crowded` more if
    a gap has many labels.
    """
    rank = latest_ranks(range(len(parts.sizes)), parts.ends)
    boxes, labels, wide = defaultdict(float), defaultdict(float), defaultdict(float)  # the first two are sums of heights
    for i, (_, h, pad) in enumerate(parts.sizes):
        boxes[rank[i]] += h + 2 * pad
    for (i, j), (w, h) in zip(parts.ends, parts.labels):
        labels[rank[j]] += h
        wide[i, j] = max(wide[i, j], w)
    many = {r for r, height in labels.items() if height > CROWDED * max(boxes.values())}
    found = lambda crowded: lambda i, j: wide[i, j] + CLOSE + (crowded if rank[j] in many else 0)
    return {crowded: found(crowded) for crowded in MORE_ROOM} if many else dict.fromkeys(MORE_ROOM, found(0))


def dealt(parts, ways):
    """Return {input: how many columns further left it stands}: many inputs of one column are distributed over several."""
    rank, inputs = latest_ranks(range(len(parts.sizes)), parts.ends), defaultdict(list)
    for i in parts.inputs:
        inputs[rank[i]].append(i)
    return {i: n % ways for many in inputs.values() if len(many) > MANY_INPUTS for n, i in enumerate(many)}


class Layout(NamedTuple):
    """The places of boxes, edges and labels; faults: labels off their edges, edges through boxes. `apart`: no two labels overlap."""

    faults: int
    places: list
    paths: list
    centres: list
    apart: bool
    frames: Sequence  # [(path of a scope, (left, top, right, bottom))], the outer ones first


def best(parts, layouts, always=False, worth=lambda layout: True):
    """Return the scene of the first of several layouts, [(layout, frames)], without a fault, else of that with the fewest. All labels are
    apart. If many would be off their edges there is None, but if there must be `always` one, those are apart that are visible together.
    """
    tried, good = [], []
    for layout, frames in layouts:  # each is larger than the one before
        if not good and not worth(layout):
            return None
        tried.append((layout, frames))
        found = all_apart(parts, layout, frames, through=always)
        good += [found] * bool(found)
        if found and not found.faults:
            break
    if not good and always:
        good = [in_groups(parts, *layout) for layout in tried]
    return scene_of(parts, min(good, key=lambda layout: layout.faults)) if good else None


def all_apart(parts, layout, frames=(), through=False):
    """Return the Layout with all labels apart; None if many would be off their edges, or edges run `through` boxes and must not, or the
    graph is not small.
    """
    if large(parts) or (faults := crossed_boxes(parts, layout)) and not through:
        return None
    placed = labelled(parts, layout, range(len(parts.labels)), most_off=FEW_OFF)
    return placed and Layout(placed[1] + faults, layout.places, layout.splines, placed[0], True, frames)


def crossed_boxes(parts, layout):
    """Return the faults of edges through boxes."""
    boxes = [(x, y, w, h) for (x, y), (w, h, _) in zip(layout.places, parts.sizes)]
    return (FEW_OFF + 1) * crossings(layout.splines, boxes)


def in_groups(parts, layout, frames):
    """Return the Layout if only the labels of one step must be apart."""
    paths = layout.splines
    centres, off = [None] * len(paths), 0
    for together in parts.shown_together():
        found, faults = labelled(parts, layout, together)
        off += faults
        for k, centre in zip(together, found):
            centres[k] = centre
    return Layout(off + crossed_boxes(parts, layout), layout.places, paths, centres, False, frames)


def labelled(parts, layout, edges, **options):
    """Return what place_labels finds for the labels of these edges."""
    boxes = rectangles(layout.places, parts.sizes)
    paths, sizes, sides = [layout.splines[k] for k in edges], [parts.labels[k] for k in edges], sides_of(boxes)
    place = lambda boxes: place_labels(paths, sizes, boxes, sides, **options)
    return clear_labels(place, boxes, parts.sticking_out(layout.places, enumerate(parts.nodes)))


def sides_of(boxes):
    return min(y - h / 2 for _, y, _, h in boxes), max(y + h / 2 for _, y, _, h in boxes)


def scene_of(parts, found):
    """Return the scene of a Layout."""
    lines = parts.lines(found.paths, found.centres)
    frames = [
        dict(zip("xywh", ((a + c) / 2, (b + d) / 2, c - a, d - b)), name=isolated(scope_title(path))) for path, (a, b, c, d) in found.frames
    ]
    return {
        **framed(parts.painted(found.places), lines, margins=margins_of(parts), frames=frames),
        "look": parts.look.for_page(),
        "apart": found.apart,
    }


def roomy(parts):
    return ROOMY_TURNED if parts.look.turned else 0


def margins_of(parts):
    return TURNED_MARGINS if parts.look.turned else MARGINS
