"""python -m tutorial teach example: write the folders of an example class, to try the grading and the report with."""

from tutorial.cli.parser import complain, integer, program

ABOUT = "write an example class in DIR, to try the grading with"
USAGE = 2


def add(commands):
    """Add this command to the parser."""
    one = commands.add_parser("example", help=ABOUT)
    one.add_argument("folder", metavar="DIR")
    one.add_argument("--students", metavar="N", type=integer(1, 100_000), default=30, help="how many (default: 30)")
    one.add_argument("--seed", metavar="N", type=integer(0, 10**9), default=0, help="another number gives other programs (default: 0)")
    one.set_defaults(run=run)


def run(args):
    """Write an example class."""
    from tutorial.grading.example_class import write_class

    try:
        folder = write_class(args.folder, args.students, args.seed)
    except OSError as wrong:
        complain(wrong)
        return USAGE
    print(f"{args.students} students are in {folder}. Next:\n  {program()} teach grade {folder}")
    return 0
