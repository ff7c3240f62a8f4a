"""Write names, numbers and formulas as text. A formatter decides how: UNICODE, or ASCII for an output that cannot encode more.

The page has its own formatters, which write MathML. How many digits a number has, `scalargrad/formulas/text.py` decides for all.
"""

import re
from copy import copy
from itertools import pairwise

from rich.cells import cell_len

from scalargrad.formulas.notations import PRETTY, Text, in_short
from scalargrad.formulas.operators import ATOM, MINUS, PRODUCT, SUM, Operator
from scalargrad.formulas.rounding_error import is_lost
from scalargrad.formulas.symbols import Application, Ratio, Symbol, render
from scalargrad.formulas.text import needs_brackets, printable, short
from viz.text.short_names import LONGEST, short_names

LONGEST_PARTIAL = 70  # characters of the formula of a partial, where its number stands elsewhere
LONGEST_FORMULA = 30  # characters; of a longer formula only its number is written
LONGEST_ARRAY = 40  # characters; within a line a longer array is written as its shape and its range
FREED = "freed"  # written for an array that the program has released
MOST_NAMES = 8
SIGN, DOT = r"(?<= )(?=[+−·*-] )", r"(?<=[^ ][·*,])"
PLACES = (r"(?<= )(?== )", True), (SIGN, True), (DOT, True), (SIGN, False), (DOT, False)  # where a formula is broken, the best ones first


class AsciiNotation(Text):
    """Formulas without the characters ₁, ∂ and ·."""

    regroups, space = True, " "

    def name(self, name):
        return re.sub(r"[^ -~]", "?", name.encode("ascii", "backslashreplace").decode())

    def number(self, value):
        return short(value)

    def words(self, text):
        return re.sub(r"[^ -~]", "?", text.translate(str.maketrans(PLAIN)))

    def ratio(self, r):
        top, bottom = (f"({self.name(name)})" if needs_brackets(name) else self.name(name) for name in (r.top, r.bottom))
        d = "D" if r.d == "∂" else "d"  # a partial stays distinct from a total derivative
        return f"{d}{self.after_d(d, r.top)}{top}/{d}{self.after_d(d, r.bottom)}{bottom}"


