"""Remember what is computed

This program is right. But to find $\\frac{dz}{dx}$ it computes the derivative of a variable again for each path from $x$ to it, and a graph
of 41 variables can have $2^{40}$ paths. Let it compute each derivative once.

`derivative(x, z, children, partial)` returns $\\frac{dz}{dx}$ by equation (1). Equation (1) says: $\\frac{dz}{dx}$ is the sum of
$\\frac{dz}{dy} \\cdot \\frac{\\partial y}{\\partial x}$ over all children $y$ of $x$. `children[x]` lists the children of `x`, one for
each use, and `partial[y, x]` is $\\frac{\\partial y}{\\partial x}$ for one use, and the same for each use of `x` by `y`. The next call may
be about another graph with the same names.
"""
# meta: unit=F minutes=8 difficulty=2 chapter=inductive-chain-rule call=derivatives given=no-memory


# BEGIN SOLUTION
def derivative(x, z, children, partial, known=None):
    # ~ one-memory M40: def derivative(x, z, children, partial, known={}):
    known = {z: 1} if known is None else known
    # ~ no-start M28: known = {} if known is None else known
    # ~ one-memory M40: if x == z:
    # ~ one-memory M40:     return 1
    if x not in known:
        # ~ zero-again M43: if not known.get(x):
        known[x] = sum(derivative(y, z, children, partial, known) * partial[y, x] for y in children[x])
        # ~ each-child-once M03: known[x] = sum(derivative(y, z, children, partial, known) * partial[y, x] for y in set(children[x]))
        # ~ no-partial M64: known[x] = sum(derivative(y, z, children, partial, known) for y in children[x])
        # ~ last-term M03: known[x] = [derivative(y, z, children, partial, known) * partial[y, x] for y in children[x]].pop()
        # ~ no-upstream M05: known[x] = sum(partial[y, x] for y in children[x])
        # ~ first-term M03: known[x] = next(derivative(y, z, children, partial, known) * partial[y, x] for y in children[x])
    return known[x]
    # ~ whole-dictionary M65: return known


# END SOLUTION
# MUTANT cached-dictionaries M43
# from functools import cache
#
#
# @cache
# def derivative(x, z, children, partial):
#     if x == z:
#         return 1
#     return sum(derivative(y, z, children, partial) * partial[y, x] for y in children[x])
# MUTANT no-memory M34
# def derivative(x, z, children, partial):
#     if x == z:
#         return 1
#     return sum(derivative(y, z, children, partial) * partial[y, x] for y in children[x])
# FRAME
def derivatives(order, children, partial):
    return {x: derivative(x, order[0], children, partial) for x in order}


# CHECK
from tutorial.exercises.probes.calls import with_names
from tutorial.exercises.probes.probe import Probe
from tutorial.exercises.probes.shared_graphs import about, children, facts, graphs, partial
from tutorial.exercises.probes.small_graphs import ladder

STEPS = 40
HINTS = (
    "In a long chain each variable is used twice by the next. How often does your program compute the derivative of the one just before z?",
    "Keep a dictionary {variable: derivative}. Look there first, and write there when a sum is complete.",
    "All calls that belong to one question must read and write one dictionary: it is one more argument. Another question gets "
    "a new one. It begins with the one derivative that needs no sum, that of z itself.",
)
PREDICT = (
    "10 variables follow a leaf, and each uses the one before it twice. How many paths lead from the leaf to the last?",
    2**10,
    {
        20: "You added 2 for each step. Each step doubles the number of paths.",
        100: "You squared the number of steps. Each step doubles the number of paths.",
        512: "You made one step less. 10 variables follow the leaf.",
        2048: "You made one step more. 10 variables follow the leaf.",
        2: "That is for one variable. Each further one doubles the number of paths.",
    },
)
TERMS = "dz/d{component} was {got}, expected {expected}. Children of {component}: {terms}. "
SAID = {
    "each-child-once": TERMS + "That takes each child once. children[x] has one entry for each use, and each use adds its term.",
    "last-term": TERMS + "That is the last term. Add all of them.",
    "no-partial": TERMS + "That is a sum of derivatives without partials. Each is multiplied by its partial.",
    "no-upstream": TERMS + "That is a sum of partials. Each is multiplied by the derivative of the child.",
    "whole-dictionary": "Python raised {got}. Your function returns the whole dictionary of what it remembers. Return its entry for x.",
    "no-start": TERMS + "Every derivative is a sum of products that begin with dz/dz = 1.",
    "zero-again": "{about}. Your program took too many calls: a derivative that is 0 is computed again for each path, because 0 counts as "
    "false. Ask with `in` whether it is remembered.",
    "cached-dictionaries": "Python raised {got}. cache keeps the arguments of a call as a key, and here 2 of the 4 are dictionaries. Put "
    "the cache on an inner function of one variable, or keep a dictionary of your own.",
    "no-memory": "{about}. Your program took too many calls: it follows {paths} paths, and computes the derivative of a variable again for "
    "each path from x to it.",
    "first-term": TERMS + "You remembered the first term. Remember the sum when all terms are in it.",
    "one-memory": TERMS
    + "That was remembered of another graph with the same names. A dictionary outside of the function, or in a default argument, "
    "is made once for all calls.",
}
ASKED = {
    "each-child-once": "How often does {component} stand in the inputs of each child?",
    "no-partial no-upstream": "A nudge of {component} reaches z through a child. By how much does each of the two move?",
    "last-term": "What stands in your sum before the last term comes?",
    "whole-dictionary": "What does your function return?",
    "no-start": "By how much does z grow if z grows by 1?",
    "zero-again": "What does `if` say of the number 0?",
    "cached-dictionaries": "Which arguments change from call to call while one question is answered?",
    "no-memory": "Which derivative is computed more than once, and where could the program find it the second time?",
    "first-term": "When is a derivative complete?",
    "one-memory": "What stands in your dictionary when the next question begins?",
}


CALL = "derivative(x, 'z', children, partial)  # for each x"


def probes(random):
    """Yield small graphs with the same names, then a graph with very many paths."""
    for numbers in graphs(random):
        names = {"children": children(numbers), "partial": partial(numbers)}
        yield Probe((numbers.order, *names.values()), facts(numbers), about=about(numbers), shown=with_names(CALL, **names))
    inputs = ladder(STEPS)
    users = {x: [y for y in inputs for _ in range(inputs[y].count(x))] for x in inputs}
    many = f"Each of {STEPS} variables in a row uses the one before it twice"
    for slope, more in ((1, ""), (0, ", and z does not change with its input")):
        slopes = {(y, x): slope if y == "z" else 1 for y in inputs for x in inputs[y]}
        yield Probe(([*inputs][::-1], users, slopes), {"paths": "2⁴⁰"}, about=many + more, shown=CALL)
