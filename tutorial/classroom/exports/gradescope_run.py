"""Grade one submission on Gradescope: python -I -m tutorial.classroom.exports.gradescope_run ROOT, called by run_autograder.

First results.json says that the grading did not finish, so that a run that is stopped cannot be mistaken for another. At the end it is
replaced as a whole. If the grading itself fails, results.json has no score, and the exit code is not 0.
"""

import json
import sys
from collections import Counter
from pathlib import Path

from tutorial.classroom.exports.gradescope import as_json, document, failure, not_finished
from tutorial.classroom.exports.gradescope_autograder import SECRET, SETTINGS
from tutorial.classroom.exports.submission import submissions
from tutorial.classroom.grading.classes.batch import Run, grade_programs
from tutorial.classroom.grading.processes import Bounds
from tutorial.classroom.grading.results.results import UNGRADED
from tutorial.classroom.grading.working_tiers import why_not
from tutorial.exercises.authored import find
from viz.whole_files import write_file

SAFE = ("container", "landlock", "bwrap")
GRADED, FAILED = 0, 3


def main(root: Path) -> int:
    """Grade the submission below a root folder, and return the exit code."""
    target = root / "results" / "results.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        settings = json.loads((root / "source" / SETTINGS).read_text(encoding="utf-8"))
        write_file(target, as_json(not_finished(len(settings["exercises"]))))
        results, remarks = graded(root, settings)
    except Exception as wrong:  # a mistake of ours costs nobody a point
        write_file(target, as_json(failure([f"{type(wrong).__name__}: {wrong}"])))
        raise SystemExit(f"the grading failed: {type(wrong).__name__}: {wrong}") from wrong
    found = document(results)
    found["output"] = "\n".join([found["output"], *remarks])
    write_file(target, as_json(found))
    states = Counter(result["state"] for result in results)
    print(f"tier {results[0]['tier']}: {', '.join(f'{count} {state}' for state, count in states.items())}")
    return FAILED if states[UNGRADED] else GRADED


def graded(root: Path, settings) -> tuple[list[dict], list[str]]:
    """Return the results, and remarks on the files. The seeds follow from the secret and from who handed in."""
    exercises = tuple(settings["exercises"])
    secret = (root / "source" / SECRET).read_bytes().strip()
    run = Run(safe_tier(), secret, settings["assignment"], Bounds(*settings["bounds"]), exercises)
    student = student_of(root / "submission_metadata.json")
    found, remarks = submissions(root / "submission", student, map(find, exercises))
    return grade_programs(run, found), remarks


def safe_tier() -> str:
    """Return the name of the first safe tier that works here. Raises RuntimeError."""
    reasons = {name: why_not(name) for name in SAFE}
    if all(reasons.values()):
        why = "; ".join(f"{name}: {reason}" for name, reason in reasons.items())
        raise RuntimeError(f"no tier that keeps programs from reading the solutions works here ({why})")
    return next(name for name, reason in reasons.items() if not reason)


def student_of(path: Path) -> str:
    """Return a name for who handed in, from the file of Gradescope: the same again for the next submission of the same student or group."""
    users = json.loads(path.read_text(encoding="utf-8"))["users"]
    if not users:
        raise ValueError(f"{path.name} does not say who handed in")
    return "gradescope-" + "-".join(sorted(str(int(user["id"])) for user in users))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
