"""python -m tutorial build: build the book as a site."""

import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tutorial.cli.commands.playground import NUMPY, PARTS
from tutorial.cli.shared.options import FOLDER
from tutorial.cli.shared.parser import complain

ABOUT = "build the book as a site"
DESCRIPTION = """\
Build the book: chapters whose code runs while the site is built. The folder can
be opened from a USB stick, without a network and without a server: open its
index.html. What has not changed since the last time is not built again.
The playground stands beside the chapters, and the reader changes and runs their
programs in its Python. The first time, its parts are fetched (7 MB) and
checked. Without them the book shows the results that it has recorded. It needs
the extra `tutorial`: pip install -e ".[tutorial]"
"""
SITE = FOLDER / "site"


def options(parser):
    parser.add_argument("-o", dest="output", metavar="DIR", help=f"folder of the site (default: {SITE})")
    parser.add_argument("--parts", metavar="DIR", default=None, help=PARTS)
    parser.add_argument("--numpy", metavar="WHEEL", default=None, help=NUMPY)


def run(args):
    first = built(Path(args.output or SITE), args.parts, args.numpy)
    if first is None:
        return 2
    print(f"open {first} in a browser")
    return 0


def built(folder, parts=None, numpy=None):
    """Build what is missing of the site, with a progress bar. Return its first page, or None after saying why it cannot be built."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

    from tutorial.book.site import NoBook, missing_packages, site
    from tutorial.playground.numpy_wheel import NoWheel

    columns = TextColumn("The book is built: {task.description}"), BarColumn(), TaskProgressColumn()
    try:
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar, ThreadPoolExecutor(1) as at_once:
            task = bar.add_task("looking for changes", total=100)
            bar_of = lambda what, percent: bar.update(task, description=what, completed=percent)
            beside = {}
            if not missing_packages():  # else `site` says so
                beside = {"playground": at_once.submit(playground_if_possible, folder, parts, numpy).result, **pages_to_print()}
            return site(folder, progress=bar_of, **beside)
    except (NoBook, NoWheel, OSError) as wrong:
        what, _, lines = str(wrong).partition("\n")
        print(lines, end="\n" * bool(lines), file=sys.stderr)
        complain(what)
        return None


def pages_to_print():
    """Return the functions that make pages to print of exercises and of the inventory. They need the packages of the site."""
    from tutorial.classroom.inventory import is_here
    from tutorial.classroom.on_paper.inventory import pages
    from tutorial.classroom.on_paper.page import paper_page

    return {"on_paper": paper_page} | ({"inventory": pages} if is_here() else {})


def playground_if_possible(folder, parts, numpy=None):
    """Put the playground beside the book, and return whether it is there.

    Without its parts print why. Raises NoWheel if the wheel of NumPy does not fit.
    """
    from tutorial.playground.build import playground_files
    from tutorial.playground.parts import NoParts

    where = Path(folder, "playground")
    try:
        playground_files(where, parts, numpy)
    except NoParts as missing:
        shutil.rmtree(where, ignore_errors=True)
        print(f"The book has no playground, so its cells show recorded results: {missing}", file=sys.stderr)
        return False
    return True
