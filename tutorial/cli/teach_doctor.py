"""python -m tutorial teach doctor: which isolation works on this machine, and why the others do not."""

import sys

ABOUT = "say which isolation works here, and why not"


def add(commands):
    """Add this command to the parser."""
    commands.add_parser("doctor", help=ABOUT).set_defaults(run=run)


def run(args):
    """Print each tier with what it guarantees here, or why it does not work."""
    from tutorial.grading.probing import table
    from tutorial.practice.printer import Printer

    printer = Printer(sys.stdout)
    for name, text in table():
        printer.say(f"{'no' if text.startswith('not here') else 'ok'} {name}", "bold")
        printer.say(text, indent=3)
    return 0
