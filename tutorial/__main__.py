"""The command line: python -m tutorial, or gradsteps where it is installed."""

import argparse
import keyword
import os
import re
import sys
import tempfile
from pathlib import Path

import viz
from scalargrad import Trace
from scalargrad.formulas.text import printable
from scalargrad.schedules import SCHEDULES, TAKE
from tutorial.cli import advice, console
from tutorial.cli.browser import Unshown, show_page
from tutorial.cli.expression import ExpressionError, graph_of, number
from tutorial.cli.parser import Parser, complain, program, remark, shortened, version
from tutorial.figure1 import figure1
from viz.files import write_file

COMMANDS = "play", "step", "matrices", "moons"
WITH_A_VALUE = "--schedule", "--queue", "--order", "-o", "--as", "--svg"  # options that the next word belongs to
FOLDER = Path("gradsteps-out")

ABOUT = """\
Step through backpropagation, one executed line at a time.

Without a command: the tutorial's Figure 1,
    y1 = x1 + x2 + x3 + x4,   y2 = x4**2,   z = x1*y1 + y2   at x = (3, 1, -2, 4).
The program writes a page that plays it and opens the page in the browser.
Without a browser, or with --terminal, you step in the terminal with the arrow
keys (p asks you to predict the next number). In a pipe, the program prints all
steps. It also writes two diagrams as SVG.
"""

EXAMPLES = """\
examples:
  python -m tutorial
  python -m tutorial "x1*(x1 + x2) + x2**2" x1=3 x2=4
  python -m tutorial play "tanh(w*x + b)" w=0.5 x=2 b=-1 -o neuron.html
      share the page as one offline file
  python -m tutorial matrices -o handout.html --as handout
      a sheet for class with a blank for every number, and its solution
  python -m tutorial step "y = x1 + x2; z = x1*y" x1=1/3 x2=2
      one function for each line, with exact fractions
  python -m tutorial --order z,y1,y2,x4,x3,x2,x1
      another topological order; for an invalid order, the error names the pair
  python -m tutorial --schedule counting --queue lifo
      no sorting: a variable is ready when all its children have been processed
  python -m tutorial step "tanh(w*x + b)" w=0.5 x=2 b=-1 --json > trace.json
  python -m tutorial matrices
      the chain rule in bulk: dz/dB = G_BC + G_BE, matrix by matrix
"""

PLAY = """\
Play any expression (or Figure 1) as a page: every executed line, forwards and
backwards, with the graph, the equation, the dictionary, and questions to you.
The page opens in the browser. With -o FILE the program writes FILE instead.
The extension selects the format: .html is the page, .svg and .png the drawing,
.gv its DOT text, .mmd Mermaid text for a README, .json the trace.
"""

STEP = """\
Step through any expression in the terminal: arithmetic (+ - * / **), numbers, names, and the
functions of the table (exp, log, sin, tanh, relu, max, sum, dot, ...).
One expression gives one function for each operation; several lines,
"y = ...; z = ...", give one function for each line.
"""

MATRICES = """\
Step through the tutorial's second half, where the variables are matrices:
    C = A B,   E = B + D,   W = C + E,   z = sum(W),   with
    A = [[3, 7], [2, 5]],   B = [[2, 0], [0, 4]],   D = [[5, 3], [1, 9]].
Every function passes to each of its inputs a contribution: G_BC goes from C to
B, and dz/dB = G_BC + G_BE. "matrices C" is the shorter z = sum(C).
"""


def main(argv=None):
    """Run one command and return the exit code: 0, or 2 if an argument cannot be read or a file cannot be written."""
    argv = sys.argv[1:] if argv is None else argv
    if argv[:1] == ["help"]:
        argv = [*argv[1:], "--help"]
    if argv[:1] == ["moons"]:  # a program with options of its own
        from tutorial.cli import moons

        return moons.main(argv[1:])
    argv = [f" {text}" if re.match("-[^-ho]|-[ho].", text) else text for text in argv]  # "-x" is an expression
    args = parser().parse_args(with_command(argv))
    if args.version:
        print(version())
        return 0
    try:
        return args.run(args)
    except ExpressionError as wrong:
        complain(wrong)
        return 2


