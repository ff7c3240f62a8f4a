"""python -m tutorial teach merge: put the parts of a class together, which were graded apart."""

from pathlib import Path

from tutorial.cli.parser import complain

ABOUT = "put files of results together"
USAGE = 2


def add(commands):
    """Add this command to the parser."""
    merged = commands.add_parser("merge", help=ABOUT)
    merged.add_argument("parts", metavar="PART", nargs="+")
    merged.add_argument("-o", dest="output", metavar="FILE", required=True)
    merged.set_defaults(run=run)


def run(args):
    """Put files of results together."""
    from tutorial.grading.results import lines_of, read_results
    from viz.files import write_file

    if missing := [part for part in args.parts if not Path(part).is_file()]:
        complain(f"there is no file {missing[0]!r}")
        return USAGE
    found = read_results(args.parts)
    print(f"{len(found)} results. Written: {write_file(args.output, lines_of(found.values()))}")
    return 0
