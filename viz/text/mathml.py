"""The formatters of a page: formulas as MathML, and sentences that contain MathML; runs of text for pictures without it.

The notation escapes every name.
"""

import re

from scalargrad.formulas.notations import MATHML, SUBSCRIPTS, MathML, Pretty, in_short
from scalargrad.formulas.operators import DIV
from scalargrad.formulas.symbols import Symbol, render
from scalargrad.formulas.text import (
    are_letters,
    escape,
    in_greek,
    isolated,
    printable,
    shown_in_full,
    split_key,
    split_name,
    split_word,
)
from scalargrad.tracing.quantities import HOLE
from viz.text.array_text import in_few_digits, is_array
from viz.text.formatter import FREED, LONGEST_FORMULA, LONGEST_PARTIAL, UNICODE, Formatter, says_more

TALLEST_IN_A_SENTENCE, TALLEST_ON_THE_PAGE = 3, 2  # rows of a matrix in a sentence of a list, and on the page
LONGEST_VECTOR = 6  # entries
PLACE = re.compile(r"\$(\d+)\$")
HIGH = re.compile("<mfrac>((?!</mfrac>).)*<(mfrac|msup|msubsup)>|<msup>((?!</msup>).)*<mfrac>")
WORDS = re.compile(r"<mtext>([^<]*\w \w[^<]*)</mtext>")


class ShortNames(MathML):
    """MathML with short forms of long names. `data-whole` has the whole name, which the page shows on hover and focus."""

    def __init__(self, short):
        self.short = short

    def name(self, name):
        if name not in self.short:
            return super().name(name)
        return super().name(self.short[name]).replace(">", f' data-whole="{escape(printable(name))}">', 1)


class InLine(MathML):
    """MathML without fraction bars: (r/(1 + k))/R is as high as a line."""

    fraction_bar = False

    def infix(self, op, a, b):
        return f'<mrow>{a}<mo lspace="0" rspace="0">/</mo>{b}</mrow>' if op is DIV else super().infix(op, a, b)


class MathFormatter(Formatter):
    """Formulas as pieces of MathML, without <math> around them. `cut_arrays` numbers the arrays that are not written in full."""

    def __init__(self, notation=MATHML, cut_arrays=None):
        super().__init__(notation, {})
        self.cut_arrays = cut_arrays

    def number(self, x):
        if x is None:
            return self.put(MATHML.words(FREED))
        if is_array(x) and not self.has_room_for(x):
            return self.put(self.in_short(x))
        return self.formula(in_few_digits(x) if is_array(x) else x)

    def in_short(self, array):
        """Return the shape and the range of an array that is not written in full. On a page they lead to its numbers."""
        text = MATHML.words(in_short(array))
        return text if self.cut_arrays is None else text.replace("<mtext>", f'<mtext data-array="{self.cut_arrays[array]}">', 1)

    def has_room_for(self, array):
        """Return whether an array is written in full."""
        return shown_in_full(array.shape)

    def put(self, mathml):
        """Return a piece of MathML as it is placed in its text."""
        return mathml

    def quantity(self, q):
        if q.number is None:
            return self.formula(q.symbol)
        return f"{self.formula(q.symbol)} = {self.number(q.number)}" if self.is_short(q.symbol) else self.number(q.number)

    def is_short(self, symbol):
        return is_short(symbol)

    def brackets(self, text):
        return self.notation.brackets(text)


class SentenceFormatter(MathFormatter):
    """The same for sentences of HTML: each formula has its own <math>."""

    def formula(self, formula):
        return self.put(super().formula(formula))

    def name(self, name):
        return self.put(super().name(name))

    def words(self, text):
        return escape(printable(text))

    def has_room_for(self, array):
        return super().has_room_for(array) and (array.size <= LONGEST_VECTOR or 1 < len(array) <= TALLEST_IN_A_SENTENCE)

    def brackets(self, text):
        return f"({text})"

    def put(self, mathml):
        """Return a formula within a sentence. Its words become words of the sentence, so that a line may break between them."""
        pieces = WORDS.split(mathml.removeprefix("<mrow>").removesuffix("</mrow>"))
        if len(pieces) == 1 or any(piece.count("<m") != piece.count("</m") for piece in pieces[::2]):
            return wrapped(mathml)
        return "".join(piece if k % 2 else wrapped(f"<mrow>{piece}</mrow>") for k, piece in enumerate(pieces) if piece)


