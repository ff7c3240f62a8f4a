"""Run a learner's program in this process: its value for each probe, or its error with the learner's own line.

The frame of a program may ask the check while it runs, and so leave with the check what the program must not know, or not change.

No clock bounds a program, but the number of its calls does: so a program that follows every path ends everywhere at the same point.
What a program imports does not count.
"""

import builtins
import inspect
import io
import linecache
import sys
import warnings
from collections.abc import Iterator
from contextlib import redirect_stdout
from copy import deepcopy
from functools import lru_cache, partial
from typing import Any, NamedTuple

from tutorial.exercises.values import differ
from tutorial.program_error import described

FILE, ASK = "answer.py", "ask_the_check"  # what the frame calls to ask
LOADING = 100_000  # calls while the program is read
MOST_PRINTED = MOST_SAID = 2000  # characters of what a program prints, and of its error
OF_PYTHON = 10  # times as many calls of functions that Python has, such as append
UNREAD = -1  # `Answer.calls` of a program that failed while it was read
TOO_LONG, NO_FUNCTION = "TooLong", "NoFunction"  # what `Answer.error` begins with, beside the names of Python's exceptions
ENDED, NOT_PLAIN = "Ended", "NotPlain"  # of a program in another process: it ended this process; its value cannot be sent
TOO_LARGE = "TooLarge"  # the value has many more parts than the right one


class TooLong(BaseException):
    """The program has used up its calls. It is not an Exception, which the program may catch."""


class Answer(NamedTuple):
    """What a program gave for one probe.

    `error` is "Type: message", or "" if there is a value; `line` is the learner's line that raised it, from 1. `changed` names an
    argument that the program has changed. `calls` is the number of Python functions that were called, or UNREAD. `printed` is the begin of
    what the program printed meanwhile. `asked` is the number of questions to the check, which who answers them has counted.
    """

    value: Any = None
    error: str = ""
    line: int | None = None
    changed: str = ""
    calls: int = 0
    printed: str = ""
    asked: int = 0


class Prints(io.StringIO):
    """A stream that keeps the first characters of what is printed."""

    def write(self, text):
        super().write(str(text)[: max(0, MOST_PRINTED - self.tell())])
        return len(text)


def answers(program, call, arguments, calls, reply=None) -> list[Answer]:
    """Return an Answer for each tuple of arguments: what the program's function `call` gives for it with at most so many calls.

    Where the limit is None, calls are not bounded and not counted, which is faster. reply(k, question) answers a question that is asked for
    the arguments k.

    >>> answers("def half(x):\\n    return x / 2", "half", [(3,)], [10])
    [Answer(value=1.5, error='', line=None, changed='', calls=1, printed='', asked=0)]
    >>> answers("def half(x):\\n    return half(x)", "half", [(3,)], [10])[0].error
    'TooLong: more than 10 calls'
    """
    return list(answers_of(program, call, arguments, calls, reply))


def too_long(seconds):
    """Return the error of a program whose time was used up, where another process measures it."""
    return f"{TOO_LONG}: more than {seconds} seconds"


def answers_of(program, call, arguments, calls, reply=None) -> Iterator[Answer]:
    """Yield what `answers` returns, each Answer as soon as it is there."""
    namespace: dict = {"__name__": "answer", "__builtins__": vars(builtins) | {"__import__": uncounted_import}}
    linecache.cache[FILE] = (len(program), None, program.splitlines(True), FILE)
    loaded = bounded(lambda: exec(compiled(program), namespace), LOADING)
    function = namespace.get(call)
    if not loaded.error and not callable(function):
        loaded = Answer(error=f"{NO_FUNCTION}: your program defines no {call}")
    if loaded.error:
        yield from [loaded._replace(calls=UNREAD)] * len(arguments)
        return
    for k, (each, limit) in enumerate(zip(arguments, calls)):
        questions: list = []
        namespace[ASK] = partial(asking, questions, partial(reply, k) if reply else None)
        yield answer(function, each, limit)._replace(asked=len(questions))


def asking(questions, reply, *question):
    """Return the reply to a question, which is noted. What the reply calls does not count as calls of the program."""
    questions.append(question)
    counting = sys.getprofile()
    sys.setprofile(None)
    try:
        return reply(question)
    finally:
        sys.setprofile(counting)


def uncounted_import(*asked):
    """Import a module, as the statement `import` does. A large library makes millions of calls, none of which is the program's."""
    counting = sys.getprofile()
    sys.setprofile(None)
    try:
        return __import__(*asked)
    finally:
        sys.setprofile(counting)


@lru_cache(maxsize=1024)  # the solutions and the known wrong answers, for all students
def compiled(program):
    return compile(program, FILE, "exec")


def answer(function, arguments, limit) -> Answer:
    """Return the Answer of a function, which gets a copy of the arguments."""
    given = deepcopy(arguments)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NumPy warns of an overflow: the value shows it
        found = bounded(lambda: function(*given), limit)
    changed = next((k for k, (now, before) in enumerate(zip(given, arguments)) if differ(now, before)), None)
    return found if changed is None else found._replace(changed=name_of_argument(function, changed))


def name_of_argument(function, k):
    names = list(inspect.signature(function).parameters)
    return names[k] if k < len(names) else f"argument {k + 1}"


def bounded(run, limit) -> Answer:
    """Return the Answer of run(), which may call `limit` functions, with what it prints."""
    with redirect_stdout(Prints()) as prints:
        found = counted(run, limit)
    return found._replace(printed=prints.getvalue())


def counted(run, limit) -> Answer:
    """Return the Answer of run(), which may call `limit` functions; any number of them, uncounted, if it is None."""
    called, of_python = -1, -1  # run itself, and what ends the count

    def count(frame, event, arg):  # the two names, not a dictionary of them: this takes most of the time of a bounded program
        nonlocal called, of_python
        if event == "call":
            called += 1
        elif event == "c_call":
            of_python += 1
        else:
            return
        if called > limit or of_python > OF_PYTHON * limit:
            raise TooLong(f"more than {limit:,} calls")

    before, value, error = sys.getprofile(), None, None
    if limit is not None:
        sys.setprofile(count)
    try:
        value = run()
    except KeyboardInterrupt:
        raise
    except BaseException as wrong:  # SystemExit, too: the program has ended before it gave its value
        error = wrong
    finally:
        if limit is not None:
            sys.setprofile(before)
    if error is None:
        return Answer(value, calls=called)
    return Answer(error=f"{type(error).__name__}: {text_of(error)}", line=described(error, FILE)["line"], calls=called)


def text_of(wrong):
    """Return the message of an exception, on one line."""
    try:
        return " ".join(str(wrong.msg if isinstance(wrong, SyntaxError) else wrong)[:MOST_SAID].split())
    except (Exception, SystemExit):
        return "its message cannot be read"
