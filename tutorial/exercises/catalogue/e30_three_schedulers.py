"""Three orders, one answer

Sorting, counting and a tape say in which order the variables pass on their derivatives. Measure what each order costs.

`measure(z, order, inputs, partial)` runs the chain rule in the order that it gets, and returns a tuple of three:

1. the dictionary `{x: dz/dx}` of the leaves that $z$ depends on,
2. the number of turns: how many variables passed on a derivative,
3. the largest number of derivatives of computed variables that were held at the same time. A variable holds its derivative from its first
   contribution to the end of its turn, and then drops it. So a variable and its inputs are held together.

`inputs[y]` lists the inputs of `y`, one for each use, and is empty for a leaf. `partial[y, x]` is $\\frac{\\partial y}{\\partial x}$ for
one use, and the same for each use of `x` by `y`. A tape also holds variables that $z$ does not depend on: they have no turn. The arguments
stay as they are. For $h = a \\cdot a$ and $z = h + 1$ at $a = 2$, each order gives `({"a": 4}, 2, 2)`.

Then write the dictionary `grows_with`. Its keys are three counts: `"turns"`, `"additions"` (how many contributions are added up, in all)
and `"entries that a tape holds"`. Each value names what the count equals, on every graph. The choices are `"computed variables of z"`,
`"edges of z"`, `"paths to z"` and `"all that was recorded"`. "Of z" means: of the graph of $z$, which
holds $z$ and its ancestors.
"""
# meta: unit=E minutes=20 difficulty=3 chapter=other-engines call=measure_of


def measure(z, order, inputs, partial):
    # BEGIN SOLUTION
    total, turns, most = {z: 1}, 0, 0
    # ~ no-start M28: total, turns, most = {z: 0}, 0, 0
    # ~ never-drops M40: total, turns, most = {z: 1}, 0, 1
    for y in order:
        # ~ turns-of-all M23: for turns, y in enumerate(order, 1):
        if inputs[y] and y in total:
            # ~ no-skip M51: if inputs[y]:
            # ~ drops-leaves M47: if y in total:
            turns += 1
            # ~ turns-of-all M23: pass
            # ~ counts-edges M32: turns += len(inputs[y])
            for x in inputs[y]:
                # ~ once M03: for x in dict.fromkeys(inputs[y]):
                total[x] = total.get(x, 0) + total[y] * partial[y, x]
                # ~ overwrite M03: total[x] = total[y] * partial[y, x]
                # ~ no-upstream M05: total[x] = total.get(x, 0) + partial[y, x]
                # ~ no-partial M64: total[x] = total.get(x, 0) + total[y]
                # ~ adds-along M30: total[x] = total.get(x, 0) + total[y] + partial[y, x]
            most = max(most, len([x for x in total if inputs[x]]))
            # ~ counts-leaves M48: most = max(most, len(total))
            # ~ at-the-end M48: most = len([x for x in total if inputs[x]])
            # ~ drops-first M48: most = max(most, len([x for x in total if inputs[x]]) - 1)
            # ~ before-passing M48: most = max(most, len([x for x in total if inputs[x] and x not in inputs[y]]) + (y not in total))
            # ~ adds-up M48: most += len([x for x in total if inputs[x]])
            # ~ contributions M48: most = max(most, len(inputs[y]))
            # ~ never-drops M40: most += len([x for x in total if inputs[x]]) > most
            del total[y]
            # ~ never-drops M40: pass
    return total, turns, most
    # ~ never-drops M40: return {x: number for x, number in total.items() if not inputs[x]}, turns, most
    # ~ turns-of-strangers M23: return total, len([y for y in order if inputs[y]]), most
    # ~ turns-of-leaves M23: return total, turns + len(total), most
    # ~ strangers-too M51: return {x: total.get(x, 0) for x in inputs if not inputs[x]}, turns, most
    # ~ one-less M48: return total, turns - 1, most
    # ~ counts-exchanged M54: return total, most, turns
    # ~ another-tuple M54: return turns, most, total
    # ~ list-of-three M12: return [total, turns, most]
    # ~ dictionary-alone M12: return total
    # END SOLUTION


# BEGIN SOLUTION
grows_with = {
    "turns": "computed variables of z",
    # ~ claims-edges M32: "turns": "edges of z",
    # ~ claims-paths-turns M34: "turns": "paths to z",
    # ~ claims-recorded-turns M51: "turns": "all that was recorded",
    "additions": "edges of z",
    # ~ claims-variables M03: "additions": "computed variables of z",
    # ~ claims-paths M34: "additions": "paths to z",
    # ~ claims-recorded M51: "additions": "all that was recorded",
    "entries that a tape holds": "all that was recorded",
    # ~ claims-needed M51: "entries that a tape holds": "computed variables of z",
    # ~ claims-tape-edges M51: "entries that a tape holds": "edges of z",
    # ~ claims-tape-paths M34: "entries that a tape holds": "paths to z",
}
# END SOLUTION


