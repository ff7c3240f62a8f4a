"""python -m tutorial notebook: write a chapter of the book as a Jupyter notebook."""

from tutorial.cli.shared.parser import Mistake

ABOUT = "write a chapter of the book as a Jupyter notebook"
DESCRIPTION = """\
Write a chapter of the book as a Jupyter notebook. The numbers in its text are
computed, and its cells run from start to end. CHAPTER is a number, or a name
such as order-matters; `read` without a chapter lists them.
"""


def options(parser):
    parser.add_argument("chapter", metavar="CHAPTER", help="number or name of the chapter")
    parser.add_argument("-o", dest="output", metavar="FILE", help="write FILE (default: the chapter's name, in this folder)")


def run(args):
    from scalargrad.formulas.text import printable
    from tutorial.reading.chapter import NoChapter, find, with_recaps
    from tutorial.reading.notebook import notebook
    from viz.whole_files import check_writable, write_file

    try:
        chapter = find(args.chapter, with_recaps())
        path = args.output or f"{chapter.name}.ipynb"
        check_writable(path)
        write_file(path, notebook(chapter))
    except NoChapter as wrong:
        raise Mistake(wrong) from None
    except OSError as wrong:
        raise Mistake(f"{path} cannot be written: {wrong.strerror}") from None
    print(printable(f"wrote {path}; open it with Jupyter"))
    return 0
