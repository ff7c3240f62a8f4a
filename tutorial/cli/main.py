"""The command line: find the command, run it, and return the exit code."""

import sys

from tutorial.cli.shared.find_command import Command, parsed
from tutorial.cli.shared.parser import Mistake, complain, version


def main(argv=None):
    """Run one command and return the exit code: 0, or 2 if an argument cannot be read or a file cannot be written."""
    argv = sys.argv[1:] if argv is None else argv
    if argv[:1] == ["--version"]:  # the other commands are not read for it
        print(version())
        return 0
    if argv[:1] == ["help"]:
        argv = [*argv[1:], "--help"]
    command, args = parsed(Command("tutorial.cli.program"), argv)
    try:
        if not argv:
            from tutorial.cli.commands.book import front_door

            return front_door(args)
        return command.declared.run(args)
    except BrokenPipeError:  # the reader of the output has left
        raise
    except (Mistake, *getattr(command.declared, "REPORTED", ())) as wrong:
        complain(wrong)
        return 2
