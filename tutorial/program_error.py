"""An exception in a learner's program, as Python writes it, with the learner's own lines alone."""

import traceback

LONGEST = 300  # characters of a line; a learner's line with a long text in it would fill the page, and so would the marks below it


def described(wrong, file, beside=()):
    """Return {text, line}: an exception without the lines of other files, and the last line of `file` that it went through, from 1.

    The files in `beside` are the learner's, too.
    """
    found = traceback.TracebackException.from_exception(wrong)
    for part in chain_of(found):
        part.stack = traceback.StackSummary.from_list([frame for frame in part.stack if frame.filename in (file, *beside)])
    lines = [frame.lineno for frame in found.stack if frame.filename == file]
    line = found.lineno if isinstance(wrong, SyntaxError) else lines[-1] if lines else None
    text = "".join(found.format()).rstrip()
    return {"text": "\n".join(map(shortened, text.split("\n"))), "line": line and int(line)}


def shortened(line):
    """Return a line, or its beginning.

    >>> len(shortened("x" * 1000))
    302
    """
    return line if len(line) <= LONGEST else f"{line[:LONGEST]} …"


def chain_of(found):
    """Return an exception's TracebackException with those of its causes."""
    while found is not None:
        yield found
        found = found.__cause__ or found.__context__
