"""Read the recording of an exercise: a check with it gives the same verdicts as one with the solution, for the seeds that it holds."""

from functools import cached_property

from tutorial.classroom.grading import codec
from tutorial.exercises.answers import Answer
from tutorial.exercises.authored import Exercise
from tutorial.exercises.check_part import checks
from tutorial.exercises.checking.check import Asked
from tutorial.exercises.probes.probe import Probe

SCHEMA = "tutorial/classroom/recording/v1"
SEEDS = (0, 1, 2)


def asked(exercise: Exercise, seed: object = 0) -> Asked:
    """Return the probes and the right answers of an exercise, from its recording if it is one. Raises KeyError for another seed.

    >>> from tutorial.exercises.authored import find, read_recording
    >>> from tutorial.classroom.recording.write import recording
    >>> found = asked(read_recording(recording(find("02"))), 1)
    >>> found.check("def figure1(x1, x2, x3, x4): return {}").title
    'y1 is missing'
    """
    return Recorded(exercise, seed) if exercise.recorded else Asked(exercise, seed)


class Recorded(Asked):
    """The probes of a recorded exercise for one seed, and the right answers."""

    def __init__(self, exercise: Exercise, seed: object):
        self.exercise, self.checks = exercise, checks(exercise)
        self.lines = exercise.text.splitlines()[1:]
        self.at = self.line_of(seed)
        _, probes, right = codec.loads(self.lines[self.at].encode())
        self.probes, self.right = [Probe(*probe) for probe in probes], [Answer(*answer) for answer in right]

    def line_of(self, seed):
        begin = codec.dumps((seed,)).decode().removesuffix("]}") + ","
        for k, line in enumerate(self.lines[::2]):
            if line.startswith(begin):
                return 2 * k
        raise KeyError(f"the recording of exercise {self.exercise.number} has no seed {seed}")

    @cached_property
    def known(self):
        """What each known wrong answer gives."""
        _, found = codec.loads(self.lines[self.at + 1].encode())
        return {name: [Answer(*answer) for answer in answers] for name, answers in found.items()}
