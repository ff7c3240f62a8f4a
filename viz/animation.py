"""A whole pass of backpropagation as one animated SVG, for slides and READMEs. It needs no script and no player.

`draw` draws every step, and no box moves from step to step; a graph that is higher than a screen moves as a whole. A part that looks the
same in several steps is laid out and stored once. CSS shows it at the right times. Paper, programs that do not play SVG, and readers who
prefer no motion get the last step.
"""

import re
import textwrap
from itertools import groupby
from xml.etree import ElementTree

from scalargrad.formulas.text import escape
from scalargrad.graph import by_key
from scalargrad.modes import gc_paused
from viz.document import Animation
from viz.drawing.draw import draw
from viz.drawing.svg.html_label import FONT, width
from viz.graphs.detail import trace_of
from viz.options import choose, require
from viz.text.formatter import UNICODE
from viz.text.glossary import listing_of
from viz.text.narration import heading, sentence
from viz.theme import THEMES

TITLE = "Backpropagation, step by step"
SVG = "{http://www.w3.org/2000/svg}"
MOST_STEPS = 120  # of a trace of which every step is shown by default
HOLD = 4  # the last step is shown so many times as long
NARROWEST, MARGIN, LOWEST, AROUND = 460, 14, 160, 50  # points; the least height of a graph; around the middle of a box
MARKED = re.compile(r'^\tv\d+ \[.* class="[^"]*\b(current|active|neighbour|z)\b[^"]*".* pos="[^,"]+,([^,"]+)"', re.S)
SIZE, LINE, BAR = 13, 19, 4  # of the text below the graph: font, line, bar
MONOSPACE = "ui-monospace,Menlo,Consolas,monospace"
TOOLTIP = re.compile(r' (?:label)?tooltip="(?:\\.|[^"\\])*"')  # no label holds a bare quote
ATTRIBUTE = re.compile(r'(\w+)=(<(?:<[^<>]*>|[^<>])*>|"(?:\\.|[^"\\])*"|[^\s\]]+)')  # of DOT, which has three kinds of strings


def animate(z, *, seconds: float = 1.0, every: str | None = None, theme: str = "light", height: float = 675, **options) -> Animation:
    """Return an animation of the whole backward pass from z (or of a Trace). It shows each step for so many seconds, in a loop.

    `every` is "step" for every executed line, or "iteration" for the end of each iteration. The default is "step" for up to
    120 steps, then "iteration" for up to 120 iterations.
    It is at most `height` points high, as a screen is, and moves over a higher graph, so that each step shows the boxes that it is about.
    `theme` is "light" or "dark". `options` are those of `draw`. Below the graph stand the pseudocode's line and what it does.
    Browsers play the animation in pages, READMEs and HTML slides. It stops while the mouse points at it, except in an <img>.
    Other programs show the last step. For their slides, draw(trace, step=28).save("28.png") writes a single step.
    Raises ValueError if there are too many iterations, or the graph is too large to be drawn as a whole.

    >>> from scalargrad import Value
    >>> x = Value(3, name="x"); animation = animate(x * x, seconds=2)
    >>> animation.svg.count("@keyframes") > 10, "dz/dx = 6" in animation.svg
    (True, True)
    """
    trace = trace_of(z, **{name: options.pop(name) for name in ("detail", "opened") if name in options})
    choose((None, "step", "iteration"), every=every)
    choose(THEMES, theme=theme)
    require(seconds=seconds, height=height)
    if not 0 < seconds < float("inf"):
        raise ValueError(f"animate: seconds is {seconds!r}; it must be a positive number, for example 1.5")
    steps = shown_steps(trace, every or ("step" if len(trace) <= MOST_STEPS else "iteration"))
    if not every and len(steps) > MOST_STEPS:
        raise ValueError(
            f"animate: {trace.iterations:,} iterations are too many to follow; animate a part of the graph, or write every='iteration'"
        )
    with gc_paused():
        drawings = [draw(trace, step=step, **options, theme=theme) for step in steps]
        return Animation(trace, TITLE, AnimatedSVG(drawings, captions(trace, steps), THEMES[theme], height).svg(seconds))


