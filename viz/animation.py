"""A whole pass of backpropagation as one animated SVG, for slides and READMEs. It needs no script and no player.

Every step is drawn by `draw`, in which nothing moves from step to step. What looks the same in several steps is laid out
and kept once, and CSS shows it at its times; who asks for no motion, or prints, or has a program that plays none, sees the
last step.
"""

import re
import textwrap
from itertools import groupby
from xml.etree import ElementTree

from scalargrad.formulas.text import escape
from scalargrad.trace import Trace
from viz.document import Animation
from viz.drawing.draw import draw
from viz.drawing.html_label import FONT, width
from viz.drawing.theme import THEMES
from viz.ink import UNICODE
from viz.narration import heading, sentence
from viz.options import choose, require

TITLE = "Backpropagation, step by step"
SVG = "{http://www.w3.org/2000/svg}"
LINK = "{http://www.w3.org/1999/xlink}title"
MOST_STEPS = 120  # of a trace whose every step is shown, unless one asks for it
HOLD = 4  # the last step stays so many times as long
NARROWEST, MARGIN = 460, 14  # points
SIZE, LINE, BAR = 13, 19, 4  # of the words below the graph: font, line, bar
MONOSPACE = "ui-monospace,Menlo,Consolas,monospace"
TOOLTIP = re.compile(r' (?:label)?tooltip="(?:\\.|[^"\\])*"')  # no label holds a quote as it is
ATTRIBUTE = re.compile(r'(\w+)=(<(?:<[^<>]*>|[^<>])*>|"(?:\\.|[^"\\])*"|[^\s\]]+)')  # of DOT, whose strings are of three kinds


def animate(z, *, seconds: float = 1.0, every: str | None = None, theme: str = "light", **options) -> Animation:
    """The whole pass from z (or of a Trace), one step after the other, each for so many seconds, again and again.

    `every` is "step" or "iteration": every executed line (up to 120 steps the default), or what each iteration ends with
    (the default up to 120 iterations).
    `theme` is "light" or "dark"; `options` are those of `draw`. Below the graph stand the pseudocode's line and what it does.
    Pointing at the picture stops it, where it is not an <img>. Browsers play it: in pages, READMEs, slides made of HTML.
    A program that plays no SVG shows the last step, as paper does; there, a slide for a step is draw(trace, step=28).save("28.png").

    >>> from scalargrad import Value
    >>> x = Value(3, name="x"); animation = animate(x * x, seconds=2)
    >>> animation.svg.count("@keyframes") > 10, "dz/dx = 6" in animation.svg
    (True, True)
    """
    trace = z if isinstance(z, Trace) else Trace(z)
    choose((None, "step", "iteration"), every=every)
    choose(THEMES, theme=theme)
    require(seconds=seconds)
    if not 0 < seconds < float("inf"):
        raise ValueError(f"animate: seconds is {seconds!r}; it says how long a step is shown, for example 1.5")
    steps = shown_steps(trace, every or ("step" if len(trace) <= MOST_STEPS else "iteration"))
    if not every and len(steps) > MOST_STEPS:
        raise ValueError(
            f"animate: {trace.iterations:,} iterations are too many to follow; animate a part of the graph, or say every='iteration'"
        )
    drawings = [draw(trace, step=step, **options, theme=theme) for step in steps]
    return Animation(trace, TITLE, Film(drawings, captions(trace, steps), THEMES[theme]).svg(seconds))


def shown_steps(trace, every):
    """The numbers of the steps that are shown: all, or the last of each iteration."""
    if every == "step":
        return list(range(len(trace)))
    return [list(run)[-1] for _, run in groupby(range(len(trace)), key=lambda i: (trace[i].act == "done", trace[i].iteration))]


def captions(trace, steps):
    """What stands below each picture: how far it is, the pseudocode's line, what that line does."""
    for step in steps:
        line = trace[step].line
        code = f"{line:>2}  {trace.schedule.listing[line].strip()}" if line else ""
        yield f"{heading(trace, step)}, step {step + 1} of {len(trace)}", code, sentence(trace, step, UNICODE)


