"""What `exercises` does in a student's folder: check, watch, hint, show, and the other commands."""

import os
import re
import sys
import time
from fractions import Fraction
from functools import cached_property

from tutorial.cli.shared.parser import complain, program
from tutorial.exercises.authored import KINDS
from tutorial.exercises.checking.verdict import NOT_STARTED, RIGHT, STATES, WRONG
from tutorial.exercises.practice.progress import NOW_WRONG, SUBMISSION
from tutorial.misconceptions import misconception

MARKS = dict.fromkeys(STATES, ("✗", "bold red")) | {RIGHT: ("✓", "bold green"), NOT_STARTED: (".", "bold")}
TRY_AGAIN = "Try again on paper, or ask for a hint."
TITLE = 36  # columns of a title in the list
POLL = 0.3  # seconds
MOST_BYTES = 1_000_000  # of a file that is watched
RIGHT_CODE, WRONG_CODE, USAGE, FAILED = 0, 1, 2, 3


def refuse(wrong):
    """Say why something cannot be done, and what to do in the words of this user."""
    complain(str(wrong).replace("python -m tutorial", program()))


class Session:
    """The commands on one folder. Each returns the exit code."""

    def __init__(self, folder, printer):
        self.folder, self.printer = folder, printer

    @cached_property
    def exercises(self):
        """All exercises. Reading them takes longer than checking one."""
        from tutorial.exercises.authored import exercises

        return exercises()

    # Where you are

    def where(self):
        exercise = self.next()
        if exercise is None:
            self.printer.say("All exercises are solved.", "bold green")
            return RIGHT_CODE
        self.heading(exercise)
        self.printer.say(f"Write {self.folder.file(exercise).name}. It begins with what to do.", indent=2)
        self.printer.say(f"{program()} exercises check    or watch, hint, show, list, progress", "dim", indent=2)
        return RIGHT_CODE

    def list(self):
        """Print a line for each exercise, unit by unit."""
        before = None
        for exercise in self.exercises:
            if unit_of(exercise) != before:
                before = unit_of(exercise)
                self.printer.say(f"Unit {before}", "bold")
            state = self.folder.progress.state(exercise.number)
            mark, style = {"solved": ("✓", "green"), "": (".", "dim")}.get(state, ("✗", "red"))
            meta = exercise.meta
            about = f"{exercise.kind:<8} {meta['minutes']:>2} min {'*' * int(meta.get('difficulty', 1)):<4}"
            self.printer.say(f"{mark} {exercise.number} {exercise.title[:TITLE]:<{TITLE}} {about} {state}", style)
        return RIGHT_CODE

    def progress(self):
        """Print a line for each unit, and one for all kinds."""
        units, kinds = {}, {}
        for exercise in self.exercises:
            units.setdefault(unit_of(exercise), []).append(exercise)
            kinds.setdefault(exercise.kind, []).append(self.solved(exercise))
        for unit, found in units.items():
            solved = sum(map(self.solved, found))
            left = sum(int(exercise.meta["minutes"]) for exercise in found if not self.solved(exercise))
            bar = "#" * solved + "." * (len(found) - solved)
            wrong = sum(self.folder.progress.state(exercise.number) == NOW_WRONG for exercise in found)
            now = f" ({wrong} now wrong)" if wrong else ""
            self.printer.say(f"unit {unit}  {bar:<15} {solved:2} of {len(found):2} solved{now}, about {left} minutes left")
        self.printer.say("kinds   " + ", ".join(f"{kind} {sum(kinds[kind])} of {len(kinds[kind])}" for kind in KINDS if kind in kinds))
        return self.where()

    def next(self):
        """Return the first exercise of the list that is not solved, or None. The others are not read."""
        from tutorial.exercises.authored import find

        return next((find(number) for number in self.folder.numbers if not self.folder.progress.solved(number)), None)

    def solved(self, exercise):
        return self.folder.progress.solved(exercise.number)

    def one(self, id):
        """Return the exercise of this name, or the next one. Raises NoFolder."""
        return self.folder.find(id) if id else self.next() or self.exercises[-1]

    def heading(self, exercise):
        numbers = self.folder.numbers
        self.printer.heading(exercise, sum(map(self.folder.progress.solved, numbers)), len(numbers))

    # Checking

    def check(self, ids):
        """Check some exercises, the next one, or all whose files have changed. A file that cannot be read does not stop the others."""
        if "all" not in ids:
            return max(map(self.checked_if_read, [self.one(id) for id in ids or [None]]))
        begun = list(filter(self.folder.begun, self.exercises))
        if not begun:
            self.printer.say("No file has changed yet.")
        return max(map(self.checked_if_read, begun), default=RIGHT_CODE)

    def checked_if_read(self, exercise):
        """Check an exercise and return the exit code, also if its file cannot be read."""
        from tutorial.exercises.practice.folder import NoFolder

        try:
            return self.checked(exercise)
        except NoFolder as wrong:
            refuse(wrong)
            return USAGE

    def verdict(self, exercise, source):
        """Return the verdict on the program of a student."""
        from tutorial.exercises.checking.python_errors import not_started

        if self.folder.outdated(exercise, source):
            return not_started(f"The file is as an earlier version gave it. Get today's: {program()} exercises reset {exercise.number}")
        return verdict_of(exercise, source)

    def checked(self, exercise):
        """Check an exercise, print the report and return the exit code. Raises NoFolder."""
        source = self.folder.program(exercise)
        try:
            verdict = self.verdict(exercise, source)
        except Exception as wrong:
            self.printer.say(f"The checker failed, not your program ({type(wrong).__name__}: {wrong}).", "bold red")
            return FAILED
        times = self.folder.progress.record(exercise.number, source, verdict)
        self.heading(exercise)
        self.report(exercise, verdict, times)
        if verdict.state == RIGHT and (after := self.next()) is not None:
            self.printer.say(f"Next: {self.folder.file(after).name}", "dim", indent=2)
        return RIGHT_CODE if verdict.state == RIGHT else WRONG_CODE

    def report(self, exercise, verdict, times):
        """Print a verdict whose misconception was met so many times."""
        from tutorial.exercises.check_part import checks
        from tutorial.exercises.checking.feedback import RULE, all_told, hint_told, in_words

        hints, entry = checks(exercise).hints, self.folder.progress.entry(exercise.number)
        if (told := hint_told(verdict, times, hints)) > entry["hints"]:  # the command `hint` shows the next one
            entry["hints"] = told
            self.folder.progress.save()
        title, *parts = in_words(verdict, times, hints).split("\n\n")
        mark, style = MARKS.get(verdict.state, (".", "bold"))
        place = (
            f"   {self.folder.file(exercise).name}:{verdict.line}" if verdict.line and self.folder.file(exercise).suffix == ".py" else ""
        )
        self.printer.say(f"{mark} {title}{place}", style, indent=2)
        for part in parts:
            self.printer.say(part, indent=2)
        if verdict.id and times >= RULE:
            self.printer.say(misconception(verdict.id), indent=2)
        if all_told(verdict, times, hints):
            self.printer.say(f"The hints again: {program()} exercises hint {exercise.number}", "dim", indent=2)

    def watch(self):
        """Check each file when it is saved, until Ctrl-C."""
        self.where()
        self.printer.say("Waiting for you to save a file (Ctrl-C ends).", "dim")
        for exercise in self.saved():
            self.checked_if_read(exercise)
        return RIGHT_CODE

    def saved(self, wait=lambda: time.sleep(POLL)):
        """Yield each exercise whose file has changed, for ever."""
        seen = {exercise.number: Saved(self.folder.file(exercise)) for exercise in self.exercises}
        while True:
            wait()
            yield from (exercise for exercise in self.exercises if seen[exercise.number].changed())

    # Help

    def hint(self, id):
        """Print the next hint."""
        from tutorial.exercises.check_part import checks

        exercise = self.one(id)
        hints, entry = checks(exercise).hints, self.folder.progress.entry(exercise.number)
        if not hints:
            self.printer.say("This exercise has no hints.")
            return RIGHT_CODE
        entry["hints"] = min(entry["hints"] + 1, len(hints))
        self.folder.progress.save()
        self.heading(exercise)
        for k, hint in enumerate(hints[: entry["hints"]], 1):
            self.printer.say(f"Hint {k} of {len(hints)}: {hint}", "bold" if k == entry["hints"] else "dim", indent=2)
        return RIGHT_CODE

    def show(self, id):
        """Print the statement, and write a page with the graph on which the program is wrong."""
        from tutorial.exercises.practice.folder import statement

        exercise = self.one(id)
        self.heading(exercise)
        for line in statement(exercise):
            self.printer.say(line, indent=2)
        verdict = self.verdict(exercise, self.folder.program(exercise))
        if verdict.state == WRONG or verdict.probe:
            path = self.drawn(exercise, verdict)
            self.printer.say(f"\nWhat your program gives, and what is right: open {os.path.relpath(path)}", "bold", indent=2)
        return RIGHT_CODE

    def drawn(self, exercise, verdict):
        """Write the page of a verdict, with what `check` says at this time, and beside it the page of the steps if there is one."""
        from tutorial.exercises.checking.page import together, verdict_page

        steps, file = together(exercise, verdict), ""
        if steps is not None:
            file = f"{exercise.number}-steps.html"
            steps.save(self.folder.path / file)
        times = self.folder.progress.times(exercise.number, verdict)
        return verdict_page(exercise, verdict, times, file).save(self.folder.path / f"{exercise.number}.html")

    def predict(self, id):
        from tutorial.exercises.check_part import checks

        exercise = self.one(id)
        predicted = checks(exercise).predict
        if not predicted:
            self.printer.say("This exercise asks for no number.")
            return RIGHT_CODE
        self.printer.say(predicted.question, "bold")
        given = number_in(sys.stdin.readline())
        if given is None:
            complain("write a number, such as 9, -2.5 or 1/3")
            return USAGE
        entry = self.folder.progress.entry(exercise.number)
        entry["predicted"] = entry["predicted"] or given == predicted.right
        self.folder.progress.save()
        if given == predicted.right:
            self.printer.say("✓ Right.", "bold green")
        else:
            self.printer.say(f"✗ {given} is not right. {predicted.said_of(given) or TRY_AGAIN}", "bold red")
        return RIGHT_CODE if given == predicted.right else WRONG_CODE

    def notebook(self, id):
        """Write a notebook in the place of a program that has not been begun."""
        from tutorial.classroom.notebooks.write import notebook
        from viz.whole_files import write_file

        for exercise in self.exercises if id == "all" else [self.one(id)]:
            file = self.folder.file(exercise)
            path = file.with_suffix(".ipynb")
            if path.exists():
                self.printer.say(f"{path.name} is there already.")
            elif self.folder.begun(exercise):
                self.printer.say(
                    f"You have begun {file.name}. `{program()} exercises reset {exercise.number}` keeps it under another name."
                )
            else:
                write_file(path, notebook(exercise))
                file.unlink(missing_ok=True)
                self.printer.say(f"{path.name} is in the place of {file.name}.")
        return RIGHT_CODE

    def submit(self, path):
        """Write a zip file of the programs that were begun, after a check of each."""
        from hashlib import sha256

        from tutorial.classroom.exports.wheel import SEEN_BY_ALL, zipped
        from viz.whole_files import write_file

        begun = list(filter(self.folder.begun, self.exercises))
        if not begun:
            complain("no file has changed yet, so there is nothing to hand in")
            return WRONG_CODE
        for exercise in begun:
            verdict = verdict_of(exercise, self.folder.program(exercise))
            mark, style = MARKS.get(verdict.state, (".", "bold"))
            self.printer.say(f"{mark} {exercise.number} {exercise.title}: {verdict.title}", style)
        files = [self.folder.file(exercise) for exercise in begun]
        content = zipped((file.name, file.read_bytes(), SEEN_BY_ALL) for file in files)
        written = write_file(path or self.folder.path / SUBMISSION, content)
        missing = len(self.exercises) - len(begun)
        self.printer.say(f"{len(files)} programs, {missing} exercises not started. Written: {os.path.relpath(written)}")
        self.printer.say(f"sha256 {sha256(content).hexdigest()}", "dim")
        return RIGHT_CODE

    def reset(self, id):
        """Write the given program again."""
        exercise = self.one(id)
        kept = self.folder.reset(exercise)
        self.printer.say(f"{self.folder.file(exercise).name} is as it was given." + (f" Yours is now {kept.name}." if kept else ""))
        return RIGHT_CODE

    def solution(self, id):
        """Print the solution of a solved exercise."""
        exercise = self.one(id)
        if not self.solved(exercise):
            complain(
                f"the solution of {exercise.number} is shown once your program is right; try: {program()} exercises hint {exercise.number}"
            )
            return WRONG_CODE
        if exercise.recorded:
            self.printer.say("Your version of the exercises has no solutions. Ask the teacher who gave it to you.")
            return RIGHT_CODE
        self.printer.source(exercise.solution)
        return RIGHT_CODE


