"""Threads for kernels of large arrays. A kernel cuts its arrays into parts, which the threads take in turn; NumPy lets them run at once.

The parts do not depend on the number of threads, and sums over parts are added in their order. So the bits are the same for any number.
Matrix products use one thread of BLAS each meanwhile. The pool starts when it is first needed; it ends with the program, and before a fork.
"""

import atexit
import os
import sys
from contextlib import nullcontext
from contextvars import copy_context
from functools import cache, partial
from math import ceil
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread, local

from scalargrad.messages.errors import integer
from tensorgrad.arrays.blas import one_blas_thread


class threads:
    """Compute kernels of large arrays on n threads, from now on; as a context manager until the block ends. threads().n is the number.

    The default is the number of cores that the process may use, or OMP_NUM_THREADS if that is less. The choice holds for the whole
    process. Results have the same bits for any n. Raises TypeError if n is not an integer, ValueError if it is below 1.

    >>> with threads(2):
    ...     threads().n
    2
    """

    chosen = None  # the number, or None for the default

    def __init__(self, n=None):
        self.before = threads.chosen
        if n is not None:
            threads.chosen = integer("threads", "n", n, 1)
        self.n = threads.chosen or default()

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        threads.chosen = self.before
        POOL.end()

    def __repr__(self):
        return f"threads({self.n})"


@cache
def default():
    """Return how many cores this process may use: by its affinity, the quota of its cgroup, and OMP_NUM_THREADS."""
    if sys.platform in ("emscripten", "wasi"):
        return 1  # a browser's Python starts no threads
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    wanted = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0]
    return max(1, min([cores, *quotas(Path("/proc/self/cgroup"), Path("/sys/fs/cgroup")), *([int(wanted)] if wanted.isdecimal() else [])]))


def quotas(of_process, root):
    """Yield the cores that the control groups of this process allow. A group without a quota, or a system without groups, gives none."""
    try:
        lines = of_process.read_text().splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers in ("", "cpu", "cpu,cpuacct"):
            folder = root / controllers
            for part in ["", *Path(path).parts[1:]]:
                folder /= part
                yield from quota(folder)


def quota(folder):
    """Yield the cores that a group allows, from cpu.max, or from the two files of the first version of control groups."""
    files = (folder / "cpu.max",), (folder / "cpu.cfs_quota_us", folder / "cpu.cfs_period_us")
    for both in files:
        try:
            words = " ".join([file.read_text() for file in both]).split()
        except OSError:
            continue
        if len(words) == 2 and words[0].isdecimal() and words[1].isdecimal():
            yield max(1, ceil(int(words[0]) / int(words[1])))


OTHERS: list = []  # libraries of kernels with threads of their own, which end and are forgotten when those of the pool are


class Pool:
    """The helpers of the threads that call kernels; none until they are needed. They wait for work at one queue."""

    def __init__(self):
        self.lock, self.helpers, self.queue, self.ended = Lock(), [], SimpleQueue(), False

    def submit(self, n, work):
        """Let n helpers run `work`, each in a copy of this thread's context (its settings of NumPy), as soon as they can."""
        if len(self.helpers) < n:
            with self.lock:
                self.start(n)
        for _ in range(min(n, len(self.helpers))):
            self.queue.put(partial(copy_context().run, work))

    def start(self, n):
        while len(self.helpers) < n and not self.ended:
            helper = Thread(target=serve, args=(self.queue,), name=f"tensorgrad_{len(self.helpers)}", daemon=True)
            try:
                helper.start()
            except RuntimeError:  # at the interpreter's end no thread can start: then the caller does all the work
                return
            self.helpers.append(helper)

    def stop(self):
        helpers, self.helpers = self.helpers, []
        for _ in helpers:
            self.queue.put(None)
        for helper in helpers:
            helper.join()
        for others in OTHERS:
            others.end_threads()

    def end(self, forever=False):
        with self.lock:
            self.ended = self.ended or forever
            self.stop()

    def before_fork(self):
        self.lock.acquire()
        self.stop()

    def after_fork(self):
        self.lock.release()

    def in_child(self):
        self.__init__()
        one_blas_thread.reset()
        for others in OTHERS:
            others.forget_threads()


def serve(queue):
    """Do what comes from the queue, until None comes."""
    HERE.inside = True
    while (work := queue.get()) is not None:
        work()
        del work  # with its arrays


POOL = Pool()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=POOL.before_fork, after_in_parent=POOL.after_fork, after_in_child=POOL.in_child)
atexit.register(POOL.end, forever=True)


class Here(local):
    """Whether this thread computes a part already; kernels within it use no further threads."""

    inside = False


HERE = Here()


def number():
    """Return how many threads may compute parts: one within a part."""
    return 1 if HERE.inside else threads.chosen or default()


def each(parts, work, then=None, pays=True, large=True):
    """Call work(part) for each part, on several threads if that `pays`; with `then`, call then(result) in the order of the parts.

    A thread takes some 50 µs to begin, and it waits for Python's lock after each function of NumPy. So it pays if a part takes 100 µs or
    more in few functions. (Kernels in C have threads of their own, which begin in 1 µs: see Kernel.each.) Matrix products in `work` use
    one thread of BLAS, unless the arrays are not `large`.
    """
    helpers = min(number(), len(parts)) - 1 if pays and parts else 0
    with one_blas_thread if large or helpers else nullcontext():
        if helpers:
            share(helpers, Todo(parts, work, then))
            return
        for part in parts:
            found = work(part)
            if then is not None:
                then(found)


def share(helpers, todo):
    """Compute all parts, with so many helpers."""
    POOL.submit(helpers, todo.help)
    before, HERE.inside = HERE.inside, True
    try:
        todo.drain()
    finally:
        HERE.inside = before
        todo.wait()


class Todo:
    """The parts that no thread has taken, and the results that wait for an earlier one."""

    def __init__(self, parts, work, then):
        self.parts, self.work, self.then = enumerate(parts), work, then
        self.lock, self.results, self.next = Lock(), {}, 0
        self.ended, self.helping, self.error, self.last = False, 0, None, Lock()

    def drain(self):
        """Compute parts until none is left."""
        work, then, take = self.work, self.then, self.take
        try:
            while (taken := take()) is not None:
                number, part = taken
                found = work(part)
                if then is not None:
                    self.finish(number, found)
        except BaseException:
            self.close()
            raise

    def take(self):
        with self.lock:
            return next(self.parts, None)

    def close(self):
        with self.lock:
            self.parts = iter(())

    def finish(self, number, found):
        with self.lock:
            self.results[number] = found
            while self.next in self.results:
                self.then(self.results.pop(self.next))
                self.next += 1

    def help(self):
        """Compute parts in a helper, unless it comes too late."""
        with self.lock:
            if self.ended:
                return
            self.helping += 1
        try:
            self.drain()
        except BaseException as error:  # which the caller raises
            self.error = error
        with self.lock:
            self.helping -= 1
            if self.ended and not self.helping:
                self.last.release()

    def wait(self):
        """Wait for the helpers that have begun; raise an error of theirs. The others find nothing left, also no array."""
        self.last.acquire()
        with self.lock:
            self.ended, busy = True, self.helping
            self.parts = iter(())
        if busy:
            self.last.acquire()
        self.work = self.then = None
        if self.error is not None:
            error, self.error = self.error, None
            raise error
