"""The sheet of a picture of memory: its measures, its texts and shapes as SVG, and its colours. It does not know arrays."""

from scalargrad.formulas.text import escape
from viz.drawing.svg.html_label import FONT, width
from viz.theme import DARK, LIGHT

WIDE, LEFT, RIGHT, MARGIN = 760, 250, 742, 16  # pixels: the sheet, as wide as a column of text; where the steps begin and end; the margin
LINE, TEXT, HEAD, TITLE = 19, 12, 13.5, 16  # the height of a line; font sizes
WIDER = 1.15  # a reader's font may be so much wider than Arial
KINDS = {  # kind of array: (fill, line) of the theme, and what the legend says
    "parameter": ("input_fill", "line", "parameter"),
    "constant": ("function_node_fill", "line", "constant, such as a batch of data"),
    "value": ("partial_fill", "partial", "value that nothing saves"),
    "saved": ("child_fill", "child", "saved for the backward pass"),
    "gradient": ("total_fill", "total", "gradient"),
}


class Sheet:
    """Shapes and texts, one after the other. `y` is how far down the sheet is filled; `steps` steps share its width."""

    def __init__(self, steps):
        self.drawn, self.y, self.steps = [], MARGIN + TITLE, steps
        self.wide = (RIGHT - LEFT) / steps  # of a step

    def x(self, step):
        """Return where a step begins."""
        return LEFT + step * self.wide

    def text(self, x, y, said, look=""):
        self.drawn.append(f'<text x="{x:.1f}" y="{y:.1f}" class="{look}">{escape(said)}</text>')

    def label(self, y, name, more, room):
        """Write a name in bold, and then more, shortened to the room."""
        name = shortened(name, room - length(more) - 8, bold=True)
        rest = f'<tspan class="quiet" dx="7">{escape(more)}</tspan>' if more else ""
        self.drawn.append(f'<text x="{MARGIN}" y="{y:.1f}"><tspan class="name">{escape(name)}</tspan>{rest}</text>')

    def path(self, look, outline, title=""):
        said = f"<title>{escape(title)}</title>" if title else ""
        self.drawn.append(f'<path class="{look}" d="{outline}">{said}</path>' if said else f'<path class="{look}" d="{outline}"/>')

    def box(self, look, x, y, wide, high, title=""):
        """Draw a box. The line around a low one is thin."""
        thin = f' stroke-width="{high / 4:.2f}"' if high < 4 else ""
        said = f"<title>{escape(title)}</title>" if title else ""
        self.drawn.append(f'<rect class="{look}" x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.2f}"{thin}>{said}</rect>')

    def heading(self, heading, said):
        self.y += 2.1 * LINE
        self.text(MARGIN, self.y, heading, "head")
        self.paragraph(said)
        self.y += 0.35 * LINE

    def paragraph(self, said):
        """Write sentences in as few lines as fit the sheet, of about the same length."""
        room = WIDE - 2 * MARGIN
        few = len(lines(said, room))
        for line in next(found for part in range(1, 11) if len(found := lines(said, room * part / 10)) == few):
            self.y += LINE
            self.text(MARGIN, self.y, line, "quiet")

    def legend(self, kinds):
        """Draw a box in the colours of each kind, and write what it stands for."""
        self.y += 1.3 * LINE
        x = MARGIN
        for kind in kinds:
            said = KINDS[kind][2]
            if x + 26 + length(said) > WIDE - MARGIN:
                x, self.y = MARGIN, self.y + LINE
            self.box(kind, x, self.y - 10, 20, 12)
            self.text(x + 26, self.y, said, "quiet")
            x += 26 + length(said) + 16

    def svg(self, title, description, theme):
        """Return the text of the SVG, for "light", "dark" or "auto"."""
        high = self.y + MARGIN
        inside = "\n".join(self.drawn)
        return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {high:g}" width="{WIDE}" height="{high:g}" role="img" \
font-family="{FONT}" font-size="{TEXT}">
<title>{escape(title)}</title>
<desc>{escape(description)}</desc>
<style>{style(theme)}</style>
<rect class="paper" width="{WIDE}" height="{high:g}"/>
{inside}
</svg>
"""


def length(text, bold=False):
    """Return how many pixels a text takes at most."""
    return width(text, TEXT, bold) * WIDER


def lines(text, room):
    """Return the lines of a text. Each fits into the room, if its words do.

    >>> lines("An arena frees nothing before the rewind.", 150)
    ['An arena frees nothing', 'before the rewind.']
    """
    found = [""]
    for word in text.split():
        longer = f"{found[-1]} {word}".strip()
        if length(longer) <= room or not found[-1]:
            found[-1] = longer
        else:
            found.append(word)
    return found


def shortened(text, room, bold=False):
    """Return the text, shortened until it fits."""
    if length(text, bold) <= room:
        return text
    while text and length(text + "…", bold) > room:
        text = text[:-1]
    return text + "…" if text else ""


def style(theme):
    """Return the style sheet of a theme; for "auto" the light one, and the dark one for readers who prefer it."""
    if theme == "auto":
        return f"{rules(LIGHT)}@media (prefers-color-scheme:dark){{{rules(DARK)}}}"
    return rules(DARK if theme == "dark" else LIGHT)


def rules(t):
    kinds = "".join(f".{kind}{{fill:{getattr(t, fill)};stroke:{getattr(t, line)}}}" for kind, (fill, line, _) in KINDS.items())
    return (
        f"text{{fill:{t.ink}}}.quiet{{fill:{t.quiet}}}.paper{{fill:{t.paper}}}"
        f".title{{font-size:{TITLE}px;font-weight:700}}.head{{font-size:{HEAD}px;font-weight:700}}.name{{font-weight:700}}"
        f".right{{text-anchor:end}}.middle{{text-anchor:middle}}.track,.rule{{stroke:{t.faint};fill:none}}.rule{{stroke-dasharray:3 3}}"
        f".frame{{stroke:{t.line};fill:none}}.mark{{stroke:{t.current};stroke-width:1.5;stroke-dasharray:6 4}}"
        f".rewind{{stroke:{t.current};stroke-width:2;fill:none}}.dot{{fill:{t.paper};stroke:{t.current};stroke-width:1.6}}"
        f".measured{{stroke:{t.current};stroke-width:1.6;fill:none;stroke-dasharray:5 3}}"
        f".freed{{fill:none;stroke:{t.line};stroke-dasharray:2 4}}{kinds}"
    )
