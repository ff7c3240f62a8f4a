"""The process that runs a learner's program: python -I worker.py. It reads requests as lines, and writes an answer as a line.

The first line says how the process confines itself. Each later one asks for the values of a function, and gets one line for each tuple
of arguments. Only these two channels lead out, and only plain values pass.
Python runs this file by its path, and it finds by path the files that it needs. The learner's program cannot import the others.
"""

import os
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("tutorial", "tutorial.exercises", "tutorial.grading")
OURS = ("scalargrad", "tensorgrad", "viz")  # a learner builds them anew


def main():
    requests, answers = channels()
    packages = [package(name) for name in PACKAGES]
    from tutorial.exercises.answers import NOT_PLAIN, answers_of, too_long
    from tutorial.grading import codec, confine

    settings = codec.loads(requests.readline())
    limits = codec.Limits(*settings["limits"])
    prepare(settings, confine)
    for each in packages:
        each.__path__ = []
    send(answers, codec.dumps("ready"))
    while line := requests.readline():
        for answer in answers_of(*codec.loads(line, limits)):
            late = answer.error.startswith("TimeUp")
            found = answer._replace(error=too_long(settings["seconds"])) if late else answer
            send(answers, written(found, codec, limits, NOT_PLAIN))
            if late:
                return


def channels():
    """Return the streams of requests and answers, which nothing else can reach by name: 0, 1 and 2 lead nowhere."""
    requests, answers = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)
    return os.fdopen(requests, "rb"), os.fdopen(answers, "wb")


def package(name):
    """Return a package in sys.modules, in which Python finds our files but not what the package imports."""
    made = sys.modules[name] = ModuleType(name)
    made.__path__ = [str(ROOT.joinpath(*name.split(".")))]
    return made


def prepare(settings, confine):
    """Import what the program needs, hide what it must not use, and give up all rights that it does not need."""
    sys.path += settings["path"]
    for name in settings["modules"]:
        __import__(name)
    sys.path[:] = [folder for folder in sys.path if Path(folder) != ROOT]  # now, because NumPy may be installed beside our packages
    sys.modules.update(dict.fromkeys(OURS))
    if settings["limited"]:
        confine.become_nobody()
    if settings["readable"]:
        from tutorial.grading import landlock

        landlock.confine(settings["readable"])
    if settings["limited"]:
        confine.limit(settings["seconds"], settings["memory"])


def written(answer, codec, limits, error):
    """Return the line of an answer. A value that is not plain, or too large, makes it an error."""
    try:
        return codec.dumps(tuple(answer), limits)
    except codec.NotPlain as wrong:
        return codec.dumps(tuple(answer._replace(value=None, error=f"{error}: {wrong}")), limits)
    except BaseException as wrong:  # an object whose items() raises, for example
        return codec.dumps(tuple(answer._replace(value=None, error=f"{error}: a {type(wrong).__name__:.40} while it was read")), limits)


def send(answers, line):
    answers.write(line + b"\n")
    answers.flush()


if __name__ == "__main__":
    main()