# FRAME
def measure_of(z, inputs, partial):
    """Return what `measure` gives for each scheduler, part by part."""
    orders = {
        "by sorting": by_sorting(z, inputs),
        "by counting, the oldest first": by_counting(z, inputs, 0),
        "by counting, the newest first": by_counting(z, inputs, -1),
        "on a tape": list(inputs)[::-1],
    }
    found = {f"the claim on {what}": claim for what, claim in grows_with.items()}
    for name, order in orders.items():
        got = measure(z, list(order), inputs, partial)
        found[f"what `measure` returns {name}"] = kind_of(got)
        if kind_of(got) != THREE:
            return found
        total, turns, most = got
        found |= {f"dz/d{x} {name}": number for x, number in total.items()}
        found |= {f"the number of turns {name}": turns, f"the number of derivatives held at once {name}": most}
    return found


THREE = "a tuple: a dictionary and two numbers"


def kind_of(got):
    """Return in words what `measure` has returned."""
    if isinstance(got, tuple) and len(got) == 3 and isinstance(got[0], dict):
        return THREE
    return f"a {type(got).__name__} of {len(got)}" if isinstance(got, (tuple, list, dict)) else f"a value of the type {type(got).__name__}"


def by_sorting(z, inputs):
    notes = []

    def visit(y):
        for x in inputs[y]:
            if x not in notes:
                visit(x)
        if y not in notes:
            notes.append(y)

    visit(z)
    return notes[::-1]


def by_counting(z, inputs, take):
    pending, needed = dict.fromkeys(inputs, 0), [z]
    for y in needed:
        for x in inputs[y]:
            if pending[x] == 0:
                needed.append(x)
            pending[x] += 1
    order, ready = [], [z]
    while ready:
        order.append(ready.pop(take))
        for x in inputs[order[-1]]:
            pending[x] -= 1
            if pending[x] == 0:
                ready.append(x)
    return order


# CHECK
from tutorial.exercises.broken_engine.probes import program, random_programs
from tutorial.exercises.broken_engine.programs import EVERYWHERE, Numbers
from tutorial.exercises.probes.calls import with_names
from tutorial.exercises.probes.probe import Probe
from tutorial.exercises.probes.shared_graphs import about, inputs

