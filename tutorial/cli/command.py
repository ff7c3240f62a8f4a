"""The program: python -m tutorial, or gradsteps if it is installed. Any Python 3 can read this file, and says what is missing."""

import os
import shlex
import sys
from pathlib import Path

OLDEST = (3, 11)  # the oldest Python, as in pyproject.toml
NEEDED = ("numpy", "rich", "graphviz", "graphviz_pure", "readchar")  # the modules of the dependencies there
ROOT = Path(__file__).parents[2]
INTERRUPTED = 130  # as a shell reports Ctrl-C


def command():
    """Run the command line on the standard streams, whatever state they are in. Exit with its code, silently after Ctrl-C."""
    if sys.version_info < OLDEST:
        refuse("this is Python {}.{}, but {}.{} or newer is needed".format(*sys.version_info[:2], *OLDEST))
    try:
        from tutorial.cli.main import main, on_standard_streams

        sys.exit(on_standard_streams(main))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except ModuleNotFoundError as wrong:
        if str(wrong.name).split(".")[0] not in NEEDED:
            raise
        refuse(f"{sys.executable} has no {wrong.name}")


def refuse(wrong):
    """Print in one line what is wrong with this Python, and which one to use. Exit with 2."""
    print(f"tutorial: {wrong}; {advice()}", file=sys.stderr)
    sys.exit(2)


def advice():
    """Return the same command with the Python of the environment that the README makes, or the line that makes it."""
    for python in (ROOT / ".venv" / "bin" / "python", ROOT / ".venv" / "Scripts" / "python.exe"):
        if python.exists():
            words = [os.path.relpath(python) if Path.cwd() == ROOT else str(python), "-m", "tutorial", *sys.argv[1:]]
            return f"run {' '.join(map(shlex.quote, words))}"
    return "make an environment first: python3 -m venv .venv && .venv/bin/python -m pip install -e ."
