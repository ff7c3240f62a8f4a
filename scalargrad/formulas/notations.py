"""The notations of formulas: Python, Unicode, LaTeX, MathML. This file knows signs and operators, but not formulas."""

import math
import re
from fractions import Fraction
from functools import lru_cache

from scalargrad.formulas.lost_entries import ends
from scalargrad.formulas.operators import DIV, MUL, POW, PRODUCT, SUB
from scalargrad.formulas.rounding_error import is_lost
from scalargrad.formulas.text import (
    GREEK_NAME,
    MOST_NAMES,
    NOUGHT,
    are_letters,
    begins_with_word,
    escape,
    in_greek,
    isolated,
    latex_text,
    needs_brackets,
    shape_text,
    short,
    split_key,
    split_name,
    split_word,
)

NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"
FIRST_IS_MINUS = re.compile("(<math>|<mrow>)*<mo>\N{MINUS SIGN}")  # of MathML
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class Text:
    """Python: what is printed can be evaluated again."""

    product, minus, fraction_bar, raised = "*", "-", False, False
    space = ""  # between a d and a word: they are two
    regroups = False  # a + (b + c) keeps its brackets: Python adds in the order written

    def name(self, name):
        return name

    def number(self, value):
        if type(value) is float and not math.isfinite(value):
            return f"float('{value}')"
        try:
            return repr(value)
        except ValueError:  # Python does not write integers of more than 4,300 digits
            return short(value)

    def ratio(self, r):
        return f"{r.d}{r.top}/{r.d}{r.bottom}"

    def after_d(self, d, name):
        """Return the space between a d and a name of several letters: dloss would be read as one word."""
        bracketed = not self.fraction_bar and needs_brackets(name)
        return self.space if d == "d" and begins_with_word(name) and not bracketed else ""

    def indexed(self, letter, names, number=None):
        """Return a letter with names as its index, such as G_BC, and a number if there are several. Long names get commas."""
        return f"{letter}_{self.index(names, number)}"

    def index(self, names, number):
        between = "" if are_letters(names) else ","
        return between.join(map(self.name, names)) + (f",{number}" if number else "")

    def array(self, rows):
        """Return the numbers of an array of one or two axes, row by row."""
        if type(rows) is not list:
            return self.number(rows)
        return f"[{', '.join(map(self.array, rows))}]"

    def words(self, text):
        """Return plain text within a formula."""
        return text

    def phrase(self, parts):
        return "".join(parts)

    def brackets(self, part):
        return f"({part})"

    def begins_with_minus(self, part):
        return part.startswith(self.minus)

    def infix(self, op, a, b):
        sign = self.product if op is MUL else op.sign
        return f"{a} {sign} {b}" if op.level < PRODUCT else f"{a}{sign}{b}"

    def negative(self, a):
        return self.minus + a

    def call(self, name, parts):
        return f"{name}({', '.join(parts)})"


@lru_cache(MOST_NAMES)
def pretty_name(name):
    """Return a name in Unicode. A page asks for the same few names again and again."""
    base, index = split_name(name)
    base, own, key = split_key(base)
    return isolated(in_greek(base)) + own.translate(SUBSCRIPTS) + key + index.translate(SUBSCRIPTS)


class Pretty(Text):
    """Unicode, for terminals and diagrams: x₁ + 2·x₄, x₄²."""

    product, minus, regroups, space = "·", "\N{MINUS SIGN}", True, " "

    def name(self, name):
        return pretty_name(name)

    def number(self, value):
        return short(value).replace("-", self.minus)

    def ratio(self, r):
        return "/".join(r.d + self.after_d(r.d, name) + self.in_ratio(name) for name in (r.top, r.bottom))

    def in_ratio(self, name):
        """Return a name as it stands after d: in brackets if it is several words or has a sign that would end it."""
        return f"({self.name(name)})" if needs_brackets(name) else self.name(name)

    def infix(self, op, a, b):
        if op is POW:
            return a + b.translate(SUPERSCRIPTS) if b.isdigit() else f"{a}^{b}"
        if op is SUB:
            return f"{a} {self.minus} {b}"
        return super().infix(op, a, b)


class Latex(Text):
    """LaTeX, as the tutorial prints its formulas."""

    fraction_bar, raised, regroups, space = True, True, True, r"\,"
    signs = {"<=": r"\le", ">=": r"\ge", "==": "="}

    def name(self, name):
        base, index = split_name(name)
        base, own, key = split_key(base)
        if key:
            return self.name(f"{base}_{own}") + key + (f"_{{{index}}}" if index else "")
        base, word = split_word(base)
        index = ",".join(filter(None, (word and rf"\mathrm{{{word}}}", index)))
        written = GREEK_NAME.sub(r"\\\1", base)
        base = written if len(in_greek(base)) == 1 else rf"\mathrm{{{written}}}".replace("_", r"\_")
        return base + (f"_{index}" if len(index) == 1 else f"_{{{index}}}" if index else "")

    def number(self, value):
        if isinstance(value, Fraction) and value.denominator != 1:
            return rf"\frac{{{value.numerator}}}{{{value.denominator}}}"
        return short(value).replace("inf", r"\infty") if short(value) != NOUGHT else rf"\text{{{NOUGHT}}}"

    def ratio(self, r):
        d = r"\partial " if r.d == "∂" else "d"
        top, bottom = (self.after_d(r.d, name) + self.name(name) for name in (r.top, r.bottom))
        return rf"\frac{{{d}{top}}}{{{d}{bottom}}}"

    def indexed(self, letter, names, number=None):
        return f"{letter}_{{{self.index(names, number)}}}"

    def array(self, rows):
        lines = [" & ".join(map(self.number, row)) for row in (rows if rows and type(rows[0]) is list else [rows])]
        return r"\begin{bmatrix}" + r" \\ ".join(lines) + r"\end{bmatrix}"

    def words(self, text):
        return re.sub("[^ᵀ]+", lambda run: rf"\text{{{latex_text(run[0])}}}", text).replace("ᵀ", r"^{\mathsf{T}}")

    def brackets(self, part):
        return rf"\left({part}\right)"

    def infix(self, op, a, b):
        if op is POW:
            return f"{a}^{b}" if len(b) == 1 else f"{a}^{{{b}}}"
        if op is DIV:
            return rf"\frac{{{a}}}{{{b}}}"
        if op is MUL:
            return a + b if a.isdigit() and a != "1" and b[0].isalpha() else rf"{a} \cdot {b}"
        return f"{a} {self.signs.get(op.sign, op.sign)} {b}"

    def call(self, name, parts):
        known = {"exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh", "max", "min"}
        head = "\\" + name if name in known else rf"\operatorname{{{name}}}".replace("_", r"\_")
        return rf"{head}\left({', '.join(parts)}\right)"


