"""python -m tutorial slides: show a chapter of the book as slides."""

from pathlib import Path

from tutorial.cli.commands.reading.book import opened
from tutorial.cli.commands.reading.build import SITE, built
from tutorial.cli.shared.parser import Mistake

ABOUT = "show a chapter of the book as slides"
EXTENSIONS = (".html", ".htm")
DESCRIPTION = """\
Show a chapter of the book as slides in the browser: one part at a time, in
large letters. The arrow keys or a clicker move on, and Esc ends. It builds what
is missing of the book, and serves it to this machine only until Ctrl-C.
In the book, the key S does the same for the chapter that you read.
With -o it writes the slides as one file that needs no network, and ends.
"""


def options(parser):
    parser.add_argument("chapter", metavar="CHAPTER", help="number or name of the chapter, such as 3 or descent")
    parser.add_argument("-o", dest="output", metavar="FILE", help="write FILE (.html) instead of opening the slides")


def run(args):
    from tutorial.reading.chapter import NoChapter, find

    try:
        chapter = find(args.chapter)
    except NoChapter as wrong:
        raise Mistake(wrong) from None
    page = f"chapters/{chapter.name}.html"
    return written(page, Path(args.output)) if args.output else opened(f"{page}#slides=1")


def written(page, path):
    """Build what is missing of the book, and write the slides of a page to a file."""
    from scalargrad.formulas.text import printable
    from tutorial.book.one_file import one_file
    from viz.whole_files import check_writable, write_file

    if path.suffix.lower() not in EXTENSIONS:
        raise Mistake(f"slides need the extension {' or '.join(EXTENSIONS)}, got {path.name!r}")
    try:
        check_writable(path)
        if built(SITE) is None:
            return 2
        write_file(path, one_file(SITE / page))
    except OSError as wrong:
        raise Mistake(f"{path} cannot be written: {wrong.strerror}") from None
    print(printable(f"wrote {path}; open it in a browser"))
    return 0
