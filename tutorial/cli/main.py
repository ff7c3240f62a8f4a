"""The command line: choose the command, run it, and return the exit code."""

import re
import sys

from tutorial.cli import (
    book,
    build,
    compare,
    entries,
    exercises,
    matrices,
    notebook,
    play,
    playground,
    read,
    slides,
    step,
    teach,
    train,
)
from tutorial.cli.expression import ExpressionError
from tutorial.cli.options import DEFAULTS, OF_A_HANDOUT, WITH_A_VALUE, shared_options
from tutorial.cli.parser import Parser, complain, program, version

# and moons, a program with options of its own
COMMANDS = {
    "play": play,
    "step": step,
    "matrices": matrices,
    "entries": entries,
    "playground": playground,
    "compare": compare,
    "train": train,
    "exercises": exercises,
    "teach": teach,
    "book": book,
    "build": build,
    "notebook": notebook,
    "read": read,
    "slides": slides,
}

ABOUT = """\
Step through backpropagation, one executed line at a time.

Without a command, the program plays the tutorial's Figure 1:
    y1 = x1 + x2 + x3 + x4,   y2 = x4**2,   z = x1*y1 + y2   at x = (3, 1, -2, 4).
It writes a page that plays each step, and opens the page in the browser.
Without a browser, or with --terminal, you step in the terminal with the arrow
keys (q asks you to predict each number, ? shows all keys). In a pipe, the
program prints all steps. It also writes two diagrams as SVG.
Once you have built the book with `book`, the program without a command opens it
where you left off, if there is a browser.
"""

EXAMPLES = """\
examples:
  python -m tutorial
  python -m tutorial "x1*(x1 + x2) + x2**2" x1=3 x2=4
  python -m tutorial play "tanh(w*x + b)" w=0.5 x=2 b=-1 -o neuron.html
      share the page as one offline file
  python -m tutorial matrices -o handout.html --as handout
      a sheet for class with about twelve blanks, and its solution
  python -m tutorial -o class.html --as handout --seed 1-25 --blanks 15
      25 sheets of the same graph, each with other numbers, and their solutions
  python -m tutorial step "y = x1 + x2; z = x1*y" x1=1/3 x2=2
      one function for each line, with exact fractions
  python -m tutorial --order z,y1,y2,x4,x3,x2,x1
      another topological order; for an invalid order, the error names the pair
  python -m tutorial --schedule counting --queue lifo
      no sorting: a variable is ready when all its children have been processed
  python -m tutorial step "tanh(w*x + b)" w=0.5 x=2 b=-1 --json > trace.json
  python -m tutorial matrices
      the chain rule for matrices: dz/dB = G_BC + G_BE
  python -m tutorial entries
      the same product in single numbers, and how eight derivatives make
      dz/dB = A^T dz/dC
  python -m tutorial playground -o play.html
      a page in which a learner runs programs, without a network
  python -m tutorial compare engine.py
      your own engine beside the right one, until the first difference
  python -m tutorial train digits
      train a network, and write a page about the run
  python -m tutorial exercises init DIR
      exercises in a folder of your own, checked as you save them
  python -m tutorial teach grade class
      the exercises of a class, graded in isolated processes
  python -m tutorial book
      the book in the browser, where you left off
  python -m tutorial build -o site
      the book as a site, with every cell run
  python -m tutorial notebook 3
      a chapter as a Jupyter notebook
  python -m tutorial read 3
      a chapter in the terminal
  python -m tutorial slides 3
      a chapter as slides
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
        return args.run(args) if argv else book.front_door(args)
    except ExpressionError as wrong:
        complain(wrong)
        return 2


def with_command(argv):
    """Return argv, with "play" before an expression that stands without a command."""
    at = 0
    while at < len(argv) and argv[at].startswith("-"):
        at += 1 + (argv[at] in WITH_A_VALUE)
    return argv if at >= len(argv) or argv[at] in (*COMMANDS, "moons") else [*argv[:at], "play", *argv[at:]]


def parser():

    top = Parser(program(), description=ABOUT, epilog=EXAMPLES, parents=[shared_options()])
    top.set_defaults(run=play.run, expression=None, **DEFAULTS, **OF_A_HANDOUT)
    top.add_argument("--version", action="store_true", help="print the versions of this program, NumPy, graphviz-pure and Python")
    commands = top.add_subparsers(title="commands", metavar="command")
    for module in COMMANDS.values():
        module.add(commands)
    commands.add_parser("moons", help="train a small network on two moons (moons --help)").set_defaults(run=moons_after_options)
    return top


def moons_after_options(args):
    raise ExpressionError(f"moons takes only its own options; write them after moons: {program()} moons --help")
