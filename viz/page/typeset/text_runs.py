"""Formulas as runs of text, for pictures without MathML: [["𝑥", ""], ["1", "sub"], [" = 3", ""]]. Knows nothing of sizes."""

import re

from scalargrad.formulas.notations import SUBSCRIPTS, Pretty
from scalargrad.formulas.symbols import render
from scalargrad.formulas.text import are_letters, in_greek, isolated, split_key, split_name, split_word

SUB, SUP, END = "\ue000", "\ue001", "\ue002"  # around a run; a printable name never contains them
KINDS = {SUB: "sub", SUP: "sup"}
ITALIC = {ord(first) + k: chr(italic + k) for first, italic in (("A", 0x1D434), ("a", 0x1D44E)) for k in range(26)}
ITALIC[ord("h")] = "\N{PLANCK CONSTANT}"  # Unicode had this italic letter before all others


class Typeset(Pretty):
    """A notation with single letters in italics, and indices and powers between marks."""

    def name(self, name):
        base, index = split_name(name)
        base, own, key = split_key(base)
        base, word = split_word(base)
        index = ",".join(filter(None, (word, index)))
        return letter(base) + "".join(f"{SUB}{low}{END}{key}" if low else "" for low, key in ((own, key), (index, "")))

    def ratio(self, r):
        d = letter(r.d)
        return f"{d}{self.in_ratio(r.top)}/{d}{self.in_ratio(r.bottom)}"

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
