"""python -m tutorial teach: grade the exercises of a class, put the parts together, and see which isolation works here."""

import argparse
import os
import re
import secrets
import sys
from collections import Counter
from pathlib import Path

from tutorial.cli.parser import complain

ABOUT = "for teachers: grade the exercises of a class"
DESCRIPTION = """\
`grade FOLDER` grades a class: FOLDER holds a folder for each student, with the
files that `exercises init` makes. It writes a line of JSON for each student and
exercise. Each student has numbers of their own, which follow from a secret file.
What was graded before is not graded again. `--shard 3/100` grades the third of
100 parts of the class, `merge` puts the parts together, and `export` writes a
gradebook as CSV. `doctor` says which isolation works on this machine.
Programs run in a process of their own. A tier that lets them read files is
refused unless you say --allow-weak.
"""
SAFE = ("landlock", "bwrap", "container")
USAGE, FAILED = 2, 3


def add(commands):
    """Add this command to the parser."""
    command = commands.add_parser("teach", help=ABOUT, description=DESCRIPTION)
    command.set_defaults(run=lambda args: doctor(args))
    below = command.add_subparsers(title="commands", metavar="command")
    below.add_parser("doctor", help="say which isolation works here, and why not").set_defaults(run=doctor)
    one = below.add_parser("grade", help="grade the folders of students in FOLDER")
    one.add_argument("folder", metavar="FOLDER")
    one.add_argument("-o", dest="output", metavar="FILE", default="results.jsonl", help="the file of results (default: results.jsonl)")
    secret = "the secret from which each student's numbers follow; it is made if it does not exist (default: grading-secret.txt)"
    one.add_argument("--secret-file", metavar="FILE", default="grading-secret.txt", help=secret)
    one.add_argument("--assignment", metavar="NAME", default="", help="another name gives other numbers")
    one.add_argument("--shard", metavar="I/N", type=shard, default=(1, 1), help="grade part I of N parts of the class")
    one.add_argument("--tier", metavar="NAME", default="auto", help="the isolation (default: the strongest that works)")
    one.add_argument("--allow-weak", action="store_true", help="also accept the tiers practice and process")
    one.set_defaults(run=grade)
    merged = below.add_parser("merge", help="put files of results together")
    merged.add_argument("parts", metavar="PART", nargs="+")
    merged.add_argument("-o", dest="output", metavar="FILE", required=True)
    merged.set_defaults(run=merge)
    book = below.add_parser("export", help="write a gradebook as CSV")
    book.add_argument("results", metavar="RESULTS")
    book.add_argument("-o", dest="output", metavar="FILE", required=True)
    book.set_defaults(run=export)


def shard(text):
    """Return (i, n) of a text such as 3/100."""
    found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise argparse.ArgumentTypeError(f"{text!r} is not a part such as 3/100")
    return int(found[1]), int(found[2])


def doctor(args):
    """Print each tier with what it guarantees here, or why it does not work."""
    from tutorial.grading.probing import table
    from tutorial.practice.printer import Printer

    printer = Printer(sys.stdout)
    for name, text in table():
        printer.say(f"{'no' if text.startswith('not here') else 'ok'} {name}", "bold")
        printer.say(text, indent=3)
    return 0


def grade(args):
    """Grade a class. The results so far are on disk after each line."""
    from tutorial.exercises.authored import exercises
    from tutorial.grading.results import UNGRADED, Grader, line_of, lines_of, read_results, students_in
    from viz.files import write_file

    try:
        chosen = tier_chosen(args.tier, args.allow_weak)
        students = students_in(args.folder, args.shard)
        part = Path(f"{args.output}.part")
        grader = Grader(chosen, secret_in(args.secret_file), args.assignment, read_results([args.output, part]))
        found = []
        with open(part, "a", encoding="utf-8") as file:
            for result in grader.results(students, exercises()):
                found.append(result)
                file.write(f"{line_of(result)}\n")
                file.flush()
        write_file(args.output, lines_of(found))
        part.unlink()
    except (ValueError, OSError) as wrong:
        complain(wrong)
        return USAGE
    states = Counter(result["state"] for result in found)
    summary = ", ".join(f"{count} {state}" for state, count in states.most_common())
    print(f"{len(students)} students at tier {chosen.name}: {summary or 'no results'}. Written: {args.output}")
    return FAILED if states[UNGRADED] else 0


def tier_chosen(name, allow_weak):
    """Return the tier of this name, or the strongest for auto. Raises ValueError if it does not work here, or is too weak."""
    from tutorial.grading.probing import strongest, why_not
    from tutorial.grading.tiers import TIERS, tier

    name = strongest() if name == "auto" else name
    if name not in TIERS:
        raise ValueError(f"there is no tier {name!r}; there are {', '.join(TIERS)}")
    if reason := why_not(name):
        raise ValueError(f"tier {name} does not work here: {reason}")
    if name not in SAFE and not allow_weak:
        raise ValueError(f"at tier {name} a program can read the solutions; use {' or '.join(SAFE)}, or say --allow-weak")
    return tier(name)


def secret_in(path) -> bytes:
    """Return the secret in a file, which is made if it does not exist. Raises ValueError if it is too short."""
    try:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(f"{secrets.token_hex(32)}\n")
    except FileExistsError:
        pass
    secret = Path(path).read_bytes().strip()
    if len(secret) < 16:
        raise ValueError(f"the secret in {path} has fewer than 16 characters")
    return secret


def merge(args):
    """Put files of results together."""
    from tutorial.grading.results import lines_of, read_results
    from viz.files import write_file

    if missing := [part for part in args.parts if not Path(part).is_file()]:
        complain(f"there is no file {missing[0]!r}")
        return USAGE
    found = read_results(args.parts)
    print(f"{len(found)} results. Written: {write_file(args.output, lines_of(found.values()))}")
    return 0


def export(args):
    """Write the gradebook."""
    from tutorial.grading.gradebook import gradebook
    from tutorial.grading.results import read_results
    from viz.files import write_file

    if not Path(args.results).is_file():
        complain(f"there is no file {args.results!r}")
        return USAGE
    print(f"Written: {write_file(args.output, gradebook(read_results([args.results]).values()))}")
    return 0
