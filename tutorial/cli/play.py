"""python -m tutorial play: play an expression, or Figure 1, as a page in the browser."""

import keyword

from tutorial.cli.expression import ExpressionError, graph_of, number
from tutorial.cli.expression_hints import reserved
from tutorial.cli.options import shared_options
from tutorial.cli.parser import shortened
from tutorial.cli.show import show
from tutorial.figure1 import figure1

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


def add(commands):
    """Add this command to the parser."""
    command = commands.add_parser("play", help=ABOUT, description=DESCRIPTION, parents=[shared_options()])
    command.add_argument("expression", nargs="?", help='in quotes, for example "x1*(x1 + x2)" (default: Figure 1)')
    command.add_argument("values", nargs="*", metavar="name=number", help="a value for each name: x1=3 x2=-0.5 x3=1/3")
    command.set_defaults(run=run)


def run(args):
    if args.expression is None:
        return show(*figure1(), args)
    return show(graph_of(args.expression, values(args.values)), None, args)


def values(texts):
    """Return {name: number} from ["x1=3", ...]."""
    found = {}
    for text in texts:
        name, equals, written = (part.strip() for part in text.partition("="))
        if not equals or not name.isidentifier():
            raise ExpressionError(f"{shortened(text)!r} is not name=number, for example x1=3")
        if keyword.iskeyword(name):
            raise ExpressionError(reserved(name))
        if name in found:
            raise ExpressionError(f"{name} is given twice")
        try:
            found[name] = number(written)
        except ValueError:
            raise ExpressionError(
                f"{shortened(text)!r}: {shortened(written)} is not a finite number; write for example {name}=3, {name}=-0.5 or {name}=1/3"
            ) from None
    return found
