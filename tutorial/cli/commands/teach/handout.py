"""python -m tutorial teach handout: write exercises for paper as one page to print."""

from pathlib import Path

from tutorial.cli.shared.parser import Mistake

ABOUT = "write exercises on paper, to print"
DESCRIPTION = """\
Write one HTML file without scripts, to print: a page for each exercise with
what to do, a number to predict, the program and lines to write on. ID is the
number of an exercise, or a unit such as A; without one you get all exercises.
`teach handout inventory` writes a folder instead: the inventory in two forms,
for a class before and after a course, the key apart, a sheet for interviews,
and a table for the answers, of which `teach report` makes a page. A draft.
"""
INVENTORY = "inventory"
REPORTED = (ValueError, OSError)


def options(parser):
    parser.add_argument("ids", metavar="ID", nargs="*", help="exercises such as 8, or units such as A (default: all)")
    parser.add_argument("-o", dest="output", metavar="FILE", help="the page (default: exercises.html), or the folder (default: inventory)")
    parser.add_argument(
        "--solutions", action="store_true", help="add solutions, hints and known mistakes for the teacher, on pages of their own"
    )


def run(args):
    from tutorial.book.site import missing_packages
    from tutorial.exercises.authored import chosen
    from viz.whole_files import write_file

    if missing := missing_packages():
        raise Mistake(f"handouts need the package {missing[0]}: run `pip install -e '.[tutorial]'`")
    if args.ids == [INVENTORY]:
        from tutorial.classroom.on_paper.inventory import pages

        folder = Path(args.output or INVENTORY)
        folder.mkdir(exist_ok=True)
        for name, text in pages().items():
            print(f"Written: {write_file(folder / name, text)}")
        return 0
    from tutorial.classroom.on_paper.page import paper_page

    print(f"Written: {write_file(args.output or 'exercises.html', paper_page(chosen(args.ids), args.solutions))}")
    return 0
