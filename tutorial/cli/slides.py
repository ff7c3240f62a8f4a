"""python -m tutorial slides: show a chapter of the book as slides."""

from tutorial.cli.book import opened
from tutorial.cli.parser import complain

ABOUT = "show a chapter of the book as slides"
DESCRIPTION = """\
Show a chapter of the book as slides in the browser: one part at a time, in
large letters. The arrow keys or a clicker move on, and Esc ends. It builds what
is missing of the book, and serves it to this machine only until Ctrl-C.
In the book, the key S does the same for the chapter that you read.
"""


def add(commands):
    """Add this command to the parser."""
    command = commands.add_parser("slides", help=ABOUT, description=DESCRIPTION)
    command.add_argument("chapter", metavar="CHAPTER", help="number or name of the chapter, such as 3 or descent")
    command.set_defaults(run=run)


def run(args):
    from tutorial.book.reading.chapter import NoChapter, find

    try:
        chapter = find(args.chapter)
    except NoChapter as wrong:
        complain(wrong)
        return 2
    return opened(f"chapters/{chapter.name}.html#slides=1")
