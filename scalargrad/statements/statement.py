"""A statement: the operations of one line of a program as one function, h = tanh(w·x + b), with the interface of a row.

Its partials come from the chain rule inside it. This is exact for any set of variables that contains z: each variable of the set gets
the variables of the set that it is computed from, and ∂y/∂x is the sum over the paths from x to y on which no other variable of the
set stands. Then equation (1) holds in the graph of this set, with the same total derivatives as in the graph of operations.
"""

from collections import Counter
from collections.abc import Collection

from scalargrad import rules
from scalargrad.custom_function import Function
from scalargrad.fast.totals import total_derivatives
from scalargrad.fast.value import Value
from scalargrad.formulas.notations import Pretty
from scalargrad.formulas.simplified import exact, simplified
from scalargrad.formulas.symbols import Name, Symbol, render
from scalargrad.graph import inputs_first
from scalargrad.modes import recording
from scalargrad.numeric import Unknown
from scalargrad.rule import on_numbers
from scalargrad.statements.sums import begins_with_input, brief, is_sum, shapes_of, sum_of, summands

FEWEST = 3  # operations of a statement that a page opens
MOST, LONGEST = 10, 40  # operations and characters of a formula in which nothing is left out
LONGEST_PARTIAL = 60  # characters of the formula of a partial; a longer one is shown as a number alone
LONGEST_NAME = 5  # characters that a longer name counts as: its length is not the fault of the formula


class Measure(Pretty):
    """Unicode with short names, to measure the length of a formula."""

    def name(self, name):
        return super().name(name)[:LONGEST_NAME]


MEASURE = Measure()


def length(formula):
    """Return how many characters a formula takes on a page, with short names."""
    return len(render(formula, MEASURE))


class Statement(Function):
    """The function from `inputs` to y: `operations` are the variables that it makes one after the other, y the last.

    A leaf that is not among the inputs counts as a constant. `times` is the number of passes of a loop that it repeats, if it does.
    """

    name = "formula"

    def __init__(self, operations, inputs, times=1):
        self.operations, self.inputs, self.y, self.times = operations, inputs, operations[-1], times

    @property
    def opens(self):
        """Return whether a page shows the operations; the formula of a few says all."""
        return self.times == 1 and len(self.operations) >= FEWEST

    def f(self, *args):
        """Return y at other arguments: numbers, variables or formulas."""
        return self.all_at(args)[self.y]

    def all_at(self, args):
        """Return {variable: what it is at these arguments}, for the inputs and the operations."""
        known = dict(zip(self.inputs, args))
        for y in self.operations:
            known[y] = y.rule(*(known.get(x, x.data) for x in y.inputs))
        return known

    def evaluate(self, *numbers):
        return on_numbers(self.f, numbers)

    def apart(self, name, names):
        """Return y, made again by its operations from new variables with these names: its graph alone."""
        inputs = [Value(x.data, name=each, keep_grad=x.keep_grad) for x, each in zip(self.inputs, names)]
        with recording():
            y = self.f(*inputs)
        y.name = name
        return y

    def recorded_partials(self):
        """Return ∂y/∂x for each input, from the partials that the operations were made with."""
        totals = total_derivatives(self.y, leaves=self.inputs)
        return tuple([totals[x] for x in self.inputs])

    def partials_for(self, slots, args, y):
        if not any(isinstance(x, Unknown) for x in args):
            return super().partials_for(slots, args, y)
        known, totals = {**self.all_at(args), self.y: y}, {self.y: 1}
        for v in reversed(self.operations):
            symbols = v.rule.arguments([known.get(x, x.data) for x in v.inputs])
            if getattr(v.rule, "row", v.rule) is rules.div:
                symbols = [x if isinstance(x, Unknown) else exact(x) for x in symbols]  # so 1/3 remains a fraction
            for x, partial in zip(v.inputs, v.rule.partials_for(range(len(v.inputs)), symbols, known[v])):
                totals[x] = totals.get(x, 0) + totals[v] * partial
        return [totals[self.inputs[slot]] for slot in slots]

    def ways(self, slot, args):
        """Return what each operation that takes input `slot` contributes to ∂y/∂input, at these arguments: their sum is the partial."""
        known, totals, found = self.all_at(args), {self.y: 1}, []
        for v in reversed(self.operations):
            taken = v.rule.arguments([known.get(x, x.data) for x in v.inputs])
            for x, partial in zip(v.inputs, v.rule.partials_for(range(len(v.inputs)), taken, known[v])):
                if x is self.inputs[slot]:
                    found.append(totals[v] * partial)
                else:
                    totals[x] = totals.get(x, 0) + totals[v] * partial
        return found[::-1]

    def shown_partials(self, symbols, y):
        """Return the formulas of all partials as people write them; None for one that is too long."""
        if self.times > 1:
            return [None] * len(self.inputs)
        formulas = map(simplified, self.partials_for(range(len(self.inputs)), symbols, y))
        return [None if isinstance(partial, Symbol) and length(partial) > LONGEST_PARTIAL else partial for partial in formulas]

    def shown(self, *symbols):
        """Return the formula as people write it: a·x + … + c·z if it is a long sum of terms of one shape."""
        if self.times > 1:
            return Name(f"{self.times} more times")
        formula = self.f(*symbols)
        return formula if len(self.operations) <= MOST and length(formula) <= LONGEST else self.abbreviated(symbols)

    def abbreviated(self, symbols):
        known, shapes = dict(zip(self.inputs, symbols)), shapes_of(self.operations, {})
        uses = Counter(x for y in self.operations for x in y.inputs)
        within = {y.inputs[0] for y in self.operations if is_sum(y) and uses[y.inputs[0]] == 1 and begins_with_input(y)}
        at = lambda x: known.get(x, getattr(x, "data", x))
        for y in self.operations:
            if not is_sum(y):
                known[y] = y.rule(*map(at, y.inputs))
            elif y not in within:
                known[y] = sum_of([term and (term[0], at(term[1])) for term in brief(summands(y, known), shapes)])
        return known[self.y]

    def __reduce__(self):
        place = {v: i for i, v in enumerate(inputs_first(self.y))}
        return restored, (self.y, [place[v] for v in self.operations], [place[x] for x in self.inputs], self.times)


def restored(y, operations, inputs, times):
    """Return the statement of which a pickle holds y, and the places of its operations and inputs among y and its ancestors."""
    variables = inputs_first(y)
    return Statement([variables[i] for i in operations], [variables[i] for i in inputs], times)


def uses_by(y, counted: set):
    """Return [(x, how often y's function takes its input x)]; of a statement, how often its operations do.

    Statements may share operations, as those of a loop do. Those in `counted` are left out, and the others are added to it.
    """
    if not isinstance(y.rule, Statement):
        return [(x, 1) for x in y.inputs]
    new = [v for v in y.rule.operations if v not in counted]
    counted.update(new)
    taken = Counter(x for v in new for x in v.inputs)
    return [(there, taken[x]) for x, there in zip(y.rule.inputs, y.inputs)]


def inside(y, boxes: Collection):
    """Return the operations from the nearest of `boxes` to y, y the last, and these boxes, in the order in which the formula names them."""
    operations: list = []
    inputs: dict = {}
    done = {y}
    path, walks = [y], [iter(y.inputs)]
    while path:
        for x in walks[-1]:
            if x in boxes:
                inputs[x] = None
            elif x not in done and x.inputs:
                done.add(x)
                path.append(x)
                walks.append(iter(x.inputs))
                break
        else:
            operations.append(path.pop())
            walks.pop()
    return operations, list(inputs)