class Film:
    """Drawings put into one picture. A part is a box, an edge or a line of words; each of its looks knows the frames it is in.

    A part is one statement of DOT and keeps its place, so that it may stand beside any look of the others: the first sheet
    that is laid out has the first look of every part, the second its second, and so on. These are few; the frames are many.
    """

    def __init__(self, drawings, captions, theme):
        self.captions, self.theme = list(captions), theme
        bodies = [[TOOLTIP.sub("", statement) for statement in drawing.body] for drawing in drawings]
        self.parts = [frames_of(statements) for statements in zip(*bodies)]
        self.layouts = [self.layout(drawings[0], k) for k in range(max(map(len, self.parts)))]
        if len({len(body) for body in bodies}) > 1 or len({layout.get("viewBox") for layout in self.layouts}) > 1:
            raise ValueError(
                "animate: the graph is too large to be drawn whole, so that it would move from step to step; animate a part of it"
            )
        self.wide, self.high = map(float, self.layouts[0].get("viewBox").split()[2:])

    def layout(self, drawing, k):
        """Every part in its k-th look (the last, where it has no more), laid out: the root of its SVG."""
        layout = drawing.copy()
        layout.body[:] = [list(looks)[min(k, len(looks) - 1)] for looks in self.parts]
        return ElementTree.fromstring(layout.svg)

    def svg(self, seconds):
        """Return the whole SVG, in which each frame is shown for so many seconds."""
        rules, t = Rules(len(self.captions)), self.theme
        wide = max(self.wide, NARROWEST)
        inside = self.graph(rules)
        texts = self.texts(wide - 2 * MARGIN)
        words = "".join(rules.words(text, at, t) for text, at in texts)
        high = self.high + (max(row for (_, row, *_), _ in texts) + 1) * LINE + MARGIN + BAR
        return f"""<svg xmlns="{SVG[1:-1]}" viewBox="0 0 {wide:g} {high:g}" width="{wide:g}pt" height="{high:g}pt" role="img" \
font-family="{FONT}">
<title>{TITLE}</title>
<desc>{escape(" ".join(said for *_, said in self.captions))}</desc>
<style>
{rules.style(seconds)}
</style>
<rect width="{wide:g}" height="{high:g}" fill="{t.paper}"/>
<g transform="translate({(wide - self.wide) / 2:g} 0)">{inside}</g>
<g transform="translate({MARGIN} {self.high:g})" fill="{t.ink}" font-size="{SIZE}">{words}</g>
<rect y="{high - BAR:g}" width="{wide:g}" height="{BAR}" fill="{t.faint}"/>
<rect class="bar" y="{high - BAR:g}" width="{wide:g}" height="{BAR}" fill="{t.current}"/>
</svg>
"""

    def graph(self, rules):
        """Return the graph as SVG: every look of every part, each at its times."""
        graph = ElementTree.Element(SVG + "g", {"transform": self.layouts[0].find(SVG + "g").get("transform")})
        graph.extend(rules.timed(look, at) for look, at in self.looks())
        graph.extend(self.layouts[0].iterfind(f"{SVG}g/{SVG}text"))  # the lines below the drawing
        ElementTree.register_namespace("", SVG[1:-1])
        return ElementTree.tostring(graph, encoding="unicode").replace(f' xmlns="{SVG[1:-1]}"', "")

    def looks(self):
        """[(a look of a part, the frames it is in)]; the parts in the order in which they are painted."""
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
        """[((text, row, its look), the frames it is in)] of the words below the graph."""
        found = {}
        for i, (head, code, said) in enumerate(self.captions):
            lines = textwrap.wrap(said, max(20, int(room / (width("n" * 100, SIZE) / 100))))
            for row, (text, look) in enumerate([(head, "head"), (code, "code"), *((line, "said") for line in lines)]):
                if text:
                    found.setdefault((text, row, look), []).append(i)
        return list(found.items())


def frames_of(looks):
    """{a look: the frames it is in}, from the look of each frame."""
    found: dict = {}
    for frame, look in enumerate(looks):
        found.setdefault(look, []).append(frame)
    return found


def part_id(statement):
    """The id that a statement of DOT gives to its part; None for one that draws nothing."""
    return dict(ATTRIBUTE.findall(statement)).get("id")


def visible(part):
    """The shapes of a part that can be seen, without the tooltip's link around them."""
    return [
        shape
        for shape in part.iter()
        if shape.tag in (SVG + "path", SVG + "polygon", SVG + "polyline", SVG + "text", SVG + "ellipse")
        and not (shape.get("fill") == shape.get("stroke") == "none")
        and (shape.tag != SVG + "text" or (shape.text or "").strip())
    ]


class Rules:
    """The style that shows each look at its times; looks with the same times share a rule."""

    def __init__(self, frames):
        self.frames, self.names = frames, {}

    def percent(self, frame):
        """When a frame begins, as a part of the whole."""
        return f"{100 * frame / (self.frames + HOLD - 1):.3f}".rstrip("0").rstrip(".") + "%"

    def times(self, at):
        """The attributes of what is seen in the frames `at`; where nothing moves, the last frame is what is seen."""
        if len(at) == self.frames:
            return {}
        name = self.names.setdefault(tuple(at), f"k{len(self.names)}")
        return {"class": f"t {name}"} | ({} if at[-1] == self.frames - 1 else {"display": "none"})

    def timed(self, look, at):
        look.attrib.update(self.times(at))
        return look

    def words(self, text, at, theme):
        text, row, look = text
        style = {"head": 'font-weight="bold"', "code": f'font-family="{MONOSPACE}" fill="{theme.current}"', "said": ""}[look]
        times = "".join(f' {name}="{said}"' for name, said in self.times(at).items())
        return f'<text xml:space="preserve"{times} y="{(row + 1) * LINE}" {style}>{escape(text)}</text>'

    def style(self, seconds):
        """Return the style sheet, in which each frame lasts so many seconds."""
        total = seconds * (self.frames + HOLD - 1)
        rules = "\n".join(f".{name}{{animation-name:{name}}}@keyframes {name}{{{self.keyframes(at)}}}" for at, name in self.names.items())
        return f"""@media screen and (prefers-reduced-motion:no-preference){{
.t{{display:inline;animation:{total:g}s step-end infinite}}
.bar{{transform-origin:0 0;animation:{total:g}s linear infinite bar}}
svg:hover *{{animation-play-state:paused}}
}}
@keyframes bar{{from{{transform:scaleX(0)}}{self.percent(self.frames)},to{{transform:scaleX(1)}}}}
{rules}"""

    def keyframes(self, at):
        """Visible from the first of a run of frames on, hidden from the one after its last."""
        seen, found = set(at), []
        for frame in range(self.frames):
            if (frame in seen) != (frame - 1 in seen) or frame == 0:
                found.append(f"{self.percent(frame)}{{visibility:{'visible' if frame in seen else 'hidden'}}}")
        return "".join(found)
