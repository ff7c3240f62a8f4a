"""The command line: find the command, run it whatever state the standard streams are in, and return the exit code."""

import os
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
            from tutorial.cli.commands.reading.book import front_door

            return front_door(args)
        return command.declared.run(args)
    except BrokenPipeError:  # the reader of the output has left
        raise
    except (Mistake, *getattr(command.declared, "REPORTED", ())) as wrong:
        complain(wrong)
        return 2


def on_standard_streams(main):
    """Run main() on streams that may be closed, full or without a reader. Return its exit code; 2 if standard output cannot be written."""
    open_standard_streams()
    try:
        try:
            code = main()
        except SystemExit as finished:
            code = finished.code
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has closed the pipe (| head)
        discard_output()
        return 0
    except OSError as wrong:
        discard_output()
        complain(f"{wrong.filename or 'standard output'} cannot be written: {wrong.strerror}")
        return 2
    return code


def open_standard_streams():
    """Open the streams that the caller closed, else the next file would take their place. Writing to such an output fails."""
    for descriptor, access in enumerate((os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, access)  # takes the lowest free number
    sys.stdin = sys.stdin or os.fdopen(0, closefd=False)
    sys.stdout = sys.stdout or os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", encoding="utf-8", closefd=False)


def discard_output():
    """Discard the buffered output, else Python would report an error at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
