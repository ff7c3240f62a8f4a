"""Record an exercise: its texts, and for some seeds its probes, the right answers and what each known wrong answer gives.

A recording is a file of lines. The first is JSON: the texts, and the functions that judge an answer if the exercise has any. Two lines for
each seed are plain values, as the codec of grading writes them: the probes with the right answers, then the wrong answers. No line of
the solution or of a wrong answer is in it.
"""

import ast
import json

from tutorial.classroom.grading import codec
from tutorial.classroom.recording.read import SCHEMA, SEEDS
from tutorial.exercises.answers import NOT_PLAIN, Answer
from tutorial.exercises.authored import Exercise, parts
from tutorial.exercises.check_part import CONSTANTS, HOOKS, SCENE, checks
from tutorial.exercises.checking.check import Asked
from tutorial.exercises.checking.page import plain_scene
from tutorial.exercises.probes.probe import Probe

TEXTS = ("number", "title", "statement", "meta", "given", "frame", "reads")


def recording(exercise: Exercise, seeds=SEEDS, ask=Asked) -> str:
    """Return the text of the recording of an exercise; ask(exercise, seed) computes what it holds.

    >>> from tutorial.exercises.authored import find
    >>> text = recording(find("02"))
    >>> len(text.splitlines()), "x1 + 2 * x4" in text
    (7, False)
    """
    lines = [json.dumps(texts_of(exercise), ensure_ascii=False)]
    for seed in seeds:
        asked = ask(exercise, seed)
        probes = [tuple(plain_probe(probe, asked.checks.scene)) for probe in asked.probes]
        lines.append(line(seed, probes, list(map(value_of, asked.right))))
        lines.append(line(seed, {name: list(map(value_of, answers)) for name, answers in asked.known.items()}))
    return "\n".join(lines) + "\n"


def line(*values) -> str:
    return codec.dumps(values).decode("ascii")


def texts_of(exercise: Exercise) -> dict:
    """Return what the first line of a recording holds."""
    found = checks(exercise)
    return {
        "schema": SCHEMA,
        "exercise": {name: getattr(exercise, name) for name in TEXTS},
        "wrong": {name: (wrong.id, wrong.digest) for name, wrong in exercise.wrong.items()},
        "checks": {name: getattr(found, name) for name in CONSTANTS},
        "judge": judge_code(exercise),
    }


def plain_probe(probe: Probe, scene) -> Probe:
    """Return a probe with the facts that are plain values, and with its scene as one of them."""
    z = scene(probe)  # it may write to the facts
    facts = {name: fact for name, fact in probe.facts.items() if is_plain(fact)}
    return probe._replace(facts=facts if z is None else facts | {SCENE: plain_scene(z)})


def value_of(answer: Answer) -> tuple:
    """Return an answer as plain values, as a worker sends it, without the number of its calls: imports change it."""
    if is_plain(answer.value):
        return tuple(answer._replace(calls=0))
    return tuple(Answer(error=f"{NOT_PLAIN}: a {type(answer.value).__name__} is not a plain value", changed=answer.changed))


def is_plain(value) -> bool:
    try:
        codec.dumps(value)
    except codec.NotPlain:
        return False
    return True


Named = ast.FunctionDef | ast.ClassDef


def judge_code(exercise: Exercise) -> str:
    """Return a program that defines the functions of HOOKS which an exercise has, and what they need; "" if it has none.

    They are taken from the given program, the frame and the CHECK part.

    >>> from tutorial.exercises.authored import find
    >>> judge_code(find("08"))
    ''
    >>> "def judge(got, probe):" in judge_code(find("07"))
    True
    """
    statements = ast.parse("\n".join((exercise.given, exercise.frame, parts(exercise.text).check))).body
    made_by = {name: statement for statement in statements for name in names_made(statement)}
    needed, to_do = [], [name for name in HOOKS if name in made_by]
    while to_do:
        statement = made_by[to_do.pop()]
        if statement not in needed:
            needed.append(statement)
            to_do += [name for name in names_used(statement) if name in made_by]
    return "\n\n\n".join(ast.unparse(statement) for statement in statements if statement in needed)


def names_made(statement) -> list[str]:
    if isinstance(statement, Named):
        return [statement.name]
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return [(alias.asname or alias.name).partition(".")[0] for alias in statement.names]
    return [node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]


def names_used(statement) -> set[str]:
    """Return the names of the module that a statement reads: not those of its own arguments and variables."""
    nodes = list(ast.walk(statement))
    names = [node for node in nodes if isinstance(node, ast.Name)]
    own = {node.arg for node in nodes if isinstance(node, ast.arg)} | {x.id for x in names if isinstance(x.ctx, ast.Store)}
    return {x.id for x in names if isinstance(x.ctx, ast.Load)} - own
