"""The colours of drawings, light and dark. Signs, tags, dashes and widths repeat every colour."""

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
    current: str
    current_fill: str
    child: str
    child_fill: str
    active: str  # the edge whose ∂y/∂x the step uses
    not_finite: str  # the first function that made inf or nan
    not_finite_fill: str
    positive: str
    positive_fill: str
    negative: str
    negative_fill: str
    zero_fill: str
    deepest: float  # the largest share of positive or negative in the fill of a folded scope; text stays readable


LIGHT = Theme(
    paper="#ffffff",
    ink="#14181f",
    quiet="#5b6472",
    line="#7d879a",
    faint="#d3d8e0",
    function_fill="#ffffff",
    input_fill="#edf1f7",
    current="#c2410c",
    current_fill="#fff0e2",
    child="#00776b",
    child_fill="#dff4f0",
    active="#1d5fa8",
    not_finite="#b3001b",
    not_finite_fill="#fde4e7",
    positive="#d55e00",
    positive_fill="#fbe4d5",
    negative="#0072b2",
    negative_fill="#d8eaf6",
    zero_fill="#e9ebef",
    deepest=0.6,
)

DARK = Theme(
    paper="#181e27",
    ink="#f2f5f9",
    quiet="#a3adbb",
    line="#8a95a8",
    faint="#3a4352",
    function_fill="#181e27",
    input_fill="#242d3a",
    current="#ff9f5a",
    current_fill="#45260f",
    child="#4fd6c0",
    child_fill="#0f3a36",
    active="#7db7ff",
    not_finite="#ff8590",
    not_finite_fill="#4d1219",
    positive="#ff8a3d",
    positive_fill="#57300f",
    negative="#5ab4ec",
    negative_fill="#123c58",
    zero_fill="#333c4a",
    deepest=0.35,
)

THEMES = {"light": LIGHT, "dark": DARK}
