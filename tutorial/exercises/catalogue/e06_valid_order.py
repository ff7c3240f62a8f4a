"""Judge an order

`is_valid_order(order, z, inputs)` returns `True` if `order` is a topological order, else `False`. Such an order holds `z` and each
ancestor of `z` exactly once, and nothing else, and each variable comes after all its children. `inputs[y]` lists the inputs of `y`. You
may use `ancestors`, which is given. Figure 1 is the graph of $y_1 = x_1 + x_2 + x_3 + x_4$, $y_2 = x_4^2$ and $z = x_1 y_1 + y_2$. For it,
the order `["z", "y2", "y1", "x2", "x1", "x3", "x4"]` is valid, and it is not the only one.
"""
# meta: unit=B minutes=10 difficulty=2 chapter=order-matters call=is_valid_order


def ancestors(z, inputs):
    """Return the set of the ancestors of z."""
    found, to_do = set(), [z]
    while to_do:
        for x in inputs[to_do.pop()]:
            if x not in found:
                found.add(x)
                to_do.append(x)
    return found


def is_valid_order(order, z, inputs):
    # BEGIN SOLUTION
    done = set()
    for y in order:
        # ~ strangers M51: for y in (y for y in order if y in {z} | ancestors(z, inputs)):
        if y in done or any(x in done for x in inputs[y]):
            # ~ leaves-first M04: if y in done or any(x not in done for x in inputs[y]):
            # ~ accepts-duplicates M35: if any(x in done for x in inputs[y]):
            # ~ first-input M03: if y in done or inputs[y][:1] and inputs[y][0] in done:
            # ~ length-only M35: if any(x in done for x in inputs[y]):
            return False
        done.add(y)
    return done == {z} | ancestors(z, inputs)
    # ~ accepts-missing M35: return done <= {z} | ancestors(z, inputs)
    # ~ accepts-unrelated M51: return done >= {z} | ancestors(z, inputs)
    # ~ without-z M33: return done - {z} == ancestors(z, inputs)
    # ~ length-only M35: return len(order) == len({z} | ancestors(z, inputs))
    # END SOLUTION


# MUTANT any-child M04
#     children = {x: [y for y in inputs if x in inputs[y]] for x in inputs}
#     if len(order) != len(set(order)) or set(order) != {z} | ancestors(z, inputs):
#         return False
#     return all(x == z or any(y in order[:k] for y in children[x]) for k, x in enumerate(order))
# MUTANT order-only M35
#     place = {y: k for k, y in enumerate(order)}
#     return all(place[y] < place[x] for y in order for x in inputs[y] if x in place)
# MUTANT all-variables M51
#     place = {y: k for k, y in enumerate(order)}
#     if set(order) != set(inputs) or len(place) != len(order):
#         return False
#     return all(place[y] < place[x] for y in order for x in inputs[y])
# MUTANT first-pair M77
#     if len(order) != len(set(order)) or set(order) != {z} | ancestors(z, inputs):
#         return False
#     for y, x in zip(order, order[1:]):
#         return y not in inputs[x]
#     return True
# MUTANT always M58: return True
# MUTANT never M58: return False
# MUTANT one-order M06
#     notes = []
#
#     def visit(y):
#         if y not in notes:
#             for x in inputs[y]:
#                 visit(x)
#             notes.append(y)
#
#     visit(z)
#     return order == notes[::-1]
# MUTANT set-only M04: return len(order) == len(set(order)) and set(order) == {z} | ancestors(z, inputs)
# MUTANT z-first M04: return order[:1] == [z] and len(order) == len(set(order)) and set(order) == {z} | ancestors(z, inputs)
# MUTANT neighbours M04
#     if len(order) != len(set(order)) or set(order) != {z} | ancestors(z, inputs):
#         return False
#     return all(y not in inputs[x] for y, x in zip(order, order[1:]))
# CHECK
from tutorial.exercises.probes.calls import with_names
from tutorial.exercises.probes.probe import Probe
from tutorial.exercises.probes.small_graphs import figure_1, places, random_graph, reached, small_graph, whole

