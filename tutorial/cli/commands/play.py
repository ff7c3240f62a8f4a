"""python -m tutorial play: play an expression, or Figure 1, as a page in the browser."""

from tutorial.cli.shared.options import add_graph_options

ABOUT = "play an expression of your own as a page"
DESCRIPTION = """\
Play any expression (or Figure 1) as a page. You step to the next executed line,
or back to the one before. The page shows the graph, the equation and the
derivatives that are computed so far. It asks you to predict if you press Q.
The page opens in the browser.
With -o FILE the program writes FILE instead. The extension selects the format:
.html is the page, .svg and .png the drawing, .gv its DOT text, .mmd Mermaid
text for a README, .json the trace.
"""


def options(parser):
    parser.add_argument("expression", nargs="?", help='in quotes, for example "x1*(x1 + x2)" (default: Figure 1)')
    parser.add_argument("values", nargs="*", default=[], metavar="name=number", help="a value for each name: x1=3 x2=-0.5 x3=1/3")
    add_graph_options(parser)


def run(args):
    from tutorial.cli.shared.expression import graph_of, values
    from tutorial.cli.shared.show import show
    from tutorial.graphs.figure1 import figure1

    if args.expression is None:
        return show(*figure1(), args)
    return show(graph_of(args.expression, values(args.values)), None, args)