def unit_of(exercise):
    return exercise.meta.get("unit", "-")


class Saved:
    """What a file was when it was looked at."""

    def __init__(self, path):
        self.path, self.mark, self.content = path, None, b""
        self.changed()

    def changed(self):
        """Return whether the file has another content than the last time. It is read only if its time or its size are others."""
        try:
            about = os.stat(self.path)
            if (mark := (about.st_mtime_ns, about.st_size)) == self.mark or about.st_size > MOST_BYTES:
                return False
            before, self.mark, self.content = self.content, mark, self.path.read_bytes()
        except OSError:  # an editor is just replacing it
            return False
        return self.content != before


def verdict_of(exercise, source):
    """Return the verdict on a program, which runs in a process of its own. That starts while this process reads the checker."""
    from tutorial.classroom.grading.runner import Runner

    with Runner() as ask:
        ask.start(exercise.whole(source))
        from tutorial.classroom.recording.read import asked
        from tutorial.exercises.checking.check import check

        return check(exercise, source, ask=ask, asked=asked)


def number_in(text):
    """Return the number in a line, or None."""
    found = re.fullmatch(r"\s*([-+]?\d{1,30}(?:\.\d{1,30}|/0*[1-9]\d{0,29})?)\s*", text.replace("\N{MINUS SIGN}", "-"))
    return Fraction(found[1]) if found else None
