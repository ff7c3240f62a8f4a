"""The printed sort

This is `toposort_nodes` as the tutorial on automatic differentiation prints it, with an engine for numbers around it. `propagate` passes
the gradient of a node on to its inputs, and then disconnects the node, so a second turn of the same node is an error. `propagate_grad` is
false for a leaf. The sort is wrong for some graphs.

1. Repair the sort.
2. Give in `failing` a graph on which the printed sort, as it stands here, goes wrong: a dictionary that gives the list of inputs of each
   computed variable. The result is called `"z"`. A name that is not a key is a leaf.

For example, `{"y": ["a", "b"], "z": ["y", "c"]}` is the graph of $y = f(a, b)$ and $z = g(y, c)$. The printed sort is right on it.
"""
# meta: unit=C minutes=15 difficulty=3 chapter=museum-of-broken-engines call=answer given=untouched


class Node:
    def __init__(self, input_nodes=(), partials=()):
        self.grad, self.topo_visited = None, False
        self.input_nodes, self.partials = input_nodes, partials
        self.propagate_grad = len(input_nodes) > 0

    def propagate(self):
        for input_node, partial in zip(self.input_nodes, self.partials):
            contribution = self.grad * partial
            input_node.grad = contribution if input_node.grad is None else input_node.grad + contribution
        self.disconnect()

    def disconnect(self):
        del self.input_nodes, self.partials
        self.propagate_grad = False


# BEGIN SOLUTION
def backward(node):
    node.grad = 1
    ordering = []
    toposort_nodes(node, ordering)
    while ordering:
        # ~ preorder M04: for each in ordering:
        ordering.pop().propagate()
        # ~ preorder M04: each.propagate()
        # ~ catches-error M38: try:
        # ~ catches-error M38:     ordering.pop().propagate()
        # ~ catches-error M38: except AttributeError:
        # ~ catches-error M38:     pass


def toposort_nodes(node, ordering):
    # ~ preorder M04: def toposort_nodes(node, ordering):
    # ~ preorder M04:     node.topo_visited = True
    # ~ preorder M04:     ordering.append(node)
    for input_node in node.input_nodes:
        if not input_node.topo_visited and input_node.propagate_grad:
            # ~ wrong-node M04: if not node.topo_visited and input_node.propagate_grad:
            # ~ no-walk M04: if False:
            # ~ keeps-connected M38: if not node.topo_visited and input_node.propagate_grad:
            # ~ untouched M04: if not node.topo_visited and input_node.propagate_grad:
            # ~ catches-error M38: if not node.topo_visited and input_node.propagate_grad:
            toposort_nodes(input_node, ordering)
    node.topo_visited = True
    # ~ preorder M04:
    ordering.append(node)
    # ~ reversed M04: ordering.insert(0, node)
    # ~ preorder M04:


failing = {
    # ~ keeps-connected M38: Node.disconnect = lambda self: None; failing = {
    # ~ untouched M04: failing = {"y": ["a", "b"], "z": ["y", "c"]}  # here it is right
    "y": ["a", "b"],
    # ~ untouched M04:
    "z": ["y", "y"],
    # ~ leaf-twice M04: "z": ["a", "a"],
    # ~ given-graph M53: "z": ["y", "c"],
    # ~ untouched M04:
}
# ~ untouched M04:


# END SOLUTION
# FRAME
def answer(inputs, partial):
    """Return {leaf: grad} of a graph, and for no graph the learner's own one."""
    if not inputs:
        return failing
    nodes = {}
    for y, names in inputs.items():
        nodes[y] = Node([nodes[x] for x in names], [partial[y, x] for x in names])
    backward(nodes["z"])
    return {y: nodes[y].grad for y, names in inputs.items() if not names}


# CHECK
from tutorial.exercises.probes.probe import Probe
from tutorial.exercises.probes.small_graphs import random_graph, small_graph
from tutorial.exercises.values import difference

MISSING = "The sort is right now. What is missing is a graph in `failing`."
MOST = 30  # variables of a graph that a learner gives
HINTS = (
    "By hand, follow the sort on a graph whose result uses the same computed variable twice. What is in ordering at the end?",
    "The walk is about to enter an input. It must not, if that one was visited before. Whose mark does the printed line read?",
    "Ask the node that you are about to enter for its mark, and leave all else as it is. For the graph: leaves are never noted, so let a "
    "computed variable have two uses.",
)
PREDICT = (
    "h = a + a, m = h + h, z = m + m. How many times does the printed sort note h?",
    2,
    {
        1: "So often a right sort notes it. This one asks whether the node itself was visited, when it looks at an input.",
        4: "That is the number of paths. When m is entered again, it was visited, so it goes on to no input.",
    },
)
WERE = "For {program} with {numbers} the gradients were {got}, expected {expected}. "
AGAIN = "For {program} the sort notes {shared} {times} times. "
SAID = {
    "untouched wrong-node": AGAIN
    + "Its second turn ends in the error: {got}. The line asks whether the current node was visited, not its input.",
    "catches-error": WERE
    + "You left the sort as it is, and skipped a second turn. {shared} has its turn too early, and its later one is lost.",
    "keeps-connected": WERE
    + "You left the sort as it is, and let a node pass on twice: {shared} passes on again what it has passed on already.",
    "preorder": WERE + "You noted a node at its first visit. {shared} has its turn before all that use it.",
    "no-walk": WERE + "You did not go on to inputs, so only z has a turn.",
    "reversed": "For {program} there was {got}, expected {expected}. You noted a node before its inputs, or turned the ordering round. "
    "It is read from its end: z must be number {size}, the last.",
    "given-graph": "{judged} The sort comes twice to a computed variable that is used twice.",
    "leaf-twice": "{judged} It never notes a leaf, so a leaf with 2 uses makes no difference.",
}
GRAPH = "Which computed variable of your graph has two uses? What does the printed sort do when it comes to it again?"
ASKED = {
    "untouched wrong-node": "Whose mark does the line read, and whose mark should it read?",
    "catches-error": "When {shared} has its first turn, has it received all of its gradient?",
    "keeps-connected preorder": "When {shared} has a turn, has it received all of its gradient?",
    "no-walk": "Which nodes are in the ordering when the backward pass begins?",
    "reversed": "From which end does backward take the nodes?",
    "leaf-twice": "Which variables of your graph does the printed sort note?",
    "given-graph": GRAPH,
}


