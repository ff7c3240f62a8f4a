"""What known mistakes give for a graph: an engine that gives the same numbers on all graphs probably makes the same mistake.

A mistake is a function of (numbers, got): the right numbers of a program, and the derivatives {x: number} that the engine gave. It
yields possible results, {x: [number, …]}, each of which would be explained by it. A mistake in the sum at one variable x starts from
the engine's own derivatives of the children of x, since those may be wrong for the same reason.
"""

from collections.abc import Callable, Iterator
from itertools import combinations, islice, product
from math import prod

MOST_VARIANTS = 64  # orders of inputs that are tried: a set of inputs has no order of its own

# The sum at one variable


def at_each_sum(wrong: Callable) -> Callable:
    """Return the mistake that has wrong(terms) in place of the sum at each variable; terms are [(upstream, partial, child, is_z)]."""

    def mistake(numbers, got):
        found = {numbers.z: [1]}
        for x in numbers.order[1:]:
            if all(got.get(y) is not None for y, _ in numbers.children[x]):
                found[x] = wrong([(got[y], numbers.partials[y][slot], y, y == numbers.z) for y, slot in numbers.children[x]])
        yield found

    return mistake


def some_terms(terms):
    """Return all sums of some of the terms, not of all."""
    each = [upstream * partial for upstream, partial, *_ in terms]
    return [sum(some) for n in range(1, max(len(each), 2)) for some in combinations(each, n)]


def uses_as_one(terms):
    """Return the sums in which a child that uses x twice counts once."""
    once = {child: upstream * partial for upstream, partial, child, _ in terms}
    return [sum(once.values())]


SUMS = {
    "counts a double use once": uses_as_one,
    "ignores the upstream gradient": lambda terms: [sum(partial for _, partial, *_ in terms)],
    "ignores the partial": lambda terms: [sum(upstream for upstream, *_ in terms)],
    "only the direct edge": lambda terms: [sum(partial for _, partial, _, is_z in terms if is_z)],
    "multiplies the paths": lambda terms: [prod(upstream * partial for upstream, partial, *_ in terms)],
    "averages the paths": lambda terms: [sum(upstream * partial for upstream, partial, *_ in terms) / len(terms)],
    "takes the largest path": lambda terms: [max(upstream * partial for upstream, partial, *_ in terms)],
    "overwrites": lambda terms: [upstream * partial for upstream, partial, *_ in terms],
    "adds along the path": lambda terms: [sum(upstream + partial for upstream, partial, *_ in terms)],
    "wrong sign": lambda terms: [-sum(upstream * partial for upstream, partial, *_ in terms)],
}

# The order of the steps


def scattered(numbers, visits, start=1):
    """Return {x: number} of an engine in which each visited variable adds to its inputs, in this order."""
    total = dict.fromkeys(numbers.made, 0) | {numbers.z: start}
    for y in visits:
        for x, partial in zip(numbers.inputs[y], numbers.partials[y]):
            total[x] += total[y] * partial
    return total


def gathered(numbers, visits):
    """Return {x: number} of an engine in which each visited variable adds up what its children have so far, in this order."""
    total = {numbers.z: 1}
    for x in visits:
        if x != numbers.z:
            total[x] = sum(total.get(y, 0) * numbers.partials[y][slot] for y, slot in numbers.children[x])
    return dict.fromkeys(numbers.made, 0) | total


def in_the_order_of(walk: Callable) -> Callable:
    """Return the mistake of an engine that visits variables as walk(z, inputs) does, whatever the order of inputs is."""

    def mistake(numbers, got):
        for inputs in islice(orders_of_inputs(numbers), MOST_VARIANTS):
            visits = list(islice(walk(numbers.z, inputs), 10_000))
            yield {x: [total] for x, total in scattered(numbers, visits).items()}
            yield {x: [total] for x, total in gathered(numbers, visits).items()}

    return mistake


def orders_of_inputs(numbers) -> Iterator[dict]:
    """Yield {y: inputs} in all orders: as lists, and as sets, in which x * x has one input."""
    for choice in product(*([list(xs), list(xs)[::-1]] if len(set(xs)) > 1 else [list(xs)] for xs in numbers.inputs.values())):
        inputs = dict(zip(numbers.inputs, choice))
        yield inputs
        yield {y: list(dict.fromkeys(xs)) for y, xs in inputs.items()}


