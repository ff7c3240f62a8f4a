"""Read a text as a graph. It may use arithmetic and the functions of the table; nothing else is ever evaluated.

One expression, "x1*(x1 + x2) + x2**2", becomes one function per operation; a sum of three or more terms is one function. The results
of a small graph are named y1, y2, … and z. Several lines, "y = x1 + x2; z = x1*y", become one function per line, named as the line says.
"""

import ast
import keyword
import math
import os
import re
import warnings
from fractions import Fraction
from itertools import count

from scalargrad import Value, rules
from scalargrad.custom_function import Function
from scalargrad.statements.statement_graph import FEW
from tutorial.cli.shared.parser import Mistake, shortened

LONGEST = 10_000  # characters

OPERATORS = {ast.Add: rules.add, ast.Sub: rules.sub, ast.Mult: rules.mul, ast.Div: rules.div, ast.Pow: rules.pow}
FUNCTIONS = {row.name: row for row in rules.TABLE if row not in (rules.where, rules.sqrt_total, rules.clamp_open)}
CONSTANTS = {"pi": math.pi, "e": math.e}


class ExpressionError(Mistake):
    """The expression or its values are wrong. The message is one line that points at the place."""


def graph_of(text, values):
    """Return z as `text` defines it, at `values` = {name: number}. Raises ExpressionError, which points at what it cannot read.

    >>> z = graph_of("x1*(x1 + x2) + x2**2", {"x1": 3, "x2": 4}); z.backward()
    >>> z.data, [(v.name, v.grad) for v in z.inputs[0].inputs]
    (37, [('x1', 10), ('y1', 3)])
    """
    if not isinstance(text, str):
        raise TypeError(f"graph_of: {text!r:.40} is not the text of an expression")
    return Reader(text, values).z


def number(text):
    """Return the number that a text such as 3, -0.5, 1e-3 or 1/3 writes, as an int, float or Fraction.

    Raises ValueError for any other text, nan and inf included.
    """
    try:
        return int(text)
    except ValueError:
        pass
    if "/" in text:
        try:
            return Fraction(text.replace(" ", ""))
        except ZeroDivisionError:
            raise ValueError(text) from None
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def values(texts):
    """Return {name: number} from ["x1=3", ...]."""
    found = {}
    for text in texts:
        name, equals, written = (part.strip() for part in text.partition("="))
        if not equals or not name.isidentifier():
            raise ExpressionError(f"{shortened(text)!r} is not name=number, for example x1=3{on_value(text, texts)}")
        if keyword.iskeyword(name):
            raise ExpressionError(reserved(name))
        if name in found:
            raise ExpressionError(f"{name} is given twice")
        try:
            found[name] = number(written)
        except ValueError:
            raise ExpressionError(
                f"{shortened(text)!r}: {shortened(written)} is not a finite number; write for example {name}=3, {name}=-0.5 or {name}=1/3"
            ) from None
    return found