def probes(random):
    """Yield a tree, shared variables, random graphs; and ask for the learner's graph."""
    for text in ("z * a b", "y * a b; z * y c", "y * a b; z * y a"):
        yield probe(small_graph(text, random), text)
    for text in ("m * a a; z + m m", "h * a a; m * h h; z + m h", "h * a b; m * h h; z * h m"):
        yield probe(small_graph(text, random), text)
    for functions in (4, 5, 6):
        yield probe(random_graph(functions, random), "")
    yield Probe(({}, {}), {"size": 1}, about="your own graph", shown="failing", question=GRAPH)


def probe(graph, text):
    program = ", ".join(f"{y} = {x[0]} {v.rule.name} {x[1]}" for y, x in graph.inputs.items() if x for v in [graph.variables[y]])
    shared = next((x for x in graph.inputs if graph.inputs[x] and len(graph.children[x]) > 1), "z")
    facts = {
        "program": program.replace("add", "+").replace("mul", "·"),
        "numbers": ", ".join(f"{y} = {v.data}" for y, v in graph.variables.items() if not v.inputs),
        "shared": shared,
        "times": printed_sort("z", {y: x for y, x in graph.inputs.items() if x}, [], set()).count(shared),
        "size": sum(1 for names in graph.inputs.values() if names),
        "scene": graph.variables["z"],
    }
    return Probe((graph.inputs, graph.partial), facts, about=f"{facts['program']} with {facts['numbers']}", shown=program_of(graph))


def program_of(graph):
    """Return the graph as a program for the engine that is given."""
    node = lambda y, names: f"[{', '.join(names)}], {[graph.partial[y, x] for x in names]}" if names else ""
    return "\n".join([*(f"{y} = Node({node(y, names)})" for y, names in graph.inputs.items()), "backward(z)"])


def judge(got, probe):
    """Return what is wrong with the gradients, or with the graph on which the printed sort should fail."""
    inputs, partial = probe.arguments
    if not inputs:
        return problem_of(got)
    right = {x: expected(x, inputs, partial) for x in inputs if not inputs[x]}
    return (
        None
        if difference(got, right) is None
        else f"For {probe.facts['program']} the gradients of the leaves are {got}. Expected was {right}."
    )


def expected(x, inputs, partial):
    """Return dz/dx by equation (1); None if z does not depend on x."""
    if x == "z":
        return 1
    terms = [(expected(y, inputs, partial), partial[y, x]) for y, names in inputs.items() for name in names if name == x]
    products = [term * slope for term, slope in terms if term is not None]
    return sum(products) if products else None


def problem_of(failing):
    """Return why a learner's graph does not show that the printed sort is wrong, or None."""
    if not isinstance(failing, dict):
        return f"{MISSING} It is not a dictionary."
    for y, names in failing.items():
        if not isinstance(names, (list, tuple)):
            return f"{MISSING} The inputs of {y} are not a list of names."
        if not names:
            return f"{MISSING} The list of {y} is empty. Leave out a leaf: a name that is not a key is one."
        if not all(isinstance(name, str) for name in names):
            return f"{MISSING} An input of {y} is not a name, which is a text."
    if "z" not in failing and any("z" in names for names in failing.values()):
        return f"{MISSING} z stands in a list, and has none itself. The list of a variable holds its inputs, and not its children."
    if "z" not in failing:
        return f'{MISSING} It has no key "z". The result must be called "z".'
    if len(failing) > MOST:
        return f"{MISSING} It has {len(failing)} computed variables. The most is {MOST}."
    if cyclic("z", failing, (), set()):
        return f"{MISSING} Yours has a cycle: a variable is computed from itself."
    ordering = printed_sort("z", failing, [], set())
    if ordering is None or len(set(ordering)) < len(ordering):
        return None
    uses = [x for y in ordering for x in failing[y]]
    leaf = next((x for x in uses if uses.count(x) > 1), "")
    lost = next((y for y in failing if y not in ordering), "")
    why = (
        f" z does not depend on {lost}." if lost else f" Only the leaf {leaf} has several uses." if leaf else " Each variable has one use."
    )
    return f"{MISSING} On your graph the printed sort notes {', '.join(ordering)}: each once. So it is right there.{why}"


def cyclic(y, inputs, path, done):
    """Return whether y is computed from itself, or one of its inputs is; `done` holds those of which this is known."""
    if y in path or y in done:
        return y in path
    found = any(cyclic(x, inputs, (*path, y), done) for x in inputs.get(y, ()))
    done.add(y)
    return found


def printed_sort(y, inputs, ordering, visited):
    """Return the names that the printed sort notes."""
    for x in inputs[y]:
        if y not in visited and x in inputs:
            printed_sort(x, inputs, ordering, visited)
    visited.add(y)
    ordering.append(y)
    return ordering
