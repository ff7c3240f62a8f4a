"""Check an answer to an exercise: the learner's program, with its frame, is an engine, which runs beside the right one."""

from tutorial.broken_engine.compare import Comparison, compare
from tutorial.exercises.authored import Exercise


def check(exercise: Exercise, program: str) -> Comparison:
    """Return the comparison of a learner's program with the right engine. What the program raises while it is read is raised here.

    >>> from tutorial.exercises.authored import find
    >>> print(check(find("08"), find("08").given).said.title)
    The engine overwrites instead of adding
    >>> check(find("08"), find("08").solution).found is None
    True
    """
    namespace = {"__name__": "exercise"}
    exec(compile(exercise.whole(program), f"{exercise.number}.py", "exec"), namespace)
    return compare(namespace)
