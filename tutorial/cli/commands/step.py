"""python -m tutorial step: step through an expression in the terminal."""

from tutorial.cli.commands import play
from tutorial.cli.shared.options import add_graph_options

ABOUT = "step through an expression in the terminal"
DESCRIPTION = """\
Step through any expression in the terminal. An expression has numbers, names,
arithmetic (+ - * / **) and functions (exp, log, sin, tanh, relu, max, ...).
One expression gives one function for each operation; several lines,
"y = ...; z = ...", give one function for each line.
"""


def options(parser):
    parser.add_argument("expression", help='in quotes, for example "x1*(x1 + x2)"')
    parser.add_argument("values", nargs="*", default=[], metavar="name=number", help="a value for each name: x1=3 x2=-0.5 x3=1/3")
    add_graph_options(parser)
    parser.set_defaults(terminal=True)


run = play.run