class Reader:
    """Read one text; `z` is the variable that it defines."""

    def __init__(self, text, values):
        self.text = text
        if len(text) > LONGEST:
            raise ExpressionError(f"the expression has {len(text):,} characters; the most is {LONGEST:,}")
        statements = self.parsed()
        self.check_names(statements, values)
        self.variables = {name: Value(x, name=name) for name, x in values.items()}
        try:
            self.z = self.single(statements[0].value) if len(statements) == 1 else self.by_lines(statements)
        except RecursionError:
            raise ExpressionError("the expression is nested too deeply; name its parts: y = ...; z = ...") from None

    def parsed(self):
        try:
            with warnings.catch_warnings(action="ignore"):  # such as for 1or: the error below says it
                statements = ast.parse("\n".join(self.lines())).body
        except SyntaxError as wrong:
            place = self.place(wrong.lineno or 1, (wrong.offset or 1) - 1)
            raise ExpressionError(f"{place}: {wrong.msg.partition(';')[0]}{on_syntax(self.text, FUNCTIONS)}") from None
        except (RecursionError, MemoryError, ValueError):
            raise ExpressionError(
                "cannot read the expression: it is nested too deeply, or has characters that Python does not know"
            ) from None
        if not statements:
            raise ExpressionError('the expression is empty; write for example "x1*(x1 + x2)"')
        for i, s in enumerate(statements):
            simple = isinstance(s, ast.Assign) and len(s.targets) == 1 and isinstance(s.targets[0], ast.Name)
            if not simple and not (isinstance(s, ast.Expr) and i == len(statements) - 1):
                raise self.error(s, "expected name = expression; only the last line may be a bare expression")
        return statements

    def place(self, line, column):
        shown = self.lines()[line - 1] if line <= len(self.lines()) else ""
        before, after = shown[:column], shown[column:]
        around = ("..." + before[-20:] if len(before) > 23 else before) + (after[:20] + "..." if len(after) > 23 else after)
        where = "at its end" if not after else "at its start" if not before else f"at {after[:12]!r}"
        return f'column {column + 1} of "{around}", {where}'

    def lines(self):
        return [line.strip() for line in self.text.replace(";", "\n").strip().split("\n")]

    def error(self, node, what):
        return ExpressionError(f"{self.place(node.lineno, node.col_offset)}: {what}")

    def check_names(self, statements, values):
        """Raise ExpressionError unless each name has a value or stands on an earlier line, and each value is used."""
        known, used = set(values), set()
        for s in statements:
            functions = {node.func for node in ast.walk(s.value) if isinstance(node, ast.Call)}
            for node in ast.walk(s.value):
                if isinstance(node, ast.Attribute):
                    raise self.error(node, on_attribute(node.attr, ast.unparse(node), FUNCTIONS))
                if isinstance(node, ast.Name) and node not in functions:
                    used.add(node.id)
                    if node.id not in known and node.id in FUNCTIONS:
                        raise self.error(node, f"{node.id} is a function; write {node.id}(x)")
                    if node.id not in known and node.id not in CONSTANTS:
                        raise self.error(node, f"{node.id} has no value; add {node.id}=1 (or another number) after the expression")
            if isinstance(s, ast.Assign):
                if s.targets[0].id in known:
                    raise self.error(s, f"{s.targets[0].id} has a value already; choose another name")
                known.add(s.targets[0].id)
        for name in values:
            if name not in used:
                raise ExpressionError(f'{name} is not in the expression "{self.text.strip()}"; leave {name}=... out or use it')

    def single(self, node):
        """Return z of one expression: one function per operation."""
        made: list = []
        z = self.value(node, self.variables, made.append)
        if len(made) + len(self.variables) <= FEW:  # a larger graph is shown in statements, in which only names are variables
            for v, name in zip(made, (name for name in (f"y{i}" for i in count(1)) if name not in self.variables)):
                v.name = name
        if not isinstance(z, Value):
            raise ExpressionError(f'"{self.text.strip()}" does not contain a variable, so it does not have a derivative')
        if z.inputs and "z" not in self.variables:
            z.name = "z"
        return z

    def by_lines(self, statements):
        """Return z of several lines: each line is one function of the names in it."""
        for i, s in enumerate(statements, 1):
            name = s.targets[0].id if isinstance(s, ast.Assign) else "z"
            written = sorted((n.col_offset, n.id) for n in ast.walk(s.value) if isinstance(n, ast.Name) and n.id in self.variables)
            uses = list(dict.fromkeys(name for _, name in written))
            if not uses:
                raise self.error(s.value, "this line uses no variable")

            def f(*args, uses=uses, node=s.value):
                return self.value(node, dict(zip(uses, args)), lambda v: None)

            f.__name__ = f.__qualname__ = f"f{i}"
            y = Function(f)(*(self.variables[n] for n in uses))
            y.name = name
            self.variables[name] = y
        return y

    def value(self, node, variables, made):
        """Return the variable or number that a node of the syntax tree stands for. Call `made` with each new variable."""
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            return node.value
        if isinstance(node, ast.Name):
            return variables[node.id] if node.id in variables else CONSTANTS[node.id]
        function, parts = self.operation(node)
        args = [self.value(part, variables, made) for part in parts]
        try:
            y = function(*args)
        except TypeError as wrong:
            raise self.error(node, str(wrong)) from None
        if isinstance(y, Value):
            made(y)
        return y

    def operation(self, node):
        """Return the row of the table that a node calls, and the nodes of its arguments."""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            parts = [node.right]
            while isinstance(node.left, ast.BinOp) and isinstance(node.left.op, ast.Add):
                node = node.left
                parts.append(node.right)
            parts = [node.left, *reversed(parts)]
            return (rules.add if len(parts) == 2 else rules.sum), parts
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            return OPERATORS[type(node.op)], [node.left, node.right]
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return rules.neg, [node.operand]
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd):
            return (lambda x: x), [node.operand]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id not in FUNCTIONS:
                raise self.error(node, on_function(node.func.id, FUNCTIONS))
            if not node.args or node.keywords or any(isinstance(a, ast.Starred) for a in node.args):
                raise self.error(node, f"{node.func.id} takes numbers in brackets, separated by commas")
            return FUNCTIONS[node.func.id], node.args
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitXor):
            raise self.error(node, f"write ** for a power: {ast.unparse(node.left)}**{ast.unparse(node.right)}")
        what = ast.unparse(node)
        raise self.error(node, f"cannot read {shortened(what, 30)!r}; use numbers, names, + - * / ** and functions such as exp(x)")


