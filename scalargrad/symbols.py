"""Numbers that are only written down: the rows of the table, evaluated on symbols, give the formulas that are shown.

Only 0·a, 1·a, a + 0, a**1 and a double minus are simplified, and nothing is reordered, so a formula stands as the rule made it.
A formula is a graph like any other (parts may be shared), so nothing here recurses.
"""

import math
import operator
import re
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from scalargrad import numeric

LONGEST = 12  # digits of a whole number that is written in full
MOST_ALONG_AN_AXIS = 6  # entries; a larger array is not written number by number
COMPARISON, SUM, PRODUCT, MINUS, POWER, ATOM = range(6)  # how tightly each kind of formula binds


class Operator(NamedTuple):
    """An operator between formulas: its Python sign, how tightly it binds, and what it does to numbers."""

    sign: str
    level: int
    function: object


ADD = Operator("+", SUM, numeric.held(operator.add))
SUB = Operator("-", SUM, numeric.held(operator.sub))
MUL = Operator("*", PRODUCT, numeric.held(operator.mul))
DIV = Operator("/", PRODUCT, numeric.divide)
NEG = Operator("-", MINUS, operator.neg)
POW = Operator("**", POWER, numeric.power)
LT = Operator("<", COMPARISON, operator.lt)
LE = Operator("<=", COMPARISON, operator.le)
GT = Operator(">", COMPARISON, operator.gt)
GE = Operator(">=", COMPARISON, operator.ge)
EQ = Operator("==", COMPARISON, operator.eq)
WRITTEN: dict = {ADD: operator.add, SUB: operator.sub, MUL: operator.mul, DIV: operator.truediv, NEG: operator.neg, POW: operator.pow}
WRITTEN |= {op: op.function for op in (LT, LE, GT, GE, EQ)}  # what each operator is called with between formulas


class BranchOnSymbol(TypeError):
    """A Python branch asked whether an unknown number is true."""


def _is(x, number):
    return not isinstance(x, Symbol) and x == number


class Symbol:
    """A formula. `size` counts its written length in names and numbers; `written(notation)` is the text of one without parts."""

    __slots__ = ("size",)
    __array_ufunc__ = None
    level = ATOM

    def __add__(a, b):
        return a if _is(b, 0) else Application(ADD, (a, b))

    def __radd__(b, a):
        return b if _is(a, 0) else Application(ADD, (a, b))

    def __sub__(a, b):
        return a if _is(b, 0) else Application(SUB, (a, b))

    def __rsub__(b, a):
        return -b if _is(a, 0) else Application(SUB, (a, b))

    def __mul__(a, b):
        return 0 if _is(b, 0) else a if _is(b, 1) else Application(MUL, (a, b))

    def __rmul__(b, a):
        return 0 if _is(a, 0) else b if _is(a, 1) else Application(MUL, (a, b))

    def __truediv__(a, b):
        return a if _is(b, 1) else Application(DIV, (a, b))

    def __rtruediv__(b, a):
        return 0 if _is(a, 0) else Application(DIV, (a, b))

    def __pow__(a, b):
        return a if _is(b, 1) else Application(POW, (a, b))

    def __rpow__(b, a):
        return Application(POW, (a, b))

    def __neg__(a):
        return a.args[0] if isinstance(a, Application) and a.head is NEG else Application(NEG, (a,))

    def __pos__(a):
        return a

    def __lt__(a, b):
        return Application(LT, (a, b))

    def __le__(a, b):
        return Application(LE, (a, b))

    def __gt__(a, b):
        return Application(GT, (a, b))

    def __ge__(a, b):
        return Application(GE, (a, b))

    def __eq__(a, b):
        return Application(EQ, (a, b))

    __hash__ = object.__hash__

    def __abs__(a):
        raise TypeError(f"write abs from scalargrad for |{a}|: Python's own abs wants a number")

    def __bool__(self):
        raise BranchOnSymbol(
            f"whether {self} holds is not known here: a formula is made once, for all numbers; "
            "use where(condition, a, b), relu, maximum or clamp instead of a Python branch"
        )

    def __float__(self):
        raise BranchOnSymbol(f"{self} has no number here: use scalargrad's functions (scalargrad.exp), not those of math")

    def __str__(self):
        return render(self, TEXT)

    def __repr__(self):
        return f"<{self}>"

    @staticmethod
    def __apply__(row, args):
        return row.written(*args)


class Name(Symbol):
    """A variable by name."""

    __slots__ = ("name",)

    def __init__(self, name):
        self.name, self.size = name, 1

    def written(self, notation):
        return notation.name(self.name)


class Ratio(Symbol):
    """dz/dx (the total derivative, d="d") or ∂y/∂x (the partial, d="∂"), not yet worked out."""

    __slots__ = ("d", "top", "bottom")

    def __init__(self, d, top, bottom):
        self.d, self.top, self.bottom, self.size = d, top, bottom, 1

    def written(self, notation):
        return notation.ratio(self)


