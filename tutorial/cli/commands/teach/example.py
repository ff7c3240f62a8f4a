"""python -m tutorial teach example: write the folders of an example class, to try the grading and the report with."""

from tutorial.cli.shared.parser import integer, program

ABOUT = "write an example class in DIR, to try the grading with"
REPORTED = (OSError,)


def options(parser):
    parser.add_argument("folder", metavar="DIR", help="the new folder of the class")
    parser.add_argument("--students", metavar="N", type=integer(1, 100_000), default=30, help="how many (default: 30)")
    parser.add_argument("--seed", metavar="N", type=integer(0, 10**9), default=0, help="another number gives other programs (default: 0)")


def run(args):
    from tutorial.classroom.grading.classes.example_class import write_class

    folder = write_class(args.folder, args.students, args.seed)
    print(f"{args.students} students are in {folder}. Next:\n  {program()} teach grade {folder}")
    return 0
