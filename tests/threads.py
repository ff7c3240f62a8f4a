"""Run work in threads that interleave as often as Python allows."""

import sys
import threading
from concurrent.futures import ThreadPoolExecutor


def in_threads(n, work):
    """Return [work(i)] of n threads that start together and take turns as often as possible."""
    together = threading.Barrier(n)

    def run(i):
        together.wait()
        return work(i)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(n) as pool:
            return list(pool.map(run, range(n)))
    finally:
        sys.setswitchinterval(interval)
