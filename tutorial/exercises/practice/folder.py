"""A student's folder: a program for each exercise, which begins with the statement and is read as Python reads it, and the progress."""

import codecs
import io
import os
import re
import stat
import textwrap
import tokenize
from itertools import count
from pathlib import Path

from tutorial.exercises.authored import Exercise, exercises, files, find
from tutorial.exercises.practice.notebook_programs import programs_in, taken
from tutorial.exercises.practice.progress import STATE, Progress, digest

MOST_BYTES, MOST_LETTERS = 1_000_000, 100_000  # of a file, which may be a notebook with pictures; of the program in it
NOTEBOOK = ".ipynb"
WIDTH = 78
DISPLAYED = re.compile(r"\s*\$\$(.+?)\$\$\s*", re.S)  # a formula on lines of its own
LIST_ITEM = re.compile(r"^(?=(?:\d+\.|[-*]) )", re.M)  # where an item begins


class NoFolder(ValueError):
    """The folder or the program is not there, or not what it should be. The message is one line that says what to do."""


class Folder:
    """A student's folder. `numbers` are those of all exercises."""

    def __init__(self, path):
        self.path = Path(path)
        self.progress, self.numbers = Progress(self.path / STATE), sorted(files())

    @classmethod
    def around(cls, path) -> "Folder":
        """Return the folder that holds `path`. Raises NoFolder."""
        for folder in (path := Path(path).resolve(), *path.parents):
            if (folder / STATE).is_file():
                return cls(folder)
        raise NoFolder(f"there are no exercises in {path}; run: python -m tutorial exercises init DIR, then: cd DIR")

    @classmethod
    def create(cls, path) -> "Folder":
        """Return a folder with all exercises. Programs that are there stay as they are. Raises OSError."""
        from viz.whole_files import write_file

        Path(path).mkdir(parents=True, exist_ok=True)
        folder = cls(path)
        for exercise in exercises():
            if not folder.file(exercise).exists():
                write_file(folder.file(exercise), folder.given(exercise))
        folder.progress.save()
        return folder

    def file(self, exercise: Exercise) -> Path:
        """Return the path of the program of an exercise: a Python file, or a notebook if there is only this."""
        path = self.path / f"{exercise.number}_{Path(exercise.path).stem.partition('_')[2]}.py"
        notebook = path.with_suffix(NOTEBOOK)
        return notebook if os.path.exists(notebook) and not os.path.lexists(path) else path

    def program(self, exercise: Exercise) -> str:
        """Return the student's program; of a notebook, what its cells define.

        Raises NoFolder if there is none, if it is not a file of a reasonable size, or not text, or not a notebook.
        """
        path = self.file(exercise)
        try:
            about = path.lstat()
        except FileNotFoundError:
            raise NoFolder(f"there is no {path.name}; run: python -m tutorial exercises reset {exercise.number}") from None
        if not stat.S_ISREG(about.st_mode):
            raise NoFolder(f"{path.name} is not a file")
        if about.st_size > MOST_BYTES:
            raise NoFolder(f"{path.name} has {about.st_size:,} bytes; the most is {MOST_BYTES:,}")
        try:
            text = decoded(path.read_bytes())
        except ValueError as wrong:
            raise NoFolder(f"{path.name} {wrong}") from None
        program = program_in(path.name, text, exercise) if path.suffix == NOTEBOOK else text
        if len(program) > MOST_LETTERS:
            raise NoFolder(f"the program in {path.name} has {len(program):,} characters; the most is {MOST_LETTERS:,}")
        return program

    def given(self, exercise: Exercise) -> str:
        """Return the text of a new file, and note its hash: another version may give another text."""
        text = program_to_write(exercise)
        self.progress.given[exercise.number] = digest(text)
        return text

    def begun(self, exercise: Exercise) -> bool:
        """Return whether a program is the student's own: neither what is given nor what was given. One that cannot be read is."""
        path = self.file(exercise)
        if not path.exists():
            return False
        try:
            text = self.program(exercise)
        except NoFolder:
            return True
        if path.suffix == NOTEBOOK:
            return text != taken([exercise.given], exercise.frame)
        return not self.was_given(exercise, text) and text != self.given(exercise)

    def was_given(self, exercise: Exercise, text) -> bool:
        """Return whether a text is what this version, or an earlier one, wrote into the file."""
        return self.progress.given.get(exercise.number) == digest(text)

    def outdated(self, exercise: Exercise, text) -> bool:
        """Return whether a text is what an earlier version wrote into the file, and this version would write another one."""
        return self.was_given(exercise, text) and text != program_to_write(exercise)

    def reset(self, exercise: Exercise) -> Path | None:
        """Write the given program again. Return the file in which the student's own program now is, or None if there was none."""
        from viz.whole_files import write_file

        path, kept = self.file(exercise), None
        if self.begun(exercise):
            kept = unused(path.with_suffix(f".before-reset{path.suffix}"))
            path.replace(kept)
        path.unlink(missing_ok=True)
        write_file(path.with_suffix(".py"), self.given(exercise))
        self.progress.save()
        return kept

    def find(self, text) -> Exercise:
        """Return the exercise of a number such as 8 or 08, or of the name of its file. Raises NoFolder."""
        number = re.match(r"\d+", Path(text).name)
        for known in self.numbers:
            if number and int(number[0]) == int(known):
                return find(known)
        raise NoFolder(f"there is no exercise {text!r}; `python -m tutorial exercises list` lists them")


