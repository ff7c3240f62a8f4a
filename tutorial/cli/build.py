"""python -m tutorial build: build the book as a site."""

import sys
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

from tutorial.cli.options import FOLDER
from tutorial.cli.parser import complain

ABOUT = "build the book as a site"
DESCRIPTION = """\
Build the book: chapters whose code runs while the site is built. The folder can
be opened from a USB stick, without a network and without a server: open its
index.html. What has not changed since the last time is not built again.
It needs the extra `tutorial`: pip install -e ".[tutorial]"
"""
SITE = FOLDER / "site"


def add(commands):
    """Add this command to the parser."""
    command = commands.add_parser("build", help=ABOUT, description=DESCRIPTION)
    command.add_argument("-o", dest="output", metavar="DIR", help=f"folder of the site (default: {SITE})")
    command.set_defaults(run=run)


def run(args):
    first = built(Path(args.output or SITE))
    if first is None:
        return 2
    print(f"open {first} in a browser")
    return 0


def built(folder):
    """Build what is missing of the site, with a progress bar. Return its first page, or None after saying why it cannot be built."""
    from tutorial.book.site import NoBook, site

    columns = TextColumn("The book is built: {task.description}"), BarColumn(), TaskProgressColumn()
    try:
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("looking for changes", total=100)
            return site(folder, progress=lambda what, percent: bar.update(task, description=what, completed=percent))
    except (NoBook, OSError) as wrong:
        what, _, lines = str(wrong).partition("\n")
        print(lines, end="\n" * bool(lines), file=sys.stderr)
        complain(what)
        return None
