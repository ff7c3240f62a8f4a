"""Symbols: numbers without a value. The rows of the table, evaluated on symbols, give the formulas that we print.

Only 0·a, 1·a, a + 0, a**1 and a double minus are simplified, and nothing is reordered, so a formula keeps the form that its rule gave it.
A function that multiplies by 0 keeps its 0·a: every variable that it takes is in its formula.
A formula is a graph like any other (parts may be shared), so nothing here recurses.
"""

from fractions import Fraction
from functools import cache

from scalargrad.formulas.lost_entries import nested_lists
from scalargrad.formulas.notations import PRETTY, TEXT, in_short
from scalargrad.formulas.operators import ADD, ATOM, COMPARISON, DIV, EQ, GE, GT, LE, LT, MINUS, MUL, NEG, POW, PRODUCT, SUB, Operator
from scalargrad.formulas.rounding_error import is_lost
from scalargrad.formulas.text import shown_in_full
from scalargrad.numeric import Unknown

LONGEST_KNOWN = 2000  # characters of the text of a part
ZEROS = {"mul": MUL, "div": DIV}  # {name of a row: its operator} for those that give 0 for a number 0 beside a formula


class BranchOnSymbol(TypeError):
    """A Python branch depends on a number that is not known yet."""


def _is(x, number):
    return not isinstance(x, Symbol) and x == number


def applied(op):
    """Return an operator of two formulas as a method."""
    return lambda a, b: Application(op, (a, b))


class Symbol(Unknown):
    """A formula. `size` is its length in names and numbers; `written(notation)` is the text of a formula without parts."""

    __slots__ = ("size",)
    __array_ufunc__ = None
    level = ATOM

    # fmt: off
    def __add__(a, b):      return a if _is(b, 0) else Application(ADD, (a, b))
    def __radd__(b, a):     return b if _is(a, 0) else Application(ADD, (a, b))
    def __sub__(a, b):      return a if _is(b, 0) else Application(SUB, (a, b))
    def __rsub__(b, a):     return -b if _is(a, 0) else Application(SUB, (a, b))
    def __mul__(a, b):      return 0 if _is(b, 0) else a if _is(b, 1) else Application(MUL, (a, b))
    def __rmul__(b, a):     return 0 if _is(a, 0) else b if _is(a, 1) else Application(MUL, (a, b))
    def __truediv__(a, b):  return a if _is(b, 1) else Application(DIV, (a, b))
    def __rtruediv__(b, a): return 0 if _is(a, 0) else Application(DIV, (a, b))
    def __pow__(a, b):      return a if _is(b, 1) else Application(POW, (a, b))
    def __rpow__(b, a):     return Application(POW, (a, b))
    def __neg__(a):         return a.args[0] if isinstance(a, Application) and a.head is NEG else Application(NEG, (a,))
    def __pos__(a):         return a
    # fmt: on

    __lt__, __le__, __gt__, __ge__, __eq__ = map(applied, (LT, LE, GT, GE, EQ))
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
        return formula_of_row(row, args)


class Name(Symbol):
    """A variable by name."""

    __slots__ = ("name",)

    def __init__(self, name):
        self.name, self.size = name, 1

    def written(self, notation):
        return notation.name(self.name)


class Ratio(Symbol):
    """dz/dx (the total derivative, d="d") or ∂y/∂x (the partial, d="∂"), not yet computed."""

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


def formula_of_row(row, args):
    """Return the formula of a row (or of any function of the graph) of `args`: a·b for mul, sin(x) for sin, and also x·0: y takes x."""
    formula = row.written(*args) if row.written else Application(row, args)
    return formula if isinstance(formula, Symbol) or row.name not in ZEROS else Application(ZEROS[row.name], tuple(args))


def fold(formula, leaf, apply, known=()):
    """Evaluate a formula from its leaves up: `leaf(x)` for a name, ratio or number, `apply(head, parts)` above, once each.

    The result of a part is dropped after its last use. The texts of all beginnings of a long sum would take quadratic memory.
    `known` holds results of parts, {id of a part: (the part, its result)}.
    """
    if not isinstance(formula, Application):
        return leaf(formula)
    if id(formula) in known:
        return known[id(formula)][1]
    (order, uses), done = outermost_first(formula, known), {}
    for e in reversed(order):
        parts = []
        for a in e.args:
            if id(a) in known:
                parts.append(known[id(a)][1])
            elif isinstance(a, Application):
                uses[id(a)] -= 1
                parts.append(done[id(a)] if uses[id(a)] else done.pop(id(a)))
            else:
                parts.append(leaf(a))
        done[id(e)] = apply(e.head, parts)
    return done[id(formula)]


