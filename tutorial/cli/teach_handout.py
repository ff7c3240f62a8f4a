"""python -m tutorial teach handout: write exercises for paper as one page to print."""

from tutorial.cli.parser import complain

ABOUT = "write exercises on paper, to print"
DESCRIPTION = """\
Write one HTML file without scripts, to print: a page for each exercise with what
to do, a number to predict, the program and lines to write on. ID is the number of
an exercise, or a unit such as A; without one you get all exercises.
"""
USAGE = 2


def add(commands):
    """Add this command to the parser."""
    one = commands.add_parser("handout", help=ABOUT, description=DESCRIPTION)
    one.add_argument("ids", metavar="ID", nargs="*", help="exercises such as 8, or units such as A (default: all)")
    one.add_argument("-o", dest="output", metavar="FILE", default="exercises.html", help="the page (default: exercises.html)")
    one.add_argument(
        "--solutions", action="store_true", help="add solutions, hints and known mistakes for the teacher, on pages of their own"
    )
    one.set_defaults(run=run)


def run(args):
    """Write the page."""
    from tutorial.book.site import missing_packages
    from tutorial.exercises.choosing import chosen
    from viz.files import write_file

    if missing := missing_packages():
        complain(f"handouts need the package {missing[0]}: run `pip install -e '.[tutorial]'`")
        return USAGE
    from tutorial.on_paper.page import page

    try:
        print(f"Written: {write_file(args.output, page(chosen(args.ids), args.solutions))}")
    except (ValueError, OSError) as wrong:
        complain(wrong)
        return USAGE
    return 0
