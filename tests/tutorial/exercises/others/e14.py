class Node:
    def __init__(self, input_nodes=(), partials=()):
        self.grad, self.topo_visited = None, False
        self.input_nodes, self.partials = input_nodes, partials
        self.propagate_grad = len(input_nodes) > 0

    def propagate(self):
        for input_node, partial in zip(self.input_nodes, self.partials):
            contribution = self.grad * partial
            input_node.grad = contribution if input_node.grad is None else input_node.grad + contribution
        del self.input_nodes, self.partials


def backward(node):
    node.grad = 1
    ordering = []
    toposort_nodes(node, ordering)
    for each in reversed(ordering):
        each.propagate()


def toposort_nodes(node, ordering):
    if node.topo_visited:
        return
    for input_node in node.input_nodes:
        if input_node.propagate_grad:
            toposort_nodes(input_node, ordering)
    node.topo_visited = True
    ordering.append(node)


failing = {"h": ["a", "a"], "m": ["h", "h"], "z": ["h", "m"]}


# ---
class Node:
    def __init__(self, input_nodes=(), partials=()):
        self.grad, self.topo_visited = None, False
        self.input_nodes, self.partials = input_nodes, partials
        self.propagate_grad = len(input_nodes) > 0

    def propagate(self):
        for input_node, partial in zip(self.input_nodes, self.partials):
            contribution = self.grad * partial
            input_node.grad = contribution if input_node.grad is None else input_node.grad + contribution


def backward(node):
    node.grad = 1
    ordering = []
    toposort_nodes(node, ordering)
    while ordering:
        ordering.pop().propagate()


def toposort_nodes(node, ordering):
    for input_node in node.input_nodes:
        if not node.topo_visited and input_node.propagate_grad:
            toposort_nodes(input_node, ordering)
    node.topo_visited = True
    if node not in ordering:
        ordering.append(node)


failing = {"y": ["a", "b"], "m": ["y", "c"], "z": ["y", "m"]}