def shown_steps(trace, every):
    """Return the numbers of the steps that are shown: all, or the last of each iteration."""
    if every == "step":
        return list(range(len(trace)))
    return [list(run)[-1] for _, run in groupby(range(len(trace)), key=lambda i: (trace[i].act == "done", trace[i].iteration))]


def captions(trace, steps):
    """Yield the text below each frame: the number of the step, the pseudocode's line, and what that line does."""
    for step in steps:
        line = trace[step].line
        code = f"{line:>2}  {listing_of(trace)[line].strip()}" if line else ""
        yield f"{heading(trace, step)}, step {step + 1} of {len(trace)}", code, sentence(trace, step, UNICODE)


class AnimatedSVG:
    """An SVG of many frames, each the drawing of a step. A part is a box, an edge or a line of text, and has a few looks.

    A part is one statement of DOT and never moves, so that any look of it fits beside any look of the others. The first
    layout has the first look of every part, the second layout the second look, and so on. A few layouts make many frames.
    """

    def __init__(self, drawings, captions, theme, height):
        self.captions, self.theme, self.height = list(captions), theme, height
        bodies = [[TOOLTIP.sub("", statement) for statement in drawing.body] for drawing in drawings]
        self.parts = [by_key((look, frame) for frame, look in enumerate(looks)) for looks in zip(*bodies)]  # {a look: its frames}
        drawn = {tuple(statement.partition(" [")[0] for statement in body if " [" in statement) for body in bodies}
        if len(drawn) != 1:
            raise ValueError(
                "animate: the graph is too large to be drawn as a whole, and would move from step to step; animate a part of it"
            )
        self.layouts = [self.layout(drawings[0], k) for k in range(max(map(len, self.parts)))]
        self.transform, self.wide, self.high = around(self.layouts)
        self.looked = [self.looked_at(body) for body in bodies]

    def layout(self, drawing, k):
        """Lay out every part in its k-th look, or its last if it has fewer. Return the root of the SVG."""
        layout = drawing.copy()
        layout.body[:] = [list(looks)[min(k, len(looks) - 1)] for looks in self.parts]
        return ElementTree.fromstring(layout.svg)

    def svg(self, seconds):
        """Return the whole SVG, in which each frame is shown for so many seconds."""
        rules, t = Rules(len(self.captions)), self.theme
        wide = max(self.wide, NARROWEST)
        texts = self.texts(wide - 2 * MARGIN)
        below = (max(row for (_, row, *_), _ in texts) + 1) * LINE + MARGIN + BAR
        shown = min(self.high, max(self.height - below, LOWEST))
        inside = rules.moved(self.graph(rules), offsets(self.looked, self.high, shown))
        words = "".join(rules.words(text, at, t) for text, at in texts)
        high = shown + below
        return f"""<svg xmlns="{SVG[1:-1]}" viewBox="0 0 {wide:g} {high:g}" width="{wide:g}pt" height="{high:g}pt" role="img" \
font-family="{FONT}">
<title>{TITLE}</title>
<desc>{escape(" ".join(said for *_, said in self.captions))}</desc>
<style>
{rules.style(seconds)}
</style>
<rect width="{wide:g}" height="{high:g}" fill="{t.paper}"/>
<svg x="{(wide - self.wide) / 2:g}" width="{self.wide:g}" height="{shown:g}">{inside}</svg>
<g transform="translate({MARGIN} {shown:g})" fill="{t.ink}" font-size="{SIZE}">{words}</g>
<rect y="{high - BAR:g}" width="{wide:g}" height="{BAR}" fill="{t.faint}"/>
<rect class="bar" y="{high - BAR:g}" width="{wide:g}" height="{BAR}" fill="{t.current}"/>
</svg>
"""

    def looked_at(self, body):
        """Return the top and the bottom of the boxes that a drawing marks, else of z, and those of its current box, in the SVG."""
        scale, *_, below = numbers_in(self.transform)
        low = next(float(found[1]) for statement in body if (found := re.search(r'\bbb="[^,"]+,([^,"]+)', statement)))
        marked = [found for statement in body if (found := MARKED.search(statement))]
        marked = [found for found in marked if found[1] != "z"] or marked
        downs = [scale * (below + low - float(y)) for _, y in (found.groups() for found in marked)]
        current = [y for y, found in zip(downs, marked) if found[1] == "current"] or downs
        return tuple(end + AROUND * side for each in (downs, current) for end, side in ((min(each), -1), (max(each), 1))) if downs else None

    def graph(self, rules):
        """Return the graph as SVG: every look of every part, each at its times."""
        graph = ElementTree.Element(SVG + "g", {"transform": self.transform})
        graph.extend(rules.timed(look, at) for look, at in self.looks())
        graph.extend(self.layouts[0].iterfind(f"{SVG}g/{SVG}text"))  # the lines below the drawing
        ElementTree.register_namespace("", SVG[1:-1])
        return ElementTree.tostring(graph, encoding="unicode").replace(f' xmlns="{SVG[1:-1]}"', "")

    def looks(self):
        """Yield (a look of a part, the frames it is in). The parts come in the order in which they are painted."""
        frames = {part_id(next(iter(looks))): list(looks.values()) for looks in self.parts}
        layouts = [{part.get("id"): part for part in layout.iterfind(f"{SVG}g/{SVG}g")} for layout in self.layouts]
        for name in layouts[0]:
            found = {}
            for at, layout in zip(frames.get(name, ()), layouts):
                shapes = visible(layout[name])
                key = "".join(ElementTree.tostring(shape, encoding="unicode") for shape in shapes)
                found.setdefault(key, (shapes, []))[1].extend(at)
            for shapes, at in found.values():
                look = ElementTree.Element(SVG + "g")
                look.extend(shapes)
                yield look, sorted(at)

    def texts(self, room):
        """Return [((text, row, its look), the frames it is in)] for the text below the graph."""
        found = {}
        for i, (head, code, said) in enumerate(self.captions):
            lines = textwrap.wrap(said, max(20, int(room / (width("n" * 100, SIZE) / 100))))
            for row, (text, look) in enumerate([(head, "head"), (code, "code"), *((line, "said") for line in lines)]):
                if text:
                    found.setdefault((text, row, look), []).append(i)
        return list(found.items())


