"""Spread a tall drawing: the many inputs of a function stand in two columns, and a frame begins after what leads into it.

A drawing is tall if many nodes stand in one rank. Knows statements, not graphs.
"""

from collections import Counter, defaultdict

from viz.drawing.statements import node_of

TALL = 12  # nodes in one rank
MANY = 4  # inputs of one function, used by nothing else, that stand in two columns


def spread(statements):
    """Lengthen edges of a tall drawing. Its ranks hold fewer nodes then; no edge is added or lost."""
    if statements.first or max(Counter(statements.ranks().values()).values(), default=0) <= TALL:
        return
    inputs, sources = defaultdict(dict), own_sources(statements)
    for tail, head, *_ in statements.edges:
        inputs[node_of(head)][node_of(tail)] = None
    own = {head: [tail for tail in tails if tail in sources] for head, tails in inputs.items()}
    if max(map(len, own.values()), default=0) < MANY:
        return
    lengths = {}
    for head, tails in own.items():
        columns = 1 + (len(tails) >= MANY)
        entering = [
            tail for tail in inputs[head] if tails and statements.frame[head] is not None and not same_frame(statements, tail, head)
        ]
        lengths |= {(tail, head): columns - k % columns for k, tail in enumerate(tails)}
        lengths |= {(tail, head): 1 + columns for tail in entering}
    statements.lengthen({link: n for link, n in lengths.items() if n > 1})


def own_sources(statements):
    """Return the nodes without inputs that lead to one node only, in the same frame."""
    outputs, heads = statements.outputs(), {node_of(head) for _, head, *_ in statements.edges}
    return {a for a, found in outputs.items() if a not in heads and len(found) == 1 and same_frame(statements, a, *found)}


def same_frame(statements, a, b):
    return statements.frame[a] == statements.frame[b]
