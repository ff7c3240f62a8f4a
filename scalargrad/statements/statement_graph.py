"""The graph of statements of a graph of operations: a variable for each name of the program."""

from collections.abc import Mapping
from functools import cached_property

from scalargrad.callers import called_function
from scalargrad.fast.copying import fields, make
from scalargrad.fast.value import Value
from scalargrad.formulas.notations import Pretty
from scalargrad.formulas.text import look, primed, split_name
from scalargrad.graph import Graph, Variables, by_key, inputs_first
from scalargrad.messages.errors import brief, unknown_choice
from scalargrad.statements.boxes import boxes_of
from scalargrad.statements.loops import SCREEN, loops_of, named_alike, revealed
from scalargrad.statements.passes import passes_of
from scalargrad.statements.statement import Statement, inside
from scalargrad.user_names.local_names import Local
from scalargrad.user_names.names import name_all, wishes_of

DETAILS = ("statements", "operations")
FEW, MANY = 10, 3_000  # variables: all operations of a smaller or larger graph are shown
VERY_MANY, FOLDED = 30_000, 300  # but of a graph with up to so many, the statements, if its loops leave no more of them than this
MOST_LISTED = 10  # names in a message
AS_TYPED = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")  # h₁ of a picture is h1


class Statements:
    """A graph of which some variables are shown, the boxes. Each is a function of the nearest others, by a path of hidden operations.

    z            the variable that stands for z. It is an ordinary Value, whose function is a `Statement` or a row
    variable     {a box: the variable that stands for it}, inputs first; where nothing is hidden, that is the box itself
    names        {the variable that stands for a box: its name}
    called       {a box: its name}, also for boxes of hidden passes; `whole` is z itself
    loops        the loops of the graph, and `passes` {the variable that stands for a box: the Passes that it shows}
    """

    def __init__(self, boxes, called, loops=()):
        self.variable, self.names, self.passes, shown = {}, {}, {}, set(boxes)
        self.whole, self.called, self.loops = boxes[-1], called, loops
        for y in boxes:
            operations, _ = inside(y, shown)
            times, passes = passes_of(operations, loops) if y.inputs else (1, None)
            there = self.variable[y] = self.standing_for(y, shown, called[y], times)
            self.names[there] = called[y]
            if passes:
                self.passes[there] = passes
        self.z = self.variable[self.whole]

    @staticmethod
    def boxes_of(graph, wishes):
        """Return the boxes of a graph, inputs first, and its loops."""
        return fewest_boxes(graph, wishes)

    def standing_for(self, y, shown, name, times):
        """Return y as a function of the nearest shown variables."""
        operations, inputs = inside(y, shown)
        taken = [self.variable[x] for x in (inputs if len(operations) > 1 else y.inputs)]
        if len(operations) > 1:
            statement = Statement(operations, inputs, times)
            partials, rule = statement.recorded_partials(), statement
        elif all(there is x for there, x in zip(taken, y.inputs)):
            return y
        else:
            partials, rule = y.partials, y.rule
        data, grad, _, _, own, scope = fields(y)
        return make(type(y), [data, grad, partials, rule, own or Local(name), scope], tuple(taken))

    # A part of the graph alone

    def apart(self, y, total):
        """Return z of the graph of the operations of y's statement: y alone. `total` is dz/dy."""
        return y.rule.apart(self.names[y], [self.names[x] for x in y.inputs])

    def leaf(self, x):
        """Return a new leaf that holds what x does."""
        return Value(x.data, name=self.called[x], keep_grad=x.keep_grad)

    def alone(self, y, operations, inputs, there):
        """Return y, made again by operations from the variables that stand for `inputs` there."""
        if len(operations) == 1:
            rule, partials, inputs = y.rule, y.partials, y.inputs
        else:
            rule = Statement(operations, inputs)
            partials = rule.recorded_partials()
        return make(Value, [y.data, 0, partials, rule, self.called.get(y), ()], tuple(there[x] for x in inputs))

    def weighted_sum(self, terms):
        """Return the sum of variables, [(variable, its factor)], as one function; of a single variable that variable."""
        if len(terms) == 1:
            return terms[0][0]
        leaves = [Value(y.data) for y, _ in terms]
        total = terms[0][1] * leaves[0]
        for x, (_, factor) in zip(leaves[1:], terms[1:]):
            total = total - -factor * x if factor < 0 else total + factor * x
        statement = Statement(*inside(total, set(leaves)))
        inputs = tuple(y for y, _ in terms)
        return make(Value, [total.data, 0, statement.recorded_partials(), statement, primed(self.called[self.whole]), ()], inputs)

    @cached_property
    def totals(self):
        """{x: dz/dx} of all operations."""
        found = {self.whole: getattr(self.whole, "dz_dz", 1)}
        for y in reversed(inputs_first(self.whole)):
            for x, passed in zip(y.inputs, self.contributions(y, found[y])):
                found[x] = found[x] + passed if x in found else passed
        return found

    def contributions(self, y, total):
        """Return what y passes to each of its inputs. `total` is dz/dy."""
        return [total * partial for partial in y.partials]


