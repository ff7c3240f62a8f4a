"""A statement of arrays: the operations of one line of a program as one function, loss = mean((matmul(x, w) + b)²)."""

from math import prod
from typing import NamedTuple

from scalargrad.formulas.operators import ADD, DIV, NEG, SUB
from scalargrad.formulas.symbols import Application, Name, Ratio, Symbol, render
from scalargrad.statements.statement import length
from tensorgrad.inspection import formulas
from tensorgrad.inspection.forward_values import arguments_of
from tensorgrad.node import Node
from tensorgrad.rules.elementwise_rule import Elementwise, VariadicElementwise
from tensorgrad.transformations.custom_function import Function

FEWEST = 2  # operations of a statement that a page opens
LONGEST_PARTIAL = 72  # characters of the formula at an edge; of a longer one only the name G is written
RULES = "tensorgrad.rules."
SUMMED = ", summed along the repeated axes"
LIGHT = {"reductions", "shapes", "moving", "indexing", "joining"}  # files of rules that only sum, choose and move entries


class ArrayStatement(Function):
    """The function from `inputs`, which are nodes and then constant tensors, to the last of `operations`.

    `held` are constants that stand for leaves that are not among the inputs, {id of the leaf: tensor}. `times` is the number of passes of
    a loop that it repeats, if it does. `symbols_of` are the formulas of constants, {id: formula}.
    """

    def __init__(self, operations, inputs, held=None, times=1, symbols_of=None):
        self.operations, self.inputs, self.times = operations, inputs, times
        self.held, self.symbols_of = held or {}, symbols_of or {}
        super().__init__(self.forward)
        self.name = self.__name__ = called(operations)

    @property
    def opens(self):
        """Return whether a page shows the operations; an operation alone says all by its formula, and opens into its entries."""
        return self.times == 1 and sum(not only_adds_axes(v) for v in self.operations) >= FEWEST

    def forward(self, *own):
        known = self.held | dict(zip(map(id, self.inputs), own))
        for y in self.operations:
            arguments, options = arguments_of(y)
            known[id(y)] = y.rule.applied([known.get(id(a), a) for a in arguments], options)
        return known[id(self.operations[-1])]

    def symbols(self, y, name):
        """Return the function that gives for what an operation takes its name or formula; y is the node of this statement."""
        named = {id(x): name(there) for x, there in zip(self.inputs, y.arguments)} | {id(self.operations[-1]): name(y)} | self.symbols_of
        known: dict = {}

        def symbol(a):
            if id(a) in named:
                return named[id(a)]
            if id(a) not in known:
                known[id(a)] = operation_formula(a, symbol) if isinstance(a, Node) else name(a)
            return known[id(a)]

        return symbol

    def shown(self, y, name):
        """Return the formula of the whole statement."""
        if self.times > 1:
            return Name(f"{self.times} more times")
        return formulas.as_symbol(operation_formula(self.operations[-1], self.symbols(y, name)))

    def repeats(self, slot):
        """Return whether an operation repeats the entries of an input along an axis."""
        x = self.inputs[slot]
        return any(formulas.repeats(v, k) for v in self.operations for k, taken in enumerate(v.inputs) if taken is x)

    def shown_contribution(self, y, slot, name, z):
        """Return the formula of what y passes to its input `slot`, from the formulas of the operations; None if it is too long."""
        if self.times > 1:
            return None
        symbol, x = self.symbols(y, name), self.inputs[slot]
        totals = {id(self.operations[-1]): 1 if name(y) == z else Ratio("d", z, name(y))}
        for v in reversed(self.operations):
            for k, taken in enumerate(v.inputs):
                passed, before = passed_by(v, k, totals[id(v)], symbol, z), totals.get(id(taken))
                if formulas.repeats(v, k) and taken not in self.inputs:  # of an input the page says it beside the formula
                    passed = formulas.Phrase(formulas.bracketed(spread_out(passed)), SUMMED)
                totals[id(taken)] = passed if before is None else added(spread_out(before), spread_out(passed))
        found = spread_out(totals[id(x)])
        return found if length(found) <= LONGEST_PARTIAL else None


