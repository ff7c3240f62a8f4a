"""Which variables of a graph are boxes of its picture. The others belong to the formula of the box that is computed from them.

A name of the program is a box, as y1 = x1 + x2 + x3 + x4 is in the tutorial. A variable without a name is a part of its child's
formula, as far as that stays short.
"""

import re
from math import inf

from scalargrad import rules
from scalargrad.formulas.symbols import Application, Name, outermost_first
from scalargrad.messages.anomaly import is_finite
from scalargrad.statements.statement import Statement, inside, length
from scalargrad.statements.sums import SUMS, is_sum, row_of, shapes_of, summands
from scalargrad.user_names.made_at import line_of

MOST, LONGEST = 6, 30  # operations and characters of a formula
MOST_IN_SUM, LONGEST_SUM = 10, 40  # the same for a sum of light terms
MOST_IN_LINE, LONGEST_LINE = 12, 52  # the same for what has a name: one line of the program, which a person has written to be read
LONGEST_NAME = 3  # characters that a longer name counts as
LONGEST_IN_LINE = 8  # the same in a line of the program
LIGHT = 2  # operations in a light term
MANY = 8  # terms of a sum
SYMMETRIC = {*SUMS, rules.mul, rules.maximum, rules.minimum, rules.max}  # functions whose arguments of one shape are alike


def boxes_of(graph, wishes, unrolled=False):
    """Return the variables of a graph that are boxes, inputs first. `wishes` are their names in the program, or None.

    A sum that a loop accumulates, or one of many terms, is one box; `unrolled`, each of its beginnings is one: a + b of a + b + c.
    """
    boxes = Boxes(graph, wishes, unrolled)
    return [v for v in graph.variables if v in boxes.found]


class Boxes:
    """The search for the boxes of a graph. It goes from the inputs to z, so a formula grows until it is too long."""

    def __init__(self, graph, wishes, unrolled):
        self.wishes, self.unrolled, self.numbers = wishes, unrolled, {}
        plain = {v: re.sub("[0-9]+", "1", wish or "v1") for v, wish in wishes.items()}  # formulas of one shape are equally long
        self.names = {v: Name(wish[:LONGEST_NAME]) for v, wish in plain.items()}
        self.whole_names = {v: Name(wish[:LONGEST_IN_LINE]) for v, wish in plain.items()}
        self.child = {x: edges[0].child for x, edges in graph.children.items() if len(edges) == 1}  # of a variable with one use
        self.found = {v for v in graph.variables if self.stands_alone(v)}
        if unrolled:
            self.found.update(y for y in graph.variables if y.inputs and self.continues(y) and self.is_one_of_many(y))
        for y in graph.variables:
            if not all(map(is_finite, (y.data, *y.partials))):
                self.found.update((y, *y.inputs))  # the chain rule within a box would be 0 · inf
        self.in_line: set = set()  # what a named box shows, and so is one line of the program
        several = any(y.inputs and y is not graph.z and wishes[y] is not None for y in self.found)
        for y in reversed(graph.variables if several else ()):  # else nothing of the chain rule would be seen
            if self.wishes[y] is not None if y in self.found else self.child[y] in self.in_line:
                self.in_line.add(y)
        for y in graph.variables:
            if y.inputs and not self.continues(y):
                self.keep_short(y)

    def stands_alone(self, v):
        """Return whether v is a box, whatever its child's formula is."""
        child = self.child.get(v)
        if child is None or not v.inputs or v.scope != child.scope:
            return True
        if self.wishes[v] is None:
            return False
        line = line_of(v) if (self.wishes[child] or "").endswith("]") else None
        into_item = line is not None and line == line_of(child)  # w.append(s) names the last s
        return self.unrolled or not is_sum(child) or not (self.wishes[v] == self.wishes[child] or into_item)  # s = s + t is one sum

    def continues(self, y):
        """Return whether y is the beginning of a longer sum, such as a + b in a + b + c."""
        return y not in self.found and is_sum(y) and is_sum(self.child[y]) and self.child[y].inputs[0] is y

    def is_one_of_many(self, y):
        """Return whether y is a beginning of a sum of many terms, or of one that a loop accumulates, s = s + t."""
        if self.wishes[y] is not None:
            return True
        while self.continues(y):
            y = self.child[y]
        return len(summands(y, self.found)) >= MANY

    def keep_short(self, y):
        """Make boxes of arguments, the heaviest first, until the formula of y is short. Arguments of one shape are alike."""
        while True:
            outermost, arguments = self.outermost(y)
            boxed = {self.shape(x) for x in arguments if x in self.found and x.inputs} if row_of(outermost) in SYMMETRIC else set()
            parts = self.parts(arguments)
            if boxed.isdisjoint(map(self.shape, parts)):
                several = is_sum(outermost) and len(arguments) > 1
                if not self.is_long(y, several and all(len(inside(x, self.found)[0]) <= LIGHT for x in parts)):
                    return
                if not parts and not several:  # a chain of functions of one argument: of a line, cut it in the middle
                    chain = inside(y, self.found)[0][:-1]
                    parts = chain[len(chain) // 2 if y in self.in_line else -1 :][:1]
                if not parts:
                    return  # a long sum of names, for example
                boxed = {self.shape(max(parts, key=self.size))}
            cut = [x for x in parts if self.shape(x) in boxed]
            if self.in_line.isdisjoint(cut):
                self.found.update(cut)
            for x in [x for x in cut if x in self.in_line]:  # first cut within them, as in what is not a line of the program
                self.in_line.remove(x)
                self.keep_short(x)

    def outermost(self, y):
        """Return the outermost function of y's formula that has several arguments, and these; of (a + b)/3 the sum, a and b."""
        while True:
            arguments = [x for _, x in summands(y, self.found) if hasattr(x, "inputs")] if is_sum(y) else y.inputs
            arguments = list(dict.fromkeys(arguments))
            if len(arguments) != 1 or not self.parts(arguments):
                return y, arguments
            y = arguments[0]

    def parts(self, variables):
        """Return those that are not boxes."""
        return [x for x in variables if x not in self.found]

    def is_long(self, y, light):
        """Return whether the formula of y is too long. A sum of light terms may be longer."""
        fits = lambda size, most: size[0] <= most[0] and size[1] <= most[1]
        if fits(self.size(y), (MOST_IN_SUM, LONGEST_SUM) if light else (MOST, LONGEST)):
            return False
        return y not in self.in_line or not fits(self.size(y, self.whole_names), (MOST_IN_LINE, LONGEST_LINE))

    def size(self, y, names=None):
        """Return the number of operations and of characters of y's formula as it is shown; inf if it cannot be written."""
        operations, inputs = inside(y, self.found)
        try:
            formula = Statement(operations, inputs).shown(*((names or self.names)[x] for x in inputs))
        except (TypeError, ValueError, AttributeError, ArithmeticError):
            return inf, inf
        return len(outermost_first(formula)[0]) if isinstance(formula, Application) else 0, length(formula)

    def shape(self, y):
        """Return a number that two formulas share if they are the same functions of other variables and constants."""
        return shapes_of(inside(y, self.found)[0], self.numbers)[y]
