"""python -m tutorial teach export: write results in the form that another program reads."""

from pathlib import Path

from tutorial.cli.parser import complain

ABOUT = "write a gradebook as CSV"
USAGE = 2


def add(commands):
    """Add this command to the parser."""
    book = commands.add_parser("export", help=ABOUT)
    book.add_argument("results", metavar="RESULTS")
    book.add_argument("-o", dest="output", metavar="FILE", required=True)
    book.set_defaults(run=run)


def run(args):
    """Write the gradebook."""
    from tutorial.exports.csv_gradebook import gradebook
    from tutorial.grading.results import read_results
    from viz.files import write_file

    if not Path(args.results).is_file():
        complain(f"there is no file {args.results!r}")
        return USAGE
    print(f"Written: {write_file(args.output, gradebook(read_results([args.results]).values()))}")
    return 0
