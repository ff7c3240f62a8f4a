"""What the page shows of the memory of a graph of tensors at each turn of the backward pass, ready for JSON."""

from scalargrad.tracing.byte_counts import readable
from viz.memory.lifetimes import measured_bytes
from viz.memory.sentences import Sentences
from viz.text.formatter import UNICODE


def memory_data(trace):
    """Return the data, or None for a graph of numbers and for a released one. Statements show the memory of their operations.

    arrays     [[name, kind, bytes, the bytes as text, first step, last step or null, what its tooltip says]]
    bytes      the predicted bytes at each step; measured: the same from a run, or null if they are equal
    said       a sentence for each step; `note` says whether a run agrees
    turns      for each variable its step in the backward pass; forward: the last step of the forward pass
    """
    if not hasattr(trace.on, "lifetimes"):
        return None
    statements = trace.statements
    boxes = {there: box for box, there in statements.variable.items()} if statements else {v: v for v in trace.graph.variables}
    try:
        found = (statements or trace.on).lifetimes()
    except RuntimeError:
        return None
    measured, why = measured_bytes(found)
    said = Sentences(found, measured, why)
    return {
        "arrays": [[UNICODE.name(a.name), a.kind, a.size, readable(a.size), a.made, a.freed, said.array(a)] for a in found.arrays],
        "bytes": found.bytes,
        "measured": None if measured == found.bytes else measured,
        "said": [sentence(found, i) for i in range(len(found.steps))],
        "note": said.comparison(),
        "turns": [found.turn[boxes[v]] for v in trace.graph.variables],
        "forward": (len(found.steps) - 2) // 2,
    }


def sentence(found, i):
    step, size = found.steps[i], readable(found.bytes[i])
    if step.phase == "backward":
        return f"Turn of {UNICODE.name(step.name)} = {step.function}(…): {size}"
    return f"After both passes: {size}" if step.phase == "after" else f"The forward pass has ended: {size}"
