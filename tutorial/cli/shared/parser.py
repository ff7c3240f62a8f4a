"""The parser of the command line. It reports a mistake in one line, under the name that the user called the program by."""

import argparse
import sys
from contextlib import suppress
from difflib import get_close_matches
from math import inf
from pathlib import Path

INSTALLED = "gradsteps"  # the command that the wheel installs, and the name of the distribution


class Mistake(ValueError):
    """What the user wrote is wrong. The message is one line."""


def program():
    """Return how the user called this program, for help texts and messages."""
    return INSTALLED if Path(sys.argv[0]).stem == INSTALLED else "python -m tutorial"


def complain(message):
    """Print in one line what is wrong, on standard error."""
    remark(f"{program().split()[-1]}: {in_words(message)}")


def in_words(wrong):
    """Return the text of an exception, or a text as it is. The system's errors name the file first."""
    if isinstance(wrong, OSError) and wrong.strerror:
        return f"{wrong.filename}: {wrong.strerror}" if wrong.filename else wrong.strerror
    return str(wrong)


def remark(message):
    """Print one line on standard error, without control characters that the user may have typed."""
    from scalargrad.formulas.text import printable

    with suppress(OSError):  # standard error is closed; the exit code says the same
        print(printable(message), file=sys.stderr)


def version():
    """Return the versions that a bug report needs."""
    from importlib import metadata
    from platform import python_version

    found = []
    for name in (INSTALLED, "numpy", "graphviz-pure"):
        with suppress(metadata.PackageNotFoundError):
            found.append(f"{name} {metadata.version(name)}")
    return ", ".join([*found, f"Python {python_version()}"])


def integer(least, most):
    """Return the type of an option that is an integer from `least` to `most`."""

    def read(text):
        found = int(text) if text.isascii() and text.isdigit() and len(text) <= len(str(most)) else None
        if found is None or not least <= found <= most:
            raise argparse.ArgumentTypeError(f"{shortened(text)!r} is not an integer from {least:,} to {most:,}")
        return found

    return read


def positive(text):
    """Read an option that is a finite number above 0."""
    with suppress(ValueError):
        if 0 < float(text) < inf:
            return float(text)
    raise argparse.ArgumentTypeError(f"{shortened(text)!r} is not a number above 0")


def shortened(text, most=40):
    """Return the start of a text, for a message."""
    return text if len(text) <= most else text[:most] + "..."


def did_you_mean(*names):
    """Return the end of a message that names what may be meant, if anything."""
    return f"; did you mean {names[0]}?" if names else ""


class Help(argparse.RawDescriptionHelpFormatter):
    """A help that keeps the line breaks of its texts, and lists commands as it lists options."""

    def _format_action(self, action):
        text = super()._format_action(action)
        return text if action.nargs != argparse.PARSER else text.partition("\n")[2]  # without a line that says "command"

    def _iter_indented_subactions(self, action):
        return getattr(action, "_get_subactions", list)()


class Parser(argparse.ArgumentParser):
    """An ArgumentParser that reports a mistake in one line that names the help, and knows its words. Options are not abbreviated."""

    def __init__(self, prog=None, **texts):
        super().__init__(prog, formatter_class=Help, allow_abbrev=False, **texts)

    def takes_value(self):
        """Return {option: whether it takes a value}."""
        return {option: action.nargs != 0 for action in self._actions for option in action.option_strings}

    def spellings(self):
        """Return {a word that may stand for an option: the option}: its name, what -o means, or what it can be, as in --to canvas."""
        options = [(option, action) for action in self._actions for option in action.option_strings]
        choices = {choice: f"{option} {choice}" for option, action in options for choice in action.choices or ()}
        return choices | {name: option for option, action in options for name in (option.strip("-"), action.dest)}

    def words(self):
        """Return the words that an argument can be, such as the tasks of train."""
        return [choice for action in self._actions if not action.option_strings for choice in action.choices or ()]

    def takes_expression(self):
        """Return whether an argument is an expression, which may begin with a minus."""
        return any(action.dest == "expression" for action in self._actions)

    def format_help(self):
        return super().format_help().replace("python -m tutorial", program())

    def print_help(self, file=None):
        print(self.format_help(), end="", file=file)  # raises if standard output cannot be written

    def _check_value(self, action, value):
        if action.choices is not None and value not in action.choices:
            near = get_close_matches(value, action.choices, n=1) or [choice for choice in action.choices if choice.lower() == value.lower()]
            raise argparse.ArgumentError(action, f"{shortened(value)!r} is not one of {', '.join(action.choices)}{did_you_mean(*near)}")

    def error(self, message):
        complain(f"{message} (see {self.prog} --help)")
        self.exit(2)
