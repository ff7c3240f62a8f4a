"""Say whether two programs are one program, but for the names of their variables, their comments and their spaces."""

import ast
from hashlib import sha256

from tutorial.exercises.syntax import UNREADABLE, parsed

LENGTH = 16  # of a digest


def digest(program) -> str:
    """Return a text that is the same for two programs that differ in names, comments and spaces alone; "" if it cannot be read.

    >>> digest("def f(x):\\n    y = x  # a copy\\n    return y") == digest("def f(a):\\n    'Return a.'\\n    b = a\\n    return b")
    True
    >>> digest("def f(x, y): return x - y") == digest("def f(x, y): return y - x")
    False
    """
    try:
        return sha256(ast.dump(Renamed().visit(parsed(program))).encode("utf-8", "surrogatepass")).hexdigest()[:LENGTH]
    except UNREADABLE:
        return ""


class Renamed(ast.NodeTransformer):
    """Number the names that a program makes, in the order in which they come; those of the whole program stay."""

    def __init__(self):
        self.numbers = {}

    def visit_Module(self, node):
        made = (x for x in ast.walk(node) if isinstance(x, ast.arg) or isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store))
        inner = {f.name for f in ast.walk(node) if isinstance(f, ast.FunctionDef)} - {f.name for f in node.body if hasattr(f, "name")}
        own = inner | {x.arg if isinstance(x, ast.arg) else x.id for x in made}
        self.own = own - {
            x.id for statement in node.body if isinstance(statement, ast.Assign) for x in statement.targets if hasattr(x, "id")
        }
        return self.generic_visit(node)

    def named(self, name):
        return f"v{self.numbers.setdefault(name, len(self.numbers))}" if name in self.own else name

    def visit_FunctionDef(self, node):
        if isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant):
            node.body = node.body[1:] or [ast.Pass()]
        node.name, node.returns = self.named(node.name), None
        return self.generic_visit(node)

    def visit_arg(self, node):
        return ast.arg(self.named(node.arg))

    def visit_Name(self, node):
        return ast.Name(self.named(node.id), node.ctx)
