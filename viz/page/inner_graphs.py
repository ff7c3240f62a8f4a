"""The data of the graphs that a page can open: of a function, and of the passes of a folded loop, of which what all share stands once."""

SHARED = "listing", "python", "glossary", "mistakeKinds"  # fields that a graph of a function leaves out if they are those of the whole
NOT_LIVE = "The page computes the whole program at other numbers, not one pass of a loop. Press Z to go back."


def inner_data(made, about):
    """Return the data of a graph that opens. `about(made)` is a sentence that says what its derivatives are."""
    return made.data() | {"about": made.ink(about(made))}


def about_function(trace, y):
    """Return the function that says what the derivatives of the graph of y's function are."""
    numbers = "the numbers at the arrows outside: "

    def about(made):
        of_arrays = any(hasattr(v, "shape") for v in made.trace.graph.variables)
        kind = "" if of_arrays else "the entries of " if hasattr(y, "shape") else numbers
        ink, z = made.ink, made.trace.names[made.trace.graph.z]
        ratios = ", ".join(dict.fromkeys(ink.formula(trace.ratio(y, slot)) for slot in range(len(y.inputs))))
        weighted = f"{ink.name(z)} is the sum of the entries of {ink.name(trace.names[y])}, each multiplied by its entry of "
        said = f"{weighted}{ink.formula(trace.total(y))}. " if z.endswith("'") else ""
        return f"{said}The derivatives at the inputs are {kind}{ratios}."

    return about


def about_pass(made):
    """Say what the derivatives of the graph of a pass are."""
    name = made.trace.names[made.trace.graph.z]
    z = made.ink.name(name)
    if not name.endswith("'"):
        return f"The later passes take {z}. The derivatives at the inputs are those of {z}."
    said = f"{z} is the sum of what the later passes take, each multiplied by the derivative that comes to it from outside of this pass."
    return f"{said} So the derivatives at the inputs are what the pass contributes to those of the whole program."


def loop_data(place, loop, passes):
    """Return the data of a folded loop, an `Opened`; `passes` are the PageData of the passes that the page can open.

    many       passes of the loop
    shown      {variable: the first and the last pass that it stands for}
    opening    what the page says of a box that opens
    passes     the numbers of those that the page can open; `graphs` are the data of their graphs, as `together` returns them
    """
    graphs = [inner_data(each, about_pass) | {"notLive": NOT_LIVE} for each in passes]
    graphs = [{field: part for field, part in graph.items() if field not in SHARED} for graph in graphs]
    return {
        "many": loop.many,
        "shown": {place[v]: [passes.first, passes.last] for v, passes in loop.shown.items()},
        "opening": opening(loop),
        "passes": list(loop.passes),
        "graphs": together(graphs) if graphs else None,
    }


def opening(loop):
    """Return what a page says of a box that stands for hidden passes."""
    hidden = {k for _, first, last, _ in loop.shown.values() if first < last for k in range(first, last + 1)}
    said = f"open one of the passes {min(hidden)} to {max(hidden)} of {loop.many}"
    few = f"; this page has {len(loop.passes)} of these {len(hidden)}, in Python opened= shows any"
    return said + few * (len(loop.passes) < len(hidden))


def together(trees):
    """Return trees of lists and dictionaries as one: what all share stands once, and where they differ {"each": parts}.

    >>> together([{"n": 1, "said": ["x", 2]}, {"n": 1, "said": ["x", 3]}])
    {'n': 1, 'said': ['x', {'each': [2, 3]}]}
    """
    first, *others = trees
    if all(each == first for each in others):
        return first
    if isinstance(first, dict) and all(isinstance(each, dict) and each.keys() == first.keys() for each in others):
        return {key: together([each[key] for each in trees]) for key in first}
    if isinstance(first, list) and all(isinstance(each, list) and len(each) == len(first) for each in others):
        return [together(list(parts)) for parts in zip(*trees)]
    return {"each": trees}
