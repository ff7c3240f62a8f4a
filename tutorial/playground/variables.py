"""The variables that a program has made: numbers, and arrays if the program has imported their engine, which the page may not have."""

import gc
import math
import sys

import scalargrad
from scalargrad import Value
from scalargrad.graph import Graph, ancestors

MOST_CHECKED = 100  # variables of a graph that is checked without being asked


def types():
    """Return the types of variables that a program can have made."""
    arrays = sys.modules.get("tensorgrad")
    return (Value, arrays.Tensor) if arrays else (Value,)


def alive():
    """Return all variables that exist."""
    known = types()
    return [v for v in gc.get_objects() if issubclass(type(v), known)]


def checked(z):
    """Return one sentence: whether finite differences agree with the derivatives of z, and, after backward(), what .grad holds."""
    size = len(ancestors(z)) + 1
    if size > MOST_CHECKED:
        return f"a graph of {size:,} variables; check(z) compares their derivatives with finite differences"
    check = scalargrad.check if isinstance(z, Value) else sys.modules["tensorgrad"].check
    try:
        found = check(z)
    except Exception as wrong:
        return f"check(z): {wrong}"
    said = str(found).splitlines()[0]
    return said + gradients(z) if found and isinstance(z, Value) and z.grad else said


def gradients(z):
    """Return what the program's own .grad holds at the leaves of z after z.backward(). A gradient that was set to 0 says nothing."""
    totals = scalargrad.backpropagation(z)
    leaves = [x for x in Graph(z).variables if not x.inputs and x.grad]
    for x in leaves:
        if not math.isclose(x.grad, totals[x], rel_tol=1e-9):
            name, of, grad, right = x.name or "x", z.name or "z", f"{float(x.grad):.6g}", f"{float(totals[x]):.6g}"
            return (
                f"; but {name}.grad is {grad}, and d{of}/d{name} is {right}: .grad adds up over calls of backward(), until you set it to 0"
            )
    return ", and so do the gradients in .grad" if leaves else ""
