"""The shared upstream gradient

This is the part of an engine for arrays that passes on gradients. `add_backward` and `subtract_backward` return one contribution for each
input. `accumulate(x, G)` adds the contribution `G` to the gradient of `x`. A tutorial on automatic differentiation prints `accumulate` as
it stands here.

For $s = p + q$ and $z = \\text{sum}(s + p)$ with arrays of two numbers, $\\frac{dz}{dp}$ must be $[2, 2]$ and $\\frac{dz}{dq}$ must be
$[1, 1]$. The engine gives $[2, 2]$ for both. Repair it, so that the gradients of all variables are right, also those between the leaves
and $z$. And do not copy what need not be copied: a large array costs memory. At most one new array may be made for each contribution, and
one more for each negation.
"""
# meta: unit=C minutes=15 difficulty=3 chapter=museum-of-broken-engines call=gradients given=in-place


# BEGIN SOLUTION
def add_backward(upstream):
    return upstream, upstream
    # ~ copy-for-second M17: return upstream, upstream.copy()
    # ~ copies-twice M57: return upstream.copy(), upstream.copy()
    # ~ copies-and-sums M57: return upstream.copy(), upstream.copy()
    # ~ copies-to-store M57: return upstream.copy(), upstream.copy()
    # ~ copy-for-first M17: return upstream.copy(), upstream
    # ~ one-copy M17: G = upstream.copy()
    # ~ one-copy M17: return G, G


def subtract_backward(upstream):
    return upstream, -upstream
    # ~ no-minus M66: return upstream, upstream
    # ~ copies-twice M57: return upstream.copy(), -upstream
    # ~ copies-and-sums M57: return upstream.copy(), -upstream
    # ~ copies-to-store M57: return upstream.copy(), -upstream
    # ~ minus-first M66: return -upstream, upstream
    # ~ minus-both M66: return -upstream, -upstream
    # ~ in-place-minus M21: return upstream, upstream.__imul__(-1)
    # ~ minus-after-copy M21: return upstream.copy(), upstream.__imul__(-1)
    # ~ one-copy M17: return upstream.copy(), -upstream


def accumulate(x, G):
    if x.grad is None:
        x.grad = G
        # ~ starts-with-zeros M57: x.grad = 0 * G + G
        # ~ copies-twice M57: x.grad = G.copy()
        # ~ copies-to-store M57: x.grad = G.copy()
        # ~ copies-and-adds M57: x.grad = G.copy()
    else:
        x.grad = x.grad + G
        # ~ in-place M17: x.grad += G
        # ~ overwrite M03: x.grad = G
        # ~ keeps-first M03: pass
        # ~ averages M30: x.grad = (x.grad + G) // 2
        # ~ copy-for-second M17: x.grad += G
        # ~ copy-for-first M17: x.grad += G
        # ~ into-contribution M17: x.grad = G.__iadd__(x.grad)
        # ~ copies-and-adds M57: x.grad = x.grad + G.copy()
        # ~ copies-to-store M57: x.grad += G
        # ~ subtracts-them M66: x.grad = x.grad - G
        # ~ multiplies M30: x.grad = x.grad * G
        # ~ doubles M03: x.grad = x.grad + x.grad
        # ~ doubles-new M03: x.grad = G + G
        # ~ one-copy M17: x.grad += G


# END SOLUTION
# FRAME
SPARE = "the number of arrays that are not needed"


class Node:
    """A variable: its array, the backward function that made it, and its inputs."""

    def __init__(self, data, backward_fn=None, inputs=()):
        self.data, self.backward_fn, self.inputs, self.grad = data, backward_fn, inputs, None


