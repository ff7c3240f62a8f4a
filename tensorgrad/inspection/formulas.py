"""The formulas of rules, with the names of a graph's variables: G_BC = Aᵀ dz/dC, C = matmul(A, B)."""

import re
from math import prod
from numbers import Number

import numpy as np

from scalargrad.formulas.notations import PRETTY
from scalargrad.formulas.operators import ATOM, SUM
from scalargrad.formulas.symbols import Application, Name, Ratio, Symbol, formula_of_row, render
from scalargrad.formulas.text import shape_text
from scalargrad.user_names.array_names import name_of_array
from scalargrad.user_names.made_at import written_as
from tensorgrad.arrays.windows import Window
from tensorgrad.node import Dropped, Node, there
from tensorgrad.rules.elementwise_rule import Elementwise, VariadicElementwise
from tensorgrad.rules.variadic import VariadicRule
from tensorgrad.tensor import Tensor

MOST_WRITTEN = 6  # entries of an array argument that is written in full
LONGEST_OPTION, LONGEST_ARRAY = 30, 18  # characters
TRANSPOSED = "ᵀ"
PHRASE = None  # the binding strength of words among words: they need brackets


class Contribution(Symbol):
    """G_XY, the contribution that y passes to its input x; numbered if several edges lead from x to y."""

    __slots__ = ("x", "y", "number")

    def __init__(self, x, y, number=None):
        self.x, self.y, self.number, self.size = x, y, number, 1

    def written(self, notation):
        return notation.indexed("G", (self.x, self.y), self.number)


class Phrase(Symbol):
    """Formulas and words in sequence: `dz/dC`, ` `, `B`, `ᵀ`."""

    __slots__ = ("parts",)

    def __init__(self, *parts):
        self.parts, self.size = parts, sum(part.size if isinstance(part, Symbol) else 1 for part in parts)

    @property
    def level(self):
        """The binding strength: that of a sum if a comma, a plus or a minus is among its words."""
        return SUM if re.search("[,;+−]| - ", "".join(part for part in self.parts if isinstance(part, str))) else ATOM

    def written(self, notation):
        return notation.phrase(render(part, notation) if isinstance(part, Symbol) else notation.words(part) for part in self.parts)


class Item(Symbol):
    """An array with an index, as Python writes it: x[1:, None]."""

    __slots__ = ("array", "index")

    def __init__(self, array, index):
        self.array, self.index, self.size = bracketed(array), index, array.size + 1

    @property
    def parts(self):
        return (self.array,)

    def written(self, notation):
        return notation.phrase((render(self.array, notation), notation.words(f"[{self.index}]")))


def of_edge(y, slot, name, z, upstream=None):
    """Return the right side of the rule's formula for edge number `slot` of y. `name` returns the name of a variable, or its formula.

    `upstream` is the formula of dz/dy; by default that is written as such.
    """
    rule, place = y.rule, y.place(slot)
    Y, arguments = as_symbol(name(y)), [argument_symbol(a, name) for a in y.arguments]
    if isinstance(rule, Elementwise | VariadicElementwise):
        return times(Ratio("d", z, render(Y)) if upstream is None else upstream, rule.row.partial(place, arguments, Y))
    if is_transpose(y):
        return transposed(Ratio("d", z, render(Y)) if upstream is None else upstream)
    inputs = [("xᵢ", arguments[place])] if isinstance(rule, VariadicRule) else zip(rule.input_names, arguments)
    known = {n: a for n, a in inputs if a is not None}  # a bias may be missing
    if rule.origin.name == "mean":
        known["n"] = prod(y.inputs[slot].shape) // max(prod(y.shape), 1)
    return renamed(rule.formula(place).partition("=")[2].strip(), known, Y, z, upstream)


def repeats(y, slot):
    """Return whether a function of single entries repeats those of an input along an axis: then its contributions are summed along it."""
    return isinstance(y.rule, Elementwise | VariadicElementwise) and y.inputs[slot].shape != y.shape


def times(upstream, partial):
    """Return the formula of upstream · partial."""
    if type(upstream) is int and upstream == 1:
        return partial
    G = bracketed(upstream) if isinstance(upstream, Phrase) else upstream
    return -G if type(partial) is int and partial == -1 else G * partial


def as_symbol(name):
    return name if isinstance(name, Symbol) else Name(name)


