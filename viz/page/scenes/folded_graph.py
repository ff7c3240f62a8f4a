"""The scene of a large graph that has scopes: the whole graph, with scopes as boxes that open. It is arranged as on explore's page."""

from scalargrad.formulas.text import isolated
from scalargrad.graph import scopes_of
from viz.drawing.scopes.open_scopes import scopes_of_nodes, things_shown
from viz.drawing.svg.html_label import LONGEST_NAME, cut
from viz.page.scenes.box_sizes import rounded, wide
from viz.page.scenes.placing import Parts
from viz.page.scenes.text_sizes import COMPACT, ROOMY
from viz.page.scenes.whole_graph import MOST_VARIABLES, has_arrays, too_large
from viz.text.formatter import plural

AT_FIRST = 12  # things that are shown at first, if the scopes allow it: they can be read without moving the window
LINE, TAG, SIGN = 1.35, 10, 26  # the height of a line in font sizes; room below a tag; for the sign that says whether a scope is open


def folded_graph(trace):
    """Return the scopes of a graph and the sizes of its boxes; None for a small graph, and for one that scopes cannot make small.

    A dictionary with:

    scopes           [{name, parent, ranks, open, variables, count, wide, high}]: `variables` is a text, `ranks` are those of `open_scopes`,
                     `open` is whether the scope is open at first. Number 0 is the whole graph
    scopeOf          for each variable, the number of the innermost scope around it
    boxes, labels    for each variable the fields of its box in a scene but its place; for each edge [the width, the height] of its label
    numbers          [[edge, number]] of the edges that have one
    look, tall       as in a scene
    """
    graph = trace.graph
    if not too_large(trace, MOST_VARIABLES) or not any((paths := scopes_of(graph.variables)).values()):
        return None
    place = {v: i for i, v in enumerate(graph.variables)}
    nodes = [{"path": paths[v], "inputs": [place[x] for x in v.inputs]} for v in graph.variables]
    scopes, number = scopes_of_nodes(nodes, AT_FIRST)
    if things_shown(nodes, scopes, {k for k, scope in enumerate(scopes) if scope.get("open")}) > MOST_VARIABLES:
        return None
    parts, inside = Parts(trace, ROOMY if has_arrays(trace) else COMPACT), [0] * len(scopes)
    for node in nodes:
        for k in range(len(node["path"]) + 1):
            inside[number[node["path"][:k]]] += 1
    for scope, count in list(zip(scopes, inside))[1:]:
        scope |= box_of_scope(scope["name"], count, parts.look)
    return {
        "look": parts.look.for_page(),
        "boxes": parts.nodes,
        "labels": parts.labels,
        "numbers": [[k, n] for k, n in enumerate(parts.numbers) if n],
        "scopes": scopes,
        "scopeOf": [node["scope"] for node in nodes],
        "tall": True,
    }


def box_of_scope(name, count, look):
    """Return what the box of a scope shows, and its size: its name, the number of its variables, and how many of them are known."""
    name, variables = isolated(cut(name, LONGEST_NAME)), plural(count, "variable")
    lines = [wide(variables, look.cell), wide(f"{count:,} of {count:,} computed", look.total)]
    w = max(wide(name, look.name) + SIGN, *lines) + 2 * look.side
    high = TAG + look.head + LINE * look.cell + look.foot
    return {"name": name, "variables": variables, "count": count, "wide": rounded(w), "high": rounded(high)}