HINTS = (
    "Keep one dictionary of the derivatives that are held. When does a variable enter it, and when does it leave?",
    "A turn has three parts: pass on over each edge, look how many computed variables are in the dictionary, then delete the "
    "variable itself.",
    "Skip leaves, and variables that have got nothing when the order comes to them. The largest count is taken while the variable is still "
    "in the dictionary, and its inputs are there, too. At the end only leaves are left.",
)
PREDICT = (
    "z is a sum of 2 chains of 3 functions. How many turns has a pass, if the sum is one function?",
    7,
    {
        6: "You left z out. It passes on a derivative, too.",
        9: "You counted the two leaves. They pass nothing on.",
        3: "You counted one chain. The turns of the other are turns, too.",
        8: "You counted a leaf, or took the sum for two functions.",
    },
)
CLAIM = "In {component} you named {got}. "
WAS = "{component} was {got}, expected {expected}. "
SAID = {
    "turns-of-all": WAS + "You counted leaves, or variables that z does not depend on. They pass on nothing, so they have no turn.",
    "counts-edges": WAS + "You counted edges. A variable has one turn, in which it passes on over all of its edges.",
    "once": WAS + "A function uses a variable twice. Each use is an edge of its own.",
    "overwrite": WAS + "A later contribution replaced an earlier one: add them.",
    "no-upstream": WAS + "You added partial derivatives alone. Multiply each by the derivative of the variable whose turn it is.",
    "no-skip": "{about}. The order of a tape holds variables that z does not depend on. Nothing came to them, so they have no turn: "
    "skip them.",
    "no-partial": WAS + "That adds upstream derivatives alone. Multiply each by the partial derivative of its edge.",
    "adds-along": WAS + "That adds the derivative and the partial along an edge. Along a path factors multiply.",
    "before-passing": WAS
    + "That counts before the variable passes on. It is held together with its inputs: count after they got their part.",
    "adds-up": WAS + "That adds the counts of all turns. Asked for is the largest of them.",
    "contributions": WAS + "That is the largest number of inputs. Derivatives that came earlier and wait for their turn are held, too.",
    "turns-of-strangers": WAS + "That counts computed variables that z does not depend on. They pass on nothing, so they have no turn.",
    "turns-of-leaves": WAS + "That counts the leaves, too. They pass on nothing, so they have no turn.",
    "strangers-too": "{component} was {got}. z does not depend on this leaf, so it has no place in the dictionary.",
    "drops-leaves": "{component} should be {expected}. The order came to this leaf, and it was dropped. A leaf has no turn, and keeps "
    "its derivative.",
    "counts-exchanged": WAS + "The second is the number of turns, and the third the largest number of derivatives that were held.",
    "another-tuple list-of-three dictionary-alone": WAS
    + "`measure` returns three things in round brackets: the dictionary of the leaves, the turns, and the largest number of derivatives.",
    "one-less": WAS + "That is one less. z has a turn, too.",
    "claims-paths-turns": CLAIM
    + "Here are {computed} computed variables of z and {paths} paths. A variable has one turn for all of its paths.",
    "claims-recorded-turns": CLAIM
    + "This tape holds {recorded} entries, and {computed} are computed variables of z. Leaves, and what z does not need, have no turn.",
    "claims-recorded": CLAIM
    + "This tape holds {recorded} entries, and z has {edges} edges. Each edge brings one contribution to its input.",
    "claims-tape-edges": CLAIM + "This tape holds {recorded} entries, and z has {edges} edges. Each variable of the program is one entry.",
    "claims-tape-paths": CLAIM
    + "This tape holds {recorded} entries, and {paths} paths lead to z. Each variable of the program is one entry.",
    "claims-edges": CLAIM + "Here are {computed} computed variables of z and {edges} edges. A variable has one turn for all of its edges.",
    "claims-variables": CLAIM + "Here are {edges} edges of z, and each brings one contribution to its input: more than the "
    "{computed} computed variables.",
    "claims-paths": CLAIM + "Here are {paths} paths and {edges} edges. A derivative that is complete is passed on once over each edge.",
    "claims-needed": CLAIM
    + "This tape holds {recorded} entries, and {computed} are computed variables of z. A program records before anybody "
    "knows where the backward pass begins.",
    "no-start": WAS + "Every derivative is a sum of products that begin with dz/dz = 1.",
    "counts-leaves": WAS + "You counted leaves, too. Their derivatives are the result, and every engine holds them.",
    "at-the-end": WAS + "You kept the last count. Asked for is the largest.",
    "drops-first": WAS + "You counted after the variable had dropped its derivative. It holds it until its turn ends.",
    "never-drops": WAS + "Your variables keep their derivatives after their turn, all {made}. An order then makes no difference.",
}
ASKED = {
    "turns-of-all turns-of-leaves one-less": "Which entries of the order pass on something?",
    "counts-edges": "How many turns has z = a · a?",
    "once": "How many edges lead from a to a · a?",
    "overwrite": "What stood in your dictionary before the last contribution came?",
    "no-upstream": "By how much does z grow if the child grows by 1?",
    "no-skip turns-of-strangers strangers-too": "What has come to a variable that z does not depend on?",
    "no-partial": "By how much does the child grow with the variable alone?",
    "drops-leaves": "Which derivatives does the caller ask for?",
    "counts-exchanged another-tuple list-of-three dictionary-alone": "What are the three things, in which order?",
    "adds-along": "If the input grows by 1, by how much does the variable grow, and by how much then z?",
    "before-passing adds-up contributions": "Write down for each turn which derivatives are held. Which is the most?",
    "claims-tape-edges claims-tape-paths": "When is an entry written?",
    "claims-paths-turns claims-recorded-turns claims-recorded claims-edges claims-variables claims-paths": "On paper, follow one pass. How "
    "many of them do you count?",
    "claims-needed": "When is an entry written, and when is z chosen?",
    "no-start": "By how much does z grow if z grows by 1?",
    "counts-leaves": "Which of these derivatives does the caller ask for?",
    "at-the-end": "Was there a turn at which more were held?",
    "drops-first": "Which derivatives does a turn need at the same time?",
    "never-drops": "Who reads the derivative of a computed variable after its turn?",
}
GRAPHS = (
    "h * a a; z * h h",
    "h * a b; z * h c",
    "h * a a; z * h b",
    "h * a b; m * h h; z + h m",
    "h * a b; d * h c; z * h b",  # z does not depend on d
    "p * a b; q * b c; r * a c; s * p q; z * s r",
    "p * a a; p2 * p a; p3 * p2 a; q * b b; q2 * q b; q3 * q2 b; r * c c; r2 * r c; r3 * r2 c; s + p3 q3; z + s r3",
)


def probes(random):
    """Yield a chain, two uses, shared variables, a dead branch, three chains that are added, and random graphs."""
    for text in GRAPHS:
        yield probe(Numbers(program(text, inputs(random))))
    for made in random_programs(EVERYWHERE, random, inputs(random), 50 - len(GRAPHS)):
        yield probe(Numbers(made))


def probe(numbers):
    """Return the probe of a graph with all of its variables, also those that z does not depend on."""
    computed = lambda names: sum(bool(numbers.inputs[y]) for y in names)
    facts = {
        "made": computed(numbers.made),
        "computed": computed(numbers.children),
        "edges": sum(map(len, numbers.children.values())),
        "paths": paths(numbers),
        "recorded": len(numbers.made),
        "scene": numbers.variables["z"],
    }
    slopes = {(y, x): slope for y in numbers.made for x, slope in zip(numbers.inputs[y], numbers.partials[y])}
    inputs = {y: list(numbers.inputs[y]) for y in numbers.made}
    shown = with_names("measure('z', order, inputs, partial)  # for the order of each scheduler", inputs=inputs, partial=slopes)
    return Probe(("z", inputs, slopes), facts, about=about(numbers), shown=shown)


def paths(numbers):
    """Return how many paths lead to z from all others."""
    known = {numbers.z: 1}
    for x in numbers.order[1:]:
        known[x] = sum(known[y] for y, _ in numbers.children[x])
    return sum(known.values()) - 1
