"""Names, numbers and shapes as text for people, in every notation."""

import re
import unicodedata
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate

from scalargrad.formulas.rounding_error import is_lost

NOUGHT = "0 (rounding)"  # for a number that would be 0, but for rounding
LONGEST = 12  # digits of an integer that is written in full
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
RIGHT_TO_LEFT = {"R", "AL", "AN"}  # Unicode's classes of such letters and digits
ISOLATE, END_ISOLATE = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
JOINERS = "\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}"
ILLEGAL = re.compile(r"[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]")  # in XML
ESCAPED = re.compile(rf"{ILLEGAL.pattern}|[&<>\"]")
ENDS_A_RATIO = re.compile(r"[\s/+*·=−-]")
INDEXED = re.compile(r"(.*?)(?:(?<!\.)(?:_|(?<!\d))(\d+(?:,\d+)*))?", re.S)
KEYED = re.compile(r"(.*?[^\W\d_])_?(\d+)(\[.*\])", re.S)
WORD_BELOW = re.compile(r"([^\W\d_]+)_([^\W\d_]{1,4})")  # v_max and h_prev; a longer word is read as a part of its name
WORD = re.compile(r"[^\W\d_]{2}|[^\W\d_]_\w")
LOWER = "alpha beta gamma delta epsilon zeta eta theta kappa lambda mu nu pi rho sigma tau phi chi psi omega"
CAPITAL = "Gamma Delta Theta Lambda Pi Sigma Phi Psi Omega"  # those that differ from Latin letters
GREEK = dict(zip(f"{LOWER} {CAPITAL}".split(), "αβγδεζηθκλμνπρστφχψωΓΔΘΛΠΣΦΨΩ"))  # without xi, which in programs is mostly x with index i
GREEK_NAME = re.compile(rf"(?<![^.])({'|'.join(GREEK)})(?:_$|(?=[\d_[.']|$))")
MOST_NAMES = 2**14  # that are kept: the same names stand in many formulas
MOST_ALONG_AN_AXIS = 6  # entries; a larger array is not written number by number


def short(value):
    """Return a number as people write it: six digits, no trailing zeros; seven where all of them stand before the point.

    Short integers and fractions are written in full.

    Zero has no sign, not even where 1/x would tell −0.0 from 0.0: the graph is of numbers, and there is one zero.

    >>> from scalargrad.formulas.rounding_error import Rounded
    >>> short(Rounded(0.1) + Rounded(0.2) + Rounded(-0.3)), short(0.1 + 0.2 - 0.3)
    ('0 (rounding)', '5.55112e-17')
    >>> short(1250000.0), short(12500000.0)
    ('1250000', '1.25e+07')
    """
    if value and is_lost(value):
        return NOUGHT
    if isinstance(value, float):  # first: whether a number is a Fraction takes Python long to tell
        return format(value or 0.0, ".7g" if 1e6 <= abs(value) < 1e7 else ".6g")  # not -0.0
    if isinstance(value, int | Fraction) and max(abs(value.numerator), value.denominator) >= 10**LONGEST:
        return format((Decimal(value.numerator) / Decimal(value.denominator)).normalize(), ".6g")
    return str(value)


def shown_in_full(shape):
    """Return whether an array of this shape is small enough to write all its numbers."""
    return len(shape) in (1, 2) and all(0 < n <= MOST_ALONG_AN_AXIS for n in shape)


def shape_text(shape):
    """Return a shape as people write it: 2×3; that of a vector as Python does, (3,), since 3 would look like a value."""
    return f"({shape[0]},)" if len(shape) == 1 else "×".join(map(str, shape))


def latex_text(text):
    return re.sub(r"[\\{}$&#_%^~]", lambda sign: rf"\char`\{sign[0]}{{}}", text)


def are_letters(names):
    """Return whether names can follow each other without a comma, such as B and C in G_BC."""
    return all(len(base) == 1 for base, _ in map(split_name, names))


@lru_cache(MOST_NAMES)
def split_name(name):
    """Return (name, index): x4 and x_4 are x with index 4, and w16,15 is w with index 16,15.

    A number after a dot belongs to the name of a scope: layer2.3 has no index.

    >>> split_name("w16,15"), split_name("layer2.13")
    (('w', '16,15'), ('layer2.13', ''))
    """
    base, index = INDEXED.fullmatch(name).groups()
    return (base, index or "") if base else (name, "")


