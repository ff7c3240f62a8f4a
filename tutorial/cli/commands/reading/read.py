"""python -m tutorial read: read a chapter of the book in the terminal."""

import sys

from tutorial.cli.shared.browser import at_terminal
from tutorial.cli.shared.parser import Mistake

ABOUT = "read a chapter of the book in the terminal"
DESCRIPTION = """\
Read a chapter of the book in the terminal. Its cells run while you read. You
answer its questions, and step through its players. In a pipe, the program
prints everything. Without CHAPTER it lists the chapters, and the pages of
recaps between them.
"""


def options(parser):
    parser.add_argument("chapter", metavar="CHAPTER", nargs="?", help="number or name of the chapter, such as 3 or descent")


def run(args):
    from tutorial.reading.chapter import NoChapter, find, with_recaps
    from tutorial.reading.reader import Reader

    if args.chapter is None:
        return chapter_list()
    try:
        chapter = find(args.chapter, with_recaps())
    except NoChapter as wrong:
        raise Mistake(wrong) from None
    try:
        Reader(chapter, sys.stdout, input if at_terminal() else None).read()
    except EOFError:  # Ctrl-D
        print()
    return 0


def chapter_list():
    from tutorial.reading.chapter import with_recaps

    part = None
    for chapter in with_recaps():
        if chapter.part != part:
            print("\n" * (part is not None) + chapter.part)
            part = chapter.part
        print(f"  {chapter.number or '':2}  {chapter.title:<34} {chapter.minutes:2} minutes   {chapter.name}")
    return 0
