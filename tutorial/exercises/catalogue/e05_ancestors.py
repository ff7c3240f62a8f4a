"""All ancestors

`ancestors(z, inputs)` returns the ancestors of `z` as a set: all variables from which a path of at least one edge leads to `z`.
`inputs[y]` lists the inputs of `y`, one for each use, and is empty for a leaf. Figure 1 is the graph of $y_1 = x_1 + x_2 + x_3 + x_4$,
$y_2 = x_4^2$ and $z = x_1 y_1 + y_2$. For its inputs, `ancestors("y1", inputs)` is `{"x1", "x2", "x3", "x4"}`. Graphs can be deep: a chain
of 5,000 variables must not be too long for your program.
"""
# meta: unit=B minutes=8 difficulty=2 chapter=order-matters call=ancestors


def ancestors(z, inputs):
    # BEGIN SOLUTION
    found = set()
    # ~ includes-z M33: found = {z}
    to_do = [z]
    while to_do:
        # ~ inputs-only M32: for _ in range(1):
        for x in inputs[to_do.pop()]:
            # ~ first-input M03: for x in inputs[to_do.pop()][:1]:
            # ~ last-input M03: for x in inputs[to_do.pop()][-1:]:
            # ~ without-first M03: for x in inputs[to_do.pop()][1:]:
            # ~ each-use-again M34: for x in inputs[to_do.pop()]:
            if x not in found:
                # ~ no-leaves M63: if x not in found and inputs[x]:
                # ~ each-use-again M34: if True:
                found.add(x)
                to_do.append(x)
    return found
    # ~ only-leaves M80: return {x for x in found if not inputs[x]}
    # ~ only-used M80: return {x for x in found if any(x in inputs[y] for y in found)}
    # ~ without-inputs M32: return found - set(inputs[z])
    # END SOLUTION


# MUTANT two-levels M32: return set(inputs[z]).union(*(inputs[y] for y in inputs[z]))
# MUTANT three-levels M32
#     found = set(inputs[z])
#     for y in list(found):
#         found |= set(inputs[y])
#     for y in list(found):
#         found |= set(inputs[y])
#     return found
# MUTANT one-sweep M77
#     found = set(inputs[z])
#     for y in inputs:
#     # ~ one-sweep-back M77: for y in reversed(list(inputs)):
#         if y in found:
#             found |= set(inputs[y])
#     return found
# MUTANT nothing M32: return set()
# MUTANT all-others M51: return {x for x in inputs if x != z}
# MUTANT descendants M01
#     found, to_do = set(), [z]
#     while to_do:
#         x = to_do.pop()
#         for y in inputs:
#             if x in inputs[y] and y not in found:
#                 found.add(y)
#                 to_do.append(y)
#     return found
# MUTANT recursion M27
#     found = set()
#
#     def visit(y):
#         for x in inputs[y]:
#             if x not in found:
#                 found.add(x)
#                 visit(x)
#
#     visit(z)
#     return found
# CHECK
from tutorial.exercises.probes.calls import with_names
from tutorial.exercises.probes.probe import Probe
from tutorial.exercises.probes.small_graphs import (
    chain,
    figure_1,
    ladder,
    members,
    names_or_none,
    random_graph,
    reached,
    small_graph,
    whole,
)

