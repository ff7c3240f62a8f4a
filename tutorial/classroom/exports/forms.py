"""All forms of results, and how one is written. A form is a file with a function `files`.

files(results, options) yields pairs (name, text): the name of a file in the folder, or "" if the form is one file, whose pieces follow each
other. It raises ValueError, one line, if the results cannot be written in this form.
"""

import importlib
import os
import shutil
import tempfile
from pathlib import Path
from typing import NamedTuple


class Form(NamedTuple):
    """A form: its file in this package, what it is, and whether it is a folder of files."""

    file: str
    about: str
    folder: bool = False

    def files(self, results, options):
        """Yield the pairs (name, text)."""
        return importlib.import_module(f"tutorial.classroom.exports.{self.file}").files(results, options)


FORMS = {
    "csv": Form("csv_gradebook", "a gradebook: points for each exercise, total, counts"),
    "canvas": Form("canvas", "Canvas's gradebook: the total as one assignment"),
    "junit": Form("junit", "JUnit XML: a suite per unit, a case per student, exercise"),
    "gradescope": Form("gradescope", "Gradescope: a folder with a results.json per student", folder=True),
    "classroom50": Form("classroom50", "Classroom 50's result.json of one student"),
}


class Options(NamedTuple):
    """What a form may need: the roster, {student: {column: text}}, and the name of the assignment."""

    roster: dict | None = None
    assignment: str = "Exercises"


def text(form, results, options: Options = Options()) -> str:  # noqa: B008  # a named tuple does not change
    """Return the text of a form that is one file. Raises ValueError."""
    return "".join(piece for _, piece in FORMS[form].files(results, options))


def write(form, results, output, options: Options = Options()) -> str:  # noqa: B008
    """Write a form to a file, or to a new folder, as a whole or not at all. Return the path. Raises ValueError or OSError."""
    from viz.whole_files import write_file

    found = FORMS[form].files(results, options)
    if FORMS[form].folder:
        return write_folder(found, Path(output))
    return write_file(output, (piece for _, piece in found))


def write_folder(files, folder: Path) -> str:
    """Write files into a folder that does not exist or is empty. It appears with all of them."""
    from viz.whole_files import write_file

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ValueError(f"{folder} is not an empty folder; name a new one")
    made = Path(tempfile.mkdtemp(prefix=".", dir=folder.absolute().parent))
    try:
        for name, content in files:
            (made / name).parent.mkdir(parents=True, exist_ok=True)
            write_file(made / name, content)
        made.chmod(0o755)
        if folder.exists():
            folder.rmdir()
        os.rename(made, folder)
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return str(folder)
