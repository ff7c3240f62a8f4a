"""python -m tutorial teach build: make what students get, and what grades them."""

from collections import defaultdict
from pathlib import Path

from tutorial.cli.commands.teach.secret import add_numbers, secret_in
from tutorial.cli.shared.parser import complain

ABOUT = "make what students get, without solutions; and an autograder"
REPORTED = (ValueError, OSError)
LEAK = 1
LARGEST = 4  # files of a folder that are listed one by one


def options(parser):
    parser.add_argument("-o", dest="output", metavar="DIR", default="dist", help="the folder (default: dist)")
    add_numbers(parser)


def run(args):
    """Make all files, look for solutions in those of students, and write them if there are none."""
    from tutorial.classroom.build import STUDENT, made, write
    from tutorial.classroom.leaks import leaks
    from tutorial.exercises.authored import chosen

    files = dict(made(chosen([]), secret_in(args.secret_file), args.assignment))
    found = list(leaks((name, content) for name, content in files.items() if name.startswith((f"{STUDENT}/", "notebooks/"))))
    if found:
        complain(f"{found[0][0]} holds a line of a solution: {found[0][1]}")
        return LEAK
    write(args.output, files)
    print("\n".join(lines_of(Path(args.output), files)))
    return 0


def lines_of(folder, files):
    """Yield a line for each file that was made, or for each folder of many."""
    inside = defaultdict(list)
    for name in files:
        inside[Path(name).parent].append(name)
    for below, names in inside.items():
        if len(names) <= LARGEST:
            yield from (f"{folder / name}  {len(files[name]):,} bytes" for name in names)
        else:
            yield f"{folder / below}  {len(names)} files, {sum(len(files[name]) for name in names):,} bytes"
