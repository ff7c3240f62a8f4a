"""python -m tutorial notebook: write a chapter of the book as a Jupyter notebook."""

from scalargrad.formulas.text import printable
from tutorial.cli.parser import complain

ABOUT = "write a chapter of the book as a Jupyter notebook"
DESCRIPTION = """\
Write a chapter of the book as a Jupyter notebook. The numbers in its text are
computed, and its cells run from start to end. CHAPTER is a number, or a name
such as order-matters; `read` without a chapter lists them.
"""


def add(commands):
    """Add this command to the parser."""
    command = commands.add_parser("notebook", help=ABOUT, description=DESCRIPTION)
    command.add_argument("chapter", metavar="CHAPTER", help="number or name of the chapter")
    command.add_argument("-o", dest="output", metavar="FILE", help="write FILE (default: the chapter's name, in this folder)")
    command.set_defaults(run=run)


def run(args):
    from tutorial.book.reading.chapter import NoChapter, find
    from tutorial.book.reading.notebook import notebook
    from viz.files import check_writable, write_file

    try:
        chapter = find(args.chapter)
        path = args.output or f"{chapter.name}.ipynb"
        check_writable(path)
        write_file(path, notebook(chapter))
    except NoChapter as wrong:
        complain(wrong)
        return 2
    except OSError as wrong:
        complain(f"{path} cannot be written: {wrong.strerror}")
        return 2
    print(printable(f"wrote {path}; open it with Jupyter"))
    return 0
