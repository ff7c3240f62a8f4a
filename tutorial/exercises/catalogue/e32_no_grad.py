"""A block that records nothing

In this engine each function asks `mode.recording` before it records its inputs. Write `no_grad()`: inside `with no_grad():` functions
record nothing, so after `y = x * x` there `y` has no inputs.

A function with `yield` is a generator: it stops at `yield`, and goes on later. `contextmanager` calls yours up to `yield`, runs the block,
and goes on after `yield`. An error in the block is raised at `yield`. In `try: ... finally: ...` the part after `finally` always runs.

After the block the engine does what it did before, however the block ends, and also if it stands in another such block. An error in the
block is not caught: it goes on to the caller. Do not change `keep_grad` of the leaves.
"""
# meta: unit=E minutes=12 difficulty=2 chapter=the-engine call=run_blocks

from contextlib import contextmanager


class mode:
    recording = True  # whether functions record their inputs
    leaves = []  # all leaves of the program; those with keep_grad get a gradient


@contextmanager
def no_grad():
    # BEGIN SOLUTION
    before = mode.recording
    # ~ inner-exit M40: before = True
    # ~ changes-leaves-for-a-while M22: before = [x.keep_grad for x in mode.leaves]
    mode.recording = False
    # ~ toggles M40: mode.recording = not mode.recording
    # ~ another-name M56: recording = False
    # ~ one-place M17: mode.before, mode.recording = mode.recording, False
    # ~ changes-leaves M22: [setattr(x, "keep_grad", False) for x in mode.leaves]
    # ~ changes-leaves-for-a-while M22: [setattr(x, "keep_grad", False) for x in mode.leaves]
    # ~ leaves-stay-changed M22: mode.recording = False; [setattr(x, "keep_grad", False) for x in mode.leaves]
    # ~ empties-the-leaves M22: mode.recording, mode.leaves = False, []
    try:
        yield
        # ~ no-yield M60: pass
    finally:
        # ~ only-errors M40: except Exception:
        # ~ only-errors-caught M40: except BaseException:
        # ~ only-any-errors M40: except BaseException:
        mode.recording = before
        # ~ only-errors M40: mode.recording = before; raise
        # ~ one-place M17: mode.recording = mode.before
        # ~ only-any-errors M40: mode.recording = before; raise
        # ~ never-restored M40: pass
        # ~ leaves-all-on M22: mode.recording = before; [setattr(x, "keep_grad", True) for x in mode.leaves]
        # ~ changes-leaves M22: [setattr(x, "keep_grad", True) for x in mode.leaves]
        # ~ changes-leaves-for-a-while M22: [setattr(x, "keep_grad", keep) for x, keep in zip(mode.leaves, before)]
    # END SOLUTION


# MUTANT swallows-error M38
#     before = mode.recording
#     mode.recording = False
#     try:
#         yield
#     except Exception:
#     # ~ another-error M38: except Exception as error:
#         pass
#         # ~ another-error M38: raise RuntimeError("error in a block without gradients") from error
#     finally:
#         mode.recording = before
# MUTANT not-in-generator M40
#     before = mode.recording
#     mode.recording = False
#     try:
#         yield
#     except Exception:
#     # ~ on-after-errors M40: except BaseException:
#         mode.recording = before
#         # ~ on-after-errors M40: mode.recording = True
#         raise
#     else:
#         mode.recording = before
# MUTANT two-yields M60
#     before = mode.recording
#     mode.recording = False
#     yield
#     mode.recording = before
#     yield
#     # ~ not-after-error M40: pass
# FRAME
class Variable:
    """A variable of a small engine: it records its inputs if one of them needs a gradient and the engine records."""

    def __init__(self, inputs=(), keep_grad=False):
        self.keep_grad = keep_grad
        self.inputs = inputs if mode.recording and any(x.keep_grad or x.inputs for x in inputs) else ()


class Stop(Exception):
    """An error of the program."""


