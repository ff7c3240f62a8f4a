"""python -m tutorial compare FILE: run an engine of your own beside the right one until the first, smallest difference."""

import json
import subprocess
import sys
import threading
from pathlib import Path

from tutorial.cli.shared.parser import Mistake, integer

ABOUT = "run an engine of your own beside the right one"
DESCRIPTION = """\
Run the engine in FILE beside the right one on growing graphs, until the first
difference. The program shows the smallest graph that it found, the variables
that differ, and the mistake if it is a known one. FILE defines one of these:
    class Value: ...           with + and *, backward(), .data and .grad
    def backprop(order, children, partial): ...   returns {x: dz/dx}
    def steps(graph, on): ...  yields a Step for each executed line
The file runs in a process of its own, with your rights: run only what you
trust. The exit code is 0 if there is no difference, 1 if there is one or the
file fails, 2 if it has no engine.
"""
MOST_SECONDS = 3600
REPORTED = (OSError,)


def options(parser):
    parser.add_argument("file", metavar="FILE", help="a Python file")
    parser.add_argument("-o", dest="output", metavar="FILE.html", help="also write a page with the graph on which they differ")
    limit = "stop the file after so many seconds (default: 20)"
    parser.add_argument("--seconds", metavar="N", type=integer(1, MOST_SECONDS), default=20, help=limit)


def run(args):
    from viz.whole_files import check_writable, write_file

    if not Path(args.file).is_file():
        raise Mistake(f"there is no file {args.file!r}")
    if args.output:
        check_writable(args.output)
    messages, late, code = answers(args.file, args.seconds, with_page=bool(args.output))
    last = messages[-1] if messages else {}
    if "found" in last:
        show(last["found"]["text"])
        if args.output:
            write_file(args.output, last["found"]["html"])
        return 0 if last["found"]["right"] else 1
    if said := last.get("none", last.get("wrong")):
        show(said)
        return 2 if "none" in last else 1
    show(f"The file {f'did not end within {args.seconds} seconds' if late else f'ended Python (exit code {code})'}.")
    if "trying" in last:
        show(f"It ran this program:\n\n{last['trying']}")
    return 1


def answers(file, seconds, with_page):
    """Run the file in a process of its own. Return the messages of this process, whether it was stopped, and its exit code.

    The time begins when the process has started and runs the file: a busy machine starts Python slowly.
    """
    command = [sys.executable, "-m", "tutorial.exercises.broken_engine.child", file, *["page"] * with_page]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, encoding="utf-8") as child:
        late = threading.Event()
        clock = threading.Timer(seconds, lambda: (late.set(), child.kill()))
        messages: list[dict] = []
        try:
            for message in filter(None, map(answer, child.stdout)):
                if not messages:
                    clock.start()
                messages.append(message)
        finally:
            clock.cancel()
            child.kill()
    return messages, late.is_set(), child.returncode


def answer(line):
    """Return the message in a line of the process, or None for what else the file has written there."""
    try:
        message = json.loads(line)
    except ValueError:
        return None
    return message if isinstance(message, dict) else None


def show(text):
    """Print a text without control characters that the file may have made."""
    from scalargrad.formulas.text import printable

    print("\n".join(map(printable, text.splitlines())))
