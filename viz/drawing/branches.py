"""Branches of a wide drawing, moved to where they take less width: beside a long chain, or just before the node they serve.

A branch serves a node if all its edges lead to that node. Knows statements, not graphs.
"""

from collections import defaultdict

from viz.drawing.statements import node_of

LONG = 6  # nodes of a chain that is worth a column
SHORT = 2  # ranks before the last node of a short branch


def long_chains(statements, rank):
    """Return the long chains, such as long sums. Each node of a chain joins the node before it with a branch of its own.

    A chain comes with its branches as a list of columns: the chain, what goes into it, what goes into that.
    """
    own = served(statements)
    joins = {b for b, found in own.items() if len(found) > 1}
    before, length = {}, {}  # {node: the node before it in its longest chain}, {node: the length of that chain}
    for b in sorted(joins, key=lambda b: (rank[b], b)):
        before[b] = max((a for a in own[b] if a in joins), key=length.get, default=None)
        length[b] = 1 + length.get(before[b], 0)
    found, used = [], set()
    for b in sorted(length, key=length.get, reverse=True):
        chain = chain_to(b, before, own, joins)
        columns = [chain]
        while columns[-1]:
            columns.append([a for b in columns[-1] for a in own.get(b, ()) if a not in chain])
        if len(chain) >= LONG and used.isdisjoint(chain):
            found.append(columns[:-1])
            used.update(*columns)
    return found


def served(statements):
    """Return {node: the nodes whose edges all lead to it, and which stand in the same frame}."""
    inputs, outputs, frame = defaultdict(list), statements.outputs(), statements.frame
    for tail, head, *_ in statements.edges:
        inputs[node_of(head)].append(node_of(tail))
    return {b: list(dict.fromkeys(a for a in found if len(outputs[a]) == 1 and frame[a] == frame[b])) for b, found in inputs.items()}


def chain_to(b, before, own, joins):
    """Return the longest chain that ends at b, its first node first."""
    chain = [b]
    while before[chain[-1]]:
        chain.append(before[chain[-1]])
    if len(chain) > 1 and sum(a in joins for a in own[chain[-2]]) > 1:
        chain.pop()  # the first node is a branch, like the one beside it
    return chain[::-1]


def stack(statements, columns):
    """Let the columns of a long chain stand side by side."""
    for owner in (name for names in columns for name in names):
        for name in statements.companions.pop(owner, ()):
            del statements.owner[name]
    chain, frame, items = columns[0], statements.frame[columns[0][0]], statements.items
    end = next((i for i, item in enumerate(items) if item[:2] == ("close", frame)), len(items))
    upwards = frame is not None  # that is how the engine stacks within a frame
    for names in columns:
        statements.first.update(dict.fromkeys(names, names[0]))
        items.insert(end, ("column", names[::-1] if upwards else names, {}))
    links = set(zip(chain, chain[1:])) if upwards else set()
    statements.reverse(lambda tail, head: (tail, head) in links)


def move_short_branches(statements, rank):
    """Let short branches stand just before the node that they serve. Return {node of a branch: the node in whose row it stands}.

    This changes `rank`.
    """
    outputs, row_of = statements.outputs(), {}
    for name in sorted(rank, key=rank.get, reverse=True):
        if rank[name] <= SHORT and len(outputs[name]) == 1 and name not in statements.owner:
            (head,) = outputs[name]
            if statements.frame[name] == statements.frame[head] and (rank[head] > rank[name] + 1 or head in row_of):
                row_of[name], rank[name] = row_of.get(head, head), rank[head] - 1
    for name, owner in statements.owner.items():
        if owner in row_of:
            row_of[name], rank[name] = row_of[owner], rank[owner]
    return row_of
