"""Take from an exercise the functions that judge an answer, with all that they use, and without its solution."""

import ast

from tutorial.exercises.authored import Exercise, parts
from tutorial.exercises.check_part import HOOKS

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
    """Return the names that a statement of a module defines."""
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