CALL = "ancestors('z', inputs)"
LINKS, STEPS = 5_000, 40
FEW = 2_000  # calls on the graph with many paths
HINTS = (
    "The inputs of z are ancestors of z. What are the inputs of an ancestor?",
    "Keep two collections: the ancestors that were found, and the variables whose inputs you have not looked at yet.",
    "Begin with a list that holds only z. As long as it is not empty, take a variable from it and look at each input: "
    "one that is new goes into the set, and onto the list.",
)
PREDICT = (
    "h = a · a, m = h · h, z = h + m. How many ancestors has z?",
    3,
    {
        4: "You counted z itself. A path of at least one edge leads from an ancestor to z.",
        2: "You stopped at the inputs of z. Their inputs are ancestors of z, too.",
    },
)
SET = "ancestors({z}, inputs) gave {got}, expected {expected}. "
SAID = {
    "includes-z": SET + "{z} is not its own ancestor: a path from an ancestor has at least one edge.",
    "inputs-only": SET + "You took only the inputs of {z}, {inputs}. Their inputs are ancestors, too.",
    "first-input": SET + "You looked at the first input of each variable only. Each input is an ancestor.",
    "no-leaves": SET
    + "You left out variables that have no inputs: {leaves}. A leaf is an ancestor, too, and its derivative is what one wants.",
    "all-others": SET + "You took all variables. From {unrelated} no path leads to {z}.",
    "descendants": SET + "You followed the arrows away from {z}. Its ancestors are at the other end: go from a variable to its inputs.",
    "only-leaves": SET + "You kept only variables without inputs. Every variable on a path to {z} is an ancestor.",
    "only-used": SET + "You left out the inputs of {z} that no other ancestor uses.",
    "without-inputs": SET + "You left out the inputs of {z}, {inputs}. A path of one edge is a path.",
    "two-levels": SET + "You took the inputs of {z} and their inputs. The path may be longer.",
    "three-levels": SET + "You took paths of at most three edges. The path may be longer.",
    "one-sweep": SET + "You went through the dictionary once. It holds its keys in any order, so some inputs came before you needed them.",
    "one-sweep-back": SET + "You went through the dictionary once, from its end. It holds its keys in any order.",
    "last-input": SET + "You looked at the last input of each variable only. Each input is an ancestor.",
    "without-first": SET + "You left out the first input of each variable. Each input is an ancestor.",
    "nothing": SET + "Nothing came into your set. The inputs of {z}, {inputs}, are the first ancestors.",
    "each-use-again": "A graph of {size} variables, each used twice, took too long: your program looks at a variable again for each path. "
    "Look at the inputs of each variable once.",
    "recursion": "A chain of {size} variables ended in a RecursionError. Python limits calls within calls: keep a list in their place.",
}
ASKED = {
    "includes-z": "Does a path with at least one edge lead from {z} to {z}?",
    "inputs-only two-levels three-levels nothing": "What are the inputs of these?",
    "first-input": "What are all inputs of {z}?",
    "no-leaves": "Where does the graph begin?",
    "all-others": "From which of these can you follow the arrows to {z}?",
    "descendants": "Are these computed from {z}, or is {z} computed from these?",
    "only-leaves only-used without-inputs": "From which variables does a path lead to {z}?",
    "one-sweep one-sweep-back": "Would your program find the same if the keys stood in another order?",
    "each-use-again": "How often does it look at the same variable?",
    "recursion": "How many calls of a function are open at the same time?",
}


def probes(random):
    """Yield Figure 1, small graphs, random graphs and unrelated variables; then many paths, and a long chain."""
    figure = figure_1(2, 3, 5, 7)
    for z in ("y1", "y2", "z"):
        yield probe(figure, z, "the graph is Figure 1")
    yield probe(small_graph("h * a a; m * h h; z + h m", random), "z", "h and m are shared")
    for functions in (4, 5, 6):
        yield probe(random_graph(functions, random), "z", "the graph is random")
    yield probe(small_graph("y * a b; w * c d; z + y a", random), "z", "w is not used")
    deep = small_graph("h * a b; m + h c; n * m d; z + n n", random)
    for keys in ("z n m h a b c d", "m h n z d b a c"):
        yield probe(deep._replace(inputs={y: deep.inputs[y] for y in keys.split()}), "z", "the keys stand in another order")
    yield Probe(("z", ladder(STEPS)), {"size": STEPS + 1}, FEW, f"inputs: each of {STEPS} variables uses the one before it twice", CALL)
    yield Probe(("z", chain(LINKS)), {"size": LINKS}, about=f"inputs: {LINKS} variables form a chain", shown=CALL)


def probe(graph, z, about):
    related = reached(z, graph.inputs)
    facts = {
        "z": z,
        "inputs": names_or_none(graph.inputs[z]),
        "leaves": names_or_none(x for x in sorted(related) if not graph.inputs[x]),
        "unrelated": names_or_none(x for x in graph.inputs if x not in related and x != z),
        "scene": graph.variables["z"],
        "right": sorted(related),
        "whole": whole(graph.variables.values()),
    }
    return Probe((z, graph.inputs), facts, about=about, shown=with_names(f"ancestors({z!r}, inputs)", inputs=graph.inputs))


def marked(got, probe):
    """Return the whole graph, with what is in the answer and what should be; None for the long ones."""
    return members(got, probe.facts["right"], probe.facts["whole"]) if "whole" in probe.facts else None
