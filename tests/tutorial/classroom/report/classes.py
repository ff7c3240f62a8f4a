"""Results of classes that are generated: what students got wrong is what the known wrong answers of the exercises get wrong."""

from collections.abc import Iterator
from functools import cache
from random import Random

from tutorial.classroom.grading.results.results import SCHEMA, UNGRADED, scored, version_of
from tutorial.exercises.authored import find
from tutorial.exercises.checking.check import known
from tutorial.exercises.checking.verdict import CRASHED, NOT_STARTED, RIGHT, TIMEOUT, WRONG, Verdict

NUMBERS = ("02", "04", "08", "24")
HOSTILE = "<img src=x onerror=alert(1)></script><script>alert(2)</script>\"'&\x1b[31m\u202e" + "x" * 3000


@cache
def possible(number) -> list[dict]:
    """Return what may become of an exercise: right, a known mistake, one without a name, an error, no program, no time."""
    exercise = find(number)
    call = f"{exercise.call}(2, 3, 5, 7)"
    verdicts = [
        Verdict(RIGHT, "Right"),
        Verdict(NOT_STARTED, "Not started", said="The program is still the one that is given."),
        Verdict(CRASHED, "NameError", said="Line 3 raises NameError: name 'g' is not defined.", input=call, got="NameError", line=3),
        Verdict(TIMEOUT, "It takes too long", said="It takes too long.", input=call, got="TooLong: no answer within 5 seconds"),
        *(
            Verdict(WRONG, "y1 is wrong", said="y1 is wrong.", input=call, got=got, expected="14", component="y1")
            for got in ("12", "[1, 3]")
        ),
        *known(exercise),
    ]
    return [scored(verdict, exercise.points) for verdict in verdicts]


def results(students, numbers=NUMBERS, seed=0, ungraded=0.0) -> Iterator[dict]:
    """Yield results of so many students: the further an exercise, the fewer are right, and most mistakes are one of two."""
    random = Random(seed)
    heads = [(number, version_of(find(number)), possible(number), find(number).points) for number in numbers]
    for k in range(students):
        able = random.random()
        for at, (number, version, outcomes, points) in enumerate(heads):
            begin = {"schema": SCHEMA, "student": f"student {k:05}", "exercise": number, "version": version}
            begin |= {"submission_sha256": f"{random.getrandbits(256):064x}", "seed": f"{random.getrandbits(256):064x}", "tier": "landlock"}
            if random.random() < ungraded:
                failed = [{"message": "CheckerFailed: the process of tier landlock did not start"}]
                yield begin | {"state": UNGRADED, "score": None, "max_score": points, "findings": failed}
            else:
                yield begin | outcomes[drawn(random, able, at / len(heads), len(outcomes))]


def drawn(random, able, late, outcomes) -> int:
    """Return the number of an outcome, see `possible`."""
    if random.random() < 0.3 + 0.9 * able - 0.6 * late:
        return 0
    if random.random() < 0.5 * late:
        return 1
    return random.choices(range(2, outcomes), [3, 1, 2, 1, *(24 / (k + 1) ** 2 for k in range(outcomes - 6))])[0]
