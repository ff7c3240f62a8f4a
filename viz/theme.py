"""The colours of drawings and pages, light and dark. Signs, tags, dashes and widths repeat every colour."""

from typing import NamedTuple


class Theme(NamedTuple):
    """Colours by their use. A colour named `..._fill` lies behind text in `ink`."""

    paper: str
    ink: str  # names and values
    quiet: str  # formulas, and text that the step does not look at
    line: str  # frames and edges
    faint: str  # frames and edges that the step does not look at
    function_fill: str
    input_fill: str
    function_node_fill: str  # the node of a function, where functions are nodes of their own
    current: str
    current_fill: str
    child: str
    child_fill: str
    partial: str  # ∂y/∂x, and the edge whose ∂y/∂x the step uses
    partial_fill: str
    total: str  # a total derivative dz/dx
    total_fill: str
    not_finite: str  # the first function that made inf or nan
    not_finite_fill: str
    theirs: str  # a function whose derivative another library computes
    theirs_fill: str
    own: str  # a function whose derivative the user's own code computes
    own_fill: str
    positive: str
    positive_fill: str
    negative: str
    negative_fill: str
    zero_fill: str
    deepest: float  # the largest share of positive or negative in the fill of a folded scope; text stays readable

    @property
    def remark(self):
        """Something is odd."""
        return self.not_finite

    @property
    def remark_fill(self):
        return self.not_finite_fill


# fmt: off
COLOURS: dict[str, tuple] = {  # light, dark
    "paper":              ("#ffffff", "#181e27"),
    "ink":                ("#14181f", "#f2f5f9"),
    "quiet":              ("#5b6472", "#a3adbb"),
    "line":               ("#7d879a", "#8a95a8"),
    "faint":              ("#d3d8e0", "#3a4352"),
    "function_fill":      ("#ffffff", "#181e27"),
    "input_fill":         ("#edf1f7", "#242d3a"),
    "function_node_fill": ("#dde3ec", "#36414f"),
    "current":            ("#b93c0a", "#ff9d5c"),
    "current_fill":       ("#fff1e3", "#3b2413"),
    "child":              ("#00695f", "#4fd1bd"),
    "child_fill":         ("#e0f4f1", "#0f332f"),
    "partial":            ("#1d5fa8", "#86bcff"),
    "partial_fill":       ("#e6f0fb", "#132d4b"),
    "total":              ("#8a2a78", "#ea9bd8"),
    "total_fill":         ("#f8e8f4", "#3d1a36"),
    "not_finite":         ("#b3001b", "#ff8590"),
    "not_finite_fill":    ("#fde4e7", "#4d1219"),
    "theirs":             ("#7a5c00", "#e3c04d"),
    "theirs_fill":        ("#fbf4d8", "#38300f"),
    "own":                ("#5b3fa6", "#b79cff"),
    "own_fill":           ("#f0ebfb", "#2a2147"),
    "positive":           ("#d55e00", "#ff8a3d"),
    "positive_fill":      ("#fbe4d5", "#57300f"),
    "negative":           ("#0072b2", "#5ab4ec"),
    "negative_fill":      ("#d8eaf6", "#123c58"),
    "zero_fill":          ("#e9ebef", "#333c4a"),
    "deepest":            (0.6, 0.35),
}
# fmt: on
LIGHT, DARK = (Theme(**{name: pair[k] for name, pair in COLOURS.items()}) for k in (0, 1))
THEMES = {"light": LIGHT, "dark": DARK}
TRACKS = {  # lines that run side by side from row to row: none of these colours has a meaning
    LIGHT: ("#7d879a", "#7a4fa3", "#8c6d1f", "#2f7f5f", "#a34d6d", "#3d6f9e"),
    DARK: ("#8a95a8", "#b794e0", "#c9a94f", "#6cc4a0", "#e08fb0", "#82b4e0"),
}
ON_PAGES = (
    "current", "current_fill", "child", "child_fill", "partial", "partial_fill", "total", "total_fill", "not_finite", "not_finite_fill",
)  # fmt: skip

OF_MARKS = "theirs", "theirs_fill", "own", "own_fill"


def custom_properties(names=(*ON_PAGES, "positive", "negative", "zero_fill")):
    """Return the colours as CSS custom properties, for light and for dark.

    >>> custom_properties(["current"])
    '--current: light-dark(#b93c0a, #ff9d5c);'
    """
    return " ".join(f"--{name.replace('_', '-')}: light-dark({getattr(LIGHT, name)}, {getattr(DARK, name)});" for name in names)