class Application(Symbol):
    """An operator or a row of the table, applied to formulas and numbers."""

    __slots__ = ("head", "args")

    def __init__(self, head, args):
        self.head, self.args = head, args
        self.size = sum(a.size if isinstance(a, Symbol) else 1 for a in args)


def fold(formula, leaf, apply):
    """Work a formula out from its leaves: `leaf(x)` of a name, ratio or number, `apply(head, parts)` above; each part once."""
    done, stack = {}, [formula]
    while stack:
        e = stack[-1]
        if id(e) in done:
            stack.pop()
        elif not isinstance(e, Application):
            done[id(e)] = leaf(e)
        elif missing := [a for a in e.args if id(a) not in done]:
            stack.extend(reversed(missing))
        else:
            done[id(e)] = apply(e.head, [done[id(a)] for a in e.args])
    return done[id(formula)]


def settled(formula, values):
    """`formula` as it stands at `values`: each `where` is the side that holds there, so what is read is what is computed."""

    def apply(head, parts):
        if isinstance(head, Operator):
            return WRITTEN[head](*parts)
        if head.name == "where":
            return parts[1] if evaluate(parts[0], values) else parts[2]
        return Application(head, tuple(parts))

    return fold(formula, lambda x: x, apply)


def evaluate(formula, values):
    """The number that a formula stands for, where `values` maps names to numbers; it never raises for a pole."""
    return fold(
        formula,
        lambda x: values[x.name] if isinstance(x, Name) else x,
        lambda head, parts: head.function(*parts) if isinstance(head, Operator) else head(*parts),
    )


# Writing formulas down. Each part is carried with its level, so brackets stand only where they are needed.


class Text:
    """Python: what is printed can be evaluated again."""

    product, minus, fraction_bar, raised = "*", "-", False, False
    regroups = False  # a + (b + c) keeps its brackets: Python adds in the order written

    def name(self, name):
        return name

    def number(self, value):
        if type(value) is float and not math.isfinite(value):
            return f"float('{value}')"
        try:
            return repr(value)
        except ValueError:  # Python writes no whole number of more than 4,300 digits
            return short(value)

    def ratio(self, r):
        return f"{r.d}{r.top}/{r.d}{r.bottom}"

    def indexed(self, letter, names, number=None):
        """A letter with names below it, such as G_BC, and a number if there are several; with commas where a name is long."""
        return f"{letter}_{self.index(names, number)}"

    def index(self, names, number):
        between = "" if are_letters(names) else ","
        return between.join(map(self.name, names)) + (f",{number}" if number else "")

    def array(self, rows):
        """The numbers of an array of one or two axes, row by row."""
        if type(rows) is not list:
            return self.number(rows)
        return f"[{', '.join(map(self.array, rows))}]"

    def words(self, text):
        """What stands in a formula as it is."""
        return text

    def phrase(self, parts):
        return "".join(parts)

    def brackets(self, part):
        return f"({part})"

    def infix(self, op, a, b):
        sign = self.product if op is MUL else op.sign
        return f"{a} {sign} {b}" if op.level < PRODUCT else f"{a}{sign}{b}"

    def negative(self, a):
        return self.minus + a

    def call(self, name, parts):
        return f"{name}({', '.join(parts)})"


class Pretty(Text):
    """Unicode, for terminals and diagrams: x₁ + 2·x₄, x₄²."""

    product, minus, regroups = "·", "\N{MINUS SIGN}", True

    def name(self, name):
        base, index = split_name(name)
        return base + index.translate(SUBSCRIPTS)

    def number(self, value):
        return short(value).replace("-", self.minus)

    def ratio(self, r):
        return f"{r.d}{self.name(r.top)}/{r.d}{self.name(r.bottom)}"

    def infix(self, op, a, b):
        if op is POW and b.isdigit():
            return a + b.translate(SUPERSCRIPTS)
        if op is SUB:
            return f"{a} {self.minus} {b}"
        return super().infix(op, a, b)


class Latex(Text):
    """LaTeX, as the tutorial prints its formulas."""

    fraction_bar, raised, regroups = True, True, True
    signs = {"<=": r"\le", ">=": r"\ge", "==": "="}

    def name(self, name):
        base, index = split_name(name)
        base = base if len(base) == 1 else rf"\mathrm{{{base}}}".replace("_", r"\_")
        return base + (f"_{index}" if len(index) == 1 else f"_{{{index}}}" if index else "")

    def number(self, value):
        if isinstance(value, Fraction) and value.denominator != 1:
            return rf"\frac{{{value.numerator}}}{{{value.denominator}}}"
        return short(value).replace("inf", r"\infty")

    def ratio(self, r):
        d = r"\partial " if r.d == "∂" else "d"
        return rf"\frac{{{d}{self.name(r.top)}}}{{{d}{self.name(r.bottom)}}}"

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


