"""python -m tutorial entries: step through the matrices in single numbers, and see how eight derivatives become two matrix equations."""

import sys

from tutorial.bulk_equations import bulk_equations
from tutorial.cli.options import shared_options
from tutorial.cli.show import show
from viz.ink import ink_for

ABOUT = "step through A B in single numbers, to dz/dB = A^T dz/dC"
DESCRIPTION = """\
Step through C = A B, z = sum(C) in single numbers: twelve variables and z, one
function for each entry of C, with A = [[3, 7], [2, 5]], B = [[2, 0], [0, 4]].
Then read how the eight derivatives make two matrix equations:
    dz/dA = dz/dC B^T,   dz/dB = A^T dz/dC.
"matrices C" plays the same graph with matrices as variables.
"""


def add(commands):
    """Add this command to the parser."""
    command = commands.add_parser("entries", help=ABOUT, description=DESCRIPTION, parents=[shared_options()])
    command.set_defaults(run=run)


def run(args):
    from scalargrad import Trace
    from tutorial.entries import entries  # NumPy comes with its matrices

    z, variables = entries()
    code = show(z, None, args)
    if not args.json:
        print(f"\n{bulk_equations(Trace(z), variables, ink_for(sys.stdout))}")
    return code
