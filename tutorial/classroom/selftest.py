"""Test an exercise by itself: right programs are right, each wrong answer is wrong and gets its own name, and nothing is given away."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from tutorial.exercises.answers import Answer
from tutorial.exercises.authored import META, SOLUTION, WRONG_LINE, Exercise, others, parts
from tutorial.exercises.check_part import checks
from tutorial.exercises.checking.check import Ask, Asked, started
from tutorial.exercises.checking.verdict import CRASHED, NOT_STARTED, RIGHT, WRONG
from tutorial.exercises.practice.folder import program_to_write
from tutorial.misconceptions import MISCONCEPTIONS

NEEDED = ("unit", "minutes", "difficulty", "chapter", "call")
MARKS = ("# ~", "#~", "# BEGIN", "# END", "# MUTANT", "# FRAME", "# CHECK")
SHORTEST = 12  # characters of a line that gives something away
BELOW = 20  # times as many calls as the solution needs are allowed
NO_ANSWERS = ("", "pass\n", "def f(:\n", "'", "import missing", "raise SystemExit", "x = \0")


def faults(exercise: Exercise, seeds: Iterable = (0,), asks: Mapping[str, Ask] | None = None) -> Iterator[str]:
    """Yield what is wrong with an exercise, a sentence each. `asks` are further ways to run its solution, {tier: ask}.

    >>> from tutorial.exercises.authored import find
    >>> exercise = find("02")
    >>> list(faults(exercise))
    []
    >>> next(faults(exercise._replace(given=exercise.solution)))
    'the given program holds the line ""x1": y1 + x1," of the solution'
    """
    form = [*faults_of_form(exercise), *faults_of_hints(exercise)]
    yield from form
    if form:
        return
    for k, seed in enumerate(seeds):
        asked = Asked(exercise, seed)
        if k == 0:
            yield from faults_of_programs(exercise, asked)
        yield from (f"{fault} (seed {seed})" for fault in faults_of_seed(exercise, asked, asks or {}))


# Before anything runs


def faults_of_form(exercise: Exercise) -> Iterator[str]:
    """Yield what is wrong with the parts of the file."""
    yield from (f"its line # meta: has no {name}" for name in NEEDED if not exercise.meta.get(name))
    if not exercise.statement:
        yield "it has no statement"
    programs = {"the solution": exercise.solution} | {f"the wrong answer {name}": wrong.program for name, wrong in exercise.wrong.items()}
    first: dict = {}
    for name, program in programs.items():
        if first.setdefault(program, name) != name:
            yield f"{name} is the same program as {first[program]}"
        yield from (f"{name} holds the mark {mark}" for mark in MARKS if mark in program)
    for name, wrong in exercise.wrong.items():
        if wrong.id not in MISCONCEPTIONS:
            yield f"the wrong answer {name} has the misconception {wrong.id}, which does not exist"
    said = checks(exercise).said
    yield from (f"SAID has no sentence for the wrong answer {name}" for name in exercise.wrong.keys() - said)
    yield from (f"there is no wrong answer {name}" for name in (said | checks(exercise).asked).keys() - exercise.wrong)


def faults_of_hints(exercise: Exercise) -> Iterator[str]:
    """Yield whether hints are missing, and which text that a student gets holds a line of the solution."""
    hints, given = checks(exercise).hints, program_to_write(exercise)
    if len(hints) != 3:
        yield f"it has {len(hints)} hints, not 3"
    for line in secret_lines(exercise):
        yield from (f'hint {k} holds the line "{line}" of the solution' for k, hint in enumerate(hints, 1) if line in hint)
        if line in lines_of(given):
            yield f'the given program holds the line "{line}" of the solution'
    if exercise.frame and exercise.frame in given:
        yield "the given program holds the frame"


def secret_lines(exercise: Exercise) -> list[str]:
    """Return the lines of the solution that stand nowhere else in what a student gets, but for the shortest."""
    solution = "\n".join(lines for _, lines in SOLUTION.findall(exercise.text))
    given = exercise.wrong[exercise.meta["given"]].program if "given" in exercise.meta else ""
    public = SOLUTION.sub("", parts(META.split(exercise.text)[-1]).program) + exercise.frame
    found = lines_of("\n".join(line for line in solution.splitlines() if not WRONG_LINE.fullmatch(line)))
    return sorted(found - lines_of(public) - lines_of(given))


def lines_of(text) -> set:
    """Return the lines of a program that say something, without their indents; those of its comments, too."""
    return {line for line in (line.strip("# ") for line in text.splitlines()) if len(line) > SHORTEST}


# The verdicts


def faults_of_programs(exercise: Exercise, asked: Asked) -> Iterator[str]:
    """Yield which right programs are refused, and which programs without an answer are accepted."""
    for k, program in enumerate(others(exercise), 1):
        if (found := asked.check(program)).state != RIGHT:
            yield f"the other right answer {k} is {found.state}: {found.said}"
    for program in NO_ANSWERS:
        if (state := asked.check(program).state) not in (NOT_STARTED, CRASHED):
            yield f"the program {program!r} is {state}"
    state = asked.check(exercise.given).state if started(exercise, exercise.given) else NOT_STARTED
    if state != (expected := WRONG if "given" in exercise.meta else NOT_STARTED):
        yield f"the given program is {state}, not {expected}"


def faults_of_seed(exercise: Exercise, asked: Asked, asks: Mapping[str, Ask]) -> Iterator[str]:
    """Yield which verdicts are wrong for the probes of one seed."""
    right = {"": asked.answers_of(exercise.solution)} | {tier: asked.answers_of(exercise.solution, ask) for tier, ask in asks.items()}
    for tier, answers in right.items():
        if (found := asked.verdict(answers, 0)).state != RIGHT:
            yield f"the solution is {found.state}{' at tier ' * bool(tier)}{tier}: {found.said}"
    for answer, probe in zip(right[""], asked.probes):
        if BELOW * answer.calls >= probe.calls:
            yield f"the solution takes {answer.calls:,} of {probe.calls:,} calls; that must be less than 1 of {BELOW}"
    for name, given in asked.known.items():
        yield from (f"the wrong answer {name} {fault}" for fault in faults_of_verdict(exercise, asked, name, given))


def faults_of_verdict(exercise: Exercise, asked: Asked, name, answers: Sequence[Answer]) -> Iterator[str]:
    """Yield what is wrong with the verdict on a known wrong answer. Its own sentence says, too, that no other gives the same values."""
    said = checks(exercise).said
    found = asked.verdict(answers, len(exercise.wrong[name].program.splitlines()))
    if found.state != WRONG or said.get(found.name) != said[name]:
        yield f"is {found.state} and gets the name {found.name}" if found.name else f"is {found.state} and gets no name"
        return
    if found.said == said[name] and not any(map(str.isdigit, found.said)):
        yield f"gets a sentence in which nothing of the input stands: {found.said}"
    if not found.title or not found.asked:
        yield "gets no heading or no question"
