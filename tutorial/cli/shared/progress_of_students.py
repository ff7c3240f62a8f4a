"""Show how many students of a class are graded: as a bar in a terminal, as a line for each hundred students elsewhere."""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator

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