def with_command(argv):
    """The same, with "play" before an expression that stands by itself."""
    at = 0
    while at < len(argv) and argv[at].startswith("-"):
        at += 1 + (argv[at] in WITH_A_VALUE)
    return argv if at >= len(argv) or argv[at] in COMMANDS else [*argv[:at], "play", *argv[at:]]


def walking():
    """The options that every walk has. They have no defaults here, so that they may stand before and after a command."""
    shared = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    how = "algorithm that evaluates equation (1) (default: topological, the tutorial's loop)"
    shared.add_argument("--schedule", choices=SCHEDULES, help=how)
    shared.add_argument("--queue", choices=TAKE, help="ready variable that counting processes next (default: fifo)")
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


def parser():
    top = Parser(program(), description=ABOUT, epilog=EXAMPLES, parents=[walking()])
    top.set_defaults(run=lambda args: show(*figure1(), args), schedule="topological", queue=None, order=None)
    top.set_defaults(terminal=False, walk=False, json=False, output=None, kind=None, svg=FOLDER)
    top.add_argument("--version", action="store_true", help="print the versions of this program and of what it runs on")
    commands = top.add_subparsers(title="commands", metavar="command")
    about = "play an expression of your own as a page"
    play = commands.add_parser("play", help=about, description=PLAY, parents=[walking()])
    play.add_argument("expression", nargs="?", help='in quotes, for example "x1*(x1 + x2)" (default: Figure 1)')
    play.add_argument("values", nargs="*", metavar="name=number", help="a value for each name: x1=3 x2=-0.5 x3=1/3")
    play.set_defaults(run=lambda args: show(*graph_and_order(args), args))
    about = "step through an expression in the terminal"
    step = commands.add_parser("step", help=about, description=STEP, parents=[walking()])
    step.add_argument("expression", help='in quotes, for example "x1*(x1 + x2)"')
    step.add_argument("values", nargs="*", metavar="name=number", help="a value for each name: x1=3 x2=-0.5 x3=1/3")
    step.set_defaults(run=lambda args: show(*graph_and_order(args), args), terminal=True)
    about = "step through matrices: dz/dB = G_BC + G_BE"
    bulk = commands.add_parser("matrices", help=about, description=MATRICES, parents=[walking()])
    bulk.add_argument(
        "summed", nargs="?", choices=["W", "C"], default="W", help="matrix whose entries are summed to z (default: %(default)s)"
    )
    bulk.set_defaults(run=matrices)
    commands.add_parser("moons", help="train a small network on two moons (moons --help)").set_defaults(run=moons_after_options)
    return top


def moons_after_options(args):
    raise ExpressionError(f"moons takes only its own options; write them after moons: {program()} moons --help")


def values(texts):
    """{name: number} from ["x1=3", ...]."""
    found = {}
    for text in texts:
        name, equals, written = (part.strip() for part in text.partition("="))
        if not equals or not name.isidentifier():
            raise ExpressionError(f"{shortened(text)!r} is not name=number, for example x1=3")
        if keyword.iskeyword(name):
            raise ExpressionError(advice.reserved(name))
        if name in found:
            raise ExpressionError(f"{name} is given twice")
        try:
            found[name] = number(written)
        except ValueError:
            raise ExpressionError(
                f"{shortened(text)!r}: {shortened(written)} is not a finite number; write for example {name}=3, {name}=-0.5 or {name}=1/3"
            ) from None
    return found


def graph_and_order(args):
    """z as the command line says, and the order in which it is visited."""
    return figure1() if args.expression is None else (graph_of(args.expression, values(args.values)), None)