def gradients(leaves, functions):
    """Return {variable: gradient} for z, the sum of the last variable; `functions` are (name, operator, input, input)."""
    import numpy as np

    made, spare = 0, 0

    class Counted(np.ndarray):
        """An array that counts the new arrays which are computed from it, and not the views of it."""

        def __array_finalize__(self, parent):
            nonlocal made
            made += parent is not None and not np.shares_memory(self, parent)

    is_new = lambda array, *others: (
        not isinstance(array, Counted) and not any(np.shares_memory(np.asarray(array), np.asarray(other)) for other in others)
    )
    nodes = {name: Node(data) for name, data in leaves.items()}
    for name, operator, *inputs in functions:
        x, y = (nodes[k] for k in inputs)
        backward_fn = add_backward if operator == "+" else subtract_backward
        nodes[name] = Node(x.data + y.data if operator == "+" else x.data - y.data, backward_fn, (x, y))
    last = list(nodes.values())[-1]
    last.grad = (last.data * 0 + 1).view(Counted)
    for node in reversed(nodes.values()):
        before, allowed, more = made, 0 if not node.inputs else 3 if node.backward_fn is subtract_backward else 2, 0
        contributions = node.backward_fn(node.grad) if node.inputs else ()
        for k, (x, G) in enumerate(zip(node.inputs, contributions)):
            made += is_new(G, node.grad, *contributions[:k])
            held, by_now = [] if x.grad is None else [x.grad], made
            accumulate(x, G)
            made += is_new(x.grad, G, *held)
            more += max(0, made - by_now - 1)
        spare += max(more, made - before - allowed)
    plain = lambda G: G.view(np.ndarray) if isinstance(G, Counted) else G
    return {name: plain(node.grad) for name, node in nodes.items()} | {SPARE: spare}


# CHECK
import numpy as np

from tutorial.exercises.probes.calls import with_names
from tutorial.exercises.probes.probe import Probe

