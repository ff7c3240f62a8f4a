"""The data of the graphs that a page can open: of a function, and of the passes of a folded loop, of which what all share stands once."""

import re
from collections import defaultdict

from viz.page.live.program import NotLive, Writer

NUMBER = re.compile(r"(?<![\w$.])\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w$])")  # in a live program
SHARED = "listing", "python", "glossary", "mistakeKinds"  # fields that a graph of a function leaves out if they are those of the whole


def inner_data(made, about):
    """Return the data of a graph that opens. `about(made)` is a sentence that says what its derivatives are."""
    return made.data() | {"about": made.formatter(about(made))}


def own_fields(data, whole):
    """Return the data of a graph that opens without those that are the same in the whole graph."""
    return {field: part for field, part in data.items() if field not in SHARED or part != whole[field]}


def about_function(trace, y):
    """Return the function that says what the derivatives of the graph of y's function are."""
    numbers = "the numbers at the arrows outside: "

    def about(made):
        of_arrays = any(hasattr(v, "shape") for v in made.trace.graph.variables)
        kind = "" if of_arrays else "the entries of " if hasattr(y, "shape") else numbers
        formatter, z = made.formatter, made.trace.names[made.trace.graph.z]
        ratios = ", ".join(dict.fromkeys(formatter.formula(trace.ratio(y, slot)) for slot in range(len(y.inputs))))
        weighted = f"{formatter.name(z)} is the sum of the entries of {formatter.name(trace.names[y])}, each multiplied by its entry of "
        said = f"{weighted}{formatter.formula(trace.total(y))}. " if "'" in z else ""
        return f"{said}The derivatives at the inputs are {kind}{ratios}."

    return about


def about_pass(made):
    """Say what the derivatives of the graph of a pass are."""
    name = made.trace.names[made.trace.graph.z]
    z = made.formatter.name(name)
    if "'" not in name:
        return f"The later passes take {z}. The derivatives at the inputs are those of {z}."
    said = f"{z} is the sum of what the later passes take, each multiplied by the derivative that comes to it from outside of this pass."
    return f"{said} So the derivatives at the inputs are what the pass contributes to those of the whole program."


def loop_data(whole, place, loop, graphs):
    """Return the data of a folded loop, an `Opened`; `graphs` are the data of the passes that the page can open, and `whole` those of the
    whole graph.

    many       passes of the loop
    shown      {variable: the first and the last pass that it stands for}
    opening    what the page says of a box that opens
    passes     the numbers of those that the page can open; `graphs` are the data of their graphs, as `together` returns them.
               `play` adds `live`, which says how the page computes each at other numbers
    """
    within = {"loops": {"each": [graph.pop("loops", []) for graph in graphs]}}  # not put together: they hold trees of their own
    graphs = [own_fields(graph, whole) for graph in graphs]
    return {
        "many": loop.many,
        "shown": {place[v]: [passes.first, passes.last] for v, passes in loop.shown.items()},
        "opening": opening(loop),
        "passes": list(loop.passes),
        "graphs": together(graphs) | (within if any(within["loops"]["each"]) else {}) if graphs else None,
    }


def live_passes(traces, notation, programs):
    """Return {program, start, constants} of the passes of a loop, as `together` returns them: the key of a function in `programs`, to which
    it is added, that makes a live program from constants, and the numbers of the inputs. Passes whose programs differ in numbers only
    share one. {notLive} says why a pass has none.
    """
    found, alike = [], defaultdict(list)
    for trace in traces:
        try:
            writer = Writer(trace, notation, plain=True)
        except NotLive as reason:
            found.append({"notLive": str(reason)})
        else:
            source = writer.source()
            found.append({"start": [float(v.data) for v in writer.inputs]})
            alike[NUMBER.sub("#", source)].append((source, found[-1]))
    for same in alike.values():
        program, constants = with_constants([source for source, _ in same])
        key = f"pass {len(programs)}"
        programs[key] = f"c => ({program})"
        for (_, own), numbers in zip(same, constants):
            own |= {"program": key, "constants": numbers}
    return together(found) if found else {}


def with_constants(sources):
    """Return a program with c[0], c[1], ... for the numbers in which programs differ, and these numbers of each.

    >>> with_constants(["2*x + 3", "2*x + 5"])
    ('2*x + c[0]', [[3.0], [5.0]])
    """
    rows = list(zip(*map(NUMBER.findall, sources)))
    differ = list(dict.fromkeys(row for row in rows if len(set(row)) > 1))
    names = iter([f"c[{differ.index(row)}]" if row in differ else row[0] for row in rows])
    return NUMBER.sub(lambda _: next(names), sources[0]), [[float(row[k]) for row in differ] for k in range(len(sources))]


def opening(loop):
    """Return what a page says of a box that stands for hidden passes."""
    said = f"open one of the passes {loop.hidden[0]} to {loop.hidden[-1]} of {loop.many}"
    few = f"; this page has {len(loop.passes)} of these {len(loop.hidden)}, in Python opened= shows any"
    return said + few * (len(loop.passes) < len(loop.hidden))


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