HINTS = (
    "What must be true of the collection as a whole, and what of each pair of a variable and its child?",
    "Go through the order, and remember the variables that you have passed. If an input of a variable is among them, it came too early.",
    "Refuse a variable that was passed before, and a variable one of whose inputs was passed before. At the end, the variables that were "
    "passed must be z and its ancestors.",
)
PREDICT = (
    "h = a · a, m = h · h, z = h + m. How many topological orders of z and its ancestors are there?",
    1,
    {
        2: "Did you change the places of h and m? h is an input of m, so m comes first.",
        6: "You fixed z and let the others stand in any order. Each variable comes after all its children.",
    },
)
ACCEPTED = "Your program accepted {order}: {reason}. "
REJECTED = "Your program rejected {order}, which is a valid order: {reason}. "
SAID = {
    "leaves-first": "For {order} the answer was {got}, expected {expected}: {reason}. "
    "You asked for inputs before the variables that use them. z comes first, and each variable after its children.",
    "one-order": REJECTED + "You accepted one order alone. Several orders are valid.",
    "accepts-duplicates": ACCEPTED + "Its derivative would be passed on twice.",
    "accepts-missing": ACCEPTED + "Its derivative would never be computed.",
    "accepts-unrelated": ACCEPTED + "z does not depend on it.",
    "without-z": ACCEPTED + "The backward pass begins with dz/dz = 1.",
    "set-only": ACCEPTED + "You compared which variables are there. They are the right ones, but not in the right order.",
    "z-first": ACCEPTED + "You compared which variables are there, and the place of z. It is not enough that z comes first.",
    "neighbours": ACCEPTED + "You looked at neighbours alone. A variable and its child need not be neighbours in the order.",
    "first-input": ACCEPTED + "You looked at the first input alone. Each input of a variable must come after it.",
    "any-child": ACCEPTED + "You asked for one child that comes before. All children of a variable must come before it.",
    "strangers": ACCEPTED + "You left out variables that are not ancestors of z before you looked at the order. They must not stand there.",
    "length-only": ACCEPTED + "You counted the variables, and did not compare which they are.",
    "order-only": ACCEPTED + "You looked at pairs alone, and not at which variables stand there.",
    "all-variables": REJECTED + "You asked for all variables of the graph. An order holds only z and its ancestors.",
    "first-pair": ACCEPTED + "You looked at the first pair of neighbours alone.",
    "always": ACCEPTED + "It gives True for every order that was tried.",
    "never": REJECTED + "It gives False for every valid order that was tried.",
}
ASKED = {
    "leaves-first": "Whose derivative is known before all others?",
    "one-order": "Which variable stands before one of its children in {order}?",
    "accepts-duplicates": "How often does each variable stand in {order}?",
    "accepts-missing": "Which ancestors of z are not in {order}?",
    "accepts-unrelated strangers all-variables": "From which of these does no path lead to z?",
    "without-z": "Which variable is missing?",
    "set-only z-first": "Can equation (1) be applied to each variable when its turn comes?",
    "neighbours any-child first-pair": "For each variable, where do all its children stand?",
    "first-input": "For each variable, where do all its inputs stand?",
    "length-only order-only": "Which variables must stand in the order, and which must not?",
    "always never": "What does your program do with the order?",
}


def probes(random):
    """Yield orders of Figure 1, right and wrong in each way, then those of other graphs."""
    figure = figure_1(2, 3, 5, 7)
    yield probe(figure, ["z", "y2", "y1", "x2", "x1", "x3", "x4"])
    yield probe(figure, ["z", "y1", "x3", "x1", "y2", "x4", "x2"])  # leaves may stand before a computed variable
    yield from around(figure, random)
    yield from around(small_graph("h * a a; m * h h; w1 * a b; z + m h", random), random)
    for functions in (4, 5):
        yield from around(random_graph(functions, random), random)


def around(graph, random):
    """Yield orders of z and its ancestors: some that are right, then some that are wrong in one way each."""
    right = an_order(graph, random)
    for _ in range(3):
        yield probe(graph, an_order(graph, random))
    yield probe(graph, right[::-1])
    yield probe(graph, right[:-1])
    yield probe(graph, right[1:])
    yield probe(graph, [*right, right[-1]])
    yield probe(graph, [*right[:-1], right[-2]])
    for unrelated in [x for x in graph.inputs if x not in right][-1:]:
        yield probe(graph, [*right[:-1], unrelated])
        yield probe(graph, [unrelated, *right])
        yield probe(graph, [*right, unrelated])
    for _ in range(3):
        yield probe(graph, [right[0], *random.sample(right[1:], len(right) - 1)])
    early = [x for x in right[1:] if len(right) > 3 and "z" not in graph.children[x]]
    for x in early:
        others = [v for v in right if v != x]
        yield probe(graph, [others[0], x, *others[1:]])


def an_order(graph, random):
    """Return a topological order of z and its ancestors, chosen by chance."""
    order, related = ["z"], {"z"} | reached("z", graph.inputs)
    while len(order) < len(related):
        waiting = sorted(related - set(order))
        order.append(random.choice([x for x in waiting if not set(graph.children[x]) & set(waiting)]))
    return order


def probe(graph, order):
    reason = why(order, graph)
    shown = with_names("is_valid_order(order, 'z', inputs)", order=order, inputs=graph.inputs)
    facts = {"order": ", ".join(order), "reason": reason, "scene": graph.variables["z"], "whole": whole(graph.variables.values())}
    part = next(f"The answer for an order {kind}" for clause, kind in KINDS.items() if clause in reason)
    return Probe((order, "z", graph.inputs), facts, about=f"in this order {reason}", shown=shown, part=part)


KINDS = {  # of orders: a part of what `why` returns, and what is said of the order
    "twice": "with a variable that stands twice",
    "not an ancestor": "with a variable that is not an ancestor",
    "before its child": "with a variable before its child",
    "missing": "in which a variable is missing",
    "after all": "that is valid",
}


def why(order, graph):
    """Return in a clause what is wrong with an order, or that it is right."""
    related = {"z"} | reached("z", graph.inputs)
    for k, y in enumerate(order):
        if y in order[:k]:
            return f"{y} stands there twice"
        if y not in related:
            return f"{y} is not an ancestor of z"
        for x in graph.inputs[y]:
            if x in order[:k]:
                return f"{x} stands before its child {y}"
    missing = sorted(related - set(order))
    return f"{missing[0]} is missing" if missing else "each variable comes after all its children"


def marked(got, probe):
    """Return the whole graph, with the places in the order that is judged."""
    order, z, _ = probe.arguments
    return places(order, z, probe.facts["whole"])
