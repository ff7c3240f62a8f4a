"""Start a process in which learners' programs run: python worker_main.py is a `worker`, python worker_main.py forks the `fork_server`.

Python runs this file by its path, and it finds by path the files that it needs. The learner's program cannot import the others.
"""

import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[3]
PACKAGES = ("tutorial", "tutorial.exercises", "tutorial.classroom", "tutorial.classroom.grading", "tutorial.classroom.grading.isolation")


def main(*role):
    packages = [package(name) for name in PACKAGES]
    from tutorial.classroom.grading import worker

    run = worker.alone
    if role:
        from tutorial.classroom.grading import fork_server

        run = fork_server.main
    for each in packages:
        each.__path__ = []
    run()


def package(name):
    """Return a package in sys.modules, in which Python finds our files but not what the package imports."""
    made = sys.modules[name] = ModuleType(name)
    made.__path__ = [str(ROOT.joinpath(*name.split(".")))]
    return made


if __name__ == "__main__":
    main(*sys.argv[1:])
