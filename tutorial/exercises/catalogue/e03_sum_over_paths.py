"""A sum over all paths

`path_sum(z, x, inputs, partial)` returns $\\frac{dz}{dx}$, path by path: it multiplies the partial derivatives along each path from `x`
to `z`, and adds up the paths. `inputs[y]` lists the inputs of `y`, one for each use, and is empty for a leaf. `partial[y, x]` is
$\\frac{\\partial y}{\\partial x}$ for one use, and the same for each use of `x` by `y`. For $z = x \\cdot x$ at $x = 3$,
`inputs["z"]` is `["x", "x"]` and `partial["z", "x"]` is 3. So there are two paths, and `path_sum` is $3 + 3 = 6$. If no path leads from
`x` to `z`, the sum is 0. From `z` to `z` leads a path without edges, and the sum is 1.
"""
# meta: unit=A minutes=15 difficulty=2 chapter=inductive-chain-rule call=derivatives


def path_sum(z, x, inputs, partial):
    # BEGIN SOLUTION
    def paths(y):
        """Return all paths from y against the arrows to x."""
        if y == x:
            return [[x]]
        return [[y, *path] for v in inputs[y] for path in paths(v)]
        # ~ used-once M03: return [[y, *path] for v in dict.fromkeys(inputs[y]) for path in paths(v)]

    total = 0
    # ~ sum-from-1 M76: total = 1
    for path in paths(z):
        # ~ first-path M93: for path in paths(z)[:1]:
        # ~ longest-path M93: for path in sorted(paths(z), key=len)[-1:]:
        # ~ shortest-path M93: for path in sorted(paths(z), key=len)[:1]:
        product = 1
        # ~ product-from-0 M76: product = 0
        # ~ adds-along M30: product = 0
        for y, v in zip(path, path[1:]):
            # ~ without-first-edge M77: for y, v in zip(path[1:], path[2:]):
            # ~ without-last-edge M77: for y, v in zip(path[:-1], path[1:-1]):
            product *= partial[y, v]
            # ~ counts-paths M64: pass
            # ~ divides M70: product /= partial[y, v]
            # ~ adds-to-1 M30: product += partial[y, v]
            # ~ last-edge M05: product = partial[y, v]
            # ~ transposed M01: product *= partial[v, y]
            # ~ adds-along M30: product += partial[y, v]
        total += product
        # ~ no-empty-path M28: total += product * (len(path) > 1)
        # ~ overwrite M03: total = product
        # ~ mean M30: total = total + product / len(paths(z))
        # ~ product-of-paths M30: total = total * product if total else product
        # ~ only-edges M02: total += product * (len(path) < 3)
        # ~ largest M30: total = max(total or product, product)
    return total
    # END SOLUTION


# MUTANT visited M79
#     seen = set()
#
#     def effect(y):
#         if y == x:
#             return 1
#         if y in seen:
#             return 0
#         seen.add(y)
#         return sum(effect(v) * partial[y, v] for v in inputs[y])
#
#     return effect(z)
# MUTANT leaf-is-1 M28
#     if z == x or not inputs[z]:
#         return 1
#     return sum(partial[z, v] * path_sum(v, x, inputs, partial) for v in inputs[z])
# MUTANT first-input M77
#     if z == x:
#         return 1
#     for v in inputs[z]:
#         return partial[z, v] * path_sum(v, x, inputs, partial)
#     return 0
# MUTANT multiplies-paths M30
#     def effect(y):
#         if y == x:
#             return 1
#         effects = [effect(v) * partial[y, v] for v in inputs[y] if leads(v)]
#         product = 1 if effects else 0
#         for one in effects:
#             product *= one
#         return product
#
#     def leads(y):
#         return y == x or any(leads(v) for v in inputs[y])
#
#     return effect(z)
# FRAME
def derivatives(z, x, inputs, partial):
    return {x: path_sum(z, x, inputs, partial)}


# CHECK
from tutorial.exercises.probes.calls import with_names
from tutorial.exercises.probes.probe import Probe
from tutorial.exercises.probes.small_graphs import figure_1, random_graph, small_graph
from tutorial.exercises.values import value_text

