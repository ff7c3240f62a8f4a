"""How long a process and what it has started have used the processor, or have waited for it: the rest of the time they slept.

A process that the machine has no time for is not to blame, so time in which others ran counts as used.
Source: docs.kernel.org/scheduler/sched-stats.html, /proc/<pid>/schedstat.
"""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path


def used(pid) -> float | None:
    """Return these seconds; None if this system does not tell them, or if the process has ended.

    >>> import os
    >>> used(os.getpid()) is None or used(os.getpid()) > 0
    True
    """
    return sum(map(nanoseconds_of, tasks(pid))) / 1e9 or None


def tasks(pid) -> Iterator[Path]:
    """Yield the folders of all threads of a process and of its descendants."""
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            yield task
            for child in (task / "children").read_text().split():
                yield from tasks(child)


def nanoseconds_of(task) -> int:
    """Return the nanoseconds of a thread, 0 if it has ended."""
    with suppress(OSError, ValueError):
        running, waiting, _ = map(int, (task / "schedstat").read_text().split())
        return running + waiting
    return 0
