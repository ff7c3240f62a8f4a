"""The graph of statements of a graph of tensors: a variable for each name of the program, and a part of it alone."""

from math import prod

import numpy as np

from scalargrad.formulas.symbols import Ratio
from scalargrad.formulas.text import primed
from scalargrad.graph import Graph, inputs_first
from scalargrad.modes import recording
from scalargrad.statements.loops import loops_of
from scalargrad.statements.statement import inside
from scalargrad.statements.statement_graph import Statements
from scalargrad.tracing.quantities import quantities
from scalargrad.user_names.names import name_all
from tensorgrad.inspection.forward_values import arguments_of, forward_values, restored
from tensorgrad.inspection.trace_values import Partial
from tensorgrad.modes import again
from tensorgrad.node import Node
from tensorgrad.statements.boxes import Boxes, function_kind
from tensorgrad.statements.statement import ArrayStatement
from tensorgrad.tensor import Tensor, constant, leaf
from tensorgrad.transformations.copying import fields, node, tensor


class ArrayStatements(Statements):
    """A graph of tensors of which some variables are shown. The others are within the functions of these."""

    def __init__(self, boxes, called, loops=()):
        nodes = inputs_first(boxes[-1])
        self.in_program, self.arrays = {v for v in nodes if v._tensor() is not None}, forward_values(nodes)
        self.tensors: dict = {}  # {a box: the tensor of the node that stands for it, which keeps its array}
        super().__init__(boxes, called, loops)

    @staticmethod
    def boxes_of(graph, wishes):
        """Return the boxes of a graph, inputs first, and its loops."""
        search = Boxes(graph, wishes)
        boxes = [v for v in graph.variables if v in search.found]
        return boxes, loops_of(boxes, kept=search.kept)[0]

    def standing_for(self, y, shown, name, times):
        """Return y as a function of the nearest shown variables."""
        operations, inputs = inside(y, shown)
        if len(operations) > 1:
            self.tensors[y] = self.applied(operations, inputs, [Tensor(self.arrays[x]) for x in inputs], times)
            there = self.tensors[y].node
            there.arguments = [*(self.variable[x] for x in inputs), *there.arguments[len(inputs) :]]
            there.edges = tuple([(there.arguments[slot], slot, saved) for _, slot, saved in there.edges])
            there.name, there.scope, there.keep_grad, there.grad = y.name, y.scope, y.keep_grad, y.grad
        elif all(self.variable[x] is x for x in y.inputs) and (y.data is not None or self.arrays[y] is None):
            return y
        else:
            arguments = [self.variable.get(a, a) if isinstance(a, Node) else a for a in y.arguments]
            edges = y.edges and tuple([(self.variable[x], slot, saved) for x, slot, saved in y.edges])
            there = node(fields(y), edges, arguments)
            if self.arrays[y] is not None:
                self.tensors[y] = tensor(self.arrays[y], None, there)
        return there

    def applied(self, operations, inputs, given, times=1):
        """Return the tensor that operations make of the tensors `given` for their inputs.

        `times` passes of a loop may be hidden; what they take is hidden, too.
        """
        constants = {id(c): c for v in operations for c in v.constants} if times == 1 else {}
        held = {id(x): constant(self.arrays[x]) for v in operations for x in v.inputs if not x.inputs and x not in inputs}
        return ArrayStatement(operations, [*inputs, *constants.values()], held, times).applied([*given, *constants.values()], ())

    def lifetimes(self):
        """Return when each array of both passes through all operations is made and freed. Raises RuntimeError for a released graph."""
        graph = Graph(self.whole)
        on = quantities(graph, name_all(graph, self.called))
        on.in_program, on.arrays = self.in_program, self.arrays  # the leaves of a function that was called have gone since then
        return on.lifetimes()

    # A part of the graph alone

    def apart(self, y, total):
        """Return z of the graph of the operations of y's statement: the sum of y's entries, each times its entry of `total`, dz/dy."""
        operations, inputs = y.rule.operations, [x for x in y.rule.inputs if isinstance(x, Node)]
        there = {x: self.leaf(x) for x in inputs}
        for v in operations:
            there[v] = self.alone(v, [v], v.inputs, there)
        return self.weighted_sum([(there[operations[-1]], total)])

    def leaf(self, x):
        return self.kept(leaf(self.arrays[x]), self.called[x], x.keep_grad)

    def alone(self, y, operations, inputs, there):
        with recording(), again():
            if len(operations) == 1:
                arguments, options = arguments_of(y)
                made = y.rule.applied([self.tensors[there[a]] if isinstance(a, Node) else a for a in arguments], options)
                made.node.arguments = [there[a] if isinstance(a, Node) else a for a in y.arguments]  # constants keep their names
            else:
                made = self.applied(operations, inputs, [self.tensors[there[x]] for x in inputs])
        return self.kept(made, self.called.get(y))

    def weighted_sum(self, terms):
        """Return the sum of the entries of variables, [(variable, its factors)], each times its factor; of a single number that number."""
        (y, factor), *others = terms
        if not others and prod(y.shape) == 1 and (factor == 1).all():
            return y
        z, factors = self.called[self.whole], [constant(np.asarray(factor)) for _, factor in terms]
        with recording():
            own = [leaf(self.tensors[y].data) for y, _ in terms]
            total = sum(((x * c).sum() for x, c in zip(own[1:], factors[1:])), start=(own[0] * factors[0]).sum())
            operations, inputs = inside(total.node, {x.node for x in own})
            formulas = {id(c): Ratio("d", z, y.name) for c, (y, _) in zip(factors, terms)}
            made = ArrayStatement(operations, inputs, symbols_of=formulas).applied([self.tensors[y] for y, _ in terms], ())
        return self.kept(made, primed(z))

    def kept(self, made, name, keep_grad=False):
        """Return the node of a tensor, with a name, and keep the tensor with its array."""
        made.node.name, made.node.keep_grad = name, keep_grad
        self.tensors[made.node] = made
        return made.node

    def contributions(self, y, total):
        held = restored(y, self.arrays) if y.released else y
        return [total * Partial(y, slot, held) for slot in range(len(y.inputs))]


Node.function_kind = property(function_kind)  # type: ignore[attr-defined]
Node.folded = ArrayStatements  # type: ignore[attr-defined]
