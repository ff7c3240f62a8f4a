"""The scopes of a large graph as its page shows them: how they are arranged, and which are open at first."""

from viz.drawing.scopes.scopes import scope_title
from viz.layout.arrangement import arrangement, chains_of

ONE_SCREEN = 24  # things that are shown at first
FEW, MANY = 4, 60  # with fewer things, more scopes are open, if that shows no more than many


def scopes_of_nodes(nodes, most=ONE_SCREEN):
    """Return the scopes of nodes that have a `path`, [{name, parent, ranks, open}], and {path: the number of its scope}.

    Number 0 is the whole graph. Each node gets the number of its scope. `ranks` are lists of things and gaps: see `Arranged.entries`.
    """
    number = {(): 0}
    for node in nodes:
        for k in range(1, len(node["path"]) + 1):
            number.setdefault(node["path"][:k], len(number))
        node["scope"] = number[node["path"]]
    found = [{"name": scope_title(path) if path else "", "parent": number[path[:-1]] if path else None} for path in number]
    links = [(x, y) for y, node in enumerate(nodes) for x in node["inputs"]]
    for scope, inside in zip(found, arrangement([node["scope"] for node in nodes], links, [scope["parent"] for scope in found])):
        scope["ranks"] = inside.entries()
    for at in opened(nodes, found, most):
        found[at]["open"] = True
    return found, number


def opened(nodes, scopes, most=ONE_SCREEN):
    """Return the scopes that are open at first: all scopes of as many outer levels as show at most `most` things.

    If that shows fewer than FEW things, such as one scope around everything, one level more is open if it shows at most MANY.
    """
    depth = [len(chain) for chain in chains_of([scope["parent"] for scope in scopes])]  # 1 for the whole graph
    shown = [sum(depth[node["scope"]] <= level for node in nodes) + depth.count(level + 1) for level in range(1, max(depth) + 1)]
    level = 1
    while level < len(shown) and (shown[level] <= most or (shown[level - 1] < FEW and shown[level] <= MANY)):
        level += 1
    return [scope for scope in range(len(scopes)) if depth[scope] <= level]


def things_shown(nodes, scopes, found):
    """Return how many things are shown if the scopes in `found`, a set, are open."""
    closed = (scope for k, scope in enumerate(scopes) if k not in found)
    return sum(node["scope"] in found for node in nodes) + sum(scope["parent"] in found for scope in closed)
