"""The terminal stepper: it shows a screen for each step, reads keys, and asks the user to predict derivatives."""

import os
import sys
from bisect import bisect_right
from contextlib import suppress

from rich.console import Console
from rich.control import Control
from rich.screen import Screen

from scalargrad.trace import Trace
from viz.drawing.selection import unzoomed
from viz.ink import ink_for, total_of
from viz.quiz import questions, verdict
from viz.terminal.keys import ESCAPE, keyboard
from viz.terminal.print_trace import walk
from viz.terminal.screen import screen

LONGEST_ANSWER = 40
ENTER, BACKSPACE = {"\r", "\n"}, {"\x7f", "\b"}

# The keys of each action, as terminals ("\x1b…") and the Windows console ("\x00…") send them.
# fmt: off
KEYS = {
    "next":               {"\x1b[C", "\x1bOC", "\x00M", "\x1b[6~", "\x00Q", "n", " ", *ENTER},
    "back":               {"\x1b[D", "\x1bOD", "\x00K", "\x1b[5~", "\x00I", "b", *BACKSPACE},
    "next_iteration":     {"\x1b[B", "\x1bOB", "\x00P"},
    "previous_iteration": {"\x1b[A", "\x1bOA", "\x00H"},
    "first":              {"\x1b[H", "\x1bOH", "\x1b[1~", "\x1b[7~", "\x00G"},
    "last":               {"\x1b[F", "\x1bOF", "\x1b[4~", "\x1b[8~", "\x00O", "e"},
    "predict":            {"p"},
    "quit":               {"q", ESCAPE, "\x03"},
}
# fmt: on
DOES = {key: action for action, keys in KEYS.items() for key in keys}


class Stepper:
    """The user's place in a trace, and what each key changes. Knows nothing of terminals."""

    def __init__(self, trace, ink):
        self.trace, self.ink = trace, ink
        self.questions = questions(trace)
        self.starts = [i for i, s in enumerate(trace) if i == 0 or s.iteration != trace[i - 1].iteration]
        self.at, self.said = 0, None
        self.question, self.typed = None, ""

    def press(self, key):
        """Run the action of a key. Return False if the user quits."""
        if self.question:
            return self.answer(key)
        action = DOES.get(key.lower() if len(key) == 1 else key)
        self.said = None if action else self.said
        if action == "quit":
            return False
        if action:
            getattr(self, action)()
        return True

    def go(self, i):
        self.at = min(max(i, 0), len(self.trace) - 1)

    def next(self):
        self.go(self.at + 1)

    def back(self):
        self.go(self.at - 1)

    def next_iteration(self):
        later = bisect_right(self.starts, self.at)
        self.go(self.starts[later] if later < len(self.starts) else self.at)

    def previous_iteration(self):
        self.go(self.starts[max(0, bisect_right(self.starts, self.at - 1) - 1)])

    def first(self):
        self.go(0)

    def last(self):
        self.go(len(self.trace) - 1)

    def predict(self):
        """Ask for the next unknown total derivative."""
        self.question = next(((i, x) for i, x in self.questions if i > self.at), None)
        self.typed = ""
        if not self.question:
            self.said = "All total derivatives are known. Step back to predict one."

    def answer(self, key):
        """Take a key of an answer. Enter checks the answer and shows the sum; Esc, or Enter alone, cancels the question."""
        i, x = self.question
        if key == "\x03":
            return False
        if key == ESCAPE or (key in ENTER and not self.typed.strip()):
            self.question = self.said = None
        elif key in ENTER:
            try:
                self.said = verdict(self.trace, x, self.typed, self.ink)
                self.question = None
                self.go(i)
            except ValueError as error:
                self.said, self.typed = str(error), ""
        elif key in BACKSPACE:
            self.typed = self.typed[:-1]
        elif len(key) == 1 and key.isprintable() and len(self.typed) < LONGEST_ANSWER:
            self.typed += key
        return True

    def frame(self, width, height):
        """Return the current screen as lines of rich text."""
        if not self.question:
            return screen(self.trace, self.at, width, height, self.ink, said=self.said)
        x = self.question[1]
        asked = f"What is {total_of(self.trace, x, self.ink)}? {self.typed}_{f'   ({self.said})' if self.said else ''}"
        return screen(self.trace, self.at, width, height, self.ink, asked=x, said=asked)


def step(z, **options):
    """Step through backpropagation from z, or through a Trace, in the terminal. In a pipe or a notebook, print all steps.

    z may also be the result of zoom(...) if it shows one number. If it shows several, step through one of them,
    zoom(C.node).z[0, 0], or through their sum. `options` are those of `Trace`: order, schedule, names.
    Keys: → next, ← back, ↓ ↑ iteration, Home, End, p predict, q quit.

    >>> from scalargrad import Value
    >>> step(Value(3, name="x") * 2, names={})  # doctest: +ELLIPSIS
    x = 3
    z = x·2 = 6
    ...
    """
    trace = Trace.of(z if isinstance(z, Trace) else one_of(z), **options)
    if not _size() or not _reads_keys() or os.environ.get("TERM") in ("dumb", "unknown"):
        walk(trace)
        return
    stepper, console = Stepper(trace, ink_for(sys.stdout)), Console(highlight=False)
    with suppress(KeyboardInterrupt, EOFError), keyboard() as next_key, console.screen():
        try:
            _loop(stepper, console, next_key)
        finally:
            console.clear()  # a terminal that was enlarged may keep some of our lines otherwise


def one_of(z):
    """Return z, or the one number that a zoom shows. Raises ValueError if there are several."""
    z = unzoomed(z)
    if isinstance(z, list | tuple) or (hasattr(z, "ravel") and not hasattr(z, "inputs")):
        many = getattr(z, "size", None) or len(z)
        raise ValueError(f"step: z must be one variable, got {many}; step through one of them, or through their sum")
    return z


def _loop(stepper, console, next_key):
    shown = None
    while True:
        if shown != (size := _size()):
            console.size = shown = size
            with console:
                console.control(Control.home())
                console.print(Screen(*stepper.frame(console.width, console.height)), end="")
        if key := next_key():
            shown = None
            if not stepper.press(key):
                return


def _size():
    """Return the columns and lines of the terminal at standard output; None if it is not a terminal."""
    try:
        size = os.get_terminal_size(sys.stdout.fileno())
    except (AttributeError, OSError, ValueError):
        return None
    return (size.columns or 80, size.lines or 24)


def _reads_keys():
    try:
        return os.isatty(sys.stdin.fileno())
    except (AttributeError, OSError, ValueError):
        return False
