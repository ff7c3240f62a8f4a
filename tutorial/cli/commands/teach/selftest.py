"""python -m tutorial teach selftest: test the exercises by themselves, before a class relies on them."""

import os
from functools import partial

from tutorial.cli.shared.parser import Mistake

ABOUT = "test the exercises: right answers are right, each wrong answer gets its name"
MOST = 20  # faults of an exercise that are listed


def options(parser):
    parser.add_argument("ids", metavar="ID", nargs="*", help="numbers of exercises, or units such as A (default: all)")
    parser.add_argument("--seeds", metavar="N", type=int, default=20, help="try the numbers of so many seeds (default: 20)")
    tier = "run solutions at this tier too (default: all that work here), or none"
    parser.add_argument("--tier", metavar="NAME", default="all", help=tier)
    parser.add_argument("--jobs", metavar="N", type=int, default=os.cpu_count() or 1, help="use N processes (default: one for each core)")


def run(args):
    """Print a line for each exercise, with its faults below it, and a summary."""
    from tutorial.exercises.authored import chosen

    try:
        tiers, exercises = tiers_chosen(args.tier), chosen(args.ids)
    except ValueError as wrong:
        raise Mistake(wrong) from None
    faulty = wrong_answers = 0
    for exercise, found in tested(exercises, partial(faults_at, seeds=max(1, args.seeds), tiers=tiers), args.jobs):
        faulty, wrong_answers = faulty + bool(found), wrong_answers + len(exercise.wrong)
        print(f"{'x ' if found else 'ok'} {exercise.number} {exercise.title}: {len(exercise.wrong)} wrong answers", flush=True)
        for fault in found[:MOST]:
            print(f"     {fault}", flush=True)
    at = f"tiers {', '.join(tiers)}" if tiers else "no tier"
    print(f"{len(exercises)} exercises, {wrong_answers} wrong answers, {args.seeds} seeds, {at}: {faulty or 'none'} with a fault")
    return 1 if faulty else 0


def tiers_chosen(name) -> list[str]:
    """Return the names of the tiers at which the solutions run. Raises ValueError."""
    from tutorial.classroom.grading.isolation.tiers import TIERS
    from tutorial.classroom.grading.working_tiers import why_not, works

    if name in ("all", "none"):
        return [tier for tier in TIERS if works(tier)] if name == "all" else []
    if name not in TIERS:
        raise ValueError(f"there is no tier {name!r}; there are {', '.join(TIERS)}, all, none")
    if reason := why_not(name):
        raise ValueError(f"tier {name} does not work here: {reason}")
    return [name]


def tested(exercises, test, jobs):
    """Yield each exercise with test(its number), in `jobs` processes."""
    numbers = [exercise.number for exercise in exercises]
    if min(jobs, len(numbers)) <= 1:
        yield from zip(exercises, map(test, numbers))
        return
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(jobs) as pool:
        yield from zip(exercises, pool.map(test, numbers))


def faults_at(number, seeds, tiers) -> list[str]:
    """Return the faults of an exercise, whose solution also runs at these tiers."""
    from contextlib import ExitStack

    from tutorial.classroom.grading.isolation.tiers import tier
    from tutorial.classroom.grading.runner import Runner
    from tutorial.classroom.leaks import leaks
    from tutorial.classroom.recording.write import recording
    from tutorial.classroom.selftest import faults
    from tutorial.exercises.authored import find

    exercise = find(number)
    with ExitStack() as stack:
        found = list(faults(exercise, range(seeds), {name: stack.enter_context(Runner(tier(name))) for name in tiers}))
    given_away = leaks([("recording.jsonl", recording(exercise, range(1)).encode())])
    return found + [f'what a student gets holds the line "{line}" of a solution' for _, line in given_away]
