"""Build the book's site with Sphinx from a folder of its pages and generated ones. Every cell runs; a warning is an error."""

import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile

from tutorial.book import searched
from tutorial.book.kernels import forked
from tutorial.book.reference import differences, exercises, functions, glossary, results
from tutorial.book.reference.markdown import is_listed
from tutorial.book.teaching import answers, files, plan
from tutorial.book.teaching.files import short_of
from tutorial.classroom.grading.processes import ONE_THREAD
from tutorial.reading.chapter import chapters, with_recaps
from viz.document import surfaces
from viz.whole_files import write_file

SOURCE = Path(str(resources.files(__package__)))

PACKAGES = ("sphinx", "myst_nb", "furo", "sphinx_design", "sphinx_copybutton", "sphinx_multitoc_numbering", "latex2mathml")
STEP = re.compile(r"(?P<what>(reading|writing)[^.]*)\.\.\. *\[ *(?P<percent>\d+)%\]")  # of Sphinx's output
OF_THE_KERNEL = "[IPKernelApp]"  # which warns of its own settings
PORT_TAKEN, TRIES = "Address already in use", 3


class NoBook(Exception):
    """The book cannot be built. The message says what to do."""


def site(folder, source=SOURCE, progress=lambda what, percent: None, playground=lambda: False, on_paper=None, inventory=None) -> Path:
    """Build the site in `folder` from the chapters in `source`, and return its first page. What has not changed since is kept.

    `progress` is called with what Sphinx does, such as "reading sources", and how many percent of that are done.
    `playground` returns whether the site's folder has one. `on_paper` returns exercises as one page to print; with it teachers get the
    exercises of each chapter so. `inventory` returns {file: page to print} of the inventory.

    Raises NoBook if a package of the extra `tutorial` is missing, or, with what Sphinx says, if a cell raises or a link leads nowhere.
    """
    if missing := missing_packages():
        raise NoBook(f"the book needs the package {missing[0]}: run `pip install -e '.[tutorial]'`")
    folder = Path(folder)
    read = folder / ".source"
    gather(source, read)
    sphinx = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-j", "auto", "-b", "html", "-d", folder / ".doctrees"]
    sphinx += ["-D", f"playground={int(playground())}", read, folder]
    with ThreadPoolExecutor(1) as at_once:
        pages = at_once.submit(run_again_if_a_port_was_taken, sphinx, folder / ".doctrees", progress)
        if known := chapters(source):
            files.write(folder, known, on_paper, inventory)
        code, said = pages.result()
    if code:
        lines = [line for line in said.splitlines() if not line.startswith(OF_THE_KERNEL)]
        raise NoBook("a chapter of the book has a mistake, see above\n" + "\n".join(lines).replace(str(read), str(source)))
    beside(folder / "_static", source, on_paper)
    searched.write(folder / "_static", read)
    if known:
        answers.fill(folder, with_recaps(source))
    return folder / "index.html"


def missing_packages():
    """Return the packages of the extra `tutorial` that the site needs and that are not installed."""
    return [name for name in PACKAGES if not find_spec(name)]


def run_again_if_a_port_was_taken(command, doctrees, progress):
    """Run Sphinx. If two kernels started at the same time and chose the same port, run it again. Return what `run` returns."""
    for _ in range(TRIES):
        code, said = run(command, progress)
        if code:
            shutil.rmtree(doctrees, ignore_errors=True)  # a page with a mistake counts as read, and the next build would pass
        if not code or PORT_TAKEN not in said:
            break
    return code, said


def run(command, progress):
    """Run Sphinx, and return its exit code and what it says on standard error."""
    files = {"encoding": "utf-8", "errors": "replace"}
    with TemporaryDirectory(prefix="gradsteps-") as compiled, TemporaryFile("w+", **files) as said, forked(told(compiled)) as finds_kernels:
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": said, **files}
        with subprocess.Popen(command, text=True, env=finds_kernels, **options) as process:
            for line in process.stdout:
                if step := STEP.match(line):
                    progress(step["what"], int(step["percent"]))
        said.seek(0)
        return process.returncode, said.read()


def told(compiled):
    """Return the environment of a build. Where Python must not write compiled modules beside sources, `compiled` is their folder:
    else each of the 35 kernels, and each command of a page, would compile what it imports.
    """
    kept = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": compiled} if sys.dont_write_bytecode else {}
    return os.environ | ONE_THREAD | {"PYTHONUTF8": "1", "NO_COLOR": "1"} | kept


def beside(static, source, on_paper):
    """Write what the pages take from elsewhere: the font of formulas, the colours of all pages, and the list of chapters."""
    shutil.copy(str(resources.files("viz").joinpath("page", "assets", "math.woff2")), static)
    write_file(static / "surfaces.css", surfaces())
    known = [
        {
            **{"page": f"chapters/{c.name}", "number": c.number, "title": c.title, "minutes": c.minutes},
            **{"short": short_of(c)._asdict(), "prints": files.prints(c, on_paper)},
        }
        for c in chapters(source)
    ]
    write_file(static / "chapters.js", f"const chapters = {json.dumps(known, ensure_ascii=False)};\n")


SHOWN = ("printed_engine.py", "mended_engine.py")  # programs of which the page on the tutorial shows the source


def shown(book, folder):
    """Give the programs that the page on the tutorial shows, if the book lists it."""
    if is_listed("the-tutorial", book):
        for program in SHOWN:
            yield program, resources.files("tutorial.graphs").joinpath(program).read_bytes()


#: functions of the book and of this folder that give generated pages, each as pairs of a name in the folder and its content: text or bytes
GENERATED: list = [functions.pages, glossary.pages, exercises.pages, differences.pages, results.pages, shown, plan.pages]


def gather(book, folder):
    """Write the pages of the book and the generated pages to `folder`.

    A file that stays the same keeps its time, and one that is gone is removed.
    """
    files = {folder / name: content for give in (own, *GENERATED) for name, content in give(book, folder)}
    for path in folder.rglob("*"):
        if path.is_file() and path not in files:
            path.unlink()
    for path, content in files.items():
        content = content.encode() if isinstance(content, str) else content
        if not path.exists() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_file(path, content)


def own(book, folder):
    """Give the settings of Sphinx and each page of the book: its name and its content.

    >>> names = {str(name) for name, _ in own(Path(__file__).parent, None)}
    >>> {"conf.py", "index.md", "site.py"} - names
    {'site.py'}
    """
    for path in sorted(Path(book).glob("conf.py")) + sorted(Path(book).rglob("*.md")):
        yield path.relative_to(book), path.read_bytes()
