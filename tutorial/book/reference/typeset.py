"""Typeset a line of a docstring, such as dz/dx = y · (dz/dy - Σ y · dz/dy), with the sum along the axis, as MathML.

A line has names, operators and words. dz/dx is a fraction, ᵀ and ² are set above, [k] below, and what stands after `Σ over`, `Π over`
or `max over` up to a colon is set below it. A word that is neither a name of the function nor called is text.
"""

import re
from html import escape

from scalargrad.formulas.notations import MATHML

TOKEN = re.compile(
    r"(?P<ratio>\bd([A-Za-z][A-Za-z0-9_]*)/d([A-Za-z][A-Za-z0-9_]*))|(?P<sum>(?:[ΣΠ]|max) over [^:]*:|[ΣΠ])"
    r"|(?P<word>[A-Za-zΦβσ][A-Za-z0-9_'\u0302]*(?:-[a-z]+)*)|(?P<number>\d+(?:\.\d+)?)|(?P<above>[ᵀ⁻¹²³ⁿᵏᵢⱼ]+)|(?P<quoted>\"[^\"]*\")|(?P<space>\s+)|(?P<sign>[<>]=|.)"
)
ABOVE = dict(zip("ᵀ⁻¹²³ⁿᵏ", "⊤−123nk"))
BELOW = dict(zip("ᵢⱼ", "ij"))
SIGNS = {"-": "−", "*": "·", ">=": "≥", "<=": "≤"}
BIG = {"Σ": "∑", "Π": "∏"}
PLUS, LONG = "<mo>+</mo>", 12  # pieces of a line that may be broken at a plus
SHORT = 2  # letters of a name that needs no list: x, w1
WORDS = {"where", "is", "it", "of", "in", "at", "to", "by", "or", "no", "as", "on"}
NAMES = {"y", "z", "alpha", "beta", "mean", "eps"}
CLOSING = {"(": ")", "|": "|"}
SPACE = "\u00a0"
THIN = "<mspace width='0.17em'/>"
RATIO = "<mfrac><mrow><mi>d</mi>"


def typeset(line, names=()):
    """Return a line as MathML; `names` are the variables that are longer than two letters.

    >>> typeset("x / 2")
    '<mfrac><mi>x</mi><mn>2</mn></mfrac>'
    """
    return "".join(pieces(line, names))


def pieces(line, names=()):
    """Return the terms, signs and words of a line, each as MathML."""
    tokens = [(found.lastgroup, found[0], found) for found in TOKEN.finditer(line)]
    return Parser(tokens, NAMES.union(names)).row()


def displayed(line, names=()):
    """Return a line as a block of the page, in parts between which a page may break it: at words, a comma, a plus of a long line."""
    parts: list = [[]]
    terms = pieces(line, names)
    for piece in terms:
        if len(terms) > LONG and piece == PLUS:
            parts.append([piece.replace("<mo>", '<mo form="infix">')])
            continue
        if piece.startswith("<mtext>") and parts[-1]:
            parts.append([])
        parts[-1].append(piece)
        if piece.startswith(("<mo>,", "<mo>;")):
            parts.append([])
    shown = (f"<math>{''.join(part)}</math>" for part in parts if part)
    return f'<div class="math formula">{" ".join(shown)}</div>'


