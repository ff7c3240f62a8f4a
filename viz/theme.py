"""The colours of drawings and pages, light and dark. Signs, tags, dashes and widths repeat every colour."""

from typing import Any, NamedTuple


class Both(NamedTuple):
    """What the light and the dark theme have under a name."""

    light: Any
    dark: Any


def either(light, dark) -> Any:
    """Return Both; to a reader of types, what one theme has."""
    return Both(light, dark)


# fmt: off
class Theme:
    """Colours by their use. A colour named `..._fill` lies behind text in `ink`."""

    paper              = either("#ffffff", "#181e27")
    ink                = either("#14181f", "#f2f5f9")  # names and values
    quiet              = either("#5b6472", "#a3adbb")  # formulas, and text that the step does not look at
    line               = either("#7d879a", "#8a95a8")  # frames and edges
    faint              = either("#d3d8e0", "#3a4352")  # frames and edges that the step does not look at
    function_fill      = either("#ffffff", "#181e27")
    input_fill         = either("#edf1f7", "#242d3a")
    function_node_fill = either("#dde3ec", "#36414f")  # the node of a function, where functions are nodes of their own
    current            = either("#b93c0a", "#ff9d5c")
    current_fill       = either("#fff1e3", "#3b2413")
    child              = either("#00695f", "#4fd1bd")
    child_fill         = either("#e0f4f1", "#0f332f")
    partial            = either("#1d5fa8", "#86bcff")  # ∂y/∂x, and the edge whose ∂y/∂x the step uses
    partial_fill       = either("#e6f0fb", "#132d4b")
    total              = either("#8a2a78", "#ea9bd8")  # a total derivative dz/dx
    total_fill         = either("#f8e8f4", "#3d1a36")
    not_finite         = either("#b3001b", "#ff8590")  # the first function that made inf or nan
    not_finite_fill    = either("#fde4e7", "#4d1219")
    theirs             = either("#7a5c00", "#e3c04d")  # a function whose derivative another library computes
    theirs_fill        = either("#fbf4d8", "#38300f")
    own                = either("#5b3fa6", "#b79cff")  # a function whose derivative the user's own code computes
    own_fill           = either("#f0ebfb", "#2a2147")
    positive           = either("#d55e00", "#ff8a3d")
    positive_fill      = either("#fbe4d5", "#57300f")
    negative           = either("#0072b2", "#5ab4ec")
    negative_fill      = either("#d8eaf6", "#123c58")
    zero_fill          = either("#e9ebef", "#333c4a")
    deepest            = either(0.6, 0.35)  # the largest share of positive or negative in the fill of a folded scope; text stays readable
    # fmt: on

    def __init__(self, dark: bool):
        for name, both in vars(Theme).items():
            if isinstance(both, Both):
                setattr(self, name, both[dark])

    @property
    def remark(self):
        """Something is odd."""
        return self.not_finite

    @property
    def remark_fill(self):
        return self.not_finite_fill


LIGHT, DARK = Theme(dark=False), Theme(dark=True)
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
