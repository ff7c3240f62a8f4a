"""Who uses x?

`children(edges, x)` returns the children of `x` as a set. `edges` is a list of pairs: `(x, y)` says that `y` is computed from `x`
directly. If a function uses `x` twice, the pair stands there twice. Figure 1 is the graph of $y_1 = x_1 + x_2 + x_3 + x_4$, $y_2 = x_4^2$
and $z = x_1 y_1 + y_2$. For its edges, `children(edges, "x4")` is `{"y1", "y2"}`.
"""
# meta: unit=A minutes=5 difficulty=1 chapter=variables-functions-graphs call=children


def children(edges, x):
    # BEGIN SOLUTION
    found = set()
    for start, end in edges:
        if start == x:
            # ~ any-edge M01: if True:
            found.add(end)
            # ~ first-only M03: return {end}
            # ~ last-only M03: found = {end}
            # ~ itself M33: found |= {x, end}
            # ~ letters M78: found.update(end)
            # ~ pairs M78: found.add((start, end))
            # ~ start-for-end M01: found.add(start)
    return found
    # ~ early M77:     return found
    # END SOLUTION


# MUTANT part-of-a-name M78: return {end for start, end in edges if x in start}
# MUTANT holds-a-name M78: return {end for start, end in edges if start in x}
# MUTANT until-another M77
#     found = set()
#     for start, end in edges:
#         if start == x:
#             found.add(end)
#         elif found:
#             break
#     return found
# MUTANT others M01: return {end for start, end in edges if start != x}
# MUTANT only-once M03
#     ends = [end for start, end in edges if start == x]
#     return {end for end in ends if ends.count(end) == 1}
# MUTANT end-of-x M01: return {end for start, end in edges if end == x}
# MUTANT either-end M01: return {end for start, end in edges if x in (start, end)}
# MUTANT both-names M01: return {name for edge in edges if x in edge for name in edge}
# MUTANT parents M01: return {start for start, end in edges if end == x}
# MUTANT both-ways M01: return {start if end == x else end for start, end in edges if x in (start, end)}
# MUTANT descendants M32
#     found = {end for start, end in edges if start == x}
#     return found.union(*(children(edges, y) for y in found))
# MUTANT grandchildren M32
#     found = {end for start, end in edges if start == x}
#     return found | {end for start, end in edges if start in found}
# CHECK
from tutorial.exercises.probes.probe import Probe
from tutorial.exercises.probes.small_graphs import figure_1, members, names_or_none, random_graph, small_graph, whole

HINTS = (
    "An edge leads from an input to the variable that is computed from it. On which side of the pair does x stand?",
    "Look at every edge. If x is its start, then its end is a child. A set keeps a name that comes twice only once.",
    "Begin with an empty set. Go through all pairs, and add the second name of each pair whose first name is x. Return the set at the end.",
)
PREDICT = (
    "edges is [(a, p), (a, q), (a, q), (p, z), (q, z)]. How many children has a?",
    2,
    {
        3: "A set holds each child once. Did you count q twice? Or z, which is a child of p and q?",
        5: "You counted all edges. Which of them begin at a?",
    },
)
SET = "children(edges, {x}) gave {got}, expected {expected}. "
SAID = {
    "parents": SET + "The arrows lead from an input to its child. You took the variables from which {x} is computed: its inputs, {inputs}.",
    "both-ways": SET + "You took both sides of {x}. Its inputs are {inputs}, its children {children}.",
    "descendants": SET + "You went on along the arrows. A child is one step away, and {far} is further away.",
    "grandchildren": SET + "You took two steps along the arrows. A child is one step away, and {far} is two steps away.",
    "first-only": SET + "You stopped at the first edge that starts at {x}. {uses} edges start there.",
    "itself": SET + "You counted {x} as a child of itself. No arrow leads from {x} to {x}.",
    "any-edge": SET + "You took the end of every edge. Only edges that start at {x} lead to its children.",
    "last-only": SET + "You kept only the last edge that starts at {x}. {uses} edges start there.",
    "letters": SET + "You added the letters of a name one by one. Add the name as a whole.",
    "pairs": SET + "You kept the pairs. The children are the second names of the pairs.",
    "start-for-end": SET + "You took the first name of each pair, {x} itself. The second name is the child.",
    "part-of-a-name": SET + "You took each edge whose start holds the letters of {x}, such as {longer}. Compare names with ==.",
    "holds-a-name": SET + "You took each edge whose start is a part of the name {x}, such as {part}. Compare names with ==.",
    "early": SET + "You stopped after the first pair of the list, whether it starts at {x} or not.",
    "until-another": SET + "You stopped at the first pair that does not start at {x}. Others that start at {x} may follow.",
    "others": SET + "You took the edges that do not start at {x}.",
    "only-once": SET + "You left out a child that uses {x} twice. It is a child, too, and stands in a set once.",
    "end-of-x": SET + "You asked for {x} at the end of a pair, and took this end. A child of {x} is the end of a pair that starts at {x}.",
    "either-end": SET + "You took the end of each pair that holds {x} anywhere, so {x} itself, too. Only pairs that start at {x} count.",
    "both-names": SET + "You took both names of each pair that holds {x}. Its children are the ends of pairs that start at {x}.",
}
ASKED = {
    "parents": "Is {x} computed from these, or are these computed from {x}?",
    "both-ways": "Which of these are computed from {x}?",
    "descendants grandchildren": "Which of these does one arrow reach from {x}?",
    "first-only last-only early until-another only-once": "How many edges start at {x}?",
    "itself": "Which edge leads from {x} to {x}?",
    "any-edge others end-of-x either-end both-names": "Which of these are computed from {x} directly?",
    "letters pairs start-for-end": "What are the members of your set, and what should they be?",
    "part-of-a-name holds-a-name": "Which edges do you look at for {x}?",
}


def probes(random):
    """Yield Figure 1, a function that uses a variable twice, a chain, then random graphs."""
    figure = figure_1(2, 3, 5, 7)
    for x in ("y1", "x4", "x1", "x2", "z"):
        yield probe(figure, x, "the graph is Figure 1")
    yield probe(small_graph("y * a a; z + y a", random), "a", "y uses a twice")
    names = small_graph("ab * a b; y * ab b; z + y a", random)
    yield probe(names, "a", "a name holds another one")
    yield probe(names, "ab", "a name holds another one")
    yield probe(small_graph("y * a b; w + y c; z * w c", random), "a", "the graph is a chain")
    for functions in (3, 4, 5, 6):
        graph = random_graph(functions, random)
        yield probe(graph, random.choice(list(graph.inputs)), "the graph is random")


def probe(graph, x, about):
    children = graph.children[x]
    further = [y for child in children for y in graph.children[child] if y not in children]
    facts = {
        "x": x,
        "inputs": names_or_none(graph.inputs[x]),
        "children": names_or_none(children),
        "far": (further or ["z"])[0],
        "uses": len(children),
        "longer": next((y for y in graph.inputs if x in y and y != x), "none"),
        "part": next((y for y in graph.inputs if y in x and y != x), "none"),
        "scene": graph.variables["z"],
        "right": children,
        "whole": whole(graph.variables.values()),
    }
    return Probe((graph.edges, x), facts, about=about)


def marked(got, probe):
    """Return the whole graph, with what is in the answer and what should be."""
    return members(got, probe.facts["right"], probe.facts["whole"])
