"""How names, numbers and shapes are spelled for people, in whatever notation the formula around them is."""

import re
import unicodedata
from decimal import Decimal
from fractions import Fraction

LONGEST = 12  # digits of a whole number that is written in full
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
RIGHT_TO_LEFT = {"R", "AL", "AN"}  # Unicode's classes of such letters and digits
ISOLATE, END_ISOLATE = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
JOINERS = "\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}"
ILLEGAL = re.compile(r"[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
MOST_ALONG_AN_AXIS = 6  # entries; a larger array is not written number by number


def short(value):
    """A number as people write it: six digits, no trailing zeros; whole numbers and fractions in full while they are short.

    Zero has no sign, not even where 1/x would tell −0.0 from 0.0: the graph is of numbers, and there is one zero.
    """
    if isinstance(value, int | Fraction) and max(abs(value.numerator), value.denominator) >= 10**LONGEST:
        value = (Decimal(value.numerator) / Decimal(value.denominator)).normalize()
    elif not isinstance(value, float):
        return str(value)
    return format(value or 0.0, ".6g")  # not -0.0


def shown_in_full(shape):
    """Whether an array of this shape is small enough to be written number by number."""
    return len(shape) in (1, 2) and all(0 < n <= MOST_ALONG_AN_AXIS for n in shape)


def shape_text(shape):
    """A shape as people write it: 2×3; a vector's is its length."""
    return "×".join(map(str, shape))


def latex_text(text):
    """Words as LaTeX prints them as they are."""
    return re.sub(r"[\\{}$&#_%^~]", lambda sign: rf"\char`\{sign[0]}{{}}", text)


def are_letters(names):
    """Whether names can stand side by side without a comma, such as B and C in G_BC."""
    return all(len(base) == 1 for base, _ in map(split_name, names))


def split_name(name):
    """x4 and x_4 are x with index 4."""
    base, index = re.fullmatch(r"(.*?)(?:_?(\d+))?", name, re.S).groups()
    return (base, index or "") if base else (name, "")


def printable(text):
    """Text without what a terminal or a page would obey or refuse, such as \\x01, U+202E or half of a pair: each is �."""
    return "".join(c if c.isprintable() or c in JOINERS else REPLACEMENT for c in text)


def isolated(text):
    """A name for display: printable, and kept to itself where it is written from right to left, or what follows would change places."""
    text = printable(text)
    return f"{ISOLATE}{text}{END_ISOLATE}" if any(unicodedata.bidirectional(c) in RIGHT_TO_LEFT for c in text) else text


def legal(text):
    """Text as XML and UTF-8 can hold it."""
    return ILLEGAL.sub(REPLACEMENT, text)


def escape(text):
    """Text made safe for XML and HTML."""
    text = legal(text)
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
