"""How names, numbers and shapes are spelled for people, in whatever notation the formula around them is."""

import re
from decimal import Decimal
from fractions import Fraction

LONGEST = 12  # digits of a whole number that is written in full
MOST_ALONG_AN_AXIS = 6  # entries; a larger array is not written number by number


def short(value):
    """A number as people write it: six digits, no trailing zeros; whole numbers and fractions in full while they are short."""
    if isinstance(value, int | Fraction) and max(abs(value.numerator), value.denominator) >= 10**LONGEST:
        value = (Decimal(value.numerator) / Decimal(value.denominator)).normalize()
    elif not isinstance(value, float):
        return str(value)
    return format(value, ".6g")


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


def escape(text):
    """Text made safe for XML and HTML."""
    text = "".join(c for c in text if c in "\t\n" or c >= " ")
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
