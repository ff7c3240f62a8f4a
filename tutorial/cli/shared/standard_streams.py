"""Run a program on standard streams that may be closed, full, or without a reader."""

import os
import sys

from tutorial.cli.shared.parser import complain


def run(main):
    """Run main() and return the exit code: 2 if standard output cannot be written, 0 if its reader left early."""
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
