"""Topological order

`topological_order(z, inputs)` returns `z` and its ancestors, each after all its children. `inputs[v]` lists the inputs of `v`.
For many graphs this program is right. But it asks the wrong variable whether it was seen.
"""
# meta: unit=B minutes=8 difficulty=2 chapter=order-matters given=wrong-node


def topological_order(z, inputs):
    notes, seen = [], set()

    # BEGIN SOLUTION
    def visit(v):
        seen.add(v)
        for x in inputs[v]:
            if x not in seen:
                visit(x)
        notes.append(v)

    visit(z)
    return notes[::-1]
    # ~ leaves-first M04: return notes
    # END SOLUTION


# BEGIN MUTANT wrong-node M04
#     def visit(v):
#         for x in inputs[v]:
#             if v not in seen:
#                 visit(x)
#         seen.add(v)
#         notes.append(v)
#
#     visit(z)
#     return notes[::-1]
# END MUTANT
# BEGIN MUTANT no-memory M04
#     def visit(v):
#         for x in inputs[v]:
#             visit(x)
#         notes.append(v)
#
#     visit(z)
#     return notes[::-1]
# END MUTANT
# BEGIN MUTANT first-sight M04
#     def visit(v):
#         seen.add(v)
#         notes.append(v)
#         for x in inputs[v]:
#             if x not in seen:
#                 visit(x)
#
#     visit(z)
#     return notes
# END MUTANT
# BEGIN MUTANT levels M04
#     notes.append(z)
#     for v in notes:
#         for x in inputs[v]:
#             if x not in notes:
#                 notes.append(x)
#     return notes
# END MUTANT
# BEGIN FRAME
def backprop(z, inputs, partial):
    computed = dict.fromkeys(inputs, 0) | {z: 1}
    for y in topological_order(z, inputs):
        for x in inputs[y]:
            computed[x] += computed[y] * partial[y, x]
    return computed


# END FRAME


# BEGIN CHECK
HINTS = (
    "Draw a graph in which one variable is used twice, and follow the calls of visit on paper.",
    "A variable must stand in the list once. So visit may be entered once for each variable.",
    "When visit is about to go on to an input, the mark of this input decides. Set the mark when visit is entered.",
)
# END CHECK
