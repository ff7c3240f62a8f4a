"""The options that play, step, matrices and entries share: which schedule runs, where it is shown, which file is written."""

import argparse
from pathlib import Path

AS = "write a handout or slides (.html), a page to explore the graph (explore, .html), an animation or the arrays in memory (.svg)"
FOLDER = Path("gradsteps-out")


def add_graph_options(parser):
    """Add the options of a command that shows backpropagation through a graph."""
    from scalargrad.tracing.counting import TAKE
    from scalargrad.tracing.schedules import SCHEDULES

    def with_schedule(option):
        return "with --schedule " + " or ".join(name for name, schedule in SCHEDULES.items() if option in schedule.options)

    how = f"algorithm that evaluates equation (1), the chain rule: {', '.join(SCHEDULES)} (default: topological, the tutorial's loop)"
    parser.add_argument("--schedule", choices=[*SCHEDULES], default="topological", metavar="NAME", help=how)
    which = "the ready variable that comes next: the first in, the last in or a random one (default: fifo)"
    parser.add_argument("--queue", choices=[*TAKE], help=f"{with_schedule('queue')}, {which}")
    few = "show the steps of the first N entries; the later ones are given"
    parser.add_argument("--first", metavar="N", type=int, help=f"{with_schedule('first')}, {few}")
    parser.add_argument("--numbers", action="store_true", help="call the variables v0, v1, ... in the order in which they were made")
    parser.add_argument("--order", metavar="z,y,x", help="a topological order of your own: names, separated by commas")
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--terminal", action="store_true", help="step in the terminal, not in the browser")
    shown.add_argument("--walk", action="store_true", help="print all steps, even in a terminal")
    shown.add_argument("--json", action="store_true", help="print the trace as JSON (schema: help(scalargrad.Trace.to_dict))")
    file = "write FILE instead of opening a page; its extension selects the format: .html, .svg, .png, .gv, .mmd, .json"
    shown.add_argument("-o", dest="output", metavar="FILE", help=file)
    kinds = ["handout", "explore", "slides", "animation", "memory"]
    parser.add_argument("--as", dest="kind", choices=kinds, metavar="KIND", help=AS)
    nodes = "draw each function as a node of its own between variables, as the tutorial does: A, matmul, C"
    parser.add_argument("--functions", choices=["nodes"], help=nodes)
    detail = "a variable for each statement of the program, or for each operation (default: statements of more than ten variables)"
    parser.add_argument("--detail", choices=["statements", "operations"], help=detail)
    add_handout_options(parser)
    parser.add_argument("--svg", metavar="DIR", type=Path, help=f"folder of the diagrams and the page (default: {FOLDER})")


def add_handout_options(parser):
    """Add the options that only a handout has. Those that are not given are absent from the result."""
    sheet = parser.add_argument_group("options of a handout", argument_default=argparse.SUPPRESS)
    solution = "whether the solution follows on a new page (default: it does)"
    sheet.add_argument("--solution", action=argparse.BooleanOptionalAction, help=solution)
    blanks = "how many numbers are blank: about N, or all (default: 12, for twenty minutes)"
    sheet.add_argument("--blanks", metavar="N", type=blanks_from, help=blanks)
    sheet.add_argument("--symbols", action="store_true", help="the formulas that lead to a blank are blank, too")
    seed = "the same graph with other small integers: one sheet for seed 7, or one for each seed from 1 to 25 (1-25)"
    sheet.add_argument("--seed", metavar="SEEDS", type=seeds_from, help=seed)


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