def matrices(args):
    """Walk through the tutorial's second half."""
    from tutorial.matrices import fan_out, product  # NumPy comes with them

    variables = fan_out() if args.summed == "W" else product()
    return show(variables["z"], None, args)


def show(z, order, args):
    """Play backpropagation from z, or walk through it, as the options say, and draw it."""
    options = {"queue": args.queue} if args.queue else {}
    if args.queue and args.schedule != "counting":
        raise ExpressionError(f"--queue requires --schedule counting, got {args.schedule}")
    try:
        trace = Trace(z, order if args.schedule == "topological" else None, args.schedule, **options)
        if args.order is not None:
            trace = Trace(z, named(trace, args.order), args.schedule, **options)
    except ValueError as wrong:  # an illegal order, or too many paths to walk them all
        raise ExpressionError(wrong) from None
    if args.output is not None or args.kind:
        return write(trace, args)
    where = folder(args.svg)
    if args.json:
        print(trace.to_json(indent=1))
        said, code = draw(trace, where)
        remark(said)
        return code
    if args.walk:
        viz.walk(trace)
    else:
        play(trace, args, where)
    said, code = draw(trace, where)
    print(printable(said))
    return code


def play(trace, args, where):
    """The page in the browser; the stepper where no page can be shown, or where the terminal is asked for."""
    if not args.terminal:
        try:
            print(printable(f"Page: {show_page(trace, where)}, opened in the browser (with --terminal you step here)."))
            return
        except Unshown as why:
            if why.args:
                print(printable(f"{why}. Stepping in the terminal instead."))
    viz.step(trace)


def write(trace, args):
    """Write the file that is asked for."""
    if args.output is None:
        raise ExpressionError(
            f"--as {args.kind} needs a name for the file: -o {args.kind}{'.svg' if args.kind == 'animation' else '.html'}"
        )
    if args.output and os.path.isdir(args.output):
        raise ExpressionError(f"{args.output} is a folder; name a file in it: -o {Path(args.output, 'z.html')}")
    try:
        path = viz.export(trace, args.output, args.kind)
    except (ValueError, viz.NoEngine) as wrong:
        raise ExpressionError(wrong) from None
    except OSError as wrong:
        raise ExpressionError(f"{args.output} cannot be written: {wrong.strerror}") from None
    print(printable(f"Written: {path}"))
    return 0


def named(trace, text):
    """The variables that a list of names stands for."""
    variables = {name: v for v, name in trace.names.items()}
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in variables:
            raise ExpressionError(f"--order: there is no variable {name!r}; the variables are {', '.join(variables)}")
    return [variables[name] for name in names]


def folder(asked):
    """`asked`, or, where that cannot be written, a temporary folder."""
    try:
        asked.mkdir(parents=True, exist_ok=True)
        writable = os.access(asked, os.W_OK)
    except OSError:
        writable = False
    return asked if writable else Path(tempfile.mkdtemp(prefix="gradsteps-"))


def draw(trace, where):
    """Write the diagrams into a folder: the sentence that says where, and the exit code, 1 if the layout engine failed."""
    z, totals = trace.graph.z, {x: dz_dx.number for x, dz_dx in trace.computed.items()}
    pictures = {
        "graph.svg": viz.draw(z, names=trace.names, gradients={}),
        "derivatives.svg": viz.draw(z, names=trace.names, gradients=totals, partials="both"),
    }
    try:
        for name, picture in pictures.items():
            write_file(where / name, picture.pipe(format="svg"))
    except (viz.NoEngine, OSError) as why:
        return f"No diagrams: {why}", int(isinstance(why, viz.EngineFailed))
    return f"Diagrams: {where / 'graph.svg'} (the graph) and {where / 'derivatives.svg'} (with every partial and total derivative).", 0


def command():
    """The program: main() on whatever the standard streams are. It does not return."""
    sys.exit(console.run(main))


if __name__ == "__main__":
    command()
