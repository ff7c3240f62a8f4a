"""The program of a graph of arrays as a page holds it: JSON for its operations, JavaScript for its functions of numbers."""

import base64
from math import isfinite

from scalargrad.formulas.straight_line import spelled
from scalargrad.formulas.symbols import Name
from scalargrad.rule import VariadicRow
from viz.page.live.program import KEYWORDS, ROWS, Lines, NotLive
from viz.page.live.program import number as js_number
from viz.text.formatter import plural

MOST_COST = 8_000_000  # products and entries of a run, which the page computes at each move of the slider, from the nudged layer on: ~50 ms
MOST_BYTES = 1_500_000  # of leaves and constants


def network_program(program, leaves, z, notation):
    """Return (the program as JSON, its functions of numbers as JavaScript). `leaves` are the places that can be changed.

    Raises NotLive if the program is too large for a page, or has a function that is not a formula.
    """
    if program.cost > MOST_COST:
        raise NotLive(f"A run of this graph computes {plural(program.cost, 'number')}. The page can nudge graphs of up to {MOST_COST:,}.")
    if (size := sum(array.nbytes for array in program.data.values())) > MOST_BYTES:
        raise NotLive(f"The arrays of this graph have {size:,} bytes. The page can nudge graphs of up to {MOST_BYTES:,}.")
    rows: dict = {}
    number = lambda row, count: rows.setdefault((row, count), len(rows))
    operations = [in_json(op, number) for op in program.operations]
    data = {place: numbers(array) for place, array in program.data.items()}
    found = {"operations": operations, "sizes": program.sizes, "data": data, "leaves": leaves, "z": z}
    return found, [function(row, count, notation) for row, count in rows]


def in_json(op, number):
    """Return an operation for JSON, with its functions by their numbers."""
    found = dict(op)
    if "row" in op:
        found["row"] = number(op["row"], len(op["x"]))
    if "rows" in op:
        used = [(row, len(args)) for row, *args in op["code"] if row >= 0]
        found["rows"] = [number(op["rows"][k], count) for k, count in dict.fromkeys(used)]
        place = {key: i for i, key in enumerate(dict.fromkeys(used))}
        found["code"] = [[place[row, len(args)], *args] if row >= 0 else [row, finite_or_text(float(args[0]))] for row, *args in op["code"]]
        found["ends"] = [[finite_or_text(end[0])] if isinstance(end, list) else end for end in op["ends"]]
    if "index" in op:
        found["index"] = op["index"].tolist()
    if "fill" in op:
        found["fill"] = finite_or_text(op["fill"])
    return found


def finite_or_text(number):
    """Return a number as JSON may hold it, which JavaScript's Number() reads."""
    return number if isfinite(number) else js_number(number)


def numbers(array):
    """Return the bytes of an array as text: "f" or "d", for four or eight bytes each, and base64."""
    kind = "f4" if array.dtype.itemsize == 4 and array.dtype.kind == "f" else "f8"
    return "fd"[kind == "f8"] + base64.b64encode(array.astype(f"<{kind}").tobytes()).decode()


def function(row, count, notation):
    """Return a row of the table as JavaScript: {f: its value, d: [its partial in each argument, of the arguments and the value]}."""
    if ROWS.get(row.name) is not row:
        raise NotLive(f"The function {row.name} is not in the table of rules, so the page cannot compute it at other numbers.")
    names = [f"x{k + 1}" for k in range(count)] if isinstance(row, VariadicRow) else list(row.parameters)
    args = list(map(Name, names))
    try:
        partials = [arrow([*names, "y"], partial, notation) for partial in row.partials_for(range(count), args, Name("y"))]
        return f"{{f: {arrow(names, spelled(row, args), notation)}, d: [{', '.join(partials)}]}}"
    except (TypeError, ValueError, AttributeError, ArithmeticError):
        raise NotLive(f"The function {row.name} is not a formula, so the page cannot compute it at other numbers.") from None


def arrow(names, formula, notation):
    """Return the function of these names that a formula is."""
    lines = [*Lines(notation, {*KEYWORDS, *ROWS, "functions", *names}).define("found", formula)]
    *before, last = lines
    value = last.removeprefix("const found = ").removesuffix(";")
    return f"({', '.join(names)}) => " + (f"{{ {' '.join(before)} return {value}; }}" if before else value)