class Formatter:
    """A notation for formulas, and a table that replaces characters in our own words."""

    known: dict | None = None  # the texts of parts of formulas

    def __init__(self, notation, table):
        self.notation, self.table = notation, str.maketrans(table)

    def __call__(self, text):
        return text.translate(self.table) if self.table else text

    def formula(self, formula):
        return render(formula, self.notation, self.known)

    def name(self, name):
        return self.notation.name(name)

    def words(self, text):
        """Return the user's text, such as the message of an exception, without characters that a terminal or a page obeys."""
        return self.notation.words(printable(text))

    def number(self, x):
        """Return a number, or an array within a line: in full if it is short, else its shape and range."""
        if x is None:
            return FREED
        text = self.formula(x)
        return text if len(text) <= LONGEST_ARRAY or not getattr(x, "shape", ()) else self.notation.words(in_short(x))

    def quantity(self, q):
        """Return a formula and its number, x₁ = 3; the number alone if the formula says no more, or is too long to read."""
        if q.number is None:
            return self.formula(q.symbol)
        number = self.number(q.number)
        formula = self.factor(q.symbol, first=True, loosest=SUM) if says_more(q.symbol) and q.symbol.size <= LONGEST_FORMULA else ""
        return f"{formula} = {number}" if 0 < len(formula) <= LONGEST_FORMULA else number

    def factor(self, formula, first=False, loosest=PRODUCT):
        """Return a formula as a factor of a product, in brackets if it needs them; `first` if it is the first factor.

        A formula that binds at least as tightly as `loosest` needs no brackets. For one side of an equation `loosest` is SUM.
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


def with_short_names(formatter, names, longest=LONGEST):
    """Return a formatter that writes the short forms of names longer than `longest` columns; the formatter itself if no name is long."""
    plain = {name: formatter.name(name) if isinstance(formatter.notation, AsciiNotation) else name for name in names}
    brief = short_names(plain.values(), longest)
    if not brief:
        return formatter
    formatter = copy(formatter)
    write, formatter.notation = formatter.notation.name, copy(formatter.notation)
    formatter.notation.name = lambda name: write(formatter(brief.get(plain.get(name, name), name)))
    return formatter


def whole_names(names, formatter, short):
    """Return a line for each name of which the formatter `short` writes a short form: price…hour stands for price_per_kilowatt_hour."""
    return [
        f"{short.name(name)} stands for {formatter.name(name)}" for name in dict.fromkeys(names) if short.name(name) != formatter.name(name)
    ]


def remembering(formatter):
    """Return a formatter that renders each name, number, formula and quantity only once, because a run repeats them."""
    formatter = copy(formatter)
    formatter.known = {}
    for what in ("name", "number", "formula", "quantity"):
        setattr(formatter, what, remembered(getattr(formatter, what)))
    return formatter


def remembered(write):
    known = {}

    def written(x):
        key = key_of(x)
        found = known.get(key)
        if found is None:
            found = known[key] = write(x), x  # keep x: a new object may get the id of a deleted one
        return found[0]

    return written


def key_of(x):
    """Return a key that is the same for equal names and numbers and for the same formula; valid while x is kept."""
    kind = type(x)
    if kind is Ratio:
        return x.d, x.top, x.bottom
    if kind is str:
        return x
    if isinstance(x, float | int):
        return kind, x, is_lost(x)
    return (key_of(x[0]), key_of(x[1])) if isinstance(x, tuple) else id(x)


# fmt: off
PLAIN = {
    "·": "*", "∂": "D", "−": "-", "▶": ">", "→": "->", "←": "<-", "↓": "v", "↑": "^", "…": "...", "─": "-", "×": "x",
    "ᵀ": "^T", "ᵢ": "_i", "²": "^2",
}
# fmt: on
UNICODE = Formatter(PRETTY, {})
ASCII = Formatter(AsciiNotation(), PLAIN)
SAMPLE = "₀₁₂₃₄₅₆₇₈₉⁰¹²³⁴⁵⁶⁷⁸⁹·∂−▶→←↓↑…─×ᵀ\N{REPLACEMENT CHARACTER}"


def formatter_for(file):
    """Return UNICODE if the encoding of `file` can write all our characters, else ASCII."""
    try:
        SAMPLE.encode(getattr(file, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return UNICODE


def says_more(symbol):
    """Return whether a formula says more than its number: it is not a number, nor ∂y/∂x in place of a long formula."""
    return isinstance(symbol, Symbol) and not (isinstance(symbol, Ratio) and symbol.d == "∂")


def name_of(trace, v, formatter):
    return formatter.name(trace.names.get(v) or v.name or "?")  # a tape may hold variables that are not in the graph


def total_of(trace, x, formatter):
    """Return dz/dx as text."""
    return formatter.formula(Ratio("d", trace.names[trace.graph.z], trace.names.get(x) or x.name or "?"))


def listed(names, separator=", ", most=MOST_NAMES, count=None):
    """Return names in a row: the first `most` of them, and how many more there are. There are `count` if `names` are only the first."""
    more = (count or len(names)) - most
    return separator.join(names if more <= 0 else [*names[:most], f"… {more} more"])


def enumerated(names):
    """Return names in a row.

    >>> enumerated(["x", "y", "z"])
    'x, y and z'
    """
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def plural(n, noun):
    """Return 1 edge, 2 edges, 1,000 edges."""
    return f"{n:,} {noun}{'s' * (n != 1)}"


def broken(formula, room, wide=cell_len, places=PLACES):
    """Return a formula in parts of which none is wider than `room`, if it can be broken so: at a sign outside of brackets, if possible.

    >>> broken("weight·reading + bias", 16), broken("weight·reading + bias", 12)
    (['weight·reading ', '+ bias'], ['weight·', 'reading ', '+ bias'])
    """
    if wide(formula) <= room or not places:
        return [formula]
    (place, outside), *others = places
    depth = lambda k: formula.count("(", 0, k) - formula.count(")", 0, k)
    at = [k for found in re.finditer(place, formula) if (k := found.start()) and not (outside and depth(k))]
    parts: list = []
    for first, last in pairwise([0, *at, len(formula)]):
        if parts and wide((parts[-1] + formula[first:last]).rstrip()) <= room:
            parts[-1] += formula[first:last]
        else:
            parts += broken(formula[first:last], room, wide, others)
    return parts


def product(factors, formatter, first=True, loosest=PRODUCT):
    """Return factors as a product. `first` and `loosest` are those of `Formatter.factor`."""
    return formatter(" · ").join(formatter.factor(f, first and not k, loosest) for k, f in enumerate(factors))
