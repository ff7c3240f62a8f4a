"""Which variables of a graph of tensors are boxes of its picture, and which functions may be those of one line of a loop.

As for numbers, an unnamed variable belongs to its child's formula, as far as that stays short. But a statement has one heavy function at
most, such as a product of matrices or a convolution, so that every shape that matters is that of a box.
"""

import re
from math import inf

from scalargrad.formulas.symbols import render
from scalargrad.statements.boxes import LONGEST_NAME
from scalargrad.statements.statement import MEASURE, inside
from tensorgrad.inspection import formulas
from tensorgrad.inspection.forward_values import are_small, arguments_of, forward_values, is_lost
from tensorgrad.node import Node
from tensorgrad.rule import Rule
from tensorgrad.rules.elementwise_rule import Elementwise, VariadicElementwise
from tensorgrad.rules.variadic import VariadicRule
from tensorgrad.statements.statement import RULES, is_light, only_adds_axes, operation_formula

PLAIN_ARRAY = re.compile(r"\[[-−\d.,…\[\] e+]*\]|array [\d×(,)]+")
MOST, LONGEST = 6, 40  # functions and characters of a formula
OURS = RULES, "tensorgrad.functions."
RUNNING = {"batch_norm", "batch_norm_relu"}  # to compute them again would change the statistics of all batches


class Boxes:
    """The search for the boxes of a graph of tensors. It goes from the inputs to z, so a formula grows until it is too long."""

    def __init__(self, graph, wishes):
        self.wishes = wishes
        arrays = forward_values(graph.variables)
        self.child = {x: edges[0].child for x, edges in graph.children.items() if len(edges) == 1}  # of a variable with one use
        self.found = {v for v in graph.variables if self.stands_alone(v)}
        small = are_small(graph.variables)
        self.kept = {y for y in graph.variables if y.inputs and not (small and can_be_repeated(y, arrays))}
        for y in self.kept:
            self.found.update((y, *y.inputs))
        for y in graph.variables:
            if y.inputs:
                self.keep_short(y)

    def stands_alone(self, v):
        """Return whether v is a box, whatever its child's formula is."""
        child = self.child.get(v)
        return child is None or not v.inputs or v.scope != child.scope or self.wishes[v] is not None

    def keep_short(self, y):
        """Make boxes of arguments, the heaviest first and all of its shape, until the formula of y is short."""
        while self.is_long(y):
            outermost, parts = y, self.parts(y)
            while len(parts) == 1 and len(set(outermost.inputs)) == 1 and is_light(outermost.rule):  # look through it
                outermost, parts = parts[0], self.parts(parts[0])
            if not parts:
                return
            heaviest = self.shape(max(parts, key=self.size))
            self.found.update(x for x in parts if self.shape(x) == heaviest)

    def parts(self, y):
        """Return the arrays without a box that y is computed from. A vector stands in place of the column that matmul makes of it."""
        return [x for x in dict.fromkeys(map(self.of_program, y.inputs)) if x not in self.found]

    def of_program(self, x):
        """Return x without the axes of length 1 that it only adds to another variable."""
        while x.inputs and x not in self.found and only_adds_axes(x) and len(x.shape) > len(x.inputs[0].shape):
            x = x.inputs[0]
        return x

    def is_long(self, y):
        heavy, many, characters = self.size(y)
        return heavy > 1 or many > MOST or characters > LONGEST

    def size(self, y):
        """Return the numbers of heavy functions, of functions and of characters of y's formula."""
        operations, inputs = inside(y, self.found)
        heavy = sum(not is_light(v.rule) for v in operations)
        if heavy > 1 or len(operations) > MOST:
            return heavy, len(operations), inf
        name = lambda a: ((self.wishes.get(a) if isinstance(a, Node) else getattr(a, "name", None)) or "v1")[:LONGEST_NAME]
        symbol = lambda a: operation_formula(a, symbol) if isinstance(a, Node) and a in operations else name(a)
        return heavy, len(operations), length_of(formulas.as_symbol(operation_formula(y, symbol)))

    def shape(self, y):
        """Return what two formulas share if they are the same functions of other variables."""
        operations, _ = inside(y, self.found)
        place = {v: k for k, v in enumerate(operations)}
        return tuple((v.rule.name, tuple(place.get(x) for x in v.inputs)) for v in operations)


def length_of(formula):
    """Return the length of a formula in which each plain array counts as a name, so that the passes of a loop are equally long."""
    return len(PLAIN_ARRAY.sub("abc", render(formula, MEASURE)))


def can_be_repeated(y, arrays):
    """Return whether y's function is one of ours, has all that it took, and gives the same result whenever it is called."""
    ours = isinstance(y.rule, Elementwise | VariadicElementwise) or (
        type(y.rule) in (Rule, VariadicRule) and y.rule.forward.__module__.startswith(OURS)
    )
    arguments, options = arguments_of(y)
    return ours and y.rule.origin.name not in RUNNING and not is_lost((*arguments, *options), arrays)


def function_kind(y):
    """Return what the functions of two nodes share if a loop may have made them: all but the numbers that they take from outside.

    An index may be another in each pass, as t of x[t] is.
    """
    rule = y.rule.origin
    arguments = tuple("variable" if isinstance(a, Node) else kind_of(a) for a in y.arguments)
    options = tuple(kind_of(option) if name == "index" else usual_key(option) for name, option in zip(rule.option_names, y.options))
    return rule, y.shape, arguments, options


def kind_of(a):
    """Return the kind of a constant: its shape, or the kinds of its parts."""
    if isinstance(a, tuple | list):
        return tuple(map(kind_of, a))
    return type(a), getattr(a, "shape", ())


def usual_key(option):
    """Return an option as a key: itself, if it is plain."""
    if isinstance(option, tuple | list):
        return tuple(map(usual_key, option))
    return option if isinstance(option, int | float | str | None) else kind_of(option)