HINTS = (
    "Print id(x.grad) for each variable after the backward pass. Which variables have the same number?",
    "The backward function of + returns one array twice. After that, two gradients are one array. Which line writes into it?",
    "There are two cures. Make a new array for each sum, which no other variable holds. Or copy every first contribution, for "
    "every function.",
)
PREDICT = (
    "s = p + q and z = sum(s + s + q). What is the first entry of dz/dq?",
    3,
    {
        2: "You followed only s, which stands there twice. q stands there itself, too.",
        1: "You followed only q itself. s depends on q, too.",
    },
)
SPARED = "The gradients are right, but {component} was {got}, expected {expected}: "
WAS = "dz/d{component} was {got}, expected {expected}. "
SAID = {
    "in-place": WAS + "The gradients of {component} and of another variable are one array, which a view such as G[...] is, too. "
    "+= wrote a later contribution into it, and both changed.",
    "copies-in-add": WAS
    + "add now gives a copy to each input. But subtract still gives its own upstream array to its first input, and += writes into it.",
    "one-copy": WAS + "You copied the array once. add still gives one array to both of its inputs: the copy.",
    "overwrite": WAS + "You replaced the earlier contribution by a later one. The gradient is their sum.",
    "copies-everything": SPARED + "you copy what no other variable holds.",
    "copies-in-subtract": WAS
    + "subtract now gives a copy to its first input. But add still gives one array to both, and += writes into it.",
    "copy-for-second": WAS + "You copied for the second input of + alone. Its first input still shares the array of the sum itself.",
    "copy-for-first": WAS + "You copied for the first input of + alone. Its second input still shares the array of the sum itself.",
    "no-minus": WAS + "You left out the minus sign: if the second input of − grows, the result falls.",
    "minus-first": WAS + "You gave the minus sign to the first input. It belongs to the second.",
    "minus-both": WAS + "You gave the minus sign to both inputs. It belongs to the second.",
    "in-place-minus": WAS + "You changed the sign in the array of the upstream gradient itself. −upstream makes a new one.",
    "minus-after-copy": WAS + "You changed the sign in the array of the upstream gradient itself, which is the gradient of a variable.",
    "into-contribution": WAS + "You added into the array of the contribution, which other variables may hold. x.grad + G makes a new one.",
    "starts-with-zeros": SPARED + "you made an array for the first contribution, too, which could stand there itself.",
    "copies-and-adds": SPARED + "you made two arrays for one contribution: a copy, and the sum.",
    "copies-twice copies-and-sums copies-to-store": SPARED
    + "you copied in the backward functions, and made another array where the contribution is stored or added.",
    "subtracts-them": WAS + "You subtracted the contributions. They add up.",
    "multiplies": WAS + "You multiplied the contributions. They add up.",
    "doubles": WAS + "You added x.grad to itself, and not the new contribution.",
    "doubles-new": WAS + "You added the new contribution to itself, and not to what was there.",
    "keeps-first": WAS + "You kept the first contribution alone. The gradient is the sum of all.",
    "averages": WAS + "You took a mean. The contributions add up.",
}
ASKED = {
    "in-place": "Which contributions arrived at {component}, and who else holds its array?",
    "copies-in-add": "Which backward function passed on the array of {component} without a copy?",
    "one-copy": "How many different arrays does your add_backward return?",
    "overwrite": "What stood in x.grad before the last contribution came?",
    "copies-everything": "Which of your copies could be left out, and all gradients would still be right?",
    "keeps-first": "How many contributions arrived?",
    "copies-in-subtract copy-for-second copy-for-first in-place-minus minus-after-copy into-contribution": "Which other variable holds the "
    "array of {component}, and which line writes into it?",
    "no-minus minus-first minus-both": "If the second input of p − q grows by 1, by how much does the result grow?",
    "starts-with-zeros copies-and-adds copies-twice copies-and-sums copies-to-store": "Which new array could be left out, and all would "
    "still be right?",
    "subtracts-them multiplies doubles doubles-new": "Two contributions arrive, 3 and 5. What is the gradient?",
    "averages": "If two functions each add 1, by how much does z change?",
}
PROGRAMS = (
    ("s + p q", "every variable is used once"),
    ("s + p q; w + s p", "p is used twice"),
    ("s + p q; w + p s", "p is used twice, first by w"),
    ("s - p q; w - s p", "two differences"),
    ("s + p q; t - p s; w + t q", "p and q are used twice"),
    ("s + p p; w - s q", "s uses p twice"),
    ("s - p q; t + s p; u + t q; w - u s", "four functions"),
)


def probes(random):
    """Yield the programs, the smallest first, and random ones, with arrays of integers."""
    for text, about in PROGRAMS:
        yield probe([line.split() for line in text.split("; ")], random, about)
    for functions in (3, 4, 5):
        names, lines = ["p", "q"], []
        for k in range(functions):
            lines.append([f"v{k + 1}", random.choice("+-"), names[-1], random.choice(names)])
            names.append(f"v{k + 1}")
        yield probe(lines, random, "a random program")


def probe(lines, random, about):
    leaves = {name: np.array([random.randint(1, 9), random.randint(1, 9)]) for name in "pq"}
    which = {name: f"dz/d{name}" for name in (*leaves, *(line[0] for line in lines))}
    functions = [f"{name} = {x} {operator} {y}" for name, operator, x, y in lines]
    shown = with_names("\n".join([*functions, f"z = sum({lines[-1][0]})"]), **leaves).replace("np.array", "array")
    return Probe((leaves, [tuple(line) for line in lines]), {"tensors": {}, "which": which}, about=about, shown=shown)


def scene(probe):
    """Return z, the sum of the last variable."""
    from tensorgrad import Tensor

    leaves, functions = probe.arguments
    made = probe.facts["tensors"]  # which keeps them, as the graph of a sum does not
    made |= {name: Tensor(data.astype(float), name=name) for name, data in leaves.items()}
    for name, operator, x, y in functions:
        made[name] = made[x] + made[y] if operator == "+" else made[x] - made[y]
        made[name].name = name
    z = made[functions[-1][0]].sum()
    z.name = "z"
    return z
