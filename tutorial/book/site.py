"""Build the book's site with Sphinx. Every cell runs; a warning is an error."""

import json
import shutil
import subprocess
import sys
from importlib import resources
from importlib.util import find_spec
from pathlib import Path

from tutorial.book.chapter import chapters
from tutorial.book.source import gather
from viz.document import surfaces
from viz.files import write_file

SOURCE = Path(str(resources.files(__package__)))

PACKAGES = ("sphinx", "myst_nb", "furo", "sphinx_design", "sphinx_copybutton", "sphinx_multitoc_numbering", "latex2mathml")
OF_THE_KERNEL = "[IPKernelApp]"  # which warns of its own settings


class NoBook(Exception):
    """The book cannot be built. The message says what to do."""


def site(folder, source=SOURCE) -> Path:
    """Build the site in `folder` from the chapters in `source`, and return its first page. What has not changed since is kept.

    Raises NoBook if a package of the extra `tutorial` is missing, or, with what Sphinx says, if a cell raises or a link leads nowhere.
    """
    missing = [name for name in PACKAGES if not find_spec(name)]
    if missing:
        raise NoBook(f"the book needs the package {missing[0]}: run `pip install -e '.[tutorial]'`")
    folder = Path(folder)
    read = folder / ".source"
    gather(source, read)
    sphinx = [
        sys.executable,
        "-m",
        "sphinx",
        "-q",
        "-W",
        "--keep-going",
        "-j",
        "auto",
        "-b",
        "html",
        "-d",
        folder / ".doctrees",
        read,
        folder,
    ]
    done = subprocess.run(sphinx, stdin=subprocess.DEVNULL, capture_output=True, text=True, encoding="utf-8", errors="replace")
    if done.returncode:
        shutil.rmtree(folder / ".doctrees", ignore_errors=True)  # a page with a mistake counts as read, and the next build would pass
        lines = [line for line in done.stderr.splitlines() if not line.startswith(OF_THE_KERNEL)]
        raise NoBook("a chapter of the book has a mistake, see above\n" + "\n".join(lines).replace(str(read), str(source)))
    beside(folder / "_static", source)
    return folder / "index.html"


def beside(static, source):
    """Write what the pages take from elsewhere: the font of formulas, the colours of all pages, and the list of chapters."""
    shutil.copy(str(resources.files("viz").joinpath("page", "assets", "math.woff2")), static)
    write_file(static / "surfaces.css", surfaces())
    known = [{"page": f"chapters/{c.name}", "number": c.number, "title": c.title, "minutes": c.minutes} for c in chapters(source)]
    write_file(static / "chapters.js", f"const chapters = {json.dumps(known, ensure_ascii=False)};\n")
