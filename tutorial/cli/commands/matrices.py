"""python -m tutorial matrices: step through the tutorial's second half, where the variables are matrices."""

from tutorial.cli.shared.options import add_graph_options

ABOUT = "step through matrices: dz/dB = G_BC + G_BE"
DESCRIPTION = """\
Step through the tutorial's second half, where the variables are matrices:
    C = A B,   E = B + D,   W = C + E,   z = sum(W),   with
    A = [[3, 7], [2, 5]],   B = [[2, 0], [0, 4]],   D = [[5, 3], [1, 9]].
Every function passes a contribution to each of its inputs: G_BC goes from C to
B, and dz/dB = G_BC + G_BE. "matrices C" plays the shorter z = sum(C).
"""


def options(parser):
    about = "matrix whose entries are summed to z (default: %(default)s)"
    parser.add_argument("summed", nargs="?", choices=["W", "C"], default="W", help=about)
    add_graph_options(parser)


def run(args):
    from tutorial.cli.shared.show import show
    from tutorial.graphs.matrices import fan_out, product  # NumPy comes with them

    variables = fan_out() if args.summed == "W" else product()
    return show(variables["z"], None, args)
