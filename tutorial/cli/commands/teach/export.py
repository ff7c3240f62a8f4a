"""python -m tutorial teach export: write results in the form that another program reads."""

import sys
from pathlib import Path

from tutorial.cli.shared.parser import remark

ABOUT = "write results in the form that another program reads"
DESCRIPTION = """\
Write the results of `teach grade` in a form that another program reads:
{forms}
A result that is ungraded never counts as 0 points: the student has no total.
The exit code is then 3. If the results cannot be written in this form, it is 2,
and nothing is written.
"""
REPORTED = (ValueError, OSError)
FAILED = 3
NEEDS_FILES = "the form {} is a folder of files; name a new one with -o DIR"


def options(parser):
    from tutorial.classroom.exports.forms import FORMS

    table = "\n".join(f"  {name:<12} {form.about}" for name, form in FORMS.items())
    parser.description = DESCRIPTION.format(forms=table)
    parser.add_argument("results", metavar="RESULTS", help="the file of results that `grade` or `merge` wrote")
    parser.add_argument("--to", choices=[*FORMS], default="csv", metavar="FORM", help=f"{', '.join(FORMS)} (default: csv)")
    parser.add_argument("-o", dest="output", metavar="FILE", help="the file, or the new folder, to write (default: print the file)")
    roster = "canvas: a CSV file whose column `student` names the folders, with columns ID, SIS User ID, SIS Login ID, Section"
    parser.add_argument("--roster", metavar="FILE", help=roster)
    title = "canvas: the name of the assignment, or `Name (1234)` with its ID (default: Exercises)"
    parser.add_argument("--assignment", metavar="NAME", help=title)


def run(args):
    from tutorial.classroom.exports.forms import FORMS, Options, text, write
    from tutorial.classroom.exports.students import Results, read_roster

    check(args, FORMS[args.to].folder)
    results = Results(args.results)
    options = Options(read_roster(args.roster) if args.roster else None, args.assignment or "Exercises")
    if args.output is None:
        sys.stdout.write(text(args.to, results, options))
    else:
        print(f"Written: {write(args.to, results, args.output, options)}")
    return missing(results)


def check(args, folder):
    """Raise ValueError if these arguments do not belong together."""
    if not Path(args.results).is_file():
        raise ValueError(f"there is no file {args.results!r}")
    for option in ("roster", "assignment"):
        if getattr(args, option) and args.to != "canvas":
            raise ValueError(f"--{option} requires --to canvas, got {args.to}")
    if folder and args.output is None:
        raise ValueError(NEEDS_FILES.format(args.to))


def missing(results) -> int:
    """Say how many students have no total, and return the exit code."""
    if results.without_total:
        remark(f"{results.without_total} of {results.count} students have no total: a result is ungraded or missing. Grade again.")
    return FAILED if results.without_total else 0
