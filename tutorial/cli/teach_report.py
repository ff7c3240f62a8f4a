"""python -m tutorial teach report: write what a class understands and what it does not as one page."""

from itertools import chain
from pathlib import Path

from tutorial.cli.parser import Mistake

ABOUT = "write a report on a class: what to teach again"
DESCRIPTION = """\
Write one HTML file without scripts: how each exercise went, the commonest
misconceptions with the chapters that explain them, students and exercises in a
grid, and wrong answers that have no name yet. Of the journal of `teach live` it
shows each vote before and after the discussion, by misconception, and the gain.
The same files give the same page.
"""
REPORTED = (ValueError, OSError)


def options(parser):
    told = "the file of results that `grade` or `merge` wrote, or the journal of `live`; you may give several"
    parser.add_argument("results", metavar="FILE", nargs="+", help=told)
    parser.add_argument("-o", dest="output", metavar="FILE", default="class.html", help="the page (default: class.html)")
    parser.add_argument("--title", metavar="TEXT", default="Class report", help="the heading of the page (default: Class report)")


def run(args):
    """Write the report."""
    from tutorial.classroom.grading.stream import stream
    from tutorial.classroom.live.journal import is_journal
    from tutorial.classroom.report.page import report
    from tutorial.classroom.report.votes import votes
    from viz.files import write_file

    if missing := [path for path in args.results if not Path(path).exists()]:
        raise Mistake(f"there is no file {missing[0]!r}")
    journals = [path for path in args.results if is_journal(path)]
    results = chain.from_iterable(stream(path) for path in args.results if path not in journals)
    try:
        print(f"Written: {write_file(args.output, report(results, args.title, [votes(path) for path in journals]))}")
    except FileNotFoundError:
        raise Mistake(f"cannot write {args.output!r}") from None
    return 0
