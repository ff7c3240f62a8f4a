"""Topological order

`topological_order(z, inputs)` returns a list of `z` and its ancestors, each of them once and after all its children. `inputs[v]` lists the
inputs of `v`. For many graphs this program is right. One line is wrong.
"""
# meta: unit=B minutes=8 difficulty=2 chapter=order-matters given=wrong-node call=topological_order


def topological_order(z, inputs):
    notes, seen = [], set()

    # BEGIN SOLUTION
    def visit(v):
        for x in inputs[v]:
            # ~ noted-before M04: notes.append(v)
            # ~ noted-before M04: for x in inputs[v]:
            # ~ first-sight M04: notes.append(v)
            # ~ first-sight M04: for x in inputs[v]:
            # ~ first-input M77: for x in inputs[v][:1]:
            if x not in seen:
                # ~ without-leaves M63: if x not in seen and inputs[x]:
                # ~ no-memory M04: if True:
                # ~ last-of-repeats M04: if True:
                visit(x)
        seen.add(v)
        notes.append(v)
        # ~ without-z M33:         notes.append(x)
        # ~ noted-before M04:
        # ~ first-sight M04:

    visit(z)
    # ~ unrelated M51: [visit(v) for v in inputs if v not in seen and v != z]; visit(z)
    return notes[::-1]
    # ~ leaves-first M04: return notes
    # ~ last-of-repeats M04: return list(dict.fromkeys(notes[::-1]))
    # ~ first-sight M04: return notes
    # END SOLUTION


# MUTANT sorted-by-level M04
#     level = {z: 0}
#     to_do = [z]
#     for v in to_do:
#         for x in inputs[v]:
#             if x not in level:
#                 level[x] = level[v] + 1
#                 to_do.append(x)
#     return sorted(level, key=level.get, reverse=True)[::-1]
# MUTANT wrong-node M04
#     def visit(v):
#         for x in inputs[v]:
#             if v not in seen:
#             # ~ marked-late M04: if x not in seen:
#                 visit(x)
#         seen.add(v)
#         # ~ marked-late M04:         seen.add(v)
#         notes.append(v)
#
#     visit(z)
#     return notes[::-1]
#     # ~ first-of-repeats M04: return list(dict.fromkeys(notes[::-1]))
# MUTANT visits-nothing M04
#     def visit(v):
#         seen.add(v)
#         for x in inputs[v]:
#             if v not in seen:
#                 visit(x)
#         notes.append(v)
#
#     visit(z)
#     return notes[::-1]
# MUTANT levels M04
#     notes.append(z)
#     for v in notes:
#         for x in inputs[v]:
#             if x not in notes:
#                 notes.append(x)
#     return notes


# CHECK
from tutorial.exercises.broken_engine.probes import program
from tutorial.exercises.broken_engine.programs import Numbers
from tutorial.exercises.probes.calls import with_names
from tutorial.exercises.probes.probe import Probe
from tutorial.exercises.probes.shared_graphs import about, graphs, inputs
from tutorial.exercises.probes.small_graphs import places, whole

PATHS = 18  # functions, each of which uses the two before
HINTS = (
    "Draw a graph in which one variable is used twice, and follow the calls of visit on paper.",
    "A variable must stand in the list once. So visit may be entered once for each variable.",
    "When visit is about to go on to an input, the mark of this input decides.",
)
SAID = {
    "leaves-first": "{judged} You listed each variable after its inputs. The list must be turned round.",
    "wrong-node": "{judged} You asked whether the current variable was seen, and not the input that comes next.",
    "visits-nothing": "{judged} You visited no input. If a variable is marked before its own mark is asked for, the answer is always yes.",
    "last-of-repeats": "{judged} You kept the first place of a variable that comes twice. Only its last place is after all its children.",
    "sorted-by-level": "{judged} You sorted by the length of the shortest path from z. The longest path must decide.",
    "first-of-repeats": "{judged} You removed repeats from the list. The last of them must stay, which is after all children.",
    "noted-before": "{judged} You noted a variable before its inputs, and turned the list round: that puts inputs first.",
    "marked-late": "{judged} You marked a variable only after one of its inputs was visited, so a leaf is never marked.",
    "first-input": "{judged} You went on to the first input of each variable alone.",
    "without-leaves": "{judged} You left out variables without inputs.",
    "without-z": "{judged} You noted the inputs that were visited, and z is an input of nothing.",
    "no-memory": "{judged} You entered a variable once for each path that leads to it, and listed it each time.",
    "first-sight": "{judged} You listed a variable at its first visit, before the other variables that use it.",
    "unrelated": "{judged} You began at every variable. Begin at z alone: what the walk does not come to has no derivative.",
    "levels": "{judged} You listed the variables level by level, so the shortest path decides. The longest path must decide.",
}
ASKED = {
    "leaves-first": "Which derivative is known before anything is computed?",
    "wrong-node": "The walk is about to enter an input. Whose mark must it read?",
    "visits-nothing marked-late": "The walk is about to enter an input. Whose mark must it read, and who has set it?",
    "last-of-repeats first-of-repeats noted-before sorted-by-level first-sight levels": "Which variables must stand in the list before one "
    "that is used twice?",
    "first-input without-leaves without-z": "When does each variable of the graph come into the list?",
    "no-memory": "How does the walk know that it has been here?",
    "unrelated": "At which variables does your walk begin?",
}


CALL = "topological_order('z', inputs)"


def probes(random):
    made = list(graphs(random))
    made.insert(5, Numbers(program("y * a b; w * y c; z + y a", inputs(random))))  # z does not depend on w
    for numbers in made:
        used = {v: list(numbers.inputs[v]) for v in numbers.made}
        facts = {"scene": numbers.variables["z"], "whole": whole(numbers.variables.values())}
        yield Probe(("z", used), facts, about=about(numbers), shown=with_names(CALL, inputs=used))
    names = ["a", "b", *(f"v{k}" for k in range(1, PATHS)), "z"]
    two = {"a": [], "b": []} | {y: [x, w] for w, x, y in zip(names, names[1:], names[2:])}
    yield Probe(("z", two), {}, 1_000, f"inputs: {PATHS} functions, each of which uses the two before", CALL)


def judge(got, probe):
    z, inputs = probe.arguments
    if not isinstance(got, (list, tuple)):
        return f"The answer is of type {type(got).__name__}, not a list."
    if strangers := [v for v in got if not isinstance(v, str)]:
        return f"The order holds a value of type {type(strangers[0]).__name__}, which is not the name of a variable."
    order = f"the order {', '.join(got)}"
    if list(got[:1]) != [z]:
        return f"z is not the first of {order}." if got else "The order is empty."
    for v in got:
        if got.count(v) > 1:
            return f"{v} stands {got.count(v)} times in {order}."
        for x in inputs.get(v, ()):
            if x not in got:
                return f"{x} is missing in {order}. It is an input of {v}."
            if got.index(x) < got.index(v):
                return f"{x} comes before {v}, which uses it, in {order}."
    others = [v for v in got[1:] if not any(v in inputs.get(y, ()) for y in got)]
    return f"z does not depend on {others[0]}, which stands in {order}." if others else None


def marked(got, probe):
    """Return the whole graph, with the places in the learner's order; None for the long one."""
    return places(got, "z", probe.facts["whole"]) if "whole" in probe.facts else None