def run_blocks(block):
    """Return {name: recorded inputs}. A name computes two functions, a list is a block with no_grad(), a tuple is one that ends early."""
    x, constant = Variable(keep_grad=True), Variable()
    mode.recording, mode.leaves = True, [x, constant]
    found, made = {}, [Variable((x,)), x]
    walk(block, found, made)
    found["keep_grad of the two leaves"] = [x.keep_grad, constant.keep_grad]
    found["the number of leaves"] = len(mode.leaves)
    return found


def walk(block, found, made):
    for step in block:
        if isinstance(step, str):
            found[step] = sum(len(Variable((v,)).inputs) for v in made)
        elif isinstance(step, list):
            with no_grad():
                walk(step, found, made)
        else:
            {"error": with_error, "generator": with_generator, "off": while_off}[step[0]](step[1], found, made)


def with_error(block, found, made):
    begun = False
    try:
        with no_grad():
            begun = True
            walk(block, found, made)
            raise Stop
        found["the error that leaves the block"] = "none"
    except Exception as error:
        if not begun:
            raise
        found["the error that leaves the block"] = type(error).__name__


def with_generator(block, found, made):
    def items():
        with no_grad():
            walk(block, found, made)
            yield

    generator = items()
    next(generator)
    generator.close()


def while_off(block, found, made):
    mode.recording = False
    walk(block, found, made)
    mode.recording = True


# CHECK
from itertools import count

from tutorial.exercises.probes.probe import Probe

HINTS = (
    "What was mode.recording before the block? The end of the block must bring back just that.",
    "In Python, one statement runs its last part in any case: after the block, after an error, and when a generator is closed.",
    "Keep the old value in a name. Switch recording off. Then yield inside try, and put the old value back in its finally part.",
)
PREDICT = (
    "A block stands in a block. How many inputs does x · x record in the outer one, after the inner one has ended?",
    0,
    {
        2: "So it would be if the end of the inner block turned recording on. The outer block is not over.",
        1: "x · x records both of its uses or none. The outer block is not over.",
    },
)
WAS = "In the line “# {component}” of the program that the check ran, the two functions f recorded {got} inputs, expected {expected}. "
SAID = {
    "inner-exit": WAS
    + "The end of the inner block switched recording on, and the outer one was not at its end. Put back what was there before.",
    "toggles": WAS + "The inner block found recording off, and switched it on. In each block it must be off.",
    "only-errors only-any-errors only-errors-caught": WAS
    + "except runs after an error. After a block that ends well, nothing was put back.",
    "not-after-error": WAS + "An error left the block at yield, and the line after yield did not run. Use finally.",
    "never-restored": WAS + "Recording was switched off, and nothing switched it on again.",
    "swallows-error": "The program raised 1 error in the block, and {got} came out. An error must leave the block as it came.",
    "another-error": "The program raised 1 error in the block, a {expected}, and a {got} came out. An error must leave the block as it "
    "came.",
    "another-name": WAS + "In the block mode.recording was still True. A name of your own is not mode.recording, which the functions ask.",
    "one-place": WAS
    + "All blocks keep what was there before in one place, and the inner block wrote over it. Each call needs a name of its own.",
    "on-after-errors": WAS + "An error left the inner block, and recording was switched on. Put back what was there before.",
    "no-yield": "Python raised {got}. The function has 0 lines with yield, and it needs one: there the block runs.",
    "two-yields": "Python raised {got}. The function has more than 1 yield. There is one block, and it runs at the first.",
    "changes-leaves-for-a-while changes-leaves": WAS
    + "A variable that was computed before the block was recorded in it, and a function of a leaf was not. Functions "
    "ask mode.recording. keep_grad of the leaves belongs to their user.",
    "leaves-stay-changed": WAS + "keep_grad belongs to the user of a leaf: the block leaves it as it is.",
    "leaves-all-on": "{component} was {got}, expected {expected}. keep_grad belongs to the user of a leaf: the block leaves it as it is.",
    "empties-the-leaves": "{component} was {got}, expected {expected}. The leaves stay as they are.",
    "not-in-generator": WAS + "A generator that is closed raises GeneratorExit at yield, which is not an Exception. Use finally.",
}
ASKED = {
    "another-error": "Which type has the error that your function raises?",
    "another-name": "What does a function ask before it records?",
    "one-place": "What does this place hold when the outer block ends?",
    "on-after-errors inner-exit toggles": "What was mode.recording when the inner block began?",
    "no-yield two-yields": "What does contextmanager do at yield?",
    "changes-leaves-for-a-while leaves-stay-changed leaves-all-on empties-the-leaves changes-leaves": "What do functions ask before they "
    "record?",
    "only-errors only-any-errors only-errors-caught": "When does the except part run?",
    "not-after-error": "Which lines of your function run after an error in the block?",
    "never-restored": "Which line ends what your function has begun?",
    "swallows-error": "Where did the error of the block stay?",
    "not-in-generator": "Which errors does your except part catch?",
}


