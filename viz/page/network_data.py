"""The data of a network's page: its layers, and the program with which the page computes it, or why there is none, and what it carries."""

import base64
from math import isfinite, prod

from scalargrad.formulas.lost_entries import without_lost
from scalargrad.formulas.straight_line import spelled
from scalargrad.formulas.symbols import Name
from scalargrad.graph import scopes_of
from scalargrad.rule import VariadicRow
from viz.array_picture import picture_data
from viz.drawing.scopes.scopes import scope_title
from viz.graphs.inputs import inputs_of
from viz.page.live.program import KEYWORDS, ROWS, Lines, NotLive
from viz.page.live.program import number as js_number
from viz.text.array_text import is_array
from viz.text.formatter import plural


def network_data(trace, notation):
    """Return (the data of a graph of arrays as a network, its functions of numbers as JavaScript).

    boxes, given   see `layers` and `given`
    leaves         the places of the arrays that can be nudged; `entries` is the number of their entries
    z              the value of z; null if it is not finite
    program        see `network_program`; null if the page cannot compute the graph: then `why` says why, in a sentence
    carried        what Python has computed, for a page that cannot: see `carried`
    """
    graph = trace.graph
    place = {v: i for i, v in enumerate(graph.variables)}
    leaves = [i for v, i in place.items() if not v.inputs]
    value = float(trace.on.data(graph.z).item())
    found = {
        "boxes": layers(trace),
        "given": given(trace),
        "leaves": leaves,
        "entries": sum(prod(graph.variables[i].shape) for i in leaves),
        "z": value if isfinite(value) else None,
    }
    program = None
    try:
        program = trace.on.program()
        written, functions = network_program(program, leaves, place[graph.z], notation)
    except ValueError as why:
        known = {} if trace.is_user_defined else carried(trace, program)  # a loop of the user may be wrong
        return found | {"program": None, "why": str(why), "carried": known}, []
    return found | {"program": written, "carried": {} if trace.is_user_defined else carried(trace, None)}, functions


MOST_WORK = 400_000_000  # products and entries that Python computes for the curves of a page: about a second
MOST_CURVES, LEAST_POINTS, MOST_POINTS = 8, 4, 16  # points of a curve beside the one at the start


