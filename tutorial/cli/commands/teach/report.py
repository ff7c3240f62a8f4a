"""python -m tutorial teach report: write what a class understands and what it does not as one page."""

from itertools import chain
from pathlib import Path

from tutorial.cli.shared.parser import Mistake

ABOUT = "write a report on a class: what to teach again"
DESCRIPTION = """\
Write one HTML file without scripts: how each exercise went, the commonest
misconceptions with the chapters that explain them, students and exercises in a
grid, and wrong answers that have no name yet. Of the journal of `teach live` it
shows each vote before and after the discussion, by misconception, and the gain.
Of the inventory it shows what was believed before the course and after it, each
number with its interval, and what to teach again. Give it the journals of both
forms, and tables of answers on paper, as `teach handout inventory` makes them.
--counts writes how often each choice was chosen, without marks, for others.
The same files give the same page.
"""
REPORTED = (ValueError, OSError)


def options(parser):
    told = "results that `grade` or `merge` wrote, a journal of `live`, or a table of answers on paper; you may give several"
    parser.add_argument("results", metavar="FILE", nargs="+", help=told)
    parser.add_argument("-o", dest="output", metavar="FILE", default="class.html", help="the page (default: class.html)")
    parser.add_argument("--title", metavar="TEXT", default="Class report", help="the heading of the page (default: Class report)")
    parser.add_argument("--counts", metavar="FILE", help="also write counts of the answers to the inventory, to FILE.csv or FILE.json")


def run(args):
    from tutorial.classroom.grading.results.stream import stream
    from tutorial.classroom.live.journal import is_journal
    from tutorial.classroom.report.counts import counts
    from tutorial.classroom.report.page import report
    from tutorial.classroom.report.statistics.answers import answers, is_answers
    from tutorial.classroom.report.statistics.votes import votes
    from viz.whole_files import write_file

    if missing := [path for path in args.results if not Path(path).exists()]:
        raise Mistake(f"there is no file {missing[0]!r}")
    of_tests = [path for path in args.results if is_answers(path)]
    journals = [path for path in args.results if path not in of_tests and is_journal(path)]
    results = chain.from_iterable(stream(path) for path in args.results if path not in [*journals, *of_tests])
    tests = answers(of_tests)
    files = {args.output: report(results, args.title, [votes(path) for path in journals], tests)}
    if args.counts:
        files[args.counts] = counts(tests, args.counts)
    for path, text in files.items():
        try:
            print(f"Written: {write_file(path, text)}")
        except FileNotFoundError:
            raise Mistake(f"cannot write {path!r}") from None
    return 0
