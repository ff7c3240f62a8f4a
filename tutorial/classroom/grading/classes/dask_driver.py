"""Grade a class with dask: batches of programs go to the workers of a cluster, and results come back as plain values.

A program never runs in a worker of dask. It runs in a child process of it, at a tier that keeps it from sending signals to the worker and
from connecting to it: otherwise one student could end the worker, and with it the answers of others, or run code in it.
A batch whose worker dies is split in halves and tried again. A program that is left alone is tried once more while nothing else runs, so
that what happens then is its own doing. If its worker dies again, it is ungraded.
"""

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from importlib.metadata import version
from importlib.util import find_spec
from tempfile import TemporaryDirectory

from tutorial.classroom.grading.classes.batch import Grader, Run, Submission, grade_programs, known_by_key
from tutorial.classroom.grading.isolation.tiers import CONFINED, TIERS, keeps_signals
from tutorial.classroom.grading.results.results import key_of, ungraded
from tutorial.classroom.grading.working_tiers import why_not

LOCAL = "local"  # instead of an address: workers on this machine
WORKERS, HOST = 2, "127.0.0.1"
FEWEST, MOST = 50, 200  # programs in a batch
LONGEST = 4_000_000  # characters of the programs in a batch
SHARE = 4  # batches for each thread of the cluster, if they are not too small then
AHEAD = 2  # batches for each thread that run or wait in the cluster; the others are not read yet
SETTINGS = {  # of the cluster on this machine
    "distributed.deploy.lost-worker-timeout": "1 day",  # until a worker that dies again and again is given up
    "distributed.comm.timeouts.connect": "10s",  # until results that were in a dead worker are computed again
}
SECONDS = 30  # until a scheduler and its first worker must have answered
ENDED = "the scheduler has ended; the results so far are kept: run the command again to go on"
INSTALL = "dask is not installed; run: pip install 'gradsteps[dask]'"


class NoCluster(ValueError):
    """No cluster can grade this run. The message is one line that says why."""


def refusal(name) -> str:
    """Return why a worker of dask on this machine may not start programs at a tier; "" if it may."""
    if not keeps_signals(name):
        others = ", ".join(filter(keeps_signals, TIERS))
        return f"at tier {name} a program can end the worker of dask that started it; these tiers keep it from that: {others}"
    return f"tier {name} does not work there: {why}" if (why := why_not(name)) else ""


def about_dask() -> str:
    """Return whether dask is installed here, and at which tiers its workers on this machine may start programs."""
    if find_spec("distributed") is None:
        return f"not here: {INSTALL}"
    tiers = ", ".join(name for name in CONFINED if not refusal(name))
    return f"distributed {version('distributed')}; at the tiers {tiers}" if tiers else "not here: no tier keeps programs from its workers"


def results(scheduler, run: Run, students: Iterable, known: Iterable[dict] = ()) -> Iterator[dict]:
    """Yield the results of a class, first those that are known, then the others in any order. Raises NoCluster.

    `scheduler` is an address such as "tcp://10.0.0.1:8786", or "local", which starts two workers on this machine.
    """
    if run.tier not in CONFINED:  # on no machine
        raise NoCluster(refusal(run.tier))
    grader, before, students, new = Grader(run), known_by_key(known), list(students), 0
    for submission in grader.submissions(students):
        if (same := before.get(grader.key(submission))) is not None:
            yield same
        else:
            new += 1
    if new:
        unknown = (submission for submission in grader.submissions(students) if grader.key(submission) not in before)
        with connected(scheduler) as client:
            check_workers(client, run.tier)
            yield from Batches(client, grader).results(unknown, new)


@contextmanager
def connected(scheduler):
    """Give a client of a scheduler, or of one that is started for it. Raises NoCluster."""
    try:
        from distributed import Client
    except ImportError:
        raise NoCluster(INSTALL) from None
    if scheduler == LOCAL:
        with local_cluster() as cluster, Client(cluster) as client:
            yield client
        return
    try:
        client = Client(scheduler, timeout=SECONDS, set_as_default=False)
    except (OSError, ValueError) as wrong:
        raise NoCluster(f"the scheduler {scheduler} does not answer: {first_line(wrong)}") from None
    with client:
        yield client


