"""Arrange things: in frames within frames, and in layers, which are columns in the order of names.

Legend: as in viz/drawing/scopes.py; `place` gives the path of the open scope that a thing stands in.
"""

from collections import Counter

from viz.drawing.scopes import Box, natural_order, stem


def layers_of(things, place, before, after):
    """Return {path or number: the things of a column}: layers in which each thing uses, or is used by, all things of another layer."""
    groups: dict = {}
    for t in things:
        groups.setdefault((place(t), frozenset(before[t]), frozenset(after[t])), []).append(t)
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


def in_order(tree, upwards):
    """Return a tree in which frames that are not linked, such as the neurons of a layer, stand in the order of their names.

    With upwards=-1 it is the opposite order for frames without leaves of their own, because the layout engine stacks these upwards.
    """
    return {path: sorted_frames(inside, tree, upwards) for path, inside in tree.items()}


def sorted_frames(inside, tree, upwards):
    """Return what stands in a frame. Frames within it that have equal names but for a number, and are not linked, are sorted."""
    groups: dict = {}
    for k, entry in enumerate(inside):
        if type(entry) is tuple and stem(entry[-1]) != entry[-1]:
            groups.setdefault(stem(entry[-1]), []).append(k)
    found = list(inside)
    for places in groups.values():
        frames = [inside[k] for k in places]
        held = [contents(path, tree) for path in frames]
        if not linked(held):
            turned = upwards if not any(has_leaf(each) for each in held) and min(map(len, held)) > 1 else 1
            for k, path in zip(places, sorted(frames, key=lambda path: int(path[-1][len(stem(path[-1])) :]))[::turned]):
                found[k] = path
    return found


def contents(path, tree):
    """Return the variables in a frame and in the frames within it."""
    found, walk = set(), [path]
    for each in walk:
        for entry in tree[each]:
            if type(entry) is tuple:
                walk.append(entry)
            else:
                found.update(entry.variables if type(entry) is Box else [entry])
    return found


def has_leaf(variables):
    return any(not v.inputs for v in variables)


def linked(groups):
    """Return whether a variable of one group is an input of a variable of another group."""
    return any(x in other for group in groups for y in group for x in y.inputs for other in groups if other is not group)
