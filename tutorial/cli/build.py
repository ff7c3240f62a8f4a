"""python -m tutorial build: build the book as a site."""

import sys
from pathlib import Path

from rich.console import Console

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
    from tutorial.book.site import NoBook, site

    try:
        with Console(stderr=True).status("The book is built, and its cells run ..."):
            first = site(Path(args.output or SITE))
    except (NoBook, OSError) as wrong:
        what, _, lines = str(wrong).partition("\n")
        print(lines, end="\n" * bool(lines), file=sys.stderr)
        complain(what)
        return 2
    print(f"open {first} in a browser")
    return 0
