"""python -m tutorial teach report: write what a class understands and what it does not as one page."""

from pathlib import Path

from tutorial.cli.parser import Mistake

ABOUT = "write a report on a class: what to teach again"
DESCRIPTION = """\
Write one HTML file without scripts: how each exercise went, the commonest
misconceptions with the chapters that explain them, students and exercises in a
grid, and wrong answers that have no name yet. The same results give the same
file.
"""
REPORTED = (ValueError, OSError)


def options(parser):
    parser.add_argument("results", metavar="RESULTS", help="the file of results that `grade` or `merge` wrote")
    parser.add_argument("-o", dest="output", metavar="FILE", default="class.html", help="the page (default: class.html)")
    parser.add_argument("--title", metavar="TEXT", default="Class report", help="the heading of the page (default: Class report)")


def run(args):
    """Write the report."""
    from tutorial.class_report.page import report
    from tutorial.grading.stream import stream
    from viz.files import write_file

    try:
        print(f"Written: {write_file(args.output, report(stream(args.results), args.title))}")
    except FileNotFoundError:
        wrong = f"there is no file {args.results!r}" if not Path(args.results).exists() else f"cannot write {args.output!r}"
        raise Mistake(wrong) from None
    return 0
