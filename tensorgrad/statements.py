"""Statements of arrays: a variable for each name of the program, such as loss = mean((matmul(x, w) + b)²).

As for numbers, an unnamed variable belongs to its child's formula, as far as that stays short. But a statement has one heavy function at
most, such as a product of matrices or a convolution, so that every shape that matters is that of a box.
"""

from math import inf

from scalargrad.formulas.operators import ADD, NEG, SUB
from scalargrad.formulas.symbols import Application, Ratio
from scalargrad.graph import inputs_first
from scalargrad.statements.boxes import LONGEST_NAME
from scalargrad.statements.statement import inside, length
from scalargrad.statements.statements import Statements
from tensorgrad.copying import fields, node, tensor
from tensorgrad.function import Function
from tensorgrad.inspection import formulas
from tensorgrad.inspection.forward_values import are_small, arguments_of, forward_values, is_lost
from tensorgrad.node import Node
from tensorgrad.rule import Rule
from tensorgrad.rules.elementwise_rule import Elementwise, VariadicElementwise
from tensorgrad.tensor import Tensor
from tensorgrad.variadic import VariadicRule

MOST, LONGEST = 6, 40  # functions and characters of a formula
LONGEST_PARTIAL = 48  # characters of the formula at an edge; of a longer one only the name G is written
RULES = "tensorgrad.rules."
OURS = RULES, "tensorgrad.functions."
LIGHT = {"reductions", "shapes", "moving", "indexing", "joining"}  # files of rules that only sum, choose and move entries
RUNNING = {"batch_norm", "batch_norm_relu"}  # to compute them again would change the statistics of all batches


class ArrayStatement(Function):
    """The function from `inputs`, which are nodes and then constant tensors, to the last of `operations`."""

    def __init__(self, operations, inputs):
        self.operations, self.inputs = operations, inputs
        super().__init__(self.forward)
        self.name = self.__name__ = called(operations)

    def forward(self, *own):
        known = dict(zip(map(id, self.inputs), own))
        for y in self.operations:
            arguments, options = arguments_of(y)
            known[id(y)] = y.rule.applied([known.get(id(a), a) for a in arguments], options)
        return known[id(self.operations[-1])]

    def symbols(self, y, name):
        """Return the function that gives for what an operation takes its name or formula; y is the node of this statement."""
        named = {id(x): name(there) for x, there in zip(self.inputs, y.arguments)} | {id(self.operations[-1]): name(y)}
        known: dict = {}

        def symbol(a):
            if id(a) in named:
                return named[id(a)]
            if id(a) not in known:
                known[id(a)] = written(a, symbol) if isinstance(a, Node) else name(a)
            return known[id(a)]

        return symbol

    def shown(self, y, name):
        """Return the formula of the whole statement."""
        return formulas.as_symbol(written(self.operations[-1], self.symbols(y, name)))

    def shown_contribution(self, y, slot, name, z):
        """Return the formula of what y passes to its input `slot`, from the formulas of the operations; None if it is too long."""
        symbol, x = self.symbols(y, name), self.inputs[slot]
        totals = {id(self.operations[-1]): Ratio("d", z, name(y))}
        for v in reversed(self.operations):
            for k, taken in enumerate(v.inputs):
                total = totals[id(v)]
                passed = total if only_adds_axes(v) else formulas.of_edge(v, k, symbol, z, total)
                before = totals.get(id(taken))
                totals[id(taken)] = passed if before is None else added(before, passed)
        return totals[id(x)] if length(totals[id(x)]) <= LONGEST_PARTIAL else None


class ArrayStatements(Statements):
    """A graph of tensors of which some variables are shown. The others are within the functions of these."""

    def __init__(self, boxes, called, loops=()):
        self.arrays = forward_values(inputs_first(boxes[-1]))
        self.tensors: dict = {}  # {a box: the tensor of the node that stands for it, which keeps its array}
        super().__init__(boxes, called, loops)

    @staticmethod
    def boxes_of(graph, wishes):
        """Return the boxes of a graph, inputs first, and its loops, which stay as they are."""
        found = Boxes(graph, wishes).found
        return [v for v in graph.variables if v in found], []

    def standing_for(self, y, shown, name, passes):
        """Return y as a function of the nearest shown variables."""
        operations, inputs = inside(y, shown)
        if len(operations) > 1:
            constants = {id(c): c for v in operations for c in v.constants}
            rule = ArrayStatement(operations, [*inputs, *constants.values()])
            self.tensors[y] = rule.applied([*(Tensor(self.arrays[x]) for x in inputs), *constants.values()], ())
            there = self.tensors[y].node
            there.arguments = [*(self.variable[x] for x in inputs), *constants.values()]
            there.edges = tuple([(there.arguments[slot], slot, saved) for _, slot, saved in there.edges])
            there.name, there.scope, there.keep_grad, there.grad = y.name, y.scope, y.keep_grad, y.grad
        elif all(self.variable[x] is x for x in y.inputs):
            return y
        else:
            arguments = [self.variable.get(a, a) if isinstance(a, Node) else a for a in y.arguments]
            edges = y.edges and tuple([(self.variable[x], slot, saved) for x, slot, saved in y.edges])
            there = node(fields(y), edges, arguments)
            if self.arrays[y] is not None:
                self.tensors[y] = tensor(self.arrays[y], None, there)
        return there


class Boxes:
    """The search for the boxes of a graph of tensors. It goes from the inputs to z, so a formula grows until it is too long."""

    def __init__(self, graph, wishes):
        self.wishes = wishes
        arrays = forward_values(graph.variables)
        self.child = {x: edges[0].child for x, edges in graph.children.items() if len(edges) == 1}  # of a variable with one use
        self.found = {v for v in graph.variables if self.stands_alone(v)}
        small = are_small(graph.variables)
        for y in graph.variables:
            if y.inputs and not (small and can_be_repeated(y, arrays)):
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
        symbol = lambda a: written(a, symbol) if isinstance(a, Node) and a in operations else name(a)
        return heavy, len(operations), length(formulas.as_symbol(written(y, symbol)))

    def shape(self, y):
        """Return what two formulas share if they are the same functions of other variables."""
        operations, _ = inside(y, self.found)
        place = {v: k for k, v in enumerate(operations)}
        return tuple((v.rule.name, tuple(place.get(x) for x in v.inputs)) for v in operations)


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


def written(y, symbol):
    """Return the function of an operation as a formula. The axes of length 1 of a vector times a matrix are not in the program either."""
    return symbol(y.inputs[0]) if only_adds_axes(y) else formulas.written(y, symbol)


def only_adds_axes(y):
    """Return whether y is its input with other axes of length 1."""
    kept = lambda shape: [n for n in shape if n != 1]
    return y.rule.origin.name == "reshape" and kept(y.shape) == kept(y.inputs[0].shape)


def can_be_repeated(y, arrays):
    """Return whether y's function is one of ours, has all that it took, and gives the same result whenever it is called."""
    ours = isinstance(y.rule, Elementwise | VariadicElementwise) or (
        type(y.rule) in (Rule, VariadicRule) and y.rule.forward.__module__.startswith(OURS)
    )
    arguments, options = arguments_of(y)
    return ours and y.rule.origin.name not in RUNNING and not is_lost((*arguments, *options), arrays)


def is_light(rule):
    """Return whether a function only computes entry by entry, sums, chooses or moves entries."""
    if isinstance(rule, Elementwise | VariadicElementwise):
        return True
    return rule.forward.__module__.removeprefix(RULES) in LIGHT


Node.folded = ArrayStatements  # type: ignore[attr-defined]
