"""Results for the tests of the forms: right, wrong and ungraded ones, and students whose names and messages attack the reader."""

import json

from tutorial.classroom.grading.results.results import SCHEMA

RIGHT, WRONG, UNGRADED, NOT_STARTED, CRASHED, TIMEOUT = "right", "wrong", "ungraded", "not started", "crashed", "timeout"
HOSTILE = {  # a name: why
    "=cmd|' /C calc'!A0": "a formula",
    "＝HYPERLINK(1)": "a formula in full width",
    " +1": "a formula after a blank",
    "@SUM(A1)": "a formula of another spreadsheet",
    "<script>alert(1)</script>": "HTML",
    "]]><x y='\"&amp;": "XML",
    "a\x00b\x1b[31mc\x85\u202e\ufffe": "control characters",
    "Åsa 🎓 Ünal": "an emoji",
    "n" * 300: "a long name",
    "half \udc80 of a pair": "half of a surrogate pair",
    "../../etc/passwd": "a path",
    "..\\..\\etc\\passwd": "a path of another system, which the same letters would name",
    'two\nlines, "quoted"': "the end of a line, a comma, quotes",
}


def result(student, exercise="02", state=RIGHT, most=2, message="dz/dx4 was 14, expected 16.", **more):
    """Return a result of a student for an exercise."""
    finding = {"message": message, "misconception": "M02", "input": "f(3)", "got": "14", "expected": "16", "line": None}
    score = None if state == UNGRADED else most * (state == RIGHT)
    findings = [] if state == RIGHT else [{"message": message} if state == UNGRADED else finding]
    named = {"schema": SCHEMA, "student": student, "exercise": exercise, "version": "v", "submission_sha256": "", "seed": ""}
    return named | {"tier": "landlock", "state": state, "score": score, "max_score": most, "findings": findings} | more


def write_results(path, results):
    """Write results as lines of JSON, and return the path."""
    path.write_text("".join(f"{json.dumps(each)}\n" for each in results), encoding="utf-8")
    return path


def hostile(state=WRONG):
    """Return a result of each hostile student, whose message is as hostile as the name."""
    return [result(name, state=state, message=name) for name in HOSTILE]
