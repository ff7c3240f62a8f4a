"""What a student has reached, on disk: for each exercise its last verdict, attempts, and how often each misconception was met."""

import json
from hashlib import sha256

from tutorial.exercises.verdict import RIGHT, Verdict

STATE = ".tutorial-state.json"
SCHEMA = "tutorial/state/v1"
UNNAMED = "unnamed"


class Progress:
    """The progress in one file. It is read once and written as a whole, or not at all."""

    def __init__(self, path):
        self.path, self.of = path, {}
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
            if found.get("schema") == SCHEMA:
                self.of = found["exercises"]
        except (OSError, ValueError, KeyError, AttributeError):  # a file that cannot be read counts as empty
            pass

    def save(self):
        from viz.files import write_file

        write_file(self.path, text_of(self.of))

    def entry(self, number) -> dict:
        """Return what is known of an exercise: state, solved, attempts, hints, met ({misconception: times}), hash, predicted."""
        new = {"state": "", "solved": False, "attempts": 0, "hints": 0, "met": {}, "hash": "", "predicted": False}
        return self.of.setdefault(number, new)

    def record(self, number, program, verdict: Verdict) -> int:
        """Note a verdict and return how often its misconception was met, from 1. The same program again counts once."""
        entry = self.entry(number)
        digest = sha256(program.encode()).hexdigest()
        if entry["hash"] != digest or entry["state"] != verdict.state:
            entry["attempts"] += 1
            if verdict.state != RIGHT:
                key = verdict.id or UNNAMED
                entry["met"][key] = entry["met"].get(key, 0) + 1
        entry |= {"hash": digest, "state": verdict.state, "solved": entry["solved"] or verdict.state == RIGHT}
        self.save()
        return entry["met"].get(verdict.id or UNNAMED, 1)

    def solved(self, number) -> bool:
        return number in self.of and self.of[number]["solved"]

    def state(self, number) -> str:
        return self.of[number]["state"] if number in self.of else ""


def text_of(exercises) -> str:
    return json.dumps({"schema": SCHEMA, "exercises": exercises}, indent=1, sort_keys=True) + "\n"


def nothing() -> str:
    """Return the text of the file of a student who has not begun."""
    return text_of({})