OTHER_NAMES = {  # of functions, elsewhere
    "ln": "log", "arcsin": "asin", "arccos": "acos", "arctan": "atan", "arctan2": "atan2", "arcsinh": "asinh", "arccosh": "acosh",
    "arctanh": "atanh", "sgn": "sign", "power": "pow", "logistic": "sigmoid",
}  # fmt: skip
SIGNS = {"·": "2*x", "×": "2*x", "⋅": "2*x", "−": "x - 1, with the - of the keyboard", "–": "x - 1, with the - of the keyboard", "÷": "x/2"}
SIGNS |= {"√": "sqrt(x)", "|": "abs(x)", "“": "no quotation marks", "π": "pi"}
POWERS = "\N{SUPERSCRIPT TWO}\N{SUPERSCRIPT THREE}\N{SUPERSCRIPT ONE}⁰⁴-⁹"


def on_syntax(text, functions):
    """Return what to write instead of a text that Python cannot parse, as "; write ...", or "". `functions` are the names of the table."""
    words = re.findall(r"[^\W\d]\w*", text)
    for word in words:
        if keyword.iskeyword(word):
            return f"; {reserved(word)}"
    for word, argument in re.findall(r"\b([^\W\d]\w*)\s+([\w.]+)", text):
        if (function := OTHER_NAMES.get(word, word)) in functions:
            return f"; write {function}({argument})"
    if re.search(f"[{POWERS}]", text):
        return "; write x**2 for a power"
    for sign, instead in SIGNS.items():
        if sign in text:
            return f"; instead of {sign} write {instead}"
    if re.search(r"[\d)]\s*[A-Za-z_(]|[A-Za-z_]\s+[A-Za-z_\d]", text):
        return "; write 2*x for a product"
    return ""


def reserved(word):
    """Say that a keyword of Python cannot be a name."""
    return f"{word} is a keyword of Python and cannot be a name; write for example {word}_"


def on_value(text, texts):
    """Say what to write instead of a word without a value, for example "; ...", or "". `texts` are all words behind the expression."""
    if re.search(r"[-+*/()'\"]", text) or os.path.exists(text):  # a shell puts the names of files for *
        return "; put the whole expression in double quotes"
    if re.search(r"\.(html|svg|png|gv|mmd|json)$", text):
        return f"; write -o {text} to name a file"
    return "; write no spaces around =" if any(other[:1] == "=" or other[-1:] == "=" for other in texts) else ""


def on_attribute(attribute, written, functions):
    """Say what to write instead of np.sin or x.sin."""
    name = OTHER_NAMES.get(attribute, attribute)
    if name in functions:
        return f"write {name}(...) instead of {written}(...)"
    if name in ("pi", "e"):
        return f"write {name} instead of {written}"
    return f"a name cannot contain a dot; write a function or a variable instead of {written}"


def on_function(name, functions):
    """Say what to write instead of a function that is not in the table."""
    if name in OTHER_NAMES and OTHER_NAMES[name] in functions:
        return f"write {OTHER_NAMES[name]}(...) instead of {name}(...)"
    return f"unknown function {name}; the functions are {', '.join(sorted(functions))}"