class Spread(NamedTuple):
    """The derivative of the entries of a sum or of a mean: each has `total`, divided by `many`."""

    total: object
    many: int

    @property
    def each(self):
        return self.total if self.many == 1 else Application(DIV, (self.total, self.many))


def spread_out(total):
    """Return a formula; of a Spread one that says that all entries have it."""
    if not isinstance(total, Spread):
        return total
    each = total.each if isinstance(total.each, Symbol) else render(total.each)
    return formulas.Phrase(each, ", repeated along the summed axes")


def passed_by(v, slot, total, symbol, z):
    """Return the formula of what an operation passes to an input: a Spread if it is the same for each entry. `total` is that of dz/dv."""
    if only_adds_axes(v) or is_whole(v):
        return total
    same = isinstance(total, Spread) or prod(v.shape) == 1
    if same and v.rule.origin.name in ("sum", "mean"):
        total, many = total if isinstance(total, Spread) else (total, 1)
        return Spread(total, many * (prod(v.inputs[0].shape) // prod(v.shape) if v.rule.origin.name == "mean" else 1))
    if not isinstance(v.rule, Elementwise | VariadicElementwise):
        return formulas.of_edge(v, slot, symbol, z, Ratio("d", z, z) if type(total) is int else spread_out(total))
    arguments, of_v = [formulas.argument_symbol(a, symbol) for a in v.arguments], formulas.as_symbol(symbol(v))
    partial = v.rule.row.partial(v.place(slot), arguments, of_v)
    if not isinstance(total, Spread):
        return formulas.times(total, partial)
    found = Spread(formulas.times(total.total, partial), total.many)
    large = [of_v, *(name for name, a in zip(arguments, v.arguments) if getattr(a, "shape", ()) == v.shape)]
    return found.each if contains(partial, large) else found


def contains(formula, parts):
    """Return whether one of these formulas, as an object, is a part of another."""
    stack = [formula]
    while stack:
        part = stack.pop()
        if any(part is other for other in parts):
            return True
        if isinstance(part, Symbol):
            stack.extend(getattr(part, "args", getattr(part, "parts", ())))
    return False


def added(total, passed):
    """Return the sum of two formulas; a - b for a + (-b)."""
    if isinstance(passed, Application) and passed.head is NEG:
        return Application(SUB, (total, *passed.args))
    return Application(ADD, (total, passed))


def called(operations):
    """Return the names of the heavy and of the last function of a statement: conv2d → relu."""
    seen = [v for v in operations if not only_adds_axes(v)] or operations
    heavy = [v for v in seen if not is_light(v.rule)]
    return " → ".join(dict.fromkeys(v.rule.name for v in (*heavy, seen[-1])))


def operation_formula(y, symbol):
    """Return the function of an operation as a formula. The axes of length 1 of a vector times a matrix are not in the program either."""
    return symbol(y.inputs[0]) if only_adds_axes(y) else formulas.function_formula(y, symbol)


def only_adds_axes(y):
    """Return whether y is its input with other axes of length 1."""
    kept = lambda shape: [n for n in shape if n != 1]
    return y.rule.origin.name == "reshape" and kept(y.shape) == kept(y.inputs[0].shape)


def is_whole(y):
    """Return whether y is all of its input under an index that only adds axes, w[:, None]."""
    index = y.options[0] if y.rule.name == "getitem" else 0
    whole = lambda part: part is None or part is Ellipsis or isinstance(part, slice) and part == slice(None)
    return all(map(whole, index if isinstance(index, tuple) else (index,)))


def is_light(rule):
    """Return whether a function only computes entry by entry, sums, chooses or moves entries."""
    if isinstance(rule, Elementwise | VariadicElementwise):
        return True
    return rule.forward.__module__.removeprefix(RULES) in LIGHT