def recursion(z, inputs):
    yield z
    for x in inputs[z]:
        yield from recursion(x, inputs)


def depth_first(z, inputs):
    """A variable is visited when the walk first comes to it."""
    seen = set()

    def visit(v):
        if v not in seen:
            seen.add(v)
            yield v
            for x in inputs[v]:
                yield from visit(x)

    yield from visit(z)


def breadth_first(z, inputs):
    queue, seen = [z], {z}
    while queue:
        v = queue.pop(0)
        yield v
        new = [x for x in dict.fromkeys(inputs[v]) if x not in seen]
        seen.update(new)
        queue += new


def breadth_first_again(z, inputs):
    queue = [z]
    while queue:
        v = queue.pop(0)
        yield v
        queue += inputs[v]


def leaves_first(z, inputs):
    """A variable is visited after all its inputs."""
    seen = set()

    def visit(v):
        if v not in seen:
            seen.add(v)
            for x in inputs[v]:
                yield from visit(x)
            yield v

    yield from visit(z)


def tests_the_wrong_node(z, inputs):
    """The tutorial's printed sort: it asks whether the current node was visited, not the input."""
    seen, order = set(), []

    def sort(v):
        for x in inputs[v]:
            if v not in seen:
                sort(x)
        seen.add(v)
        order.append(v)

    sort(z)
    yield from reversed(order)


# The start, the branches that do not lead to z, a second call


def starts_from(start: Callable) -> Callable:
    def mistake(numbers, got):
        found = scattered(numbers, numbers.order, start(numbers))
        yield {x: [total] for x, total in found.items()}

    return mistake


def without_dz_dz(numbers, got):
    """All is right but dz/dz itself, which is not there or 0."""
    yield {x: [total] for x, total in numbers.totals.items()} | {numbers.z: [0]}


def last_made(numbers, got):
    """The variable that was made last is taken for z."""
    total = dict.fromkeys(numbers.made, 0) | {numbers.made[-1]: 1}
    for y in reversed(numbers.made):
        for x, partial in zip(numbers.inputs[y], numbers.partials[y]):
            total[x] += total[y] * partial
    yield {x: [number] for x, number in total.items()}


def waits_for_dead_branches(numbers, got):
    """A variable passes on its derivative when all that use it have reported; a dead branch never does."""
    uses = {x: sum(xs.count(x) for xs in numbers.inputs.values()) for x in numbers.made}
    yield {x: [total] for x, total in scattered(numbers, by_counting(numbers, uses)).items()}


def by_counting(numbers, waiting):
    """Yield each variable when so many uses of it have reported, the newest first."""
    ready = [numbers.z]
    while ready:
        y = ready.pop()
        yield y
        for x in numbers.inputs[y]:
            waiting[x] -= 1
            if not waiting[x]:
                ready.append(x)


def second_call(start: Callable) -> Callable:
    """Return the mistake of an engine that keeps the derivatives of intermediate variables for a second call."""

    def mistake(numbers, got):
        total = dict.fromkeys(numbers.made, 0)
        for _ in range(numbers.program.calls):
            total[numbers.z] = start(total[numbers.z])
            for y in numbers.order:
                for x, partial in zip(numbers.inputs[y], numbers.partials[y]):
                    total[x] += total[y] * partial
        yield {x: [number] for x, number in total.items() if not numbers.inputs[x]}

    return mistake


STRUCTURAL = {  # name: mistakes with + and * alone, the most special first
    "no start": [starts_from(lambda numbers: 0), without_dz_dz],
    "starts with the value": [starts_from(lambda numbers: numbers.values[numbers.z])],
    "leaves first": [in_the_order_of(leaves_first)],
    **{name: [at_each_sum(wrong)] for name, wrong in SUMS.items()},
    "recursion without order": [in_the_order_of(recursion)],
    "visits at first sight": [in_the_order_of(depth_first)],
    "breadth first": [in_the_order_of(breadth_first), in_the_order_of(breadth_first_again)],
    "tests the wrong node": [in_the_order_of(tests_the_wrong_node)],
    "waits for dead branches": [waits_for_dead_branches],
    "starts at the last made": [last_made],
    "forgets a term": [at_each_sum(some_terms)],
}
AGAIN = {"keeps intermediate gradients": [second_call(lambda before: 1), second_call(lambda before: before + 1)]}