def unused(path: Path) -> Path:
    """Return a path where no file is: this one, or one with a number."""
    names = (path.with_name(f"{path.stem}-{k}{path.suffix}" if k > 1 else path.name) for k in count(1))
    return next(name for name in names if not name.exists())


def program_in(name, text, exercise: Exercise) -> str:
    """Return the program that a notebook holds for an exercise; "" if it has none. Raises NoFolder if it is damaged."""
    try:
        return programs_in(text, [exercise]).get(exercise.number, "")
    except ValueError as wrong:
        raise NoFolder(f"{name} cannot be read: {wrong}; save it again with Jupyter") from None


def program_to_write(exercise: Exercise) -> str:
    """Return the text of a student's file: the statement as comments, then the given program."""
    from tutorial.exercises.checking.markdown import heading

    lines = [f"{exercise.number}. {exercise.title}", heading(exercise), "", *statement(exercise)]
    return "\n".join(f"# {line}".rstrip() for line in lines) + f"\n\n\n{exercise.given}"


def statement(exercise: Exercise) -> list[str]:
    """Return the statement as lines of plain text.

    >>> from tutorial.exercises.authored import find
    >>> statement(find("02"))[0]
    'Figure 1 of the tutorial has four inputs and three functions: y₁ = x₁ + x₂ +'
    """
    from tutorial.text.inline import link_text, replaced
    from tutorial.text.plain_formulas import plain_formula

    displayed = DISPLAYED.sub(lambda found: f"\n\n    {plain_formula(found[1])}\n\n", exercise.statement)
    text = re.sub(r"\n{3,}", "\n\n", replaced(displayed, link_text, tex=plain_formula))
    lines: list[str] = []
    for paragraph in text.split("\n\n"):
        lines += [*(paragraph.splitlines() if paragraph.startswith(("```", "    ", "|")) else folded(paragraph)), ""]
    return lines[:-1]


def folded(paragraph):
    """Return the lines of a paragraph, or of a list, whose items begin in a line of their own and go on below their text.

    >>> folded("1. one\\n   and more\\n2. two")
    ['1. one and more', '2. two']
    """
    lines = []
    for item in filter(None, LIST_ITEM.split(paragraph)):
        indent = " " * (item.index(" ") + 1) if LIST_ITEM.match(item) else ""
        lines += textwrap.wrap(" ".join(item.split()), WIDTH - 2, subsequent_indent=indent)
    return lines


UTF8 = ("utf-8", "utf-8-sig")
OF_BYTES = re.compile(r"ascii|iso8859-\d+|cp\d+|mac-\w+|koi8-\w|euc_\w+|shift_jis\w*|gb\w+|big5\w*")  # others are slow to read, or no text
COOKIE = re.compile(r"(coding[:=][ \t]*)[-\w.]+")


def decoded(content: bytes) -> str:
    """Return the text of a program. A comment that names another encoding names UTF-8 in it, so that the text can be written again.

    Raises ValueError if the bytes are not text in this encoding, or if it is none of the usual ones. The message says what the file is.

    >>> decoded("# coding: latin-1\\nname = 'Zoë'".encode("latin-1"))
    "# coding: utf-8\\nname = 'Zoë'"
    """
    named = "utf-8"
    try:
        named = tokenize.detect_encoding(io.BytesIO(content).readline)[0]
        encoding = codecs.lookup(named).name
        if encoding in UTF8:
            return universal(content.decode("utf-8-sig"))
        if OF_BYTES.fullmatch(encoding):
            return COOKIE.sub(r"\1utf-8", universal(content.decode(encoding)), count=1)
    except UnicodeDecodeError:
        raise ValueError(f"is not text in {named.upper()}; save it as UTF-8") from None
    except SyntaxError as wrong:
        unknown = str(wrong).startswith("unknown encoding")
        raise ValueError(
            f"{'names an encoding that Python does not know' if unknown else 'is not text in UTF-8'}; save it as UTF-8"
        ) from None
    raise ValueError(f"has the encoding {named[:40]}; save it as UTF-8")


def universal(text):
    """Return a text whose lines end as Python's do."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
