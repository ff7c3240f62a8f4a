"""Arrange things: in frames within frames, and in layers, which are columns in the order of names.

Legend: as in viz/drawing/scopes/scopes.py; `place` gives the path of the open scope that a thing stands in.
"""

from collections import Counter

from scalargrad.graph import by_key
from viz.drawing.scopes.scopes import Box, natural_order, stem


def layers_of(things, place, before, after):
    """Return {path or number: the things of a column}: layers in which each thing uses, or is used by, all things of another layer."""
    groups = by_key(((place(t), frozenset(before[t]), frozenset(after[t])), t) for t in things)
    whole = {frozenset(group) for group in groups.values()}
    dense = {key: group for key, group in groups.items() if len(group) > 1 and any(len(s) > 1 and s in whole for s in key[1:])}
    layers = {t for group in dense.values() for t in group}
    inhabitants = Counter(place(t)[:k] for t in things for k in range(len(place(t)) + 1))
    columns = {}
    for key, group in groups.items():
        path, alone = key[0], inhabitants[key[0]] == len(group)
        boxes = len(group) > 1 and path and all(type(t) is Box for t in group)
        if key in dense or (boxes and alone) or (len(group) == 1 and path and alone and key[1] | key[2] <= layers and key[1] | key[2]):
            if not path and key in dense:
                columns[len(columns)] = sorted(group, key=natural_order)
            elif alone:
                columns[path] = sorted(group, key=natural_order)
    return columns


def tree_of(things, place):
    """Return {path: what stands in its frame}, things and the paths of the frames within."""
    tree: dict = {(): []}
    for t in things:
        path = place(t)
        for k in range(1, len(path) + 1):
            if path[:k] not in tree:
                tree[path[:k]] = []
                tree[path[: k - 1]].append(path[:k])
        tree[path].append(t)
    return tree


def number_of(path):
    """Return what frames with numbered names, such as the neurons of a layer, are sorted by; None for another name.

    >>> number_of(("layer1", "neuron12")), number_of(("attention",))
    (('neuron', 12), None)
    """
    name = path[-1]
    return (stem(name), int(name[len(stem(name)) :])) if stem(name) != name else None
