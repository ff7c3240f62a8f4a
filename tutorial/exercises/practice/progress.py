"""What a student has reached, on disk: for each exercise its last verdict, attempts, and how often each misconception was met."""

import json
from hashlib import sha256

from tutorial.exercises.checking.verdict import CRASHED, RIGHT, TIMEOUT, WRONG, Verdict

STATE, SUBMISSION = ".tutorial-state.json", "submission.zip"  # files of the student's folder that are not programs
SCHEMA = "tutorial/state/v1"
UNNAMED = "unnamed"
SOLVED, NOW_WRONG = "solved", "solved, now wrong"


class Progress:
    """The progress in one file. It is read once and written as a whole, or not at all.

    `of` is {number: entry}; `given` is {number: hash of the text that was written into the student's file}.
    """

    def __init__(self, path):
        self.path, self.of, self.given = path, {}, {}
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
            if found.get("schema") == SCHEMA:
                self.of, self.given = found["exercises"], found.get("given", {})
        except (OSError, ValueError, KeyError, AttributeError):  # a file that cannot be read counts as empty
            pass

    def save(self):
        from viz.whole_files import write_file

        write_file(self.path, text_of(self.of, self.given))

    def entry(self, number) -> dict:
        """Return what is known of an exercise: state, solved, attempts, hints, met ({misconception: times}), hash, predicted."""
        new = {"state": "", "solved": False, "attempts": 0, "hints": 0, "met": {}, "hash": "", "predicted": False}
        return self.of.setdefault(number, new)

    def record(self, number, program, verdict: Verdict) -> int:
        """Note a verdict and return how often its misconception was met, from 1. The same program again counts once."""
        entry, hash = self.entry(number), digest(program)
        if entry["hash"] != hash or entry["state"] != verdict.state:
            entry["attempts"] += 1
            if verdict.state != RIGHT:
                key = verdict.id or UNNAMED
                entry["met"][key] = entry["met"].get(key, 0) + 1
        entry |= {"hash": hash, "state": verdict.state, "solved": entry["solved"] or verdict.state == RIGHT}
        self.save()
        return self.times(number, verdict)

    def times(self, number, verdict: Verdict) -> int:
        """Return how often the misconception of a verdict was met, at least once."""
        return self.of.get(number, {}).get("met", {}).get(verdict.id or UNNAMED, 1)

    def solved(self, number) -> bool:
        return number in self.of and self.of[number]["solved"]

    def state(self, number) -> str:
        """Return the state of the last check, "" if there was none. A program that was solved may be wrong again."""
        if not self.solved(number):
            return self.of[number]["state"] if number in self.of else ""
        return NOW_WRONG if self.of[number]["state"] in (WRONG, CRASHED, TIMEOUT) else SOLVED


def text_of(exercises, given) -> str:
    return json.dumps({"schema": SCHEMA, "exercises": exercises, "given": given}, indent=1, sort_keys=True) + "\n"


def digest(text) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def at_the_beginning(given) -> str:
    """Return the text of the file of a student who has not begun. `given` is {number: text of the student's file}."""
    return text_of({}, {number: digest(text) for number, text in given.items()})