def numbers_in(transform):
    """Return the numbers of a transform, scale(1 1) rotate(0) translate(11 62)."""
    return list(map(float, re.findall(r"-?[\d.]+", transform)))


def around(layouts):
    """Return the transform, the width and the height of the smallest drawing that holds all layouts: a look may be wider than others."""
    transforms = [numbers_in(layout.find(SVG + "g").get("transform")) for layout in layouts]
    sizes = [[float(size) / scale for size in layout.get("viewBox").split()[2:]] for layout, (scale, *_) in zip(layouts, transforms)]
    scale, origins = min(transforms)[0], [found[-2:] for found in transforms]
    x, y = map(max, zip(*origins))
    far = [max(size - own for size, own in zip(*ends)) for ends in zip(zip(*sizes), zip(*origins))]
    return f"scale({scale:g} {scale:g}) rotate(0) translate({x:g} {y:g})", scale * (x + far[0]), scale * (y + far[1])


def offsets(looked, high, shown):
    """Return for each frame by how much the graph is moved up, so that what it looks at is among the part that is shown; if that is too
    high, its current box is.

    >>> offsets([None, (0, 50, 0, 50), (20, 90, 20, 50), (180, 240, 180, 200), (20, 240, 20, 50)], 240, 100)
    [0, 0, 0, 140, 20]
    """
    found, y = [], 0
    for part in looked:
        if part:
            top, bottom, first, last = part
            if bottom - top > shown:  # as much of it as there is room for beside the current box
                y = max(last - shown, min(first, (top + bottom - shown) / 2))
            elif not y <= top <= bottom <= y + shown:
                y = (top + bottom - shown) / 2
        y = round(max(0, min(y, high - shown)))
        found.append(y)
    return found


