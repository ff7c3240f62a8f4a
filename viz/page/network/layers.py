"""The layers of a graph of arrays as a row of boxes: what a page shows of a network when an entry of a parameter changes."""

from scalargrad.graph import scopes_of
from viz.array_picture import picture_data
from viz.drawing.scopes.scopes import scope_title
from viz.text.array_text import is_array

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
