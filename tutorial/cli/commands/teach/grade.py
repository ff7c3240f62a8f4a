"""python -m tutorial teach grade: grade the folders of a class, at a tier that is safe enough, with numbers from a secret."""

import argparse
import os
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice

from tutorial.cli.commands.teach.secret import add_numbers, secret_in
from tutorial.cli.shared.parser import integer, remark

ABOUT = "grade the folders of students in FOLDER"
REPORTED = (ValueError, OSError)
FAILED = 3
BUSY = "{} is grading into this file; wait until it ends, or name another file with -o"
MOST_SENTENCES = 20  # about what is not graded


def options(parser):
    parser.add_argument("folder", metavar="FOLDER", help="a folder with a folder for each student")
    parser.add_argument("-o", dest="output", metavar="FILE", default="results.jsonl", help="the file of results (default: results.jsonl)")
    add_numbers(parser)
    only = "grade only these exercises: numbers and units, such as A,08 (default: all); the other results stay in the file"
    parser.add_argument("--only", metavar="WHICH", default="", help=only)
    parser.add_argument("--shard", metavar="I/N", type=shard, default=(1, 1), help="grade part I of N parts of the class")
    parser.add_argument("--tier", metavar="NAME", default="auto", help="the isolation (default: the strongest that works)")
    parser.add_argument("--allow-weak", action="store_true", help="also accept the tiers practice and process")
    workers = parser.add_mutually_exclusive_group()
    workers.add_argument("--jobs", metavar="N", type=integer(1, 1000), help="grade in N processes (default: the number of cores)")
    dask = "let the workers of a dask cluster grade: an address such as tcp://10.0.0.1:8786, or local for two workers on this machine"
    workers.add_argument("--dask", metavar="SCHEDULER", help=dask)


def shard(text):
    """Return (i, n) of a text such as 3/100."""
    found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise argparse.ArgumentTypeError(f"{text!r} is not a part such as 3/100")
    return int(found[1]), int(found[2])


def run(args):
    """Grade a class. Each result is on disk as soon as it is there, and none is kept in memory."""
    from tutorial.classroom.grading.classes.archive import overlooked
    from tutorial.classroom.grading.classes.batch import Run, students_in
    from tutorial.classroom.grading.results.results import UNGRADED
    from tutorial.exercises.authored import chosen
    from tutorial.lock import held
    from viz.whole_files import check_writable

    tier = tier_chosen(args.tier, args.allow_weak)
    students = students_in(args.folder, args.shard)
    for sentence in islice(overlooked(args.folder), MOST_SENTENCES):
        remark(sentence)
    if not students and args.shard == (1, 1):
        raise ValueError(f"{args.folder} holds no folders of students, so nothing was graded or written")
    which = tuple(exercise.number for exercise in chosen(filter(None, args.only.split(","))))
    graded_as = Run(tier, secret_in(args.secret_file), args.assignment, exercises=which)
    check_writable(args.output)
    try:
        with held(f"{os.path.realpath(args.output)}.lock", f"{args.output}: {BUSY}"):
            states = graded(graded_as, students, args)
    except KeyboardInterrupt:
        remark(f"Stopped. What is graded so far is in {args.output}.part. Run the same command to go on.")
        raise
    summary = ", ".join(f"{count} {state}" for state, count in states.most_common())
    print(f"{len(students)} students at tier {tier}: {summary or 'no results'}. Written: {args.output}")
    return FAILED if states[UNGRADED] else 0


def graded(run, students, args) -> Counter:
    """Write the results of a run to a file, and return how many there are of each state.

    Results of other exercises and of other students stay in the file.
    """
    from scalargrad.formulas.text import printable
    from tutorial.classroom.grading.results.stored import Stored, latest, lines, students_of
    from viz.whole_files import write_file

    part, states = f"{args.output}.part", Counter[str]()
    before = [Stored(args.output).read(), Stored(part).read()]  # a run that was interrupted has left its part
    if with_other_numbers(run, students, before):
        raise ValueError(f"{args.output} was graded with another secret or --assignment; take the same ones, or name another file with -o")
    with Stored(part) as now:
        found = results(run, students, lambda student: latest(before, printable(student.name)), args)
        for result in shown(found, len(students), len(run.exercises)):
            states[result["state"]] += 1
            now.add(result)

    here = {printable(path.name) for path in students}

    def all_of(student):
        others = (result for result in latest(before, student) if student not in here or result["exercise"] not in run.exercises)
        return [*now.of(student), *{result["exercise"]: result for result in others}.values()]

    if absent := len(set(students_of(before)) - here):
        remark(f"{args.output} also has results of {absent} who are not in {args.folder}; these stay")
    write_file(args.output, lines(students_of([*before, now]), all_of))
    os.unlink(part)
    return states


def with_other_numbers(run, students, before) -> bool:
    """Return whether the results so far, of which one is looked at, were made with other numbers than those of this run."""
    from scalargrad.formulas.text import printable
    from tutorial.classroom.grading.classes.batch import seed_of
    from tutorial.classroom.grading.results.stored import latest
    from tutorial.exercises.authored import find

    known = ((path.name, result) for path in students for result in latest(before, printable(path.name)))
    student, result = next(known, ("", None))
    return result is not None and result["seed"] != seed_of(run.secret, run.assignment, student, find(result["exercise"]))


def results(run, students, known_of, args):
    """Return the results of a run as they come, from processes of this machine or from a dask cluster. Raises ValueError."""
    from tutorial.classroom.grading.classes import dask_driver, jobs

    if args.dask:
        return dask_driver.results(args.dask, run, students, [result for student in students for result in known_of(student)])
    return jobs.results(run, students, known_of, args.jobs or jobs.cores())


def tier_chosen(name, allow_weak):
    """Return the name of the tier, or of the strongest for auto. Raises ValueError if it does not work here, or is too weak."""
    from tutorial.classroom.grading.isolation.tiers import CONFINED, TIERS
    from tutorial.classroom.grading.working_tiers import strongest, why_not

    name = strongest() if name == "auto" else name
    if name not in TIERS:
        raise ValueError(f"there is no tier {name!r}; there are {', '.join(TIERS)}")
    if reason := why_not(name):
        raise ValueError(f"tier {name} does not work here: {reason}")
    if name not in CONFINED and not allow_weak:
        raise ValueError(f"at tier {name} a program can read the solutions; use {' or '.join(CONFINED)}, or say --allow-weak")
    return name


STEP = 100  # students


def shown(results: Iterable[dict], students, exercises) -> Iterator[dict]:
    """Yield the results of so many students for so many exercises, and show how many students have all of theirs."""
    from rich.console import Console

    console = Console(file=sys.stdout)
    yield from (with_bar(results, console, students, exercises) if console.is_terminal else with_lines(results, students, exercises))


def ends(results, exercises) -> Iterator[tuple[dict, bool]]:
    """Yield each result, and whether it is the last one of its student."""
    so_far: Counter = Counter()
    for result in results:
        so_far[result["student"]] += 1
        last = so_far[result["student"]] == exercises
        if last:
            del so_far[result["student"]]
        yield result, last


def with_lines(results, students, exercises):
    done = 0
    for result, last in ends(results, exercises):
        done += last
        if last and done % STEP == 0:
            print(f"{done:,} of {students:,} students", flush=True)
        yield result


def with_bar(results, console, students, exercises):
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = BarColumn(), MofNCompleteColumn(), TextColumn("students"), TimeRemainingColumn(), TextColumn("left")
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=students)
        for result, last in ends(results, exercises):
            progress.update(task, advance=last)
            yield result