def carried(trace, program):
    """Return {leaf: {entry, value, slope, square, curve}} of the leaves whose derivatives are known, by their places.

    `entry` is the one with the steepest slope, `value` its number (null if its array is freed), `square` the sum of the squares of all
    slopes. `curve` is [[nudge, z], …] for a few leaves, as far as Python computes them in about a second: later layers are cheaper, so
    that most curves are theirs. `program` is the ArrayProgram, None if there is none; then there are no curves.
    """
    graph, on = trace.graph, trace.on
    place, found = {v: i for i, v in enumerate(graph.variables)}, {}
    for v in inputs_of(trace):
        if v in trace.computed:
            slopes, array = without_lost(trace.computed[v].number).reshape(-1), on.data(v)
            entry = int(abs(slopes).argmax())
            value = None if array is None else array.reshape(-1)[entry].item()
            fact = {"entry": entry, "value": value, "slope": slopes[entry].item(), "square": float((slopes * slopes).sum())}
            if all(isfinite(fact[key]) for key in ("slope", "square")):
                found[place[v]] = fact
    if program is not None:
        room, count = MOST_WORK, 0
        for leaf in sorted(found, reverse=True):
            cost = program.cost_from(leaf)
            points = min(MOST_POINTS, room // 3 // max(cost, 1)) // 2 * 2
            if points >= LEAST_POINTS and count < MOST_CURVES:
                room, count = room - points * cost, count + 1
                found[leaf]["curve"] = curve(trace, graph.variables[leaf], found[leaf]["entry"], points)
    return found


def curve(trace, leaf, entry, points):
    """Return [[nudge, z], …] for nudges of an entry of about its own size to both sides."""
    array = trace.on.data(leaf)
    usual = float((array.astype(float) ** 2).mean() ** 0.5)
    reach = float(f"{max(abs(array.reshape(-1)[entry].item()), usual) or 1:.1g}")
    found = []
    for k in range(-points // 2, points // 2 + 1):
        moved = array.copy()
        moved.reshape(-1)[entry] += 2 * reach * k / points
        z = trace.on.value_at(leaf, moved).item() if k else trace.on.data(trace.graph.z).item()
        found.append([2 * reach * k / points, z if isfinite(z) else None])
    return found


# fmt: off
MOVES = {  # functions that only move entries: no box of their own; what they give is seen in the box that uses it
    "reshape", "view", "flatten", "unflatten", "ravel", "swapaxes", "transpose", "permute", "moveaxis", "matrix_transpose", "getitem",
    "split", "chunk", "unbind", "select", "narrow", "squeeze", "unsqueeze", "expand_dims", "broadcast_to", "expand", "astype", "identity",
}
# fmt: on


def layers(trace):
    """Return the boxes of a network in the order of the forward pass: [{shows, holds, name, boxes}].

    shows    the place of the variable whose array the box shows: the last one that it computes
    holds    the places of all its variables: of its parameters too, and of what only moves entries before them
    name     the name of the function, or of the scope; `boxes` are those within a scope
    """
    variables = trace.graph.variables
    place, paths = {v: i for i, v in enumerate(variables)}, scopes_of(variables)
    children = {v: [y for y, _ in trace.graph.children[v]] for v in variables}
    shown = [v for v in variables if v.inputs and (v is trace.graph.z or not only_moves(v))]
    held = {v: [place[v]] for v in shown}
    owner = {v: v for v in shown}
    for v in reversed(variables):  # outputs first
        if v not in owner:
            users = [owner[y] for y in children[v] if y in owner]
            owner[v] = min(users, key=place.get)
            held[owner[v]].append(place[v])
    boxes = [(paths.get(v, ()), {"shows": place[v], "holds": sorted(held[v]), "name": called(v)}) for v in shown]
    return nested(boxes, ())


def called(v):
    """Return the name of the function of a variable; of passes of a loop, how many there are."""
    passes = getattr(v.rule, "times", 1)
    return f"{passes} passes" if passes > 1 else v.rule.name


def only_moves(v):
    """Return whether a function only moves entries, but does not look them up: C[words] is a box, as an embedding is."""
    return v.rule.name in MOVES and not any(hasattr(part, "shape") for option in v.options for part in (option, *as_tuple(option)))


def as_tuple(option):
    return option if isinstance(option, tuple) else ()


def nested(boxes, around):
    """Return boxes, [(path of scopes, box)], with those of one scope that follow each other inside a box of that scope."""
    found: list = []
    depth = len(around)
    runs: list = []
    for path, box in boxes:
        scope = path[: depth + 1] if len(path) > depth else None
        if scope is not None and runs and runs[-1][0] == scope:
            runs[-1][1].append((path, box))
        else:
            runs.append((scope, [(path, box)]))
    for scope, inside in runs:
        if scope is None:
            found.append(inside[0][1])
            continue
        within = nested(inside, scope)
        if len(within) == 1:
            found.append(within[0] | {"scope": within[0].get("scope", scope_title(scope))})
            continue
        holds = sorted(v for box in within for v in box["holds"])
        found.append({"shows": within[-1]["shows"], "holds": holds, "name": scope_title(scope), "boxes": within})
    return found


def given(trace):
    """Return the constant arrays that the functions of a network take: [{name, shape, into, picture or numbers}]."""
    place = {v: i for i, v in enumerate(trace.graph.variables)}
    found = {}
    for y in trace.graph.variables:
        for constant in trace.on.constants(y) if y.rule else ():
            array = trace.on.data(constant)
            if is_array(array) and id(constant) not in found:
                shown = picture_data(array) or {"numbers": array.tolist()}
                name = str(trace.on.name(constant))
                found[id(constant)] = {"name": name, "shape": list(array.shape), "into": place[y], **shown}
    return list(found.values())


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
