"""The program: python -m tutorial, or gradsteps if it is installed."""

import sys

from tutorial.cli import standard_streams


def command():
    """Run the command line on the standard streams, whatever state they are in. Exit with its code."""
    sys.exit(standard_streams.run(chosen(sys.argv[1:])))


def chosen(argv):
    """Return the main() for these words. A check of an exercise must be fast, so it does not read the other commands."""
    if argv[:1] == ["exercises"]:
        from tutorial.cli import exercises

        return exercises.main
    from tutorial.cli.main import main

    return main
