"""How fast a class is graded, and with how much memory: python -m benchmarks.grading [--students 20] [--jobs 2] [--tier landlock].

It writes example classes of n, 2n and 4n students and grades them with `teach grade`. The floor is the cost of a program that does nothing.
Times are seconds of the processor of all processes together: they depend less on what else the machine does than the time of day.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tutorial.classroom.grading.classes.example_class import write_class
from tutorial.classroom.grading.fork_client import Server
from tutorial.classroom.grading.isolation.tiers import tier
from tutorial.classroom.grading.processes import Bounds
from tutorial.classroom.grading.runner import Runner
from tutorial.exercises.authored import exercises

NOTHING = "def nothing(): pass"
ROUNDS = 30


def processor():
    """Return the seconds of the processor that this process and all that have ended took."""
    return sum(used.ru_utime + used.ru_stime for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


def floor(at, rounds, served) -> float:
    """Return the milliseconds of the processor for a program that does nothing, without the start of a server."""

    def spent(rounds):
        begin, server = processor(), Server(at, Bounds()) if served else None
        for _ in range(rounds):
            with Runner(at, Bounds(), server) as ask:
                ask(NOTHING, "nothing", [()], [10])
        if server:
            server.close()
        return processor() - begin

    return 1000 * (spent(2 * rounds) - spent(rounds)) / rounds


def graded(folder, students, jobs, name, endless) -> str:
    """Grade a class of so many students. Return what it took, as a line."""
    write_class(folder / "class", students, seed=students, endless=endless)
    command = [sys.executable, "-m", "tutorial", "teach", "grade", str(folder / "class"), "--tier", name, "--allow-weak"]
    command += ["--jobs", str(jobs), "-o", str(folder / "results.jsonl"), "--secret-file", str(folder / "secret")]
    begin, clock = processor(), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    seconds, wall, count = processor() - begin, time.perf_counter() - clock, students * len(exercises())
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    each = f"{1000 * seconds / count:5.1f} ms of the processor each"
    return f"{students:6,} students {count:8,} results {count / wall:6.1f} a second   {each}   largest process so far {most:4.0f} MiB"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, default=20)
    parser.add_argument("--sizes", type=int, default=3, help="1: n students only; 3: n, 2n and 4n")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--tier", default="landlock", help="not bwrap: what runs inside it does not count as time of this process")
    parser.add_argument("--endless", type=float, default=0.0, help="the share of programs that never end, such as 0.005")
    options = parser.parse_args()
    at = tier(options.tier)
    forked, anew = floor(at, ROUNDS, True), floor(at, ROUNDS // 10, False)
    print(
        f"tier {at.name}: a program that does nothing takes {forked:.1f} ms forked, {anew:.1f} ms anew, {anew / forked:.0f} times as much"
    )
    for k in range(options.sizes):
        with tempfile.TemporaryDirectory() as folder:
            print(graded(Path(folder), options.students << k, options.jobs, at.name, options.endless), flush=True)


if __name__ == "__main__":
    main()