def probes(random):
    """Yield one block, two in a row, one in another, an error, and a generator; then some of them in random order.

    Their functions are numbered throughout: no two are taken for the same one.
    """
    numbers, nested = count(1), ["outer block", ("error", ["inner block"]), "outer block, after the error"]
    fixed = (
        ("one block", ["before", ["inside"], "after"]),
        ("two blocks", ["before", ["first block"], "between", ["second block"], "after"]),
        ("a block in a block", ["before", ["outer block", ["inner block"], "outer block, after the inner one"], "after"]),
        ("an error leaves the block", ["before", ("error", ["inside"]), "after the error"]),
        ("a generator that is closed", ["before", ("generator", ["inside"]), "after the generator"]),
        ("an error leaves a block in a block", ["before", nested, "after"]),
        ("recording is off already", [("off", ["before", ["inside"], "after"]), "on again"]),
    )
    for about, block in fixed:
        yield probe(block, numbers, about)
    for _ in range(3):
        parts = [["block 1", ["block 2"], "end of block 1"], ("error", ["block 3"]), ("generator", ["block 4"])]
        parts += random.choices(parts, k=random.randrange(3))
        random.shuffle(parts)
        yield probe([step for part in parts for step in (part, *["after a block"] * random.randrange(3))], numbers, "several blocks")


def probe(block, numbers, about):
    """Return a probe. Its functions are numbered: a name such as "inside" would say what they must record."""
    numbered = with_numbers(block, numbers)
    lines = ["h = f(x)  # of a leaf x with keep_grad", *lines_of(numbered)]
    return Probe((numbered,), about=about, shown="\n".join(lines))


def with_numbers(block, numbers):
    """Return a block in which each function has the next number instead of its name."""
    return [
        f"function {next(numbers)}"
        if isinstance(step, str)
        else with_numbers(step, numbers)
        if isinstance(step, list)
        else (step[0], with_numbers(step[1], numbers))
        for step in block
    ]


def lines_of(block):
    """Yield the lines of a program whose functions stand in these blocks."""
    for step in block:
        if isinstance(step, str):
            yield f"y, v = f(h), f(x)  # {step}"
        elif isinstance(step, list):
            yield from inside("with no_grad():", lines_of(step))
        elif step[0] == "error":
            yield from inside("try:", inside("with no_grad():", [*lines_of(step[1]), "raise Stop"]))
            yield from inside("except Stop:", ["pass"])
        elif step[0] == "off":
            yield from ("mode.recording = False", *lines_of(step[1]), "mode.recording = True")
        else:
            yield from inside("def items():", inside("with no_grad():", [*lines_of(step[1]), "yield"]))
            yield from ("generator = items()", "next(generator)", "generator.close()")


def inside(head, lines):
    return [head, *(f"    {line}" for line in lines)]