@contextmanager
def local_cluster():
    """Give a cluster on this machine, which no other reaches. It leaves to Batches what comes after the death of a worker."""
    import dask
    from distributed import LocalCluster

    with TemporaryDirectory(prefix="gradsteps-dask-") as folder, dask.config.set(SETTINGS):
        quiet = {"silence_logs": logging.CRITICAL, "dashboard_address": f"{HOST}:0", "scheduler_kwargs": {"allowed_failures": 0}}
        sizes = {"n_workers": WORKERS, "threads_per_worker": 1, "memory_limit": 0}
        with LocalCluster(host=HOST, local_directory=folder, **sizes, **quiet) as cluster:
            yield cluster


def check_workers(client, name):
    """Wait for a worker, and ask each whether it can grade at this tier. Raises NoCluster."""
    wait_for_worker(client)
    for worker, found in client.run(refusal, name, on_error="return").items():
        if found:
            raise NoCluster(f"the worker {worker} cannot grade: {first_line(found)}")


def wait_for_worker(client):
    """Wait until there is a worker. Raises NoCluster."""
    try:
        client.wait_for_workers(1, timeout=SECONDS)
    except TimeoutError:
        raise NoCluster("the scheduler has no worker; the results so far are kept") from None


def grade_there(run: Run, submissions: list[Submission]) -> list[dict]:
    """Return the results of a batch. A worker of dask calls this. Raises NoCluster if it cannot grade."""
    if why := refusal(run.tier):
        raise NoCluster(why)
    return grade_programs(run, submissions)


class Batches:
    """The batches of a run in a cluster. `call` is what a worker calls for a batch."""

    def __init__(self, client, grader: Grader, call: Callable = grade_there):
        self.client, self.grader, self.call = client, grader, call
        self.threads = max(1, sum(client.nthreads().values()))

    def results(self, submissions: Iterator[Submission], number) -> Iterator[dict]:
        """Yield the results of a number of submissions as they come. Raises NoCluster if the scheduler ends."""
        batches = batches_of(submissions, min(MOST, max(FEWEST, number // (SHARE * self.threads))))
        alone = []
        for batch, found in self.done(batches):
            if isinstance(found, str):
                alone += batch
            else:
                yield from found
        for submission in alone:
            ((_, found),) = self.done(iter([[submission]]))
            yield from [self.ungraded(submission, found)] if isinstance(found, str) else found

    def done(self, batches: Iterator[list[Submission]]) -> Iterator[tuple[list[Submission], list[dict] | str]]:
        """Yield each batch with its results, or a single submission with the reason why there are none."""
        running: dict = {}
        halves: deque = deque()
        while True:
            while len(running) < AHEAD * self.threads and (batch := halves.popleft() if halves else next(batches, None)):
                running[self.client.submit(self.call, self.grader.run, batch, pure=False)] = batch
            if not running:
                return
            for future in self.ended(running):
                batch = running.pop(future)
                found = self.outcome(future, batch)
                if isinstance(found, str) and len(batch) > 1:
                    halves += [batch[: len(batch) // 2], batch[len(batch) // 2 :]]
                else:
                    yield batch, found

    def ended(self, running) -> set:
        """Return the futures that have ended, as soon as there is one. Raises NoCluster."""
        from distributed import wait

        while True:
            try:
                return wait(list(running), timeout=SECONDS, return_when="FIRST_COMPLETED").done
            except TimeoutError:
                wait_for_worker(self.client)
            except (CancelledError, OSError):
                raise NoCluster(ENDED) from None

    def outcome(self, future, batch) -> list[dict] | str:
        """Return the results of a batch, or the reason why there are none."""
        from distributed import KilledWorker

        try:
            found = future.result()
        except KilledWorker:
            return "the worker of dask that graded it died"
        except CancelledError:
            raise NoCluster(ENDED) from None
        except Exception as wrong:  # a mistake of ours costs nobody a point
            return f"{type(wrong).__name__}: {wrong}"
        same = [key_of(result) for result in found] == list(map(self.grader.key, batch))
        return found if same else "the worker of dask has other versions of the exercises"

    def ungraded(self, submission, why) -> dict:
        return self.grader.begin(submission) | ungraded(why, self.grader.exercises[submission.exercise].points)


def batches_of(submissions: Iterable[Submission], size) -> Iterator[list[Submission]]:
    """Yield batches of at most so many submissions, fewer where their programs are long."""
    batch: list[Submission] = []
    for submission in submissions:
        if batch and (len(batch) == size or sum(len(each.program) for each in batch) + len(submission.program) > LONGEST):
            yield batch
            batch = []
        batch.append(submission)
    if batch:
        yield batch


def first_line(wrong) -> str:
    return (str(wrong) or type(wrong).__name__).splitlines()[0]