def outermost_first(formula, known=()):
    """Return the applications in a formula but those `known`, each after all that use it, and {id of one: how often it is used}."""
    found, uses, stack = [], {id(formula): 1}, [formula]
    while stack:
        found.append(stack.pop())
        for a in found[-1].args:
            if isinstance(a, Application) and id(a) not in known:
                uses[id(a)] = uses.get(id(a), 0) + 1
                if uses[id(a)] == 1:
                    stack.append(a)
    return found if len(found) == sum(uses.values()) else after_all_uses(formula, dict(uses), known), uses


def after_all_uses(formula, uses, known=()):
    """Return the same for a formula that shares parts. `uses` are counted down."""
    found, ready = [], [formula]
    while ready:
        found.append(ready.pop())
        for a in found[-1].args:
            if isinstance(a, Application) and id(a) not in known:
                uses[id(a)] -= 1
                if not uses[id(a)]:
                    ready.append(a)
    return found


def names_in(formula):
    """Return the names that a formula contains. A shared part is entered once."""
    found, stack, met = set(), [formula], set()
    while stack:
        e = stack.pop()
        if id(e) in met:
            continue
        met.add(id(e))
        if isinstance(e, Name):
            found.add(e.name)
        elif isinstance(e, Symbol):
            stack.extend(getattr(e, "args", getattr(e, "parts", ())))  # of an application, or of a formula among words
    return found


def settled(formula, values):
    """Return `formula` with each `where` replaced by the side that holds at `values`."""

    def apply(head, parts):
        if isinstance(head, Operator):
            return head.of_formulas(*parts)
        if head.name == "where":
            return parts[1] if evaluate(parts[0], values) else parts[2]
        return Application(head, tuple(parts))

    return fold(formula, lambda x: x, apply)


def evaluate(formula, values):
    """Return the value of a formula, where `values` maps names to numbers. It never raises at a pole."""
    return fold(
        formula,
        lambda x: values[x.name] if isinstance(x, Name) else x,
        lambda head, parts: head.function(*parts) if isinstance(head, Operator) else head(*parts),
    )


def render(formula, notation=TEXT, known=None):
    """Return the text of a formula (or of a plain number) in one of TEXT, PRETTY, LATEX, MATHML.

    Each part carries its level, so only necessary brackets are written. A dictionary `known` keeps the short parts for other formulas
    in the same notation: see `fold`.
    """
    if isinstance(formula, Name | Ratio):
        return formula.written(notation)
    if type(formula) is float:
        return notation.number(formula)

    def leaf(x):
        if isinstance(x, Symbol):
            return x.written(notation), x.level
        if hasattr(x, "tolist"):
            if x.shape:
                return (notation.array(nested_lists(x)) if shown_in_full(x.shape) else notation.words(in_short(x))), ATOM
            x = nested_lists(x)
        if isinstance(x, bool):
            x = int(x)
        negative = x < 0 and not is_lost(x)
        broken = notation is PRETTY and not isinstance(x, float) and isinstance(x, Fraction) and x.denominator != 1
        return notation.number(x), MINUS if negative else PRODUCT if broken else ATOM

    def apply(head, parts):
        if not isinstance(head, Operator):
            return notation.call(head.name, [text for text, _ in parts]), ATOM
        shown = []
        for (text, level), (needed, signed, apart) in zip(parts, _operands(head, notation)):
            loose = level < needed or (signed and notation.begins_with_minus(text))
            shown.append(notation.brackets(text) if loose and not apart else text)
        return (notation.negative(*shown) if head is NEG else notation.infix(head, *shown)), head.level

    if known is None:
        return fold(formula, leaf, apply)[0]
    found = fold(formula, leaf, apply, known)
    if isinstance(formula, Application) and len(found[0]) <= LONGEST_KNOWN:
        known[id(formula)] = formula, found
    return found[0]


@cache
def _operands(op, notation):
    """Return for each operand of `op` the lowest level that needs no brackets; whether a minus before it follows another sign,
    as in x·(−3), x + (−3), −(−3); and whether a bar or its height sets it apart, so that it needs no brackets.
    """
    bar = op is DIV and notation.fraction_bar
    signed = (op is NEG, op in (ADD, SUB, MUL, DIV))
    apart = (bar, bar or (op is POW and notation.raised))
    return list(zip(_needed(op, notation.regroups), signed, apart))


def _needed(op, regroups):
    """Return, for each operand of `op`, the lowest level that needs no brackets in Python's grammar (or in mathematics)."""
    if op is NEG:
        return (MINUS,)
    if op is POW:
        return (ATOM, MINUS)
    if regroups and op in (ADD, MUL):
        return (op.level, op.level)
    return (op.level + (op.level == COMPARISON), op.level + 1)
