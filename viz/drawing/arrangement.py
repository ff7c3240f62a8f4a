"""Where each node and each scope stands within its scope: in which rank, and in which order. The page computes the coordinates.

Every scope is arranged for itself, so that any of them can be open or closed. A thing is a node, numbered from 0, or a scope, with
the number -1 - its place among the scopes. A link joins two things of one scope. It passes the ranks between them through gaps.
A link [None, thing] comes from outside the scope, [thing, None] leads out. The ranks of a scope are lists of entries: the number of a
thing, or a gap [tail, head].
"""

from collections import defaultdict

from viz.drawing.ranks import ranks
from viz.drawing.scopes import scope_title

ONE_SCREEN = 24  # things that are shown at first
FEW, MANY = 4, 60  # with fewer things, more scopes are open, if that shows no more than many
SWEEPS = 6
MOST_GAPS, GAPS_OF_EACH = 4000, 12  # of a scope, for each thing in it; links of a scope with more pass behind other boxes


def arrangement(nodes, scopes):
    """Return {scope: its ranks}."""
    chains = [chain_of(node["scope"], scopes) for node in nodes]
    things, links = {at: {} for at in range(len(scopes))}, {at: {} for at in range(len(scopes))}
    for v, node in enumerate(nodes):
        for scope, inner in zip(chains[v], chains[v][1:]):
            things[scope][-1 - inner] = None
        things[node["scope"]][v] = None
        for x in node["inputs"]:
            scope, a, b = meeting(x, chains[x], v, chains[v])
            if a != b:
                links[scope][a, b] = None
            for inner, t in within(x, chains[x], scope):
                links[inner][t, None] = None
            for inner, t in within(v, chains[v], scope):
                links[inner][None, t] = None
    return {scope: ordered(list(things[scope]), list(links[scope])) for scope in things}


def within(v, around, scope):
    """Yield the scopes inside `scope` that a node stands in, and the thing that stands for the node in each."""
    k = around.index(scope) + 1
    inner = [-1 - each for each in around[k + 1 :]] + [v]
    yield from zip(around[k:], inner)


def chain_of(scope, scopes):
    """Return the scopes around a node, the outermost first."""
    chain = [scope]
    while scopes[chain[-1]]["parent"] is not None:
        chain.append(scopes[chain[-1]]["parent"])
    return chain[::-1]


def meeting(x, around_x, y, around_y):
    """Return the innermost scope around two nodes, and the things that stand for them in it."""
    k = 0
    while k < min(len(around_x), len(around_y)) and around_x[k] == around_y[k]:
        k += 1
    a = -1 - around_x[k] if k < len(around_x) else x
    b = -1 - around_y[k] if k < len(around_y) else y
    return around_x[k - 1], a, b


def ordered(things, links):
    """Return the ranks of a scope. A link back to an earlier thing, within a cycle of scopes, does not count."""
    inner = [(a, b) for a, b in links if a is not None and b is not None]
    place = {t: i for i, t in enumerate(inputs_before(things, inner))}
    inner = [(a, b) for a, b in inner if place[a] < place[b]]
    rank = ranks(things, inner)
    low = min(rank.values(), default=0)
    found = [[] for _ in range(max(rank.values(), default=0) - low + 1)]
    for t in things:
        found[rank[t] - low].append(t)
    outer = [(a, b) for a, b in links if a is None or b is None]
    return sweep(found, *with_gaps(found, {t: r - low for t, r in rank.items()}, inner + outer))


def inputs_before(things, links):
    """Return the things, each after those that lead to it. In a cycle, the one that was begun first comes first."""
    after, waiting = defaultdict(list), dict.fromkeys(things, 0)
    for a, b in links:
        after[a].append(b)
        waiting[b] += 1
    rest, ready, found = iter(things), [t for t in things if not waiting[t]][::-1], {}
    while len(found) < len(things):
        t = ready.pop() if ready else next(t for t in rest if t not in found)
        if t not in found:
            found[t] = None
            for b in after[t]:
                waiting[b] -= 1
                if not waiting[b]:
                    ready.append(b)
    return list(found)