class PlaceFormatter(SentenceFormatter):
    """The same for the player: each formula is its place in a table of strings, $12$."""

    def __init__(self, strings, notation=MATHML, cut_arrays=None):
        super().__init__(notation, cut_arrays)
        self.strings = strings

    def words(self, text):
        return printable(text).replace("$", self.put("<mtext>$</mtext>"))  # the player shows it as text, not as markup

    def has_room_for(self, array):
        return super().has_room_for(array) and array.size <= LONGEST_VECTOR and len(array) <= TALLEST_ON_THE_PAGE

    def put(self, mathml):
        return f"${self.strings[mathml]}$"

    def begins_with_minus(self, text):
        place = PLACE.match(text)
        return super().begins_with_minus(self.strings.items[int(place[1])] if place else text)


def wrapped(mathml):
    return f"<math>{mathml}</math>"


def is_short(symbol, written=UNICODE.formula):
    """Return whether a formula says more than its number and is short enough to stand beside it."""
    return says_more(symbol) and symbol.size <= LONGEST_FORMULA and len(written(symbol)) <= LONGEST_FORMULA


def in_brief(symbols, names, is_short=is_short):
    """Return factors as formulas. A long formula of a number is replaced by its name, dz/dy or ∂y/∂x. That of a partial may be longer."""
    if len(names) == 1:
        return symbols
    return [symbol if may_stand(symbol, name, is_short) else name for symbol, name in zip(symbols, names)]


def may_stand(symbol, name, is_short):
    """Return whether a factor is short enough to stand in the row of symbols."""
    if not isinstance(symbol, Symbol) or symbol is HOLE or is_short(symbol):
        return True
    return getattr(name, "d", "") == "∂" and is_readable(symbol)


def is_readable(symbol):
    """Return whether the formula of a partial says more than its number, and can be read in a row of symbols."""
    return says_more(symbol) and max(symbol.size, len(UNICODE.formula(symbol))) <= LONGEST_PARTIAL


MATH, SENTENCE = MathFormatter(), SentenceFormatter()
IN_LINE = MathFormatter(InLine())


def in_a_line(formula):
    """Return a formula for a row that is little higher than a line: a fraction of fractions or of powers has no bars."""
    text = MATH.formula(formula)
    return IN_LINE.formula(formula) if HIGH.search(text) else text


SUB, SUP, END = "\ue000", "\ue001", "\ue002"  # around a run; a printable name never contains them
KINDS = {SUB: "sub", SUP: "sup"}
ITALIC = {ord(first) + k: chr(italic + k) for first, italic in (("A", 0x1D434), ("a", 0x1D44E)) for k in range(26)}
ITALIC[ord("h")] = "\N{PLANCK CONSTANT}"  # Unicode had this italic letter before all others


class Typeset(Pretty):
    """A notation with single letters in italics, and indices and powers between marks."""

    space = "\N{THIN SPACE}"

    def name(self, name):
        base, index = split_name(name)
        base, own, key = split_key(base)
        base, word = split_word(base)
        index = ",".join(filter(None, (word, index)))
        return letter(base) + "".join(f"{SUB}{low}{END}{key}" if low else "" for low, key in ((own, key), (index, "")))

    def ratio(self, r):
        return "/".join(letter(r.d) + self.after_d(r.d, name) + self.in_ratio(name) for name in (r.top, r.bottom))

    def indexed(self, head, names, number=None):
        return f"{letter(head)}{SUB}{self.index(names, number)}{END}"

    def index(self, names, number):
        """Return names as an index. Their own indices stand on the same line."""
        between = "" if are_letters(names) else ","
        written = (letter(base) + index.translate(SUBSCRIPTS) for base, index in map(split_name, names))
        return between.join(written) + (f",{number}" if number else "")

    def infix(self, op, a, b):
        if op.sign == "**":
            return f"{a}^{b}" if SUB in b or SUP in b else f"{a}{SUP}{b}{END}"
        return super().infix(op, a, b)


def letter(name):
    """Return a name; a single letter is italic, a word upright."""
    name = in_greek(name)
    return isolated(name).translate(ITALIC) if len(name) == 1 else isolated(name)


def runs(formula):
    """Return a formula as [[text, kind]]: kind is "sub", "sup", or "" for text on the line.

    >>> from scalargrad.formulas.symbols import Name
    >>> runs(2 * Name("x1") ** Name("n"))
    [['2·𝑥', ''], ['1', 'sub'], ['𝑛', 'sup']]
    """
    pieces = re.split(f"([{SUB}{SUP}])(.*?){END}", render(formula, TYPESET))
    found = [[text, ""] for text in pieces[::3]]
    for k, (mark, text) in enumerate(zip(pieces[1::3], pieces[2::3])):
        found.insert(2 * k + 1, [text, KINDS[mark]])
    return [run for run in found if run[0]]


TYPESET = Typeset()