class Parser:
    """A walk over the tokens of a line, which gives a piece of MathML for each term."""

    def __init__(self, tokens, names):
        self.tokens, self.names, self.place = tokens, names, 0

    def text(self):
        """Return the token that comes next, or nothing at the end."""
        return self.tokens[self.place][1] if self.place < len(self.tokens) else ""

    def rest(self):
        """Return what stands after the next token."""
        return "".join(text for _, text, _ in self.tokens[self.place + 1 :])

    def row(self, end=None):
        """Return the pieces up to a closing bracket, which is passed."""
        pieces: list = []
        while self.place < len(self.tokens) and self.text() != end:
            if self.text().isspace():
                self.place += 1
            elif self.text() in ("/", "^") and pieces:
                pieces.append(self.joined(pieces.pop()))
            elif (word := self.text()) and self.tokens[self.place][0] == "word" and not self.is_name(word):
                self.place += 1
                say(word, pieces)
            else:
                if self.text() in (",", ";") and pieces and pieces[-1].startswith("<mtext>"):  # it stands close to a word
                    pieces[-1] = pieces[-1].replace(f"{SPACE}</mtext>", "</mtext>")
                pieces.append(self.term())
        self.place += 1
        return pieces

    def joined(self, left):
        """Return a fraction or a power of the piece before and the next term. A slash after dz/dy or before a sum stays a slash."""
        sign = self.text()
        self.place += 1
        if self.text().isspace():
            self.place += 1
        if self.text().startswith(("Σ", "Π")) or (sign == "/" and left.startswith(RATIO)):
            return f"<mrow>{left}<mo>/</mo></mrow>"
        right = without_brackets(self.term())
        return f"<mfrac>{without_brackets(left)}{right}</mfrac>" if sign == "/" else f"<msup>{left}{right}</msup>"

    def term(self):
        """Return the next term with what stands above and below it."""
        kind, text, found = self.tokens[self.place]
        self.place += 1
        if kind == "ratio":
            below = MATHML.name(found[3])
            piece = ratio(MATHML.name(found[2]), self.indexed(below) if self.text() == "[" else below)
            return bracketed(piece, "()", above) if (above := self.above()) else piece
        if kind == "sum":
            return self.sum(text)
        if text == "√":
            self.place += 1
            return f"<msqrt>{''.join(self.row(')'))}</msqrt>"
        if text in CLOSING:
            piece = bracketed("".join(self.row(CLOSING[text])), (text, CLOSING[text]))
        elif kind == "word" and self.text() == "(":
            self.place += 1
            piece = f"<mrow>{THIN}{MATHML.name(text)}{bracketed(''.join(self.row(')')), '()')}</mrow>"
        else:
            piece = atom(kind, text)
        if kind == "word" and self.text() == "[":
            piece = self.indexed(piece)
        return scripts(piece, self.above())

    def above(self):
        """Return the small letters that come next, which are passed, or nothing."""
        if self.place == len(self.tokens) or self.tokens[self.place][0] != "above":
            return ""
        self.place += 1
        return self.tokens[self.place - 1][1]

    def indexed(self, piece):
        self.place += 1
        return f"<msub>{piece}<mrow>{''.join(self.row(']'))}</mrow></msub>"

    def is_name(self, word):
        if word in WORDS or word == "a" and re.match(" [a-z]{3}", self.rest()):
            return False
        after = self.tokens[self.place + 1][1] if self.place + 1 < len(self.tokens) else ""
        return word in self.names or after in ("(", "[") or len(word.rstrip("0123456789")) <= SHORT

    def sum(self, text):
        sign, _, over = text.rstrip(":").partition(" over ")
        sign = f"<mo>{BIG.get(sign, sign)}</mo>"
        return f"<munder>{sign}<mrow>{typeset(over, self.names)}</mrow></munder>" if over else sign


def say(word, pieces):
    """Add a word, to the words before it if there are any."""
    if pieces and pieces[-1].startswith("<mtext>"):
        pieces[-1] = f"{pieces[-1].removesuffix('</mtext>').rstrip(SPACE)}{SPACE}{escape(word)}{SPACE}</mtext>"
    else:
        pieces.append(f"<mtext>{SPACE}{escape(word)}{SPACE}</mtext>")


def bracketed(inner, brackets, above=""):
    """Return what stands in brackets, with small letters above the closing one."""
    opening, closing = brackets
    return scripts(f"<mrow><mo>{opening}</mo>{inner}<mo>{closing}</mo></mrow>", above)


def without_brackets(piece):
    """Return the numerator or denominator of a fraction: round brackets that hold all of it are not needed."""
    inner = piece.removeprefix("<mrow><mo>(</mo>").removesuffix("<mo>)</mo></mrow>")
    return f"<mrow>{inner}</mrow>" if len(piece) - len(inner) == len("<mrow><mo>(</mo><mo>)</mo></mrow>") else piece


def ratio(above, below):
    return f"{RATIO}{above}</mrow><mrow><mi>d</mi>{below}</mrow></mfrac>"


def atom(kind, text):
    if kind == "word":
        return MATHML.name(text)
    if kind == "number":
        return f"<mn>{text}</mn>"
    if kind == "quoted":
        return f"<mtext>{escape(text)}</mtext>"
    return f"<mo>{escape(SIGNS.get(text, text))}</mo>" + ("<mspace width='0.4em'/>" if text in ",;" else "")


def scripts(base, text):
    """Return a piece with small letters above and below it."""
    above = "".join(f"<mo>{ABOVE[c]}</mo>" if c in "⁻ᵀ" else f"<mi>{ABOVE[c]}</mi>" for c in text if c in ABOVE)
    below = "".join(f"<mi>{BELOW[c]}</mi>" for c in text if c in BELOW)
    base = f"<msub>{base}<mrow>{below}</mrow></msub>" if below else base
    return f"<msup>{base}<mrow>{above}</mrow></msup>" if above else base