def primed(name):
    """Return the name of a variable that stands for another: x with a prime, before its index.

    >>> primed("loss"), primed("x_20")
    ("loss'", "x'_20")
    """
    base, index = split_name(name)
    return f"{base}'_{index}" if index else f"{name}'"


@lru_cache(MOST_NAMES)
def split_key(base):
    """Return (name, index, key) of an item of what has an index itself; (base, "", "") of all others.

    >>> split_key("w1[3,3]"), split_key("w[3]"), split_key("layer1.w[0]")
    (('w', '1', '[3,3]'), ('w[3]', '', ''), ('layer1.w[0]', '', ''))
    """
    found = KEYED.fullmatch(base)
    return found.groups() if found else (base, "", "")


@lru_cache(MOST_NAMES)
def split_word(base):
    """Return (letter, word) of a letter with a short word as its index, as formulas write k_el; (base, "") of all others.

    >>> split_word("k_el"), split_word("sigma_x"), split_word("log_amp"), split_word("k_factor")
    (('k', 'el'), ('sigma', 'x'), ('log_amp', ''), ('k_factor', ''))
    """
    found = WORD_BELOW.fullmatch(base)
    return found.groups() if found and len(in_greek(found[1])) == 1 else (base, "")


@lru_cache(MOST_NAMES)
def in_greek(name):
    """Return a name as formulas write it, with a Greek letter for its English name; lambda_ is one too, since Python forbids lambda.

    >>> in_greek("theta1"), in_greek("layer.beta[0]"), in_greek("lambda_"), in_greek("betas")
    ('θ1', 'layer.β[0]', 'λ', 'betas')
    """
    return GREEK_NAME.sub(lambda found: GREEK[found[1]], name)


def look(name):
    """Return what two names have in common if formulas write them alike: x4 and x_4, theta and θ.

    >>> look("theta_4") == look("θ4")
    True
    """
    base, index = split_name(name)
    base, own, key = split_key(base)
    return in_greek(base) + own + key, index


def needs_brackets(name):
    """Return whether dz/dname would be misread without brackets: the name has a space or a sign such as / or +.

    >>> needs_brackets("w1"), needs_brackets("w[0]"), needs_brackets("learning rate"), needs_brackets("layer1/neuron1")
    (False, False, True, True)
    """
    return ENDS_A_RATIO.search(name) is not None


def begins_with_word(name):
    """Return whether a name begins with several letters, so that it would run together with a d or a number before it.

    >>> begins_with_word("loss"), begins_with_word("w[0]"), begins_with_word("theta1"), begins_with_word("x_old")
    (True, False, False, False)
    """
    return WORD.match(in_greek(split_word(split_name(name)[0])[0])) is not None


def printable(text):
    """Return text with � for each character that a terminal or a page obeys or refuses: \\x01, U+202E, half of a surrogate pair."""
    return text if text.isprintable() else "".join(c if c.isprintable() or c in JOINERS else REPLACEMENT for c in text)


@lru_cache(MOST_NAMES)
def isolated(text):
    """Return a printable name. A name written from right to left is isolated, so that the text around it keeps its order."""
    text = printable(text)
    return (
        f"{ISOLATE}{text}{END_ISOLATE}" if not text.isascii() and any(unicodedata.bidirectional(c) in RIGHT_TO_LEFT for c in text) else text
    )


def columns(text):
    """Return how many columns of a terminal a text takes: two for a Chinese letter or an emoji, none for an accent.

    >>> columns("x"), columns("重み")
    (1, 4)
    """
    return len(text) if text.isascii() else sum(map(columns_of, text))


def columns_of(c):
    if unicodedata.category(c) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(c) in {"W", "F"} else 1


def in_columns(text, width):
    """Return a text in exactly so many columns, with a space behind it at least; … replaces an end without room."""
    if columns(text) >= width:
        text = "".join(c for c, end in zip(text, accumulate(map(columns_of, text))) if end <= width - 2) + "…"
    return text + " " * (width - columns(text))


def legal(text):
    """Return text without characters that XML or UTF-8 forbids."""
    return ILLEGAL.sub(REPLACEMENT, text)


def escape(text):
    """Return text escaped for XML and HTML."""
    if not ESCAPED.search(text):
        return text
    return legal(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
