"""python -m tutorial entries: step through the matrices in single numbers, and see how eight derivatives become two matrix equations."""

import sys

from tutorial.cli.shared.options import add_graph_options

ABOUT = "step through A B in single numbers, to dz/dB = A^T dz/dC"
DESCRIPTION = """\
Step through C = A B, z = sum(C) in single numbers: twelve variables and z, one
function for each entry of C, with A = [[3, 7], [2, 5]], B = [[2, 0], [0, 4]].
Then read how the eight derivatives make two matrix equations:
    dz/dA = dz/dC B^T,   dz/dB = A^T dz/dC.
"matrices C" plays the same graph with matrices as variables.
"""

options = add_graph_options


def run(args):
    from scalargrad import Trace
    from tutorial.cli.shared.show import show
    from tutorial.graphs.bulk_equations import bulk_equations
    from tutorial.graphs.matrices import entries  # NumPy comes with its matrices
    from viz.text.formatter import formatter_for

    z, variables = entries()
    code = show(z, None, args)
    if not args.json:
        print(f"\n{bulk_equations(Trace(z), variables, formatter_for(sys.stdout))}")
    return code
