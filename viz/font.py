"""The page's mathematical font as CSS that needs no other file. The font lies in player/, where make_font.py tells how it is made."""

from base64 import b64encode
from importlib import resources

FAMILY = "Gradsteps Math"


def font_css():
    """The @font-face rule for the family FAMILY, the font itself within it.

    >>> font_css()[:40]
    '@font-face{font-family:"Gradsteps Math";'
    """
    font = resources.files("viz").joinpath("player", "math.woff2").read_bytes()
    data = b64encode(font).decode("ascii")
    return f'@font-face{{font-family:"{FAMILY}";src:url(data:font/woff2;base64,{data}) format("woff2");font-display:block}}'
