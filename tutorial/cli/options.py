"""The options that play, step and matrices share: which schedule runs, where it is shown, which file is written."""

import argparse
from pathlib import Path

from scalargrad.counting import TAKE
from scalargrad.schedules import SCHEDULES

AS = "write a handout or slides (.html), a page to look around in the graph (explore, .html), an animation or the arrays in memory (.svg)"
FOLDER = Path("gradsteps-out")
DEFAULTS = {
    **dict(schedule="topological", queue=None, first=None, numbers=False, order=None),
    **dict(terminal=False, walk=False, json=False, output=None, kind=None, svg=FOLDER, functions=None),
}
OF_A_HANDOUT = dict(solution=True, blanks=12, symbols=False, seed=None)  # an option of handout(): its default
WITHOUT_FUNCTIONS = ("handout", "slides", "memory", "trace")  # kinds of files that draw no function as a node of its own
WITH_A_QUEUE = [name for name, schedule in SCHEDULES.items() if "queue" in schedule.options]
WITH_A_FIRST = [name for name, schedule in SCHEDULES.items() if "first" in schedule.options]
# options that the next word belongs to
WITH_A_VALUE = "--schedule", "--queue", "--first", "--order", "-o", "--as", "--svg", "--functions", "--blanks", "--seed"


def shared_options():
    """Return a new parser of the shared options, for one command: a parser that has parents shares their actions with them.

    It has no defaults, so that options may stand before and after a command.
    """
    shared = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    how = "algorithm that evaluates equation (1), the chain rule (default: topological, the tutorial's loop)"
    shared.add_argument("--schedule", choices=SCHEDULES, help=how)
    which = "the ready variable that comes next: the first in, the last in or a random one (default: fifo)"
    shared.add_argument("--queue", choices=TAKE, help=f"with --schedule {' or '.join(WITH_A_QUEUE)}, {which}")
    few = f"with --schedule {' or '.join(WITH_A_FIRST)}, show the steps of the first N entries; the later ones are given"
    shared.add_argument("--first", metavar="N", type=int, help=few)
    shared.add_argument("--numbers", action="store_true", help="call the variables v0, v1, ... in the order in which they were made")
    shared.add_argument("--order", metavar="z,y,x", help="a topological order of your own: names, separated by commas")
    shared.add_argument("--terminal", action="store_true", help="step in the terminal, not in the browser")
    shared.add_argument("--walk", action="store_true", help="print all steps, even in a terminal")
    shared.add_argument("--json", action="store_true", help="print the trace as JSON (schema: help(scalargrad.Trace.to_dict))")
    shared.add_argument(
        "-o",
        dest="output",
        metavar="FILE",
        help="write FILE instead of opening a page; its extension selects the format: .html, .svg, .png, .gv, .mmd, .json",
    )
    shared.add_argument("--as", dest="kind", choices=["handout", "explore", "slides", "animation", "memory"], help=AS)
    nodes = "draw each function as a node of its own between variables, as the tutorial does: A, matmul, C"
    shared.add_argument("--functions", choices=["nodes"], help=nodes)
    add_handout_options(shared)
    shared.add_argument("--svg", metavar="DIR", type=Path, help=f"folder of the diagrams and the page (default: {FOLDER})")
    return shared


def add_handout_options(shared):
    """Add the options that only a handout has."""
    solution = "with --as handout, whether the solution follows on a new page (default: it does)"
    shared.add_argument("--solution", action=argparse.BooleanOptionalAction, help=solution)
    blanks = "with --as handout, how many numbers are blank: about N, or all (default: 12, for twenty minutes)"
    shared.add_argument("--blanks", metavar="N", type=blanks_from, help=blanks)
    shared.add_argument("--symbols", action="store_true", help="with --as handout, the formulas that lead to a blank are blank, too")
    seed = "with --as handout, the same graph with other small integers: one sheet for seed 7, or one for each seed from 1 to 25 (1-25)"
    shared.add_argument("--seed", metavar="SEEDS", type=seeds_from, help=seed)


def blanks_from(text):
    """Return a number of blanks, or None for `all`."""
    if text == "all":
        return None
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not an integer from 1 on, nor all")
    return int(text)


def seeds_from(text):
    """Return a seed, or a range of seeds for `1-25`."""
    first, dash, last = text.partition("-")
    if not (first.isdecimal() and (last.isdecimal() if dash else not last)) or (dash and int(last) < int(first)):
        raise argparse.ArgumentTypeError(f"{text!r} is not a seed such as 7, nor a range such as 1-25")
    return range(int(first), int(last) + 1) if dash else int(first)
