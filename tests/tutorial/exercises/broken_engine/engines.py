"""Engines of learners, right and wrong, made from one text each by a change of one line."""

CLASS = """
import math

class Value:
    def __init__(self, data, inputs=()):
        self.data, self.grad = data, 0
        self._prev, self._backward = list(inputs), lambda: None

    def __add__(self, other):
        out = Value(self.data + other.data, (self, other))
        def backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = backward
        return out

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))
        def backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = backward
        return out

    def tanh(self):
        t = math.tanh(self.data)
        out = Value(t, (self,))
        def backward():
            self.grad += (1 - t * t) * out.grad
        out._backward = backward
        return out

    def backward(self):
        order = []
        walk(self, set(), order)
        for v in order:
            v.grad = v.grad * (not v._prev)
        self.grad = 1
        for v in reversed(order):
            v._backward()

def walk(v, seen, order):
    if v not in seen:
        seen.add(v)
        for x in v._prev:
            walk(x, seen, order)
        order.append(v)
"""


def walking(body, engine=CLASS):
    """Return a class with another backward()."""
    start, end = engine.index("        order = []\n"), engine.index("def walk")
    lines = "".join(f"        {line}\n" for line in body.strip().splitlines())
    return engine[:start] + lines + "\n" + engine[end:]


RECURSION = """
self.grad = 1
def back(v):
    v._backward()
    for x in v._prev:
        back(x)
back(self)
"""
FIRST_SIGHT = RECURSION.replace("def back(v):", "seen = set()\ndef back(v):\n    if v in seen: return\n    seen.add(v)")
LEVELS = """
self.grad, queue, seen = 1, [self], {self}
for v in queue:
    v._backward()
    for x in v._prev:
        if x not in seen:
            seen.add(x)
            queue.append(x)
"""
WRONG_NODE = """
seen, order = set(), []
def sort(v):
    for x in v._prev:
        if v not in seen:
            sort(x)
    seen.add(v)
    order.append(v)
sort(self)
self.grad = 1
for v in reversed(order):
    v._backward()
"""
TAPE = """
tape[-1].grad = 1
for v in reversed(tape):
    v._backward()
"""
COUNTING = """
self.grad, ready = 1, [self]
while ready:
    v = ready.pop()
    v._backward()
    for x in v._prev:
        x.uses -= 1
        if not x.uses:
            ready.append(x)
"""


def without(text, part, instead=""):
    assert part in text, part
    return text.replace(part, instead)


RECORDED = without(CLASS, "lambda: None\n", "lambda: None\n        tape.append(self)\n").replace("import math", "import math\ntape = []")
COUNTED = without(CLASS, "lambda: None\n", "lambda: None\n        self.uses = 0\n        for x in inputs: x.uses += 1\n")
EACH_PATH = """
class Value:
    def __init__(self, data, inputs=()):
        self.data, self.inputs, self.grad = data, inputs, 0
    def __add__(self, o): return Value(self.data + o.data, ((self, 1), (o, 1)))
    def __mul__(self, o): return Value(self.data * o.data, ((self, o.data), (o, self.data)))
    def backward(self, g=1):
        self.grad += g
        for x, p in self.inputs: x.backward(g * p)
"""
FUNCTION = """
def backprop(order, children, partial):
    computed = {order[0]: 1}
    for x in order[1:]:
        computed[x] = 0
        for y in children[x]:
            computed[x] += computed[y] * partial[y, x]
    return computed
"""
OWN_ORDER = """
def backprop(z, inputs, partial):
    computed, queue, seen = {z: 1}, [z], {z}
    for y in queue:
        for x in inputs[y]:
            computed[x] = computed.get(x, 0) + computed[y] * partial[y, x]
            if x not in seen:
                seen.add(x)
                queue.append(x)
    return computed
"""
LOOP = """
from copy import copy
from scalargrad.tracing.gathering import steps

def first_child(graph, on):
    graph = copy(graph)
    graph.children = {x: edges[:1] for x, edges in graph.children.items()}
    return steps(graph, on)
"""

RIGHT = {"a class": CLASS, "a class that follows each path": EACH_PATH, "a function": FUNCTION, "a loop": LOOP.replace("[:1]", "")}

WRONG = {  # a name of tutorial.misconceptions, or the number of engines with it: the engine
    "overwrites": without(CLASS, "grad +=", "grad ="),
    "overwrites in a function": without(FUNCTION, "+=", "="),
    "overwrites in a loop": LOOP,
    "counts a double use once": without(FUNCTION, "children[x]", "set(children[x])"),
    "ignores the upstream gradient": without(FUNCTION, "computed[y] * "),
    "ignores the upstream gradient in a class": without(CLASS, "* out.grad", "").replace("+= out.grad", "+= 1"),
    "only the direct edge": without(FUNCTION, "computed[y]", "(y == order[0])"),
    "ignores the partial": without(FUNCTION, " * partial[y, x]"),
    "adds along the path": without(FUNCTION, "] * p", "] + p"),
    "wrong sign": without(FUNCTION, "+=", "-="),
    "averages the paths": without(FUNCTION, "partial[y, x]", "partial[y, x] / len(children[x])"),
    "takes the largest path": without(
        FUNCTION, "+= computed[y] * partial[y, x]", "= max(computed[y] * partial[y, x] for y in children[x])"
    ),
    "multiplies the paths": without(FUNCTION, "computed[x] = 0", "computed[x] = 1").replace("+=", "*="),
    "no start": without(CLASS, "        self.grad = 1\n"),
    "no start in a function": without(FUNCTION, ": 1}", ": 0}"),
    "starts with the value": without(CLASS, "self.grad = 1", "self.grad = self.data"),
    "leaves first": without(CLASS, "in reversed(order)", "in order"),
    "recursion without order": walking(RECURSION),
    "recursion without order over sets": walking(RECURSION.replace("v._prev", "set(v._prev)")),
    "visits at first sight": walking(FIRST_SIGHT),
    "breadth first": walking(LEVELS),
    "breadth first in a function": OWN_ORDER,
    "tests the wrong node": walking(WRONG_NODE),
    "starts at the last made": walking(TAPE, RECORDED),
    "waits for dead branches": walking(COUNTING, COUNTED),
    "keeps intermediate gradients": without(CLASS, "            v.grad = v.grad * (not v._prev)", "            pass"),
    "changes what it reads": without(FUNCTION, "    return", "    order.reverse()\n    return"),
    "changes what it reads in a class": without(CLASS, "v._backward()", "v._backward(); v.data = 0"),
    "not known yet": without(FUNCTION, "order[1:]", "order[:0:-1]"),
    "partial transposed": without(FUNCTION, "[y, x]", "[x, y]"),
}
IN_ONE_FUNCTION = {  # (name, the function in the title): the engine
    ("own factor", "a * b"): CLASS.replace("other.data * out", "own * out")
    .replace("self.data * out", "other.data * out")
    .replace("own * out", "self.data * out"),
    ("square missing", "a.tanh()"): without(CLASS, "1 - t * t", "1 - t"),
    ("output for input", "a.tanh()"): without(CLASS, "1 - t * t", "1 - self.data ** 2"),
    ("ignores the upstream gradient", "a.tanh()"): without(CLASS, "(1 - t * t) * out.grad", "1 - t * t"),
    ("ignores the upstream gradient", "a * b"): without(CLASS, ".data * out.grad", ".data"),
    ("overwrites", "a.tanh()"): without(CLASS, "self.grad += (1", "self.grad = (1"),
}
