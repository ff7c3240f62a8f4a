"""How names, numbers and formulas are written: in Unicode, or in ASCII where an output takes nothing more.

An ink is what they are written with. The page has inks of its own, which write MathML.
"""

import re
from copy import copy

from scalargrad.formulas.notations import PRETTY, Text, in_short
from scalargrad.formulas.operators import ATOM, MINUS, PRODUCT, SUM, Operator
from scalargrad.formulas.symbols import Application, Ratio, Symbol, render
from scalargrad.formulas.text import printable, short

LONGEST_FORMULA = 30  # characters; of a longer formula only its number is written
LONGEST_ARRAY = 40  # characters; within a line a longer array is written as its shape and its range
FREED = "freed"  # written for an array that the program has released
MOST_NAMES = 8


class AsciiNotation(Text):
    """Formulas where there is no ₁, ∂ or ·."""

    regroups = True

    def name(self, name):
        return re.sub(r"[^ -~]", "?", name.encode("ascii", "backslashreplace").decode())

    def number(self, value):
        return short(value)

    def words(self, text):
        return re.sub(r"[^ -~]", "?", text.translate(str.maketrans(PLAIN)))

    def ratio(self, r):
        return f"d{self.name(r.top)}/d{self.name(r.bottom)}"


class Ink:
    """The characters to write with: a notation for formulas, and a table for our own words."""

    def __init__(self, notation, table):
        self.notation, self.table = notation, str.maketrans(table)

    def __call__(self, text):
        return text.translate(self.table)

    def formula(self, formula):
        return render(formula, self.notation)

    def name(self, name):
        return self.notation.name(name)

    def words(self, text):
        """Return a text of the user's, such as the message of an exception, made harmless."""
        return self.notation.words(printable(text))

    def number(self, x):
        """A number, or an array as it stands within a line: in full while it is short."""
        if x is None:
            return FREED
        text = self.formula(x)
        return text if len(text) <= LONGEST_ARRAY or not getattr(x, "shape", ()) else self.notation.words(in_short(x))

    def quantity(self, q):
        """A formula and its number, x₁ = 3; the number alone where the formula is one, or is too long to be read."""
        if q.number is None:
            return self.formula(q.symbol)
        number = self.number(q.number)
        formula = (
            self.factor(q.symbol, first=True, loosest=SUM) if isinstance(q.symbol, Symbol) and q.symbol.size <= LONGEST_FORMULA else ""
        )
        return f"{formula} = {number}" if 0 < len(formula) <= LONGEST_FORMULA else number

    def factor(self, formula, first=False, loosest=PRODUCT):
        """A formula as a factor of a product, in brackets where it needs them; `first` if nothing stands before it.

        What binds at least as tightly as `loosest` needs none: SUM for one side of an equation, which only a comparison is not.
        """
        text = self.formula(formula) if isinstance(formula, Symbol) else self.number(formula)
        head = formula.head if isinstance(formula, Application) else formula
        level = head.level if isinstance(head, Operator | Symbol) else ATOM
        loose = level < loosest or (level == MINUS and not first)
        return self.brackets(text) if loose or (not first and self.begins_with_minus(text)) else text

    def begins_with_minus(self, text):
        return self.notation.begins_with_minus(text)

    def brackets(self, text):
        return f"({text})"


def remembering(ink):
    """An ink that writes each name, number, formula and quantity once: in a run they come again and again."""
    ink = copy(ink)
    for what in ("name", "number", "formula", "quantity"):
        setattr(ink, what, remembered(getattr(ink, what)))
    return ink


def remembered(write):
    known = {}

    def written(x):
        key = key_of(x)
        if key not in known:
            known[key] = write(x), x  # x is kept, so that its id stays its own
        return known[key][0]

    return written


def key_of(x):
    """What tells a name, a number, a formula or a quantity from others, as long as these are kept."""
    match x:
        case str():
            return x
        case float() | int():
            return type(x), x
        case Ratio():
            return x.d, x.top, x.bottom
        case (number, symbol):
            return key_of(number), key_of(symbol)
    return id(x)


# fmt: off
PLAIN = {
    "·": "*", "∂": "d", "−": "-", "▶": ">", "→": "->", "←": "<-", "↓": "v", "↑": "^", "…": "...", "─": "-", "×": "x",
    "ᵀ": "^T", "ᵢ": "_i", "²": "^2",
}
# fmt: on
UNICODE = Ink(PRETTY, {})
ASCII = Ink(AsciiNotation(), PLAIN)
SAMPLE = "₀₁₂₃₄₅₆₇₈₉⁰¹²³⁴⁵⁶⁷⁸⁹·∂−▶→←↓↑…─×ᵀ\N{REPLACEMENT CHARACTER}"


def ink_for(file):
    """The characters that `file` can take: found out by trying."""
    try:
        SAMPLE.encode(getattr(file, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return UNICODE


def name_of(trace, v, ink):
    return ink.name(trace.names.get(v) or v.name or "?")  # a tape may hold variables that z does not depend on


def total_of(trace, x, ink):
    """dz/dx, written."""
    return ink.formula(Ratio("d", trace.names[trace.graph.z], trace.names.get(x) or x.name or "?"))


def listed(names, separator=", ", most=MOST_NAMES):
    """Names in a row, the first of them where they are many."""
    more = len(names) - most
    return separator.join(names if more <= 0 else [*names[:most], f"… {more} more"])


def plural(n, noun):
    """1 edge, 2 edges, 1,000 edges."""
    return f"{n:,} {noun}{'s' * (n != 1)}"


def product(factors, ink, first=True, loosest=PRODUCT):
    """Factors as a product; a single one is no product, and `loosest` says what needs no brackets."""
    return ink(" · ").join(ink.factor(f, first and not k, loosest) for k, f in enumerate(factors))