def part_id(statement):
    """Return the id that a statement of DOT gives to its part, or None if it draws nothing."""
    return dict(ATTRIBUTE.findall(statement)).get("id")


def visible(part):
    """Return the visible shapes of a part, without the tooltip's link around them."""
    return [
        shape
        for shape in part.iter()
        if shape.tag in (SVG + "path", SVG + "polygon", SVG + "polyline", SVG + "text", SVG + "ellipse")
        and not (shape.get("fill") == shape.get("stroke") == "none")
        and (shape.tag != SVG + "text" or (shape.text or "").strip())
    ]


class Rules:
    """The style sheet, which shows each look at the right times. Looks with the same times share a rule."""

    def __init__(self, frames):
        self.frames, self.names, self.offsets = frames, {}, []

    def percent(self, frame):
        """Return when a frame begins, in percent of the whole animation."""
        return f"{100 * frame / (self.frames + HOLD - 1):.3f}".rstrip("0").rstrip(".") + "%"

    def times(self, at):
        """Return the attributes of a look that is visible in the frames `at`. If nothing moves, the last frame is visible."""
        if len(at) == self.frames:
            return {}
        name = self.names.setdefault(tuple(at), f"k{len(self.names)}")
        return {"class": f"t {name}"} | ({} if at[-1] == self.frames - 1 else {"display": "none"})

    def timed(self, look, at):
        look.attrib.update(self.times(at))
        return look

    def moved(self, graph, offsets):
        """Return a graph that stands so far up in each frame; where nothing moves, as in the last."""
        if not any(offsets):
            return graph
        self.offsets = offsets
        return f'<g class="camera" transform="translate(0 {-offsets[-1]})">{graph}</g>'

    def words(self, text, at, theme):
        text, row, look = text
        style = {"head": 'font-weight="bold"', "code": f'font-family="{MONOSPACE}" fill="{theme.current}"', "said": ""}[look]
        times = "".join(f' {name}="{said}"' for name, said in self.times(at).items())
        return f'<text xml:space="preserve"{times} y="{(row + 1) * LINE}" {style}>{escape(text)}</text>'

    def style(self, seconds):
        """Return the style sheet, in which each frame lasts so many seconds."""
        total = seconds * (self.frames + HOLD - 1)
        rules = "\n".join(f".{name}{{animation-name:{name}}}@keyframes {name}{{{self.keyframes(at)}}}" for at, name in self.names.items())
        camera = f"\n.camera{{animation:{total:g}s step-end infinite camera}}" if self.offsets else ""
        turns = [(frame, y) for frame, y in enumerate(self.offsets) if not frame or y != self.offsets[frame - 1]]
        places = "".join(f"{self.percent(frame)}{{transform:translateY({-y}px)}}" for frame, y in turns)
        rules += f"\n@keyframes camera{{{places}}}" if self.offsets else ""
        return f"""@media screen and (prefers-reduced-motion:no-preference){{
.t{{display:inline;animation:{total:g}s step-end infinite}}
.bar{{transform-origin:0 0;animation:{total:g}s linear infinite bar}}{camera}
svg:hover *{{animation-play-state:paused}}
}}
@keyframes bar{{from{{transform:scaleX(0)}}{self.percent(self.frames)},to{{transform:scaleX(1)}}}}
{rules}"""

    def keyframes(self, at):
        """Return keyframes that show a look from the first frame of each run on, and hide it after the last."""
        seen, found = set(at), []
        for frame in range(self.frames):
            if (frame in seen) != (frame - 1 in seen) or frame == 0:
                found.append(f"{self.percent(frame)}{{visibility:{'visible' if frame in seen else 'hidden'}}}")
        return "".join(found)