HINTS = (
    "How does a nudge of x travel along one path, and what arrives at z if several paths lead there?",
    "Walk from z against the arrows. Every path to x goes over one of the inputs of z, and goes on from there in the same way.",
    "Let a function give all paths from a variable to x: a path is that variable, then a path of one of its inputs. "
    "Multiply the partial derivatives of neighbours on a path, starting with 1, and add the products, starting with 0.",
)
PREDICT = (
    "y = x · x, and z = y · y. How many paths lead from x to z?",
    4,
    {
        2: "You counted the paths to y, or those from y on. Each path to y goes on by each path from y to z.",
        1: "A function that uses x twice has two edges from x. Each is on paths of its own.",
    },
)
SUM = "dz/d{x} was {got}, expected {expected}. "
SAID = {
    "first-path": SUM + "You followed one path. {count} paths lead from {x} to z: {paths}. Add them.",
    "longest-path": SUM + "You took only the longest path. {count} paths lead from {x} to z: {paths}. Add them.",
    "shortest-path": SUM + "You took only the shortest path. {count} paths lead from {x} to z: {paths}. Add them.",
    "counts-paths": SUM + "You counted the paths. Multiply the partial derivatives along each: {paths}.",
    "adds-along": SUM + "You added along a path. A nudge is multiplied by each partial derivative on its way: {paths}.",
    "last-edge": SUM + "You kept only the last partial derivative of each path. Multiply all of them: {paths}.",
    "used-once": SUM + "You counted a variable once that a function uses twice. Each use is an edge of its own, so the paths are {paths}.",
    "overwrite": SUM + "You replaced the earlier paths by a later one. Add all of them: {paths}.",
    "largest": SUM + "You took the largest path. A nudge of {x} reaches z along all paths at once: {paths}.",
    "multiplies-paths product-of-paths": SUM + "You multiplied the paths. Factors multiply along one path, and paths add: {paths}.",
    "sum-from-1": SUM + "You began the sum with 1. Before the first path it is 0. The paths: {paths}.",
    "product-from-0": SUM + "You began a product with 0, so it stays 0. Before the first edge of a path it is 1. The paths: {paths}.",
    "no-empty-path": SUM + "From {x} to {x} leads a path without edges. Nothing is multiplied along it, so it gives 1.",
    "mean": SUM + "You took the mean of the paths. Add them: {paths}.",
    "only-edges": SUM + "You took only paths of one edge. Longer paths count, too: {paths}.",
    "visited": SUM
    + "You went through each variable once. Each path counts, also one through a variable where another path has been: {paths}.",
    "uses-squared": SUM + "You counted a double use twice over: `inputs` lists it twice already. The paths: {paths}.",
    "leaf-is-1": SUM + "You gave 1 to each leaf. Only a path that ends at {x} counts: {paths}.",
    "without-first-edge": SUM + "You left out the edge at z of each path: {paths}.",
    "without-last-edge": SUM + "You left out the edge at {x} of each path: {paths}.",
    "divides": SUM + "You divided by a partial derivative. A nudge is multiplied by each on its way: {paths}.",
    "adds-to-1": SUM + "You added the partial derivatives to 1. Multiply them along each path: {paths}.",
    "adds-edges": SUM + "You added each partial derivative to the rest of its path. Multiply along a path: {paths}.",
    "turned-round": SUM + "You went from {x} against the arrows, to the inputs of {x}. The paths to z lead the other way: begin at z.",
    "first-input": SUM + "You went on from the first input alone. Every input of a variable may lead to {x}: {paths}.",
    "transposed": "Your program ended in {got}. The 2 names of partial[y, x] are the child y and its input x: the child stands first.",
}
ASKED = {
    "only-edges": "How many edges has the longest path from {x} to z?",
    "first-path longest-path shortest-path visited first-input leaf-is-1": "How many paths lead from {x} to z?",
    "counts-paths": "By how much does an edge enlarge a nudge?",
    "adds-along adds-edges": "If {x} moves the next variable by 3 times as much, and that moves z by 5 times as much, how far does z move?",
    "last-edge without-first-edge without-last-edge divides adds-to-1": "Which partial derivatives stand along the path {longest}?",
    "used-once uses-squared": "How many edges lead to a variable such as v · v?",
    "overwrite": "What stood in your total before the last path?",
    "largest multiplies-paths mean product-of-paths": "A nudge of {x} arrives along all paths at once. What happens to z?",
    "transposed": "Which of the two variables of an edge is computed from the other?",
    "sum-from-1 product-from-0": "What is a sum of no paths, and what is a product of no factors?",
    "no-empty-path": "By how much does {x} grow if {x} grows by 1?",
    "turned-round": "Is {x} computed from its inputs, or are they computed from {x}?",
}


def probes(random):
    """Yield one path, two uses, two lengths, Figure 1, and random graphs; then no path, and the path without edges."""
    yield probe(small_graph("y * a b; z * y c", random), "a", "one path of two edges leads from a to z")
    yield probe(small_graph("z * a a", random), "a", "z uses a twice")
    yield probe(small_graph("y * a b; z * y a", random), "a", "two paths lead from a to z, of one and of two edges")
    for x in ("x1", "x4"):
        yield probe(figure_1(2, 3, 5, 7), x, "the graph is Figure 1")
    yield probe(small_graph("h * a a; m * h h; z + h m", random), "a", "h is used three times")
    yield probe(small_graph("h * a b; y * h a; w + h b; v * y w; z + v h", random), "a", "the paths from a to z have several lengths")
    for functions in (4, 5, 6):
        yield probe(random_graph(functions, random), "a", "the graph is random")
    yield probe(small_graph("y * a b; w * a c; z * y c", random), "w", "no path leads to z")
    yield probe(small_graph("y * a b; w * c d; z * y a", random), "c", "no path leads to z, and c is a leaf")
    yield probe(small_graph("y * a b; z * y c", random), "z", "the path has no edges")


def probe(graph, x, about):
    found = paths("z", x, graph.inputs)
    facts = {
        "x": x,
        "count": len(found),
        "paths": "; ".join(effect(path, graph.partial) for path in found) or "none",
        "longest": " ← ".join(max(found, key=len, default=["z"])),
        "which": {x: f"dz/d{x}"},
        "scene": graph.variables["z"],
    }
    shown = with_names(f"path_sum('z', {x!r}, inputs, partial)", inputs=graph.inputs, partial=graph.partial)
    return Probe(("z", x, graph.inputs, graph.partial), facts, about=about, shown=shown)


def paths(z, x, inputs):
    return [[x]] if z == x else [[z, *path] for y in inputs[z] for path in paths(y, x, inputs)]


def effect(path, partial):
    """Return a path with its product: z ← y ← a: 3 · 5 = 15."""
    factors = [partial[y, x] for y, x in zip(path, path[1:])]
    product = 1
    for factor in factors:
        product *= factor
    multiplied = " · ".join(f"({value_text(factor)})" if factor < 0 else value_text(factor) for factor in factors)
    return f"{' ← '.join(path)}: " + (f"{multiplied} = {value_text(product)}" if len(factors) > 1 else value_text(product))