class MathML(Text):
    """MathML Core, for pages; wrap it in <math>."""

    fraction_bar, raised, regroups = True, True, True
    signs = {"-": "\N{MINUS SIGN}", "*": "·", "<": "&lt;", ">": "&gt;", "<=": "≤", ">=": "≥", "==": "="}

    def name(self, name):
        base, index = split_name(name)
        base = f"<mi>{escape(base)}</mi>"
        return f"<msub>{base}<mn>{index}</mn></msub>" if index else base

    def number(self, value):
        written = short(abs(value) if value == value else value).replace("-", self.signs["-"])
        return f"<mrow><mo>{self.signs['-']}</mo><mn>{written}</mn></mrow>" if value < 0 else f"<mn>{written}</mn>"

    def ratio(self, r):
        d = f"<mi>{r.d}</mi>"
        return f"<mfrac><mrow>{d}{self.name(r.top)}</mrow><mrow>{d}{self.name(r.bottom)}</mrow></mfrac>"

    def indexed(self, letter, names, number=None):
        comma = "<mo>,</mo>"
        below = ("" if are_letters(names) else comma).join(map(self.name, names)) + (f"{comma}<mn>{number}</mn>" if number else "")
        return f"<msub><mi>{letter}</mi><mrow>{below}</mrow></msub>"

    def array(self, rows):
        cells = [[f"<mtd>{self.number(n)}</mtd>" for n in row] for row in (rows if rows and type(rows[0]) is list else [rows])]
        table = "".join(f"<mtr>{''.join(row)}</mtr>" for row in cells)
        return f"<mrow><mo>[</mo><mtable>{table}</mtable><mo>]</mo></mrow>"

    def words(self, text):
        return f"<mtext>{escape(text)}</mtext>"

    def phrase(self, parts):
        return f"<mrow>{''.join(parts)}</mrow>"

    def brackets(self, part):
        grow = "" if "<mfrac>" in part or "<mtable>" in part else ' stretchy="false"'
        return f"<mrow><mo{grow}>(</mo>{part}<mo{grow}>)</mo></mrow>"

    def infix(self, op, a, b):
        if op is POW:
            indexed = re.fullmatch("<msub>((?:(?!<msub>).)*)</msub>", a)
            return f"<msubsup>{indexed[1]}{b}</msubsup>" if indexed else f"<msup>{a}{b}</msup>"
        if op is DIV:
            return f"<mfrac>{a}{b}</mfrac>"
        if op is MUL and re.fullmatch(r"<mn>(?!1<)\d+</mn>", a) and re.match("(<(msub|msup|msubsup|mrow)>)*<mi>", b):
            return f"<mrow>{a}{b}</mrow>"
        return f"<mrow>{a}<mo>{self.signs.get(op.sign, op.sign)}</mo>{b}</mrow>"

    def negative(self, a):
        return f"<mrow><mo>{self.signs['-']}</mo>{a}</mrow>"

    def call(self, name, parts):
        return f"<mrow><mi>{escape(name)}</mi>{self.brackets('<mo>,</mo>'.join(parts))}</mrow>"


TEXT, PRETTY, LATEX, MATHML = Text(), Pretty(), Latex(), MathML()

SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def render(formula, notation=TEXT):
    """A formula (or a plain number) written in one of TEXT, PRETTY, LATEX, MATHML."""

    def leaf(x):
        if isinstance(x, Symbol):
            return x.written(notation), x.level
        if hasattr(x, "tolist"):
            if x.shape:
                return (notation.array(x.tolist()) if shown_in_full(x.shape) else notation.words(in_short(x))), ATOM
            x = x.tolist()
        if isinstance(x, bool):
            x = int(x)
        negative = x < 0
        broken = isinstance(x, Fraction) and x.denominator != 1 and notation is PRETTY
        return notation.number(x), MINUS if negative else PRODUCT if broken else ATOM

    def apply(head, parts):
        if not isinstance(head, Operator):
            return notation.call(head.name, [text for text, _ in parts]), ATOM
        grouped = (head is DIV and notation.fraction_bar, head is DIV and notation.fraction_bar)
        if head is POW:
            grouped = (False, notation.raised)
        shown = [
            text if free or level >= needed else notation.brackets(text)
            for (text, level), needed, free in zip(parts, _needed(head, notation.regroups), grouped)
        ]
        return (notation.negative(*shown) if head is NEG else notation.infix(head, *shown)), head.level

    return fold(formula, leaf, apply)[0]


def _needed(op, regroups):
    """The level from which each operand of `op` stands without brackets, as in Python's grammar (or in mathematics)."""
    if op is NEG:
        return (MINUS,)
    if op is POW:
        return (ATOM, MINUS)
    if regroups and op in (ADD, MUL):
        return (op.level, op.level)
    return (op.level + (op.level == COMPARISON), op.level + 1)


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


def in_short(array):
    """The shape and the range of an array: 64×10, −0.12 to 0.3."""
    shape = shape_text(array.shape)
    if 0 in array.shape:
        return shape
    low, high = (PRETTY.number(float(format(n, ".3g"))) for n in (array.min().tolist(), array.max().tolist()))
    return f"{shape}, {low} to {high}" if low != high else f"{shape}, all {low}"


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
