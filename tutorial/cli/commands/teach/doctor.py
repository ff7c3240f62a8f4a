"""python -m tutorial teach doctor: which isolation works on this machine, why the others do not, and what to install."""

import sys

ABOUT = "say which isolation works here, and why not"


def run(args):
    """Print each tier with what it guarantees here, or why it does not work; then whether there is dask, and for which tiers."""
    from tutorial.classroom.grading.classes.dask_driver import about_dask
    from tutorial.classroom.grading.working_tiers import strongest, table
    from tutorial.exercises.practice.printer import Printer

    printer = Printer(sys.stdout)
    for name, text in (*table(), ("--dask", about_dask())):
        printer.say(f"{'no' if text.startswith('not here') else 'ok'} {name}", "bold")
        printer.say(text, indent=3)
    printer.say(f"`teach grade` takes {strongest()}.")
    return 0
