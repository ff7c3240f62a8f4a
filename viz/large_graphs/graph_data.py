"""What the page of `explore` shows of a graph: its nodes, its scopes, where each stands in its scope. The page computes no text.

A dictionary with:

    nodes   a list of dictionaries, the inputs of a node before it:
            kind ("input", "function", "constant", "node": a function as a node of its own), name, scope (its number), inputs
            (numbers of nodes), value, wide and high (points); where known function, formula, shape, numbers, total (dz/dx),
            line and code (where the program made it), mark (see viz/graphs/marks.py), derivative (who computes it, if not a rule),
            remark (what is odd about it), gradient,
            sign of the gradient (-1, 0 or 1), saved ([name, shape, bytes]), picture (of the value) and slope (of the
            gradient), as `viz.array_picture.picture_data` returns them
    scopes  a list of dictionaries: name, parent, open, lines of text, sentence, wide, high, ranks (see viz/drawing/scopes/open_scopes.py).
            Number 0 is the whole graph.
    z       the number of z, or null if there are several
    about   a sentence on the whole graph
"""

from collections import Counter
from itertools import takewhile
from math import isfinite, prod

from scalargrad.formulas.text import shape_text
from scalargrad.graph import scopes_of
from scalargrad.user_names.made_at import made_at
from scalargrad.user_names.remarks import remarks_of
from viz.array_picture import picture_data
from viz.drawing.box_contents import in_four_digits, length
from viz.drawing.scopes.open_scopes import scopes_of_nodes
from viz.drawing.scopes.scopes import is_constant
from viz.drawing.svg.html_label import cut, width
from viz.graphs.marks import mark_of, remarks_inside
from viz.text.array_text import is_array, statistics
from viz.text.formatter import UNICODE, plural

NAME, LINE = 15, 12  # font sizes
LONGEST_VALUE, LONGEST_LINE, LONGEST_FORMULA = 24, 34, 400  # characters
NARROWEST, MARGIN = 84, 10  # points
AT_FIRST = 14  # things that are shown at first: their texts can be read
MOST_PICTURES = 1500  # nodes; a larger graph shows no pictures


def graph_data(captions):
    variables = captions.selection.graph.variables
    nodes, number = [], {}
    paths = scopes_of(variables)
    around = scopes_of_constants(variables, paths, captions)
    for v in variables:
        for c in captions.on.constants(v):
            if id(c) not in number:
                number[id(c)] = len(nodes)
                nodes.append(constant(c, captions) | {"path": around[id(c)]})
        inputs = [number[x] for x in v.inputs] + list(dict.fromkeys(number[id(c)] for c in captions.on.constants(v)))
        if captions.has_function_node(v):
            nodes.append(function_node(v, captions) | {"path": paths[v], "inputs": inputs})
            inputs = [len(nodes) - 1]
        number[v] = len(nodes)
        nodes.append(variable(v, captions) | {"path": paths[v], "inputs": inputs})
    for node in nodes:
        node |= size([(node["name"], NAME)] + [(line, LINE) for line in node["lines"]])
    number_blocks(nodes)
    scopes = all_scopes(nodes, captions, variables, paths)
    if len(nodes) <= MOST_PICTURES:
        add_pictures(nodes, number, variables, captions)
    z = captions.selection.z
    return {"nodes": [without_path(node) for node in nodes], "scopes": scopes, "z": None if z is None else number[z], "about": about(nodes)}


def scopes_of_constants(variables, paths, captions):
    """Return {id of a constant: the names of the scopes around all its uses}, so that a scope does not hold what others use too."""
    found: dict = {}
    for v in variables:
        for c in captions.on.constants(v):
            both = zip(found.get(id(c), paths[v]), paths[v])
            found[id(c)] = tuple([name for name, _ in takewhile(lambda names: names[0] == names[1], both)])
    return found


def without_path(node):
    return {key: value for key, value in node.items() if key != "path" and value not in (None, "", [])}


# Nodes


def variable(v, captions):
    data, shape = captions.on.data(v), getattr(v, "shape", ())
    value = shape_text(shape) if shape else cut(captions.number(data), LONGEST_VALUE)
    kind = "constant" if is_constant(v) else "function" if v.inputs else "input"
    function = v.rule.name if v.rule else ""
    known = {"kind": kind, "name": name_in_frame(v, captions), "value": value, "function": function, "shape": shape_text(shape)}
    known["lines"] = [value] + [cut(function, LONGEST_LINE)] * bool(function and not captions.has_function_node(v))
    known["formula"] = cut(captions.equation(v), LONGEST_FORMULA) if v.rule else ""
    if mark := mark_of(v):
        known |= {"mark": mark.kind, "derivative": mark.closed, "remark": " ".join(remark.text for remark in remarks_of(v))}
        known["lines"] += [cut(mark.label, LONGEST_LINE)]
    if line := made_at(v):
        known["line"], known["code"] = str(line), line.text
    known["numbers"] = numbers(data, v) + (f", {v.dtype}" if shape else "")
    slope = gradient(v, captions)
    known["lines"] += [cut(f"{slope['total']} = {slope['gradient']}", LONGEST_LINE)] if slope.get("total") and not shape else []
    return known | slope | {"saved": saved(v, captions) if v.rule else []}


def numbers(data, v):
    """Return a number, or the statistics of an array."""
    if data is None:
        return "freed by the backward pass"
    return statistics(data, UNICODE) if is_array(data) else UNICODE.number(data)