def bracketed(formula):
    """Return a part of a formula as it stands among words: in brackets unless nothing can bind tighter, so (h + b)ᵀ is not h + bᵀ."""
    if not isinstance(formula, Application | Phrase):  # a name, or an item of an array
        return formula
    level = getattr(formula.head, "level", ATOM) if isinstance(formula, Application) else PHRASE
    return formula if level == ATOM else Phrase("(", formula, ")")


def renamed(formula, known, y, z, upstream=None):
    """Return a rule's formula with the names of a graph, for its inputs (`known`), its output (y), and dz/d of each.

    >>> from scalargrad.formulas.notations import PRETTY
    >>> render(renamed("dz/dC Bᵀ", {"A": Name("X"), "B": Name("W1")}, Name("H"), "loss"), PRETTY)
    'd loss/dH W₁ᵀ'
    """
    words = "|".join(sorted(map(re.escape, {*known, "y"}), key=len, reverse=True))
    parts, at = [], 0
    for found in re.finditer(f"(?<![A-Za-z0-9_])(?:dz/d(?P<below>[A-Za-z]+ᵢ?)|(?P<name>{words})(?![A-Za-z0-9_\u0302]))", formula):
        new = known.get(found["below"] or found["name"], y)
        if found["name"] == "a" and re.match(" [a-z]{2}", formula[found.end() :]):
            continue  # the article "a"
        total = Ratio("d", z, render(new)) if upstream is None else upstream
        part, at_end = total if found["below"] else new, found.end()
        if is_transposed(part) and formula[at_end:].startswith(TRANSPOSED):  # (Aᵀ)ᵀ is A
            part, at_end = part.parts[0], at_end + 1
        parts += [formula[at : found.start()], bracketed(part)]
        at = at_end
    parts = [part if isinstance(part, Symbol | str) else render(part) for part in (*parts, formula[at:])]
    return Phrase(*[part for part in parts if isinstance(part, Symbol) or part])


def function_formula(y, name):
    """Return y's function as a formula: that of its row, or a call with the options that differ from the defaults."""
    rule, arguments = y.rule, [argument_symbol(a, name) for a in y.arguments]
    if (called := written_as(y)) and not is_transpose(y):
        return as_called(called, rule, arguments, options_of(y))
    if isinstance(rule, Elementwise | VariadicElementwise):
        usual = rule.row.option_of  # users call clamp, with total=True, and not clamp_open
        return Application(rule.under(usual), arguments) if usual else formula_of_row(rule.row, arguments)
    if is_transpose(y):
        return transposed(arguments[0])
    if rule.name == "getitem" and isinstance(arguments[0], Symbol):
        return Item(arguments[0], index_text(y.options[0]))
    return Application(rule, (*[a for a in arguments if a is not None], *options_of(y)))


def options_of(y):
    """Return the options of y's function as a call writes them: those that differ from the defaults."""
    rule = y.rule
    if isinstance(rule, Elementwise | VariadicElementwise):
        return []
    given = zip(rule.option_names, y.options, rule.defaults)
    shown = [option for option in given if rule.parameters is None or option[0] in rule.parameters]
    return [Phrase(text) for option in shown for text in option_texts(*option)]


def as_called(called, rule, arguments, options):
    """Return a call as the program writes its function: F.softmax(att), or att.view(shape=(2, 2)) if that is ".view"."""
    given = [a for a in arguments if a is not None]
    if not called.startswith("."):
        return Application(rule.under(called), (*given, *options))
    first, *others = given
    call = Application(rule.under(called[1:]), (*others, *options))
    return Phrase(bracketed(as_symbol(first) if isinstance(first, str) else first), ".", call)


def argument_symbol(a, name):
    """Return an argument as formulas write it: a tensor by its name, a small array in full, a number as it is."""
    a = there(a)
    if isinstance(a, Node | Tensor):
        return as_symbol(name(a))
    if type(a) is Dropped:
        return Name(a.name) if a.name else Phrase("…" if a.shape is None else f"array {shape_text(a.shape)}")
    if not isinstance(a, np.ndarray):
        return a if a is None or isinstance(a, Number) else Phrase(option_text(a))
    if not a.shape:
        return a.item()
    if known := name_of_array(a):
        return transposed(Name(known.removesuffix(TRANSPOSED))) if known.endswith(TRANSPOSED) else Name(known)
    return Name(array_text(a)) if 0 < a.size <= MOST_WRITTEN and a.ndim < 3 else Phrase(f"array {shape_text(a.shape)}")