def statements(z, names: Mapping | None = None, opened=()) -> Statements:
    """Return the graph of statements of z: a variable without a name is a part of its child's formula, as far as that stays short.

    Of a loop of four passes or more, the first and the last are shown, and between them a box for each variable that later passes need.
    Of a loop that hides too little so, or has three passes, only the first is shown if there are more than 12 boxes.
    z is a Value or a Graph. `names` maps variables to names, as for a trace. `opened` are boxes, or their names: of a statement the
    operations are shown, of a loop all passes, and of a variable that a hidden pass makes that pass. Raises ValueError for another name.

    >>> from scalargrad import Value, tanh
    >>> w, x, b = Value(0.5, name="w"), Value(2.0, name="x"), Value(-1.0, name="b")
    >>> h = tanh(w * x + b); h.name = "h"
    >>> found = statements(h); len(found.names), [x.name for x in found.z.inputs], found.z.partials
    (4, ['w', 'x', 'b'], (2.0, 0.5, 1.0))
    """
    graph = z if isinstance(z, Graph) else Graph(z)
    wishes = wishes_of(graph, names or {})
    kind = getattr(type(graph.z), "folded", Statements)  # tensors bring their own
    wishes |= named_alike(graph.variables, wishes)
    boxes, loops = kind.boxes_of(graph, wishes)
    called = name_all(Variables(graph.z, boxes), {v: wishes[v] for v in boxes if wishes[v]})
    hidden, everything = {v for loop in loops for v in loop.hidden}, set(boxes)
    inner: set = set()
    for y in named(opened, called):
        operations, _ = inside(y, everything - hidden) if y.inputs else ([], [])
        if y in hidden:
            hidden -= revealed(y, hidden, loops, everything)
        elif hidden.isdisjoint(operations):
            inner.update(operations)
        else:
            hidden.difference_update(*(loop.hidden for loop in loops if not loop.hidden.isdisjoint(operations)))
    for y in everything - hidden:
        taken = inside(y, everything)[1] if y.inputs else []
        if hidden.isdisjoint([x for x in taken if x.inputs]):  # y does not stand for several passes
            hidden.difference_update(taken)
    if not inner <= everything:  # the other boxes keep their names
        boxes = [v for v in graph.variables if v in everything or v in inner]
        called = name_all(Variables(graph.z, boxes), called)
    return kind([v for v in boxes if v not in hidden], called, loops)


def fewest_boxes(graph, wishes):
    """Return the boxes of a graph and its loops. A sum of many terms may be a loop, if this leaves at most five of six boxes."""
    boxes, unrolled = boxes_of(graph, wishes), boxes_of(graph, wishes, unrolled=True)
    loops, many = loops_of(boxes)
    longer, few = loops_of(unrolled, crowded=many > SCREEN)
    return (unrolled, longer) if few <= many * 5 / 6 else (boxes, loops)


def named(opened, names):
    """Return the boxes that `opened` lists, by themselves or by name; the name of a variable in a loop is that of all its boxes."""
    several = opened if isinstance(opened, list | tuple | set) else [opened]
    by_name = {look(name): [v] for v, name in names.items()}
    by_base = by_key((split_name(name)[0], v) for v, name in names.items() if v.inputs)
    for box in several:
        found = by_name.get(look(box.translate(AS_TYPED)), by_base.get(box)) if isinstance(box, str) else [box] * (box in names)
        if not found:
            known = ", ".join([Pretty().name(name) for v, name in names.items() if v.inputs][:MOST_LISTED])
            raise ValueError(f"{called_function()}: opened={brief(box)} is not a box of this graph; there are {known or 'none'}")
        yield from found


def shown_in(z, detail, names=None, opened=()):
    """Return the Statements that show the graph of z; None if its operations are shown.

    `detail` is "statements", "operations", or None: statements of a graph of Values that is neither small nor very large.
    A large one is shown in statements only if its loops leave few.
    """
    choose_detail(detail)
    graph = z if isinstance(z, Graph) else Graph(z)
    many, numbers = len(graph.variables), all(isinstance(v, Value) for v in graph.variables)
    if detail == "operations" or not (numbers or all(hasattr(v, "folded") for v in graph.variables)):
        return None
    if detail is None and not (FEW < many <= VERY_MANY and (numbers or not any(v.scope for v in graph.variables))):
        return None
    found = statements(graph, names, opened)
    return found if len(found.names) < (many if detail or many <= MANY else FOLDED) else None


def choose_detail(detail):
    if detail not in (None, *DETAILS):
        raise unknown_choice(called_function(), "detail", detail, DETAILS)
