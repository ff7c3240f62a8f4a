"""Which program lays a drawing out, and what happens where there is none.

In order: the one that the environment variable GRADSTEPS_DOT names; graphviz-pure, which comes with this project; `dot`
on the PATH; else the DOT text, with a message that says what to install. Nothing here knows what is drawn.
"""

import os
import shutil
import sys
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path

import graphviz
from graphviz.backend import dot_command

from viz.document import open_in_browser
from viz.files import write_file

VARIABLE, PURE = "GRADSTEPS_DOT", "graphviz-pure"
DEFAULT = dot_command.DOT_BINARY  # anything else in its place was set by the user, or by `use_engine`


class NoEngine(graphviz.ExecutableNotFound):
    """There is no program to lay a drawing out with."""

    _msg = (
        "no layout engine runs as {!r}: run `pip install graphviz-pure` (or install Graphviz, so that `dot` is on the PATH), "
        f"or name a program in {VARIABLE}; until then there is the DOT text: draw(z).source"
    )


class EngineFailed(NoEngine, graphviz.CalledProcessError):
    """The program that is to lay a drawing out does not do it."""

    def __init__(self, why, returncode=0, stderr=b""):
        graphviz.CalledProcessError.__init__(self, returncode, [str(dot_command.DOT_BINARY)], stderr=stderr)
        said = next(iter(stderr.decode(errors="replace").split("\n")), "").strip()
        self.why = f"the layout engine {self.cmd[0]!r} {why}" + (f": {said}" if said else "")

    def __str__(self):
        return f"{self.why}; name another program in {VARIABLE}, or leave it empty for {PURE}"


class Drawing(graphviz.Digraph):
    """A graphviz.Digraph that is laid out by whatever engine there is, silently about letters such as ∂ and ₁."""

    def pipe(self, format=None, *, engine=None, encoding=None, quiet=True, **options):
        """The drawing in `format` ("svg" unless told, "png", ...), as bytes; as text with encoding="utf-8".

        Raises NoEngine if there is no layout engine, and EngineFailed, a NoEngine too, if it ends in an error or writes nothing.
        """
        with engine_errors():
            found = graphviz.pipe(engine or self.engine, format or self.format, self.source.encode(self.encoding), quiet=quiet, **options)
        if not found.strip():
            raise EngineFailed("wrote nothing")
        return found.decode(encoding) if encoding else found

    @property
    def svg(self) -> str:
        """The drawing as an <svg> element, for pages."""
        text = self.pipe("svg", encoding="utf-8")
        if "<svg" not in text:
            raise EngineFailed("wrote no SVG")
        return text[text.index("<svg") :]

    def save(self, filename=None, *, directory=None, skip_existing=False):
        """Write the drawing to a file and return its path: a picture if its name ends in .svg or .png, else its DOT text."""
        path = Path(directory or self.directory or "", filename or self.filename)
        if path.suffix not in (".svg", ".png"):
            self.filename, self.directory = filename or self.filename, directory or self.directory
            if not (skip_existing and path.exists()):
                path.parent.mkdir(parents=True, exist_ok=True)
                write_file(path, self.source)
            return self.filepath
        return write_file(path, self.pipe(path.suffix[1:]))

    def open(self) -> str:
        """Write the drawing to a temporary file, show it in the browser, and return the path."""
        return open_in_browser(self, ".svg")

    def render(self, filename=None, *, quiet=True, **options):
        """Save the DOT text and lay it out beside it; the path of the picture. NoEngine leaves the DOT text there."""
        with engine_errors():
            path = super().render(filename, quiet=quiet, **options)
        if not Path(path).exists() or not Path(path).stat().st_size:
            raise EngineFailed("wrote nothing")
        return path

    def _repr_mimebundle_(self, include=None, exclude=None, **options):
        try:
            return super()._repr_mimebundle_(include, exclude, **options)
        except NoEngine as none:
            return {"text/plain": f"{none}\n\n{self.source}"}

    def _repr_svg_(self):
        """The drawing as SVG text; None where there is no engine."""
        return self._repr_mimebundle_().get("image/svg+xml")


@contextmanager
def engine_errors():
    """In this block graphviz takes the engine of our choice, and what goes wrong with it is a NoEngine."""
    use_engine()
    try:
        yield
    except graphviz.ExecutableNotFound as none:
        raise NoEngine([str(dot_command.DOT_BINARY)]) from none
    except graphviz.CalledProcessError as wrong:
        raise EngineFailed(f"failed (exit code {wrong.returncode})", wrong.returncode, wrong.stderr or b"") from None
    except OSError as wrong:
        if wrong.filename is None or str(wrong.filename) == str(dot_command.DOT_BINARY):
            raise EngineFailed(f"does not run ({wrong.strerror})") from None
        raise


def use_engine():
    """Let graphviz's `dot` be the engine of our choice, unless the user has already set it to something else."""
    global ours
    if dot_command.DOT_BINARY in (DEFAULT, ours):
        ours = dot_command.DOT_BINARY = find_engine() or DEFAULT


ours = DEFAULT


def find_engine():
    """The path of the layout engine, or None."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(shutil.which(named) or named)
    found = installed_pure() or shutil.which(PURE) or shutil.which("dot")
    return Path(found) if found else None


def installed_pure():
    """graphviz-pure's program, also where the PATH does not lead to it."""
    beside = shutil.which(PURE, path=os.path.dirname(sys.executable)) if sys.executable else None
    if beside:
        return beside
    try:
        files = metadata.files(PURE) or ()
    except metadata.PackageNotFoundError:
        return None
    programs = (file.locate() for file in files if file.stem == PURE)
    return next((program for program in programs if os.access(program, os.X_OK)), None)