def with_gaps(found, rank, links):
    """Add a gap to each rank that a link passes. Return {entry: the entries before it} and {entry: the entries after it}."""
    before, after = defaultdict(list), defaultdict(list)
    passed = {(a, b): range(-1 if a is None else rank[a], len(found) if b is None else rank[b])[1:] for a, b in links}
    many = sum(map(len, passed.values()))
    for a, b in links:
        chain = [] if a is None else [key(a)]
        for r in passed[a, b] if many <= min(MOST_GAPS, GAPS_OF_EACH * len(rank)) else ():
            found[r].append([a, b])
            chain.append((a, b, r))
        chain += [] if b is None else [key(b)]
        for one, other in zip(chain, chain[1:]):
            before[other].append(one)
            after[one].append(other)
    return before, after


def key(entry, rank=None):
    return (*entry, rank) if isinstance(entry, list) else entry


def sweep(found, before, after):
    """Order each rank by the mean place of the neighbours in the rank before it, then of those after it, several times."""
    for k in range(SWEEPS):
        around, at = (after, {}) if k % 2 else (before, {})
        for r in range(len(found))[:: -1 if k % 2 else 1]:
            wish = wishes(found[r], r, around, at)
            found[r].sort(key=lambda entry, r=r, wish=wish: wish[key(entry, r)])
            at |= {key(entry, r): (i + 0.5) / len(found[r]) for i, entry in enumerate(found[r])}
    return found


def wishes(entries, r, around, at):
    """Return where each entry of rank r would best stand, from 0 to 1: at the mean of its neighbours, whose places are in `at`."""
    found = {}
    for i, entry in enumerate(entries):
        places = [at[e] for e in around[key(entry, r)] if e in at]
        found[key(entry, r)] = mean(places, (i + 0.5) / len(entries))
    return found


def mean(numbers, otherwise):
    return sum(numbers) / len(numbers) if numbers else otherwise


def opened(nodes, scopes, most=ONE_SCREEN):
    """Return the scopes that are open at first: all scopes of as many outer levels as show at most `most` things.

    If that shows fewer than FEW things, such as one scope around everything, one level more is open if it shows at most MANY.
    """
    depth = [len(chain_of(scope, scopes)) for scope in range(len(scopes))]  # 1 for the whole graph
    shown = [sum(depth[node["scope"]] <= level for node in nodes) + depth.count(level + 1) for level in range(1, max(depth) + 1)]
    level = 1
    while level < len(shown) and (shown[level] <= most or (shown[level - 1] < FEW and shown[level] <= MANY)):
        level += 1
    return [scope for scope in range(len(scopes)) if depth[scope] <= level]


def things_shown(nodes, scopes, found):
    """Return how many things are shown if the scopes in `found`, a set, are open."""
    closed = (scope for k, scope in enumerate(scopes) if k not in found)
    return sum(node["scope"] in found for node in nodes) + sum(scope["parent"] in found for scope in closed)


def scopes_of_nodes(nodes, most=ONE_SCREEN):
    """Return the scopes of nodes that have a `path`, [{name, parent, ranks, open}], and {path: the number of its scope}.

    Number 0 is the whole graph. Each node gets the number of its scope.
    """
    number = {(): 0}
    for node in nodes:
        for k in range(1, len(node["path"]) + 1):
            number.setdefault(node["path"][:k], len(number))
        node["scope"] = number[node["path"]]
    found = [{"name": scope_title(path) if path else "", "parent": number[path[:-1]] if path else None} for path in number]
    for at, entries in arrangement(nodes, found).items():
        found[at]["ranks"] = entries
    for at in opened(nodes, found, most):
        found[at]["open"] = True
    return found, number
