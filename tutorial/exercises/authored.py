"""Read the authored file of an exercise: its statement, the given program, the solution, the known wrong answers; choose exercises.

`# BEGIN SOLUTION` and `# END SOLUTION` stand around what is asked for. Below a line of it, `# ~ name Mxx: line` is what stands there in
a wrong answer of this name, whose misconception is Mxx. It may change several lines, and have several in the place of one, or, with
nothing behind the colon, none. Further parts stand below this program.
The line `# MUTANT name Mxx` opens, behind `#`, a wrong answer that takes the place of the whole solution, and `# MUTANT name Mxx: line` is
one of a single line; below its lines, too, may stand those of other wrong answers. `# FRAME` opens the code that wraps the learner's
program as a function of plain values, `# CHECK` the hints, the sentences of the wrong answers and the probes. A part ends where the next
one begins, and they stand in this order. The learner sees neither of the last two.

Other right programs stand in a file of the folder `others`, with `# ---` between them. A line of them may be marked with a wrong line,
too: one mistake gives other values in a program that computes in another way.

Students may get exercises without solutions: then there are no authored files, and their recordings are read.
"""

import ast
import json
import re
from functools import lru_cache
from importlib import resources
from typing import NamedTuple

from tutorial.exercises.same_program import digest

FILE = re.compile(r"e(\d\d)_(\w+)\.py")
RECORDING = re.compile(r"(\d\d)_(\w+)\.jsonl")
CATALOGUE, RECORDINGS = "catalogue", "recorded"  # the folders of the authored files and of recordings
OTHERS, NEXT = "others", "# ---\n"  # the folder of other right programs; what stands between two of them
WRONG_LINE = re.compile(r"(?P<indent> *)# ?~ (?P<name>[\w-]+) (?P<id>M\d{2,3}):(?: (?P<line>.+))?")
WRONG_ANSWER = re.compile(r"^# MUTANT ([\w-]+) (M\d{2,3})(?:: (.+))?$\n?", re.M)
FRAME, CHECK = "\n# FRAME\n", "\n# CHECK\n"
SOLUTION = re.compile(r"( *)# BEGIN SOLUTION\n(.*?) *# END SOLUTION\n", re.S)
NUMPY = re.compile(r"^ *(import|from) (numpy|tensorgrad)\b", re.M)
META = re.compile(r"^# meta: (.*)$", re.M)
KINDS = WRITE, REPAIR, BREAK, IMPOSTOR = ("write", "repair", "break", "impostor")
TO_WRITE = "raise NotImplementedError  # your code"


class WrongAnswer(NamedTuple):
    """A known wrong answer: its misconception, and the learner's program with it, of which a recording holds the digest alone."""

    id: str
    program: str
    recorded: str = ""

    @property
    def digest(self) -> str:
        """What `same_program` makes of the program: most processes that read exercises need none of the 1,600."""
        return self.recorded or digest(self.program)


class Parts(NamedTuple):
    """The parts of a file: the program with its marks, the wrong answers [(name, misconception, lines behind #)], and two programs."""

    program: str
    wrong: list
    frame: str
    check: str


class Exercise(NamedTuple):
    """An exercise. `given` is the program that the learner gets: one of `wrong`, {name: WrongAnswer}, or one to be completed.

    `meta` holds unit, minutes, difficulty, chapter, call, given, kind. `text` is the whole file. `reads` are the parameters that the
    functions of the solution read. A recorded exercise has only the given program: its solution and its wrong answers are empty.
    """

    number: str
    title: str
    statement: str
    meta: dict
    given: str
    solution: str
    wrong: dict
    frame: str
    text: str = ""
    path: str = ""
    reads: dict = {}

    @property
    def kind(self):
        """What the learner does: one of KINDS. "break" an engine: give what it is wrong on; "impostor": find the wrong ones of many."""
        return self.meta.get("kind") or (REPAIR if "given" in self.meta else WRITE)

    def __hash__(self):
        return hash((self.number, self.text))

    @property
    def recorded(self):
        """Whether this is a recording, which does not hold the solution."""
        return not self.solution

    @property
    def call(self):
        """The name of the function that is called with the arguments of the probes."""
        return self.meta.get("call", "")

    @property
    def points(self) -> int:
        """The points for a right answer: the difficulty, from 1 to 4. There are no partial points: a mistake costs them all."""
        return int(self.meta["difficulty"])

    @property
    def needs_numpy(self):
        """Whether the program or its check imports NumPy."""
        return bool(NUMPY.search(self.text))

    def whole(self, program):
        """Return a learner's program with what makes a function of plain values of it, which may use what the given program imports."""
        return "\n\n\n".join([program.rstrip(), *imports(self.given), self.frame]) if self.frame else program


def exercises() -> list[Exercise]:
    """Return all exercises, by their numbers, which are also the order of their units.

    >>> [e.number for e in exercises()][:2]
    ['00', '01']
    """
    return [read_file(number, file) for number, file in sorted(files().items())]


def find(number) -> Exercise:
    """Return the exercise with this number. Raises KeyError."""
    return read_file(number, files()[number])


def files():
    """Return {number: file} of all exercises: of the authored files, or of the recordings if there are none."""
    here = resources.files(__package__)
    return files_by_number(FILE, here.joinpath(CATALOGUE)) or files_by_number(RECORDING, here.joinpath(RECORDINGS))


def files_by_number(pattern, folder):
    """Return {number: file} of the files of a folder whose names fit."""
    return {name[1]: file for file in folder.iterdir() if (name := pattern.fullmatch(file.name))} if folder.is_dir() else {}


