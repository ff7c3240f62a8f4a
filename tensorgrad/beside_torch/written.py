"""How the program writes the function that it calls: F.cross_entropy, x.view. Python knows where in its lines the running call stands."""

import ast
import linecache
from itertools import islice


def as_written(frame, name):
    """Return how the expression that runs in a frame calls the function of this name; "" if it calls another one, such as a module."""
    where = next(islice(frame.f_code.co_positions(), frame.f_lasti // 2, None)) if frame else (None,)
    if None in where:
        return ""
    first, last, start, end = where
    lines = [linecache.getline(frame.f_code.co_filename, number).encode() for number in range(first, last + 1)]
    lines[-1] = lines[-1][:end]
    try:
        called = ast.parse(b"".join([lines[0][start:], *lines[1:]]).decode(), mode="eval").body
    except SyntaxError:
        return ""
    written = ast.unparse(called.func) if isinstance(called, ast.Call) else ""
    return written if written.rpartition(".")[2] == name and all(part.isidentifier() for part in written.split(".")) else ""
