"""Commands of a page that run when the book is built, one after the other in a folder of the page, with what they print.

```{terminal}
$ python -m tutorial exercises init my-exercises
$ cd my-exercises
```

```{answer} 02 only-y2
```

The second writes an answer into the folder, a known wrong one or the `solution`, and shows the lines that are new in it.

```{keep} class.html The report of this class
```

The third puts a file that a command has written beside the pages, and links to it.
"""

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from difflib import ndiff
from html import escape
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

from tutorial.classroom.grading.isolation.tiers import CONFINED
from tutorial.classroom.grading.working_tiers import strongest
from tutorial.exercises.authored import find
from tutorial.exercises.practice.folder import Folder, program_to_write
from viz.whole_files import write_file

PROMPT = "$ "
PROGRAM = ["python", "-m", "tutorial"]
SOLUTION = "solution"
WRONG = 1  # the exit code of a check that found something, and is right so
SECONDS = 120
COLUMNS = "80"
KEPT = "examples"  # the folder of the site for files that commands have written
STARTED = "terminal"  # in what Sphinx keeps while it reads one page: its Terminal


class Terminal:
    """A folder in which commands run: `here` is where the last `cd` has led."""

    def __init__(self):
        self.root = Path(tempfile.mkdtemp(prefix="gradsteps-"))
        self.here = self.root

    def shown(self, line) -> list[str]:
        """Run `$ command`, or `$ command <<< text`, which types a text when the command asks. Return the lines that one then sees."""
        command, _, typed = line.partition(" <<< ")
        printed = self.run(command.removeprefix(PROMPT), typed).splitlines()
        return [command, *printed[:1], typed, *printed[1:]] if typed else [command, *printed]

    def run(self, line, typed="") -> str:
        """Run a command and return what it prints. Raises ValueError if it fails."""
        words = shlex.split(line)
        if words[0] == "cd":
            self.here = (self.here / words[1]).resolve(strict=True)
            return ""
        if words[:3] == PROGRAM:
            words[0] = sys.executable
        elif words[0] != "ls":
            raise ValueError(f"{words[0]} cannot run here; {' '.join(PROGRAM)}, ls and cd can")
        environment = os.environ | {"COLUMNS": COLUMNS, "NO_COLOR": "1", "PYTHONUTF8": "1"}
        done = subprocess.run(
            words,
            cwd=self.here,
            env=environment,
            input=f"{typed}\n",
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=SECONDS,
        )
        if done.returncode > WRONG:
            raise ValueError(f"{line} failed with exit code {done.returncode}: {done.stdout}")
        return done.stdout

    def write(self, number, name) -> tuple[str, str]:
        """Write an answer of an exercise into the folder, and return the name of its file and the lines that it changes."""
        exercise, folder = find(number), Folder(self.here)
        program = exercise.solution if name == SOLUTION else exercise.wrong[name].program
        path = folder.file(exercise)
        before = path.read_text(encoding="utf-8")
        after = program_to_write(exercise).removesuffix(exercise.given) + program
        write_file(path, after)
        return path.name, "\n".join(line[2:] for line in ndiff(before.splitlines(), after.splitlines()) if line.startswith("+ "))

    def close(self):
        shutil.rmtree(self.root, ignore_errors=True)


def terminal_of(env) -> Terminal:
    return env.temp_data.setdefault(STARTED, Terminal())


class Commands(SphinxDirective):
    """```{terminal}, with a command in each line. With :grades:, the first one grades a class, on whatever machine the book is built."""

    has_content = True
    option_spec = {"grades": directives.flag}

    def run(self):
        shown = []
        if "grades" in self.options and strongest() not in CONFINED:
            self.content[0] += " --allow-weak"
        for line in self.content:
            if not line.startswith(PROMPT):
                raise self.error(f"a command begins with {PROMPT!r}: {line}")
            try:
                shown += terminal_of(self.env).shown(line)
            except (ValueError, OSError, subprocess.TimeoutExpired) as wrong:
                raise self.error(str(wrong)) from wrong
        text = "\n".join(shown)
        return [nodes.literal_block(text, text, language="console", classes=["terminal"])]


class Answer(SphinxDirective):
    """```{answer} number name: what the student writes."""

    required_arguments = 2

    def run(self):
        number, name = self.arguments
        self.env.note_dependency(find(number).path)
        file, text = terminal_of(self.env).write(number, name)
        return [
            nodes.paragraph("", "", nodes.Text("In "), nodes.literal(file, file), nodes.Text(":")),
            nodes.literal_block(text, text, language="python"),
        ]


class Keep(SphinxDirective):
    """```{keep} file title: a link to what a command has written."""

    required_arguments = 2
    final_argument_whitespace = True

    def run(self):
        file, title = self.arguments
        try:
            content = (terminal_of(self.env).here / file).read_bytes()
        except OSError as wrong:
            raise self.error(str(wrong)) from wrong
        folder = Path(self.env.app.outdir, KEPT)
        folder.mkdir(exist_ok=True)
        write_file(folder / file, content)
        up = "../" * self.env.docname.count("/")
        return [nodes.paragraph("", "", nodes.raw("", f'<a href="{up}{KEPT}/{file}">{escape(title)}</a>', format="html"))]


def add(app):
    """Let Sphinx read these, and remove the folder of a page when it has been read."""
    app.add_directive("terminal", Commands)
    app.add_directive("answer", Answer)
    app.add_directive("keep", Keep)
    app.connect("doctree-read", lambda app, tree: app.env.temp_data[STARTED].close() if STARTED in app.env.temp_data else None)
