"""The options that play, step and matrices share: which schedule runs, where it is shown, which file is written."""

import argparse
from pathlib import Path

from scalargrad.counting import TAKE
from scalargrad.schedules import SCHEDULES

FOLDER = Path("gradsteps-out")
DEFAULTS = dict(schedule="topological", queue=None, order=None, terminal=False, walk=False, json=False, output=None, kind=None, svg=FOLDER)
WITH_A_QUEUE = [name for name, schedule in SCHEDULES.items() if "queue" in schedule.options]
WITH_A_VALUE = "--schedule", "--queue", "--order", "-o", "--as", "--svg"  # options that the next word belongs to


def shared_options():
    """Return a new parser of the shared options, for one command: a parser that has parents shares their actions with them.

    It has no defaults, so that options may stand before and after a command.
    """
    shared = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    how = "algorithm that evaluates equation (1), the chain rule (default: topological, the tutorial's loop)"
    shared.add_argument("--schedule", choices=SCHEDULES, help=how)
    which = "the ready variable that comes next: the first in, the last in or a random one (default: fifo)"
    shared.add_argument("--queue", choices=TAKE, help=f"with --schedule {' or '.join(WITH_A_QUEUE)}, {which}")
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
    shared.add_argument("--as", dest="kind", choices=["handout", "animation"], help="write a handout (.html) or an animation (.svg)")
    shared.add_argument("--svg", metavar="DIR", type=Path, help=f"folder of the diagrams and the page (default: {FOLDER})")
    return shared
