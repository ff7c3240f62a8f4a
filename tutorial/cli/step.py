"""python -m tutorial step: step through an expression in the terminal."""

from tutorial.cli.options import shared_options
from tutorial.cli.play import run

ABOUT = "step through an expression in the terminal"
DESCRIPTION = """\
Step through any expression in the terminal. An expression has numbers, names,
arithmetic (+ - * / **) and functions (exp, log, sin, tanh, relu, max, dot, ...).
One expression gives one function for each operation; several lines,
"y = ...; z = ...", give one function for each line.
"""


def add(commands):
    """Add this command to the parser."""
    command = commands.add_parser("step", help=ABOUT, description=DESCRIPTION, parents=[shared_options()])
    command.add_argument("expression", help='in quotes, for example "x1*(x1 + x2)"')
    command.add_argument("values", nargs="*", metavar="name=number", help="a value for each name: x1=3 x2=-0.5 x3=1/3")
    command.set_defaults(run=run, terminal=True)
