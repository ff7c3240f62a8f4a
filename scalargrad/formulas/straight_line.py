"""Straight-line code: one line per variable. A long formula is written in parts, and a part that it repeats only once.

Knows neither the functions around the lines nor their language: a notation writes the formulas.
"""

import keyword

from scalargrad import rules
from scalargrad.formulas.symbols import Application, Name, Symbol, formula_of_row, render
from scalargrad.rule import Row

MOST_SHARED = 5  # operations in a part that a long formula repeats
MOST_IN_A_LINE = 100  # operations in a formula; a longer one is written in parts, because Python limits nesting


class StraightLine:
    """The lines of one function. `taken` are the names that no part of a formula may have."""

    notation: object
    assignment = "{} = {}"

    def __init__(self, taken):
        self.taken = set(taken)
        self.known, self.parts = {}, 1  # {id: (formula, its short form, its number of operations)}; the number of the next part

    def line(self, name, formula):
        """Return the line that gives a formula a name."""
        return self.assignment.format(name, render(formula, self.notation))

    def in_parts(self, name, formula):
        """Return `formula` in a short form, and yield the lines that define its parts. A shared part is defined once."""
        shared = self.shared_parts(formula)
        stack = [formula]
        while stack:
            e = stack[-1]
            missing = [a for a in e.args if self.is_new(a)] if self.is_new(e) else []
            if missing:
                stack.extend(reversed(missing))
                continue
            stack.pop()
            if not self.is_new(e):
                continue
            found = [self.known.get(id(a), (a, a, 0)) for a in e.args]
            short = e if all(a is part for a, part, _ in found) else Application(e.head, tuple(part for _, part, _ in found))
            operations = 1 + sum(many for _, _, many in found)
            if (operations > MOST_IN_A_LINE or (operations > MOST_SHARED and id(e) in shared)) and e is not formula:
                part = Name(free(f"{name}_part{self.parts}", self.taken))
                self.parts += 1
                yield self.line(part.name, short)
                short, operations = part, 0
            self.known[id(e)] = e, short, operations  # keeping e keeps its id unique
        return self.known[id(formula)][1] if id(formula) in self.known else formula

    def shared_parts(self, formula):
        """Return the ids of the parts that a long formula contains several times. A short formula has none."""
        met, shared, stack = set(), set(), [formula] * (isinstance(formula, Symbol) and formula.size > MOST_IN_A_LINE)
        while stack:
            for a in getattr(stack.pop(), "args", ()):
                if self.is_new(a) and id(a) in met:
                    shared.add(id(a))
                elif self.is_new(a):
                    met.add(id(a))
                    stack.append(a)
        return shared

    def is_new(self, formula):
        return isinstance(formula, Application) and id(formula) not in self.known


def is_formula(row):
    """Return whether the value of a row is a formula in other rows; else Python's math computes it."""
    return isinstance(row, Row) and row.value.__module__ == rules.__name__


def spelled(rule, args):
    """Return a function as its row's formula, or as a call if Python's math computes it."""
    row = getattr(rule, "row", rule)
    return row.value(*args) if is_formula(row) else formula_of_row(row, args)


def free(name, taken):
    """Return a name that is valid in Python and not in `taken`, and add it there."""
    name = "".join(c if f"_{c}".isidentifier() else "_" for c in name)
    while name in taken or keyword.iskeyword(name) or not name.isidentifier():
        name = f"_{name}" if name[:1].isdigit() or not name else f"{name}_"
    taken.add(name)
    return name
