"""Run the cells of a chapter, one after the other, as a notebook does. Does not need Jupyter."""

import ast
import linecache
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from typing import Any

from scalargrad.user_names.local_names import named

MOST_NAMED = 1000  # variables of a cell that get the names of the locals that hold them, as in a notebook


@dataclass
class Result:
    """What a cell printed, and the value of the expression on its last line, or None."""

    printed: str
    value: Any


class Program:
    """The names that the cells of a chapter have made so far.

    >>> program = Program("example")
    >>> program.run("x = 3\\nprint('hello')\\nx + 1")
    Result(printed='hello\\n', value=4)
    >>> program.evaluate("x * 2"), program.evaluate("'a, b'")
    ('6', 'a, b')
    >>> program.run("from scalargrad import Value\\nValue(2) * x").value
    Value(6)
    """

    def __init__(self, name):
        self.name, self.cells = name, 0
        self.names = {"__name__": "__main__"}

    def run(self, source, printed=None, file=None) -> Result:
        """Run a cell. It prints to `printed`, a text stream, or else to the result; errors call it `file`. Raises what the cell raises."""
        self.cells += 1
        file = file or f"<{self.name}, cell {self.cells}>"
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)  # for tracebacks, and for inspect
        tree = ast.parse(source, file)
        shows = tree.body and isinstance(tree.body[-1], ast.Expr) and not source.rstrip().endswith(";")  # which hides it in a notebook, too
        last = compile(ast.Expression(tree.body.pop().value), file, "eval") if shows else "None"
        kept = StringIO()
        with redirect_stdout(printed or kept), named(MOST_NAMED):
            exec(compile(tree, file, "exec"), self.names)
            return Result(value=eval(last, self.names), printed=kept.getvalue())  # no local of ours, from which it would get a name

    def evaluate(self, expression) -> str:
        """Return the value of an expression as running text: a string without quotes. Raises what the expression raises."""
        value = eval(expression, self.names)
        return value if isinstance(value, str) else repr(value)
