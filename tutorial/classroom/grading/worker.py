"""Answer the requests about one program, in the process in which it runs. This process confines itself before it reads the program.

A request asks for the values of a function. It is answered with the hash of the program, before the program runs, and with one line for
each tuple of arguments, before which the program may ask questions: a line each, to which one line replies. Only two channels lead out, and
only plain values pass.
"""

import os
import sys
from hashlib import sha256
from pathlib import Path

from tutorial.classroom.grading import codec
from tutorial.classroom.grading.isolation import confine, landlock, seccomp
from tutorial.exercises.answers import NOT_PLAIN, answers_of, too_long

ROOT = Path(__file__).resolve().parents[3]
OURS = ("scalargrad", "tensorgrad", "viz")  # a learner builds them anew
READY = "ready"
QUESTION, REPLY, REFUSED = "question", "reply", "refused"  # of a line in place of an answer, and of the two replies to it


def alone():
    """Answer the requests that come as lines. The first line says how this process is confined."""
    requests, answers = os.dup(0), os.dup(1)
    hide_standard_streams()
    with os.fdopen(requests, "rb") as lines:
        settings = codec.loads(lines.readline())
        prepare(settings)
        confine_this(settings, landlock.ruleset(settings["readable"]))
        serve(lines, answers, settings)


def hide_standard_streams():
    """Let 0, 1 and 2 lead nowhere: what a program prints reaches nobody."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)
    os.close(nowhere)


def prepare(settings):
    """Import what the program needs, and hide what it must not use."""
    os.environ.pop("PYTHONHASHSEED", None)
    sys.path += settings["path"]
    for name in settings["modules"]:
        __import__(name)
    sys.path[:] = [folder for folder in sys.path if Path(folder) != ROOT]  # now, because NumPy may be installed beside our packages
    sys.modules.update(dict.fromkeys(OURS))


def confine_this(settings, ruleset):
    """Give up all rights that the program does not need."""
    if settings["limited"]:
        confine.become_nobody()
    if ruleset is not None:
        landlock.restrict(ruleset)
    if settings["limited"]:
        confine.limit(settings["seconds"], settings["memory"])
    if settings["filtered"]:
        seccomp.restrict(truncating=not settings["readable"])


def serve(requests, answers, settings):
    """Answer requests until there are no more, or until the time is used up."""
    limits = codec.Limits(*settings["limits"])
    send(answers, codec.dumps(READY))
    while line := requests.readline():
        program, *asked = codec.loads(line, limits)
        send(answers, codec.dumps(hash_of(program)))
        for answer in answers_of(program, *asked, lambda k, question: replied(requests, answers, question, limits)):
            late = answer.error.startswith("TimeUp")
            send(answers, answer_line(answer._replace(error=too_long(settings["seconds"])) if late else answer, limits))
            if late:
                return


def replied(requests, answers, question, limits):
    """Return what the grader answers to a question. Raises ValueError if it says what is wrong with it, or if it is not of plain values."""
    send(answers, codec.dumps({QUESTION: question}, limits))
    kind, found = codec.loads(requests.readline(), limits)
    if kind != REPLY:
        raise ValueError(found)
    return found


def hash_of(program) -> str:
    return sha256(program.encode("utf-8", "surrogatepass")).hexdigest()


def answer_line(answer, limits):
    """Return the line of an answer. A value that is not plain, or too large, makes it an error."""
    try:
        return codec.dumps(tuple(answer), limits)
    except codec.NotPlain as wrong:
        why = str(wrong)
    except BaseException as wrong:  # an object whose items() raises, for example
        why = f"a {type(wrong).__name__:.40} while it was read"
    return codec.dumps(tuple(answer._replace(value=None, error=f"{NOT_PLAIN}: {why}")), limits)


def send(answers, line):
    rest = memoryview(line + b"\n")
    while rest:
        rest = rest[os.write(answers, rest) :]
