"""Remember what is computed

This program is right. But it computes the derivative of a variable again for each path from it to $z$, and a graph of 41 variables can
have $2^{40}$ paths. Let it compute each derivative once.

`derivative(x, z, children, partial)` returns $\\frac{dz}{dx}$ by equation (1). Equation (1) says: $\\frac{dz}{dx}$ is the sum of
$\\frac{dz}{dy} \\cdot \\frac{\\partial y}{\\partial x}$ over all children $y$ of $x$. `children[x]` lists the children of `x`, one for
each use, and `partial[y, x]` is $\\frac{\\partial y}{\\partial x}$. The next call may be about another graph with the same names.
"""
# meta: unit=F minutes=8 difficulty=2 chapter=inductive-chain-rule call=derivatives given=no-memory


# BEGIN SOLUTION
def derivative(x, z, children, partial, known=None):
    known = {z: 1} if known is None else known
    if x not in known:
        known[x] = sum(derivative(y, z, children, partial, known) * partial[y, x] for y in children[x])
        # ~ first-term M03: known[x] = next(derivative(y, z, children, partial, known) * partial[y, x] for y in children[x])
    return known[x]


# END SOLUTION
# BEGIN MUTANT one-memory M40
# def derivative(x, z, children, partial, known={}):
#     if x == z:
#         return 1
#     if x not in known:
#         known[x] = sum(derivative(y, z, children, partial, known) * partial[y, x] for y in children[x])
#     return known[x]
# END MUTANT
# BEGIN MUTANT no-memory M34
# def derivative(x, z, children, partial):
#     if x == z:
#         return 1
#     return sum(derivative(y, z, children, partial) * partial[y, x] for y in children[x])
# END MUTANT
# BEGIN FRAME
def derivatives(order, children, partial):
    return {x: derivative(x, order[0], children, partial) for x in order}


# END FRAME
# BEGIN CHECK
from tutorial.exercises.calls import with_names
from tutorial.exercises.graphs import about, children, facts, graphs, partial
from tutorial.exercises.probe import Probe
from tutorial.exercises.small_graphs import ladder

STEPS = 40
HINTS = (
    "How often does your program compute the derivative of z's first input, if a long chain of functions uses each variable twice?",
    "Keep a dictionary {variable: derivative}. Look there first, and write there when a sum is complete.",
    "All calls that belong to one question must read and write one dictionary: it is one more argument. Another question gets "
    "a new one. In it stands at first what is known without any sum.",
)
PREDICT = ("Each of 10 variables in a row uses the one before it twice. How many paths lead through all of them?", 2**10)
TERMS = "dz/d{component} was {got}, expected {expected}. Children of {component}: {terms}. "
SAID = {
    "no-memory": "{about}. Your program took too many calls: it follows {paths} paths, and computes the derivative of a variable again for "
    "each path from it to z.",
    "first-term": TERMS + "You remembered the first term. Remember the sum when all terms are in it.",
    "one-memory": TERMS + "You remembered a number of another graph: Python makes a default argument once, for all calls.",
}
ASKED = {
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
    slopes = {(y, x): 1 for y in inputs for x in inputs[y]}
    many = f"Each of {STEPS} variables in a row uses the one before it twice"
    yield Probe(([*inputs][::-1], users, slopes), {"paths": "2⁴⁰"}, about=many, shown=CALL)


def scene(probe):
    return probe.facts.get("graph")


# END CHECK
