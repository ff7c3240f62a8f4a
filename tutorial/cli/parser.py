"""A parser of the command line whose answer to a mistake is one line; what the program is called, and how it complains."""

import argparse
import sys
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from platform import python_version

from scalargrad.formulas.text import printable

INSTALLED = "gradsteps"  # the command that the wheel installs, and its name there


def program():
    """How the user called this program, to be said in help texts and messages."""
    return INSTALLED if Path(sys.argv[0]).stem == INSTALLED else "python -m tutorial"


def complain(message):
    """Say in one line what is wrong."""
    remark(f"{program().split()[-1]}: {message}")


def remark(message):
    """Say something in one line on standard error. Nothing that the user typed reaches the terminal as a control character."""
    with suppress(OSError):  # nobody reads it; the exit code tells it too
        print(printable(message), file=sys.stderr)


def version():
    """The versions that a bug report needs."""
    found = []
    for name in (INSTALLED, "numpy", "graphviz-pure"):
        with suppress(metadata.PackageNotFoundError):
            found.append(f"{name} {metadata.version(name)}")
    return f"{', '.join(found)}, Python {python_version()}"


def integer(least, most):
    """The type of an option that is an integer from `least` to `most`."""

    def read(text):
        found = int(text) if text.isascii() and text.isdigit() and len(text) <= len(str(most)) else None
        if found is None or not least <= found <= most:
            raise argparse.ArgumentTypeError(f"{shortened(text)!r} is not an integer from {least:,} to {most:,}")
        return found

    return read


def shortened(text, most=40):
    """What a message repeats of a text."""
    return text if len(text) <= most else text[:most] + "..."


class Parser(argparse.ArgumentParser):
    """Its texts keep their lines; what is wrong it says in one line, and where the help is."""

    def __init__(self, *names, **options):
        super().__init__(*names, formatter_class=argparse.RawDescriptionHelpFormatter, **options)

    def format_help(self):
        return super().format_help().replace("python -m tutorial", program())

    def print_help(self, file=None):
        print(self.format_help(), end="", file=file)  # an error of the output is not swallowed

    def error(self, message):
        complain(f"{message} (see {self.prog} --help)")
        self.exit(2)
