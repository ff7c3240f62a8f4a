"""python -m tutorial teach merge: put the parts of a class together, which were graded apart."""

from pathlib import Path

from tutorial.cli.shared.parser import Mistake

ABOUT = "put files of results together"


def options(parser):
    parser.add_argument("parts", metavar="PART", nargs="+", help="files of results that `grade` wrote")
    parser.add_argument("-o", dest="output", metavar="FILE", required=True, help="the file of all results")


def run(args):
    """Put files of results together."""
    from tutorial.classroom.grading.results.stored import Stored, latest, lines, students_of
    from viz.whole_files import write_file

    if missing := [part for part in args.parts if not Path(part).is_file()]:
        raise Mistake(f"there is no file {missing[0]!r}")
    stored = [Stored(part).read() for part in args.parts]
    written = write_file(args.output, lines(students_of(stored), lambda student: latest(stored, student)))
    print(f"{len(students_of(stored))} students. Written: {written}")
    return 0
