"""An exception in a learner's program, as Python writes it, with the learner's own lines alone."""

import traceback


def described(wrong, file):
    """Return {text, line}: an exception without the lines of other files, and the last line of `file` that it went through, from 1."""
    found = traceback.TracebackException.from_exception(wrong)
    for part in chain_of(found):
        part.stack = traceback.StackSummary.from_list([frame for frame in part.stack if frame.filename == file])
    line = found.lineno if isinstance(wrong, SyntaxError) else found.stack[-1].lineno if found.stack else None
    return {"text": "".join(found.format()).rstrip(), "line": line and int(line)}


def chain_of(found):
    """Return an exception's TracebackException with those of its causes."""
    while found is not None:
        yield found
        found = found.__cause__ or found.__context__