LETTER = re.compile(r"(<(msub|msup|msubsup|mrow)>)*<mi[^>]*>([^<&]<|\w+</mi><mrow><mo)")  # at the beginning: a letter, or a call


class MathML(Text):
    """MathML Core, for pages; wrap it in <math>."""

    fraction_bar, raised, regroups, space = True, True, True, '<mspace width="0.17em"/>'
    signs = {"-": "\N{MINUS SIGN}", "*": "·", "<": "&lt;", ">": "&gt;", "<=": "≤", ">=": "≥", "==": "="}

    def name(self, name):
        base, index = split_name(name)
        base, own, key = split_key(base)
        base, word = split_word(base)
        base = f"<mi>{escape(isolated(in_greek(base)))}</mi>"
        if word:
            below = f"<mi>{escape(isolated(word))}</mi>"
            return f"<msub>{base}{f'<mrow>{below}<mo>,</mo><mn>{index}</mn></mrow>' if index else below}</msub>"
        if key:
            base = f"<mrow><msub>{base}<mn>{own}</mn></msub><mtext>{escape(key)}</mtext></mrow>"
        return f"<msub>{base}<mn>{index}</mn></msub>" if index else base

    def number(self, value):
        if is_lost(value):
            return f"<mn>{short(value)}</mn>"
        written = short(abs(value) if value == value else value).replace("-", self.signs["-"])
        return f"<mrow><mo>{self.signs['-']}</mo><mn>{written}</mn></mrow>" if value < 0 else f"<mn>{written}</mn>"

    def ratio(self, r):
        top, bottom = (f"<mrow><mi>{r.d}</mi>{self.after_d(r.d, name)}{self.name(name)}</mrow>" for name in (r.top, r.bottom))
        return f"<mfrac>{top}{bottom}</mfrac>"

    def indexed(self, letter, names, number=None):
        comma = "<mo>,</mo>"
        below = ("" if are_letters(names) else comma).join(map(self.name, names)) + (f"{comma}<mn>{number}</mn>" if number else "")
        return f"<msub><mi>{letter}</mi><mrow>{below}</mrow></msub>"

    def array(self, rows):
        cells = [[f"<mtd>{self.number(n)}</mtd>" for n in row] for row in (rows if rows and type(rows[0]) is list else [rows])]
        table = "".join(f"<mtr>{''.join(row)}</mtr>" for row in cells)
        return f"<mrow><mo>[</mo><mtable>{table}</mtable><mo>]</mo></mrow>"

    def words(self, text):
        return f"<mtext>{re.sub('^ | $', NO_BREAK_SPACE, escape(text))}</mtext>"  # a browser drops other spaces at the ends

    def phrase(self, parts):
        return f"<mrow>{''.join(parts)}</mrow>"

    def brackets(self, part):
        grow = "" if "<mfrac>" in part or "<mtable>" in part else ' stretchy="false"'
        return f"<mrow><mo{grow}>(</mo>{part}<mo{grow}>)</mo></mrow>"

    def begins_with_minus(self, part):
        return FIRST_IS_MINUS.match(part) is not None

    def infix(self, op, a, b):
        if op is POW:
            indexed = re.fullmatch("<msub>((?:(?!<msub>).)*)</msub>", a)
            return f"<msubsup>{indexed[1]}{b}</msubsup>" if indexed else f"<msup>{a}{b}</msup>"
        if op is DIV:
            return f"<mfrac>{a}{b}</mfrac>"
        if op is MUL and re.fullmatch(r"<mn>(?!1<)\d+</mn>", a) and LETTER.match(b):
            return f"<mrow>{a}{b}</mrow>"
        return f"<mrow>{a}<mo>{self.signs.get(op.sign, op.sign)}</mo>{b}</mrow>"

    def negative(self, a):
        return f"<mrow><mo>{self.signs['-']}</mo>{a}</mrow>"

    def call(self, name, parts):
        return f"<mrow><mi>{escape(name)}</mi>{self.brackets('<mo>,</mo>'.join(parts))}</mrow>"


TEXT, PRETTY, LATEX, MATHML = Text(), Pretty(), Latex(), MathML()


def in_short(array):
    """Return the shape and the range of an array: 64×10, −0.12 to 0.3; of a vector the number of its entries."""
    shape = shape_text(array.shape) if len(array.shape) != 1 else f"{len(array)} entries" if len(array) != 1 else "1 entry"
    if 0 in array.shape:
        return shape
    low, high = (PRETTY.number(n if is_lost(n) else float(format(n, ".3g"))) for n in ends(array))
    return f"{shape}, {low} to {high}" if low != high else f"{shape}, all {low}"
