"""Choose the program that lays a drawing out, and say what to do if there is no such program. Knows nothing of what is drawn.

The choice is, in this order: the function given to `lay_out_with`; the program in the environment variable GRADSTEPS_DOT;
graphviz-pure, which comes with this project; `dot` on the PATH. Without any, a drawing is its DOT text, with a message that says
what to install.
"""

import os
import shutil
import sys
from collections.abc import Sequence
from contextlib import contextmanager
from pathlib import Path

import graphviz
from graphviz.backend import dot_command

from viz.document import open_in_browser
from viz.drawing.svg.both_themes import styled
from viz.drawing.svg.rewritten_svg import shorter, with_widths
from viz.whole_files import write_file

VARIABLE, PURE = "GRADSTEPS_DOT", "graphviz-pure"
DEFAULT = dot_command.DOT_BINARY  # any other value was set by the user, or by `use_engine`


class NoEngine(graphviz.ExecutableNotFound):
    """There is no program that lays out drawings."""

    _msg = (
        "no layout engine runs as {!r}: run `pip install graphviz-pure` (or install Graphviz, so that `dot` is on the PATH), "
        f"or name a program in {VARIABLE}; until then draw(z).source gives the DOT text"
    )


class EngineFailed(NoEngine, graphviz.CalledProcessError):
    """The program that lays out drawings failed."""

    def __init__(self, why, returncode=0, stderr=b""):
        graphviz.CalledProcessError.__init__(self, returncode, [str(dot_command.DOT_BINARY)], stderr=stderr)
        said = next(iter(stderr.decode(errors="replace").split("\n")), "").strip()
        self.why = f"the layout engine {self.cmd[0]!r} {why}" + (f": {said}" if said else "")

    def __str__(self):
        return f"{self.why}; name another program in {VARIABLE}, or leave it empty for {PURE}"


class Drawing(graphviz.Digraph):
    """A graphviz.Digraph that uses the engine of our choice. The engine does not warn about letters such as ∂ and ₁."""

    way: tuple = ()  # the direction in which it runs, and whether its labels have several lines
    dark_colours: dict = {}  # {colour: that for readers who prefer dark}
    sentences: Sequence[str] = ()  # what the drawing shows, for readers who cannot see it

    def pipe(self, format=None, *, engine=None, encoding=None, quiet=True, **options):
        """Return the drawing in `format` ("svg" by default, "png", ...) as bytes, or as text with encoding="utf-8".

        Raises NoEngine if there is no layout engine, and its subclass EngineFailed if the engine fails or writes nothing.
        """
        format = format or self.format
        if function:
            found = function(self.source, format).encode()
        else:
            with engine_errors():
                found = graphviz.pipe(engine or self.engine, format, self.source.encode(self.encoding), quiet=quiet, **options)
        if not found.strip():
            raise EngineFailed("wrote nothing")
        if format == "svg":
            found = self.finished(found.decode()).encode()
        return found.decode(encoding) if encoding else found

    def finished(self, svg):
        """Return the SVG that the engine has written with the width of each text, and with colours for readers who prefer dark."""
        return with_widths(styled(shorter(svg), self.dark_colours))

    @property
    def svg(self) -> str:
        """The drawing as an <svg> element, for pages. Raises NoEngine as `pipe` does."""
        text = self.pipe("svg", encoding="utf-8")
        if "<svg" not in text:
            raise EngineFailed("wrote no SVG")
        return text[text.index("<svg") :]

    def save(self, filename=None, *, directory=None, skip_existing=False):
        """Write the drawing to a file and return its path. A name in .svg or .png selects a picture, any other name the DOT text."""
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
        """Save the DOT text, write the picture beside it, and return the path of the picture. After NoEngine the DOT text stays."""
        if function:
            return write_file(f"{self.save(filename)}.{self.format}", self.pipe())
        with engine_errors():
            path = super().render(filename, quiet=quiet, **options)
        if not Path(path).exists() or not Path(path).stat().st_size:
            raise EngineFailed("wrote nothing")
        if Path(path).suffix == ".svg":
            write_file(path, self.finished(Path(path).read_text(encoding="utf-8")))
        return path

    def _repr_mimebundle_(self, include=None, exclude=None, **options):
        try:
            return super()._repr_mimebundle_(include, exclude, **options)
        except NoEngine as none:
            return {"text/plain": f"{none}\n\n{self.source}"}

    def _repr_svg_(self):
        """Return the drawing as SVG text, or None without an engine."""
        return self._repr_mimebundle_().get("image/svg+xml")


function = None  # (DOT text, format) -> text


def lay_out_with(engine):
    """Let the function engine(source, format) lay out all drawings, where no program can run: in a browser. None takes that back.

    `source` is DOT text, `format` "svg" or "png". The function returns the drawing in this format as text.

    >>> from scalargrad import Value
    >>> from viz import draw
    >>> lay_out_with(lambda source, format: f"<svg>{len(source.splitlines())} lines</svg>")
    >>> draw(Value(2, name="x") * 3).svg.endswith("lines</svg>")
    True
    >>> lay_out_with(None)
    """
    global function
    function = engine


@contextmanager
def engine_errors():
    """In this block graphviz uses the engine of our choice, and its errors are NoEngine."""
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
    """Set graphviz's `dot` to the engine of our choice, unless the user has set it."""
    global ours
    if dot_command.DOT_BINARY in (DEFAULT, ours):
        ours = dot_command.DOT_BINARY = find_engine() or DEFAULT


ours = DEFAULT


def find_engine():
    """Return the path of the layout engine, or None."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(shutil.which(named) or named)
    found = installed_pure() or shutil.which(PURE) or shutil.which("dot")
    return Path(found) if found else None


def installed_pure():
    """Return the path of graphviz-pure, even if it is not on the PATH; None if it is not installed."""
    beside = shutil.which(PURE, path=os.path.dirname(sys.executable)) if sys.executable else None
    if beside:
        return beside
    from importlib import metadata  # which takes a tenth of the time in which the command line starts

    try:
        files = metadata.files(PURE) or ()
    except metadata.PackageNotFoundError:
        return None
    programs = (file.locate() for file in files if file.stem == PURE)
    return next((program for program in programs if os.access(program, os.X_OK)), None)
