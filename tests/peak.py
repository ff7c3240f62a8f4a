"""The memory that a function takes."""

import tracemalloc


def peak_of(run):
    """Return how many bytes more than before exist at most while run() works."""
    tracemalloc.start()
    try:
        run()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