def array_text(a):
    """Return a small array as Python writes it; of a long one its beginning.

    >>> array_text(np.array([1.5, -2.0])), array_text(np.array([[0.125, 0.25, 0.375], [1, 2, 3]]))
    ('[1.5, −2]', '[[0.125, …], …]')
    """
    if len(text := PRETTY.array(a.tolist())) <= LONGEST_ARRAY:
        return text
    numbers = [PRETTY.array(x) for x in (a if a.ndim == 1 else a[0]).tolist()]
    few = next((k for k in range(len(numbers), 1, -1) if len(", ".join(numbers[:k])) <= LONGEST_ARRAY - 8), 1)
    begin = f"[{', '.join([*numbers[:few], *['…'] * (few < len(numbers))])}]"
    return begin if a.ndim == 1 else f"[{begin}, …]"


def is_transpose(y):
    """Return whether y is the transpose of a matrix, or of each matrix in a stack."""
    n = len(y.shape)
    if y.rule.origin.name == "swapaxes":
        return n > 1 and {axis % n for axis in y.options} == {n - 1, n - 2}
    return y.rule.origin.name == "transpose" and n == 2 and y.options[0] in (None, (1, 0))


def transposed(formula):
    return formula.parts[0] if is_transposed(formula) else Phrase(bracketed(formula), TRANSPOSED)


def is_transposed(formula):
    return isinstance(formula, Phrase) and len(formula.parts) == 2 and formula.parts[1] is TRANSPOSED


def index_text(index):
    """Return an index as Python writes it; an ellipsis for each array in a long one."""
    parts = index if isinstance(index, tuple) else (index,)
    texts = list(map(option_text, parts))
    if len(", ".join(texts)) > LONGEST_OPTION:
        texts = ["…" if isinstance(part, np.ndarray | list) else text for part, text in zip(parts, texts)]
    return ", ".join(texts)


def option_texts(name, value, usual):
    """Return an option as a call writes it, [] if it has its default value. A window is written as the options that it was made of."""
    if isinstance(value, Window):
        given = [("kernel_size", value.kernel, None), ("padding", value.padding, 0), ("dilation", value.dilation, 1)]
        given[1:1] = [("stride", value.stride, None)] * (value.stride != value.kernel)
        return [text for part in given for text in option_texts(*part)]
    number = repeated(value) if type(usual) is int or name in ("kernel_size", "stride") else None
    if is_default(value, usual) or (number is not None and number == usual):
        return []
    return [f"{name}={option_text(value if number is None else number)}"]


def repeated(value):
    """Return the integer that all pairs of a setting repeat, 1 of ((1, 1), (1, 1)) and of (1, 1); None of anything else."""
    found = [value] if isinstance(value, tuple) else []
    while found and all(isinstance(part, tuple) for part in found):
        found = [entry for part in found for entry in part]
    return found[0] if found and all(type(n) is int and n == found[0] for n in found) else None


def is_default(value, usual):
    return value is usual or (type(value) is type(usual) and not isinstance(value, np.ndarray | tuple | list) and value == usual)


def option_text(value):
    """Return an option as Python writes it, shortened if it is long; an index as in x[1:, None]."""
    if isinstance(value, slice):
        start, stop, step = ("" if n is None else str(n) for n in (value.start, value.stop, value.step))
        return f"{start}:{stop}:{step}" if step else f"{start}:{stop}"
    if isinstance(value, np.ndarray) and (known := name_of_array(value)):
        return known
    if isinstance(value, np.ndarray) and value.ndim and value.size <= MOST_WRITTEN:
        return str(value.tolist())
    if isinstance(value, np.ndarray):
        return f"array {shape_text(value.shape)}" if value.shape else str(value)
    if type(value) is Dropped:
        return "…" if value.shape is None else f"array {shape_text(value.shape)}"
    if value is Ellipsis:
        return "..."
    if isinstance(value, tuple):
        text = f"({', '.join(map(option_text, value))}{',' * (len(value) == 1)})"
    else:
        text = getattr(value, "__name__", None) or repr(value)
    return text if len(text) <= LONGEST_OPTION else f"{text[: LONGEST_OPTION - 2]} …"