def read_file(number, file) -> Exercise:
    text = file.read_text(encoding="utf-8")
    return (read(number, text, marked_others(number)) if FILE.fullmatch(file.name) else read_recording(text))._replace(path=str(file))


def others(exercise: Exercise) -> list[str]:
    """Return other right programs: in another order, or in another style."""
    return [program(text) for text in marked_others(exercise.number)]


@lru_cache
def marked_others(number) -> tuple[str, ...]:
    """Return other right programs with the marks of their wrong lines."""
    file = resources.files(__package__).joinpath(CATALOGUE, OTHERS, f"e{number}.txt")
    return tuple(file.read_text(encoding="utf-8").split(NEXT)) if file.is_file() else ()


def read_recording(text) -> Exercise:
    """Return the exercise of a recording, which its first line describes."""
    first = json.loads(text.partition("\n")[0])
    wrong = {name: WrongAnswer(id, "", same) for name, (id, same) in first["wrong"].items()}
    return Exercise(**first["exercise"], solution="", wrong=wrong, text=text)


@lru_cache
def read(number, text, others=()) -> Exercise:
    """Return the exercise that a file holds, with the wrong lines of other programs.

    Raises ValueError if the file has no line `# meta: name=value name=value`.
    """
    title, _, statement = (ast.get_docstring(ast.parse(text)) or "").partition("\n")
    about = META.search(text)
    if about is None:
        raise ValueError(f"exercise {number} has no line # meta: unit=A minutes=5 chapter=NAME call=NAME")
    meta: dict = dict(part.split("=") for part in about[1].split())
    body, wrong, frame, _ = parts(text[about.end() :])
    whole = {name: SOLUTION.sub("", SOLUTION.sub(uncommented(lines), body, count=1)) for name, _, lines in wrong}
    answers = {name: WrongAnswer(id, program(whole[name])) for name, id, _ in wrong}
    for marked in (*whole.values(), body, *others):
        for found in filter(None, map(WRONG_LINE.fullmatch, marked.splitlines())):
            answers[found["name"]] = WrongAnswer(found["id"], program(with_wrong_lines(marked, found["name"])))
    given = answers[meta["given"]].program if "given" in meta else program(SOLUTION.sub(rf"\1{TO_WRITE}\n", body))
    solution = program(body)
    return Exercise(number, title, statement.strip(), meta, given, solution, answers, frame, text, reads=reads(solution))


def parts(text) -> Parts:
    """Return the parts of what stands below the line `# meta` of a file."""
    text, _, check = text.partition(CHECK)
    text, _, frame = text.partition(FRAME)
    body, *wrong = WRONG_ANSWER.split(text)
    indent = found[1] if (found := SOLUTION.search(body)) else ""
    answers = [(name, id, f"# {indent}{line}" if line else lines) for name, id, line, lines in zip(*(wrong[k::4] for k in range(4)))]
    return Parts(f"{body.strip()}\n", answers, frame.strip("\n"), check)


def reads(solution) -> dict:
    """Return {function: the parameters that it reads}."""
    functions = [node for node in ast.walk(ast.parse(solution)) if isinstance(node, ast.FunctionDef)]
    read = lambda function: {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    return {f.name: [a.arg for a in f.args.args if a.arg in read(f)] for f in functions}


@lru_cache
def imports(program) -> list[str]:
    """Return the statements with which a program imports modules.

    >>> imports("import math\\n\\n\\ndef f(x):\\n    return math.exp(x)\\n")
    ['import math']
    """
    return [ast.unparse(node) for node in ast.parse(program).body if isinstance(node, ast.Import | ast.ImportFrom)]


def with_wrong_lines(body, name):
    """Return the text with the wrong lines of this name in place of the lines of the solution above them."""
    lines, instead = body.splitlines(), {}
    for at, found in enumerate(map(WRONG_LINE.fullmatch, lines)):
        if found and found["name"] == name:
            above = next(k for k in range(at - 1, -1, -1) if not WRONG_LINE.fullmatch(lines[k]))
            indent = re.match(" *", lines[above])[0]
            instead.setdefault(above, []).extend([indent + found["line"]] if found["line"] else [])
    return "\n".join(line for k, old in enumerate(lines) for line in instead.get(k, [old]))


def uncommented(lines):
    """Return what stands behind # in each line, for a substitution."""
    text = "\n".join(line[2:] for line in lines.splitlines()) + "\n"
    return lambda found: text


def program(text):
    """Return the learner's program: the text without the marks and the wrong lines."""
    lines = SOLUTION.sub(lambda found: found[2], text + "\n").splitlines()
    return "\n".join(line for line in lines if not WRONG_LINE.fullmatch(line)).strip("\n") + "\n"


def chosen(words) -> list[Exercise]:
    """Return the exercises that words name, by their numbers; all of them without words. Raises ValueError, also without solutions.

    >>> [e.number for e in chosen(["A", "8"])][:6]
    ['00', '01', '02', '03', '04', '08']
    """
    known, words = exercises(), list(words)
    if known[0].recorded:
        raise ValueError("this is the version for students, which has no solutions; use the one for teachers")
    if wrong := [word for word in words if not any(is_named(e, word) for e in known)]:
        units = ", ".join(sorted({e.meta["unit"] for e in known}))
        raise ValueError(
            f"there is no exercise or unit {wrong[0]!r}; there are exercises {known[0].number} to {known[-1].number}, units {units}"
        )
    return [e for e in known if not words or any(is_named(e, word) for word in words)]


def is_named(exercise, word):
    """Return whether a word is the number of an exercise, such as 8 or 08, or its unit."""
    return word.upper() == exercise.meta["unit"] or word.isdecimal() and int(word) == int(exercise.number)