# The rule of one function: wrong(values of the inputs, value of the output, right partials) gives the partials

RULES = {
    "*": {"own factor": lambda x, y, p: x, "rule of a sum": lambda x, y, p: (1, 1), "value for slope": lambda x, y, p: (y, y)},
    "+": {"rule of a product": lambda x, y, p: (x[1], x[0]), "value for slope": lambda x, y, p: x},
    "-": {"sign": lambda x, y, p: (1, 1), "sign of both": lambda x, y, p: (-1, 1)},
    "/": {
        "square missing": lambda x, y, p: (p[0], -x[0] / x[1]),
        "sign": lambda x, y, p: (p[0], -p[1]),
        "rule of a product": lambda x, y, p: (x[1], x[0]),
        "sign and square": lambda x, y, p: (p[0], x[0] / x[1]),
    },
    "neg": {"sign": lambda x, y, p: (1,)},
    "**": {
        "exponent not reduced": lambda x, y, p: (3 * x[0] ** 3,),
        "factor missing": lambda x, y, p: (x[0] ** 2,),
        "output for input": lambda x, y, p: (3 * y**2,),
        "value for slope": lambda x, y, p: (y,),
    },
    "relu": {"1 everywhere": lambda x, y, p: (1,), "passes the value": lambda x, y, p: (y,), "sign": lambda x, y, p: (float(x[0] < 0),)},
    "tanh": {
        "square missing": lambda x, y, p: (1 - y,),
        "output for input": lambda x, y, p: (1 - x[0] ** 2,),
        "sign": lambda x, y, p: (-p[0],),
        "value for slope": lambda x, y, p: (y,),
    },
    "exp": {"output for input": lambda x, y, p: (x[0],), "rule of a power": lambda x, y, p: (x[0] * y,)},
    "log": {"output for input": lambda x, y, p: (1 / y,), "value for slope": lambda x, y, p: (y,)},
    "sigmoid": {
        "factor missing": lambda x, y, p: (y,),
        "output for input": lambda x, y, p: (x[0] * (1 - x[0]),),
        "square missing": lambda x, y, p: (1 - y,),
    },
}


def in_one_function(operator, wrong, slots=(0, 1)) -> Callable:
    """Return the mistake of wrong(numbers, own, others) at each variable: its terms at these inputs of one function, and all others."""

    def mistake(numbers, got):
        found = {numbers.z: [1]}
        for x in numbers.order[1:]:
            terms = [(got.get(y) or 0, numbers.partials[y][slot], y, slot) for y, slot in numbers.children[x]]
            own = [term for term in terms if numbers.operators[term[2]] == operator and term[3] in slots]
            others = [term for term in terms if term not in own]
            found[x] = wrong(numbers, own, others) if own else [total_of(others)]
        yield found

    return mistake


def total_of(terms):
    return sum(upstream * partial for upstream, partial, *_ in terms)


def with_rule(rule: Callable) -> Callable:
    def wrong(numbers, own, others):
        found = total_of(others)
        for upstream, _, y, slot in own:
            values = [numbers.values[v] for v in numbers.inputs[y]]
            found += upstream * rule(values, numbers.values[y], numbers.partials[y])[slot]
        return [found]

    return wrong


def without_upstream(numbers, own, others):
    return [total_of(others) + sum(partial for _, partial, *_ in own)]


def replacing(numbers, own, others):
    """The function's term replaces what was there; what comes later is added."""
    terms = [*own, *others]
    return [total_of(some) for n in range(1, len(terms) + 1) for some in combinations(terms, n) if any(term in own for term in some)]


def mistakes_of(operator) -> Iterator[tuple[str, list]]:
    """Yield (name, mistakes) for one function: for both of its inputs, and for one of them."""
    wrong = {name: with_rule(rule) for name, rule in RULES[operator].items()}
    wrong |= {"ignores the upstream gradient": without_upstream, "overwrites": replacing}
    for name, at_sum in wrong.items():
        yield name, [in_one_function(operator, at_sum, slots) for slots in ((0, 1), (0,), (1,))]
