"""The terminal stepper: it shows a screen for each step, reads keys, and asks the user to predict derivatives."""

import sys
from bisect import bisect_right
from contextlib import suppress
from time import monotonic

from rich.console import Console
from rich.control import Control
from rich.screen import Screen

from viz.questions.quiz import Quiz, asked_for
from viz.terminal.keys import ANSWER_LINE, ARRAY_ANSWER_LINE, BACKSPACE, DOES, ENTER, ESCAPE, INTERRUPT, TALLY_LINE, keyboard, window
from viz.terminal.screen import help_screen, screen
from viz.text.formatter import formatter_for, whole_names, with_short_names
from viz.text.narration import which_edge

LONGEST_ANSWER = 40
PACE = 1.8  # seconds between steps while it plays


class Stepper:
    """The user's place in a trace, and what each key changes. Knows nothing of terminals."""

    def __init__(self, trace, formatter):
        names = trace.names.values()
        self.trace, self.formatter, self.quiz = trace, with_short_names(formatter, names), Quiz(trace)
        self.names = whole_names(names, formatter, self.formatter)
        self.starts = [i for i, s in enumerate(trace) if i == 0 or s.iteration != trace[i - 1].iteration]
        self.at, self.said, self.marked = 0, None, ()
        self.predicting = self.playing = self.helping = self.tallied = False
        self.whys = True
        self.question, self.typed = None, ""

    def press(self, key):
        """Run the action of a key. Return False if the user quits."""
        if self.question:
            return self.answer(key)
        action = DOES.get(key.lower() if len(key) == 1 else key)
        if key in INTERRUPT:
            return False
        if self.helping or self.tallied:
            return self.leave(key, action)
        if action:
            self.said = None
            self.playing = action == "play" and not self.playing
            return action != "quit" and self.act(action)
        return True

    def act(self, action):
        getattr(self, action)()
        return True

    def leave(self, key, action):
        """Close the keys, or the tally. There Enter repeats questions, and every other key but Esc does what it always does."""
        tally, self.helping, self.tallied, self.said = self.tallied, False, False, None
        if tally and key in ENTER and self.quiz.wrong():
            self.open(self.quiz.again())
        elif tally and action and action != "quit":
            return self.press(key)
        return True

    # Moves. In predict mode, one that shows an answer asks for it first.

    def go(self, i):
        """Go to step i; if it shows the answer to an open question, ask it."""
        self.at = min(max(i, 0), len(self.trace) - 1)
        if not self.predicting:
            return
        if question := self.quiz.before(self.at):
            self.open(question)
        elif self.at == len(self.trace) - 1 and self.quiz.first:
            self.tallied = True

    def forwards(self, i):
        """Go to a later step, but not past the next question."""
        question = self.predicting and self.quiz.between(self.at, i)
        if question:
            self.open(question)
        else:
            self.go(i)

    def next(self):
        if self.quiz.repeats and self.predicting:  # from one question to the next
            self.forwards(len(self.trace) - 1)
        else:
            self.forwards(self.at + 1)

    def back(self):
        self.go(self.at - 1)

    def next_iteration(self):
        later = bisect_right(self.starts, self.at)
        self.forwards(self.starts[later] if later < len(self.starts) else self.at)

    def previous_iteration(self):
        self.go(self.starts[max(0, bisect_right(self.starts, self.at - 1) - 1)])

    def after_loop(self):
        """Go to the first step after a folded loop: the one of this step, or the next one."""
        trace, scatters = self.trace, self.trace.schedule.scatters
        at = [trace.passes.get(trace[i].y if scatters else trace[i].x) for i in self.starts]
        here = bisect_right(self.starts, self.at) - 1
        loop = next((passes.loop for passes in at[here:] if passes), None)
        last = max((k for k, passes in enumerate(at) if passes and passes.loop == loop), default=None)
        if last is None or last + 1 == len(at):
            self.said = "No folded loop comes after this step."
        else:
            self.forwards(self.starts[last + 1])

    def first(self):
        self.go(0)

    def last(self):
        self.go(len(self.trace) - 1)

    def play(self):
        if self.playing and self.at == len(self.trace) - 1:
            self.go(0)

    def tick(self):
        """Go on by a step while it plays; stop at the end and at a question."""
        self.said = None
        self.next()
        self.playing = not (self.question or self.tallied or self.at == len(self.trace) - 1)

    def why(self):
        self.whys = not self.whys
        self.said = None if self.whys else "Why is off. y shows it again."

    def help(self):
        self.helping = True

    # Questions

    def predict(self):
        """Start to ask for derivatives before they are shown, or stop it."""
        self.predicting, self.quiz = not self.predicting, Quiz(self.trace)
        if not self.predicting:
            self.said = "Predict is off."
            return
        self.said = "Predict: each derivative is asked for before it is shown. q stops this, Esc quits."
        if not self.quiz.between(self.at, len(self.trace)):
            self.said = "All derivatives are known here. Step back to predict one."
        elif question := self.quiz.before(self.at) or self.quiz.between(self.at, self.at + 1):
            self.open(question)

    def open(self, question):
        self.at, self.question, self.typed, self.said, self.playing = question.step - 1, question, "", None, False

    def close(self):
        self.question, self.marked = None, ()

    def answer(self, key):
        """Take a key of an answer. Enter checks the answer; Esc, or Enter alone, closes the question."""
        if key in INTERRUPT:
            return False
        if key == ESCAPE or (key in ENTER and not self.typed.strip()):
            self.quiz.close(self.question)
            self.close()
            self.said = None
        elif key in ENTER:
            self.judge()
        elif key in BACKSPACE:
            self.typed = self.typed[:-1]
        elif len(key) == 1 and key.isprintable() and len(self.typed) < LONGEST_ANSWER:
            self.typed += key
        return True

    def judge(self):
        """Say what is right or wrong about the answer. After the last try go on to the step that shows it."""
        question, typed, self.typed = self.question, self.typed, ""
        try:
            found = self.quiz.answer(question, typed, self.formatter)
        except ValueError as error:
            self.said = str(error)
            return
        self.said, self.marked = found.said, found.edges
        if question in self.quiz.first:
            self.close()
            self.at = question.step

    def frame(self, width, height):
        """Return the current screen as lines of rich text."""
        if self.helping:
            return help_screen(width, height, self.formatter, self.names)
        if self.tallied:
            lines = [f"{line[:1].upper()}{line[1:].removesuffix('.')}." for line in self.quiz.tally(self.formatter)]
            keys = TALLY_LINE if self.quiz.wrong() else TALLY_LINE[1:]
            return screen(self.trace, self.at, width, height, self.formatter, said=" ".join(lines), keys=keys)
        if not self.question:
            return screen(self.trace, self.at, width, height, self.formatter, said=self.said, why=self.whys)
        asked = f"{self.formatter.formula(asked_for(self.trace, self.question))}{which_edge(self.trace, self.question)}"
        said = f"{f'{self.said}  ' if self.said else ''}What is {asked}? {self.typed}_"
        keys = ARRAY_ANSWER_LINE if getattr(self.question.x, "shape", ()) else ANSWER_LINE
        secret = self.question.x if self.question.slot is None else None
        return screen(self.trace, self.at, width, height, self.formatter, asked=secret, said=said, marked=self.marked, keys=keys)


def run(trace):
    """Step through a trace until the user quits. Standard input and output are a terminal."""
    stepper, console = Stepper(trace, formatter_for(sys.stdout)), Console(highlight=False)
    with suppress(KeyboardInterrupt, EOFError), keyboard() as next_key, console.screen():
        try:
            _loop(stepper, console, next_key)
        finally:
            console.clear()  # a terminal that was enlarged may keep some of our lines otherwise


def _loop(stepper, console, next_key):
    shown, due = None, 0.0
    while True:
        if shown != (size := window()):
            console.size = shown = size
            with console:
                console.control(Control.home())
                console.print(Screen(*stepper.frame(console.width, console.height)), end="")
        if key := next_key():
            shown, due = None, monotonic() + PACE
            if not stepper.press(key):
                return
        elif stepper.playing and monotonic() >= due:
            shown, due = None, monotonic() + PACE
            stepper.tick()
