"""Text for a terminal that cannot write every character: dz/dx₁ is dz/dx1 there; and what it shows of a line that was printed over."""

import unicodedata

from viz.text.formatter import PLAIN

# fmt: off
IN_ASCII = PLAIN | {
    "•": "*", "Σ": "Sum", "Π": "Prod", "∈": "in", "∉": "not in", "≠": "!=", "≤": "<=", "≥": ">=", "≈": "~", "√": "sqrt", "∞": "inf",
    "━": "=", "│": "|", "✓": "ok", "✗": "x", "“": '"', "”": '"', "‘": "'", "’": "'", "–": "-", "—": "-", "⁻": "^-", "ⁿ": "^n", "⊙": "*",
    "′": "'", "●": "#", "○": ".",
}
# fmt: on


def encodable(text, encoding):
    """Return text in which each character that the encoding cannot write is spelled with others.

    >>> encodable("dz/dx₁ = Σ[y ∈ c(x)] 2·x³ α", "ascii")
    'dz/dx1 = Sum[y in c(x)] 2*x^3 alpha'
    """
    try:
        text.encode(encoding or "utf-8")
        return text
    except (UnicodeEncodeError, LookupError):
        return "".join(spelled(c, encoding) for c in text)


def spelled(c, encoding):
    try:
        c.encode(encoding)
        return c
    except (UnicodeEncodeError, LookupError):
        pass
    name = unicodedata.name(c, "")
    if c in IN_ASCII:
        return IN_ASCII[c]
    if name.startswith("GREEK") and "LETTER" in name:
        return name.split()[-1].lower()
    found = unicodedata.normalize("NFKD", c).encode("ascii", "ignore").decode()
    return f"^{found}" if name.startswith("SUPERSCRIPT") else found or "?"


def overprinted(text):
    r"""Return a text as a terminal shows it: after a carriage return the next characters replace the first ones, \b goes back by one.

    >>> overprinted("10 %\r100 %\nabc\rX\nab\bc")
    '100 %\nXbc\nac'
    """
    if "\r" not in text and "\b" not in text:
        return text
    return "\n".join(map(of_line, text.replace("\r\n", "\n").split("\n")))


def of_line(line):
    shown, place = [], 0
    for character in line:
        if character in "\r\b":
            place = 0 if character == "\r" else max(place - 1, 0)
        else:
            shown[place : place + 1] = [character]
            place += 1
    return "".join(shown)
