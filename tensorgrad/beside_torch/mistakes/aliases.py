"""An activation that writes to its input, which the program uses again: a skip connection then adds the changed numbers."""

import re
from bisect import bisect
from dis import get_instructions, hasjabs, hasjrel
from functools import cache
from typing import NamedTuple

ACTIVATIONS = {"relu", "relu6", "leaky_relu", "elu", "selu", "celu", "silu", "mish", "hardswish", "hardtanh", "hardsigmoid", "threshold"}
USES = re.compile(r"(LOAD|STORE|DELETE)_(?:FAST|DEREF|NAME)")
ENDS = ("RETURN", "RAISE", "RERAISE")


class Instruction(NamedTuple):
    """An instruction of Python: [(LOAD or STORE, the local)], of which it may join two, and the places of those that may run next."""

    name: str
    uses: list
    next: list


def read_later(frame, t):
    """Return the local of a frame that holds a tensor and is read after the call that runs, on some way on; "" if there is none.

    If the program drops the call's result, it wants the write.
    """
    offsets, instructions = instructions_of(frame.f_code)
    after = bisect(offsets, frame.f_lasti)
    if instructions[after].name == "POP_TOP":
        return ""
    return next((name for name, x in frame.f_locals.items() if x is t and is_read(name, instructions, after)), "")


def is_read(name, instructions, first):
    """Return whether a local is read from instruction number `first` on, before something else is stored in it."""
    ready, met = [first], {first}
    while ready:
        at = instructions[ready.pop()]
        use = next((what for what, local in at.uses if local == name), "")
        if use == "LOAD":
            return True
        new = [place for place in at.next if place not in met] if not use else []
        met.update(new)
        ready += new
    return False


@cache
def instructions_of(code):
    """Return the offsets and the Instructions of a code object."""
    found = list(get_instructions(code))
    places = {each.offset: place for place, each in enumerate(found)}
    instructions = []
    for place, each in enumerate(found):
        names = each.argval if isinstance(each.argval, tuple) else (each.argval,)
        jumps = [places[each.argval]] if each.opcode in hasjrel or each.opcode in hasjabs else []
        goes_on = not each.opname.startswith((*ENDS, "JUMP")) and place + 1 < len(found)
        instructions.append(Instruction(each.opname, list(zip(USES.findall(each.opname), names)), [place + 1] * goes_on + jumps))
    return list(places), instructions