def gradient(v, captions):
    """Return the gradient of v as the page shows it, or why it is not known."""
    g = captions.gradients.get(v)
    if is_constant(v):
        return {"gradient": "none: it is a constant"}
    if g is None:
        return {"gradient": "not kept: its keep_grad is off" if captions.gradients else "not known before backward()"}
    found = {"total": captions.total(v), "gradient": numbers(g, v)}
    if is_array(g):
        return found | {"gradient": f"‖{captions.total(v)}‖ = {in_four_digits(length(g))}, {statistics(g, UNICODE)}"}
    return found | {"sign": int(g > 0) - int(g < 0)} if isfinite(g) else found


def name_in_frame(v, captions):
    """Return the name of a variable within its scope, as in a drawing."""
    return UNICODE.name(captions.short.name(v))


def saved(y, captions):
    """Return [name, shape or number, bytes, number of the block of memory] of each thing that y's function saved."""
    found = []
    for name, kept in captions.on.saved(y):
        if is_array(kept):
            found.append([UNICODE.formula(name), shape_text(kept.shape), kept.nbytes, id(memory(kept))])
        else:
            found.append([UNICODE.formula(name), "freed" if kept is None else UNICODE.number(kept), getattr(kept, "nbytes", 0), 0])
    return found


def number_blocks(nodes):
    """Number the blocks of memory from 1, so that the same program gives the same page."""
    blocks: dict = {}
    for kept in (kept for node in nodes for kept in node.get("saved", ())):
        kept[-1] = kept[-1] and blocks.setdefault(kept[-1], len(blocks) + 1)


def memory(array):
    """Return the array that owns the numbers of an array."""
    while getattr(array, "base", None) is not None and hasattr(array.base, "nbytes"):
        array = array.base
    return array


def constant(c, captions):
    name, shape = UNICODE.name(captions.on.name(c)), getattr(c, "shape", ())
    data = captions.on.data(c)
    value = shape_text(shape) if shape else captions.number(data)
    known = {"kind": "constant", "name": cut(name, LONGEST_VALUE), "value": value, "lines": [value], "inputs": []}
    return known | {"shape": shape_text(shape), "numbers": numbers(data, c), "gradient": "none: it is a constant", **picture_data(data)}


def function_node(y, captions):
    name = cut(y.rule.name, LONGEST_VALUE)
    return {"kind": "node", "name": name, "value": "", "lines": [], "function": y.rule.name, "formula": captions.equation(y)}


def size(lines):
    """Return the size of a box with these lines [(text, font size)]."""
    wide = max(width(text, size, bold=size == NAME) for text, size in lines)
    return {"wide": max(NARROWEST, wide) + 2 * MARGIN, "high": 12 + sum(round(size * 1.4) for _, size in lines)}


# Pictures


def add_pictures(nodes, number, variables, captions):
    """Add pictures of arrays and of their gradients."""
    for v in variables:
        node = nodes[number[v]]
        node["picture"], node["slope"] = (picture_data(a).get("picture") for a in (captions.on.data(v), captions.gradients.get(v)))


# Scopes


def all_scopes(nodes, captions, variables, paths):
    """Return the scopes, number 0 first, and set the number of each node's scope."""
    found, number = scopes_of_nodes(nodes, AT_FIRST)
    inside = variables_inside(variables, paths, number)
    for path, scope in zip(number, found):
        scope["lines"], scope["sentence"] = summary(inside[number[path]], captions) if path else ([], "")
        scope |= size([(scope["name"], NAME)] + [(line, LINE) for line in scope["lines"]]) if path else {}
    return found


def variables_inside(variables, paths, number):
    """Return, for each scope, all variables inside it and inside its scopes."""
    found = [[] for _ in number]
    for v in variables:
        for k in range(len(paths[v]) + 1):
            found[number[paths[v][:k]]].append(v)
    return found


def summary(variables, captions):
    """Return the lines in the box of a scope, and a sentence on it."""
    leaves = [v for v in variables if not v.inputs and not is_constant(v)]
    parameters = sum(prod(getattr(v, "shape", ())) for v in leaves)
    functions = Counter(v.rule.name for v in variables if v.rule)
    lines = [plural(len(variables), "variable")] + [plural(parameters, "parameter")] * bool(leaves)
    said = f"{lines[0]}, {plural(parameters, 'parameter')}; functions: "
    said += ", ".join(f"{n} × {name}" if n > 1 else name for name, n in functions.most_common(8)) or "none"
    known = [captions.gradients.get(v) for v in leaves]
    if leaves and all(g is not None for g in known):
        lines.append(f"‖gradient‖ = {in_four_digits(length(*known))}")
        said += f"; norm of the gradient of its parameters {in_four_digits(length(*known))}"
    return [cut(line, LONGEST_LINE) for line in lines + remarks_inside(variables)], said


def about(nodes):
    """Return a sentence on the whole graph."""
    made = sum(node["kind"] == "function" for node in nodes)
    blocks = {block: size for node in nodes for *_, size, block in node.get("saved", []) if block}
    said = f"{plural(sum(node['kind'] != 'node' for node in nodes), 'variable')}, {made:,} computed by functions"
    return said + (f", {plural(sum(blocks.values()), 'byte')} saved for the backward pass" if blocks else "")
