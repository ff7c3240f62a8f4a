"""For all tests: generated examples are the same in every run, and a busy machine fails none of them."""

import gc
import signal

from hypothesis import settings

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as under nohup or in a script's background: the tests of Ctrl-C need it
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("gradsteps", derandomize=True, deadline=None)
settings.load_profile("gradsteps")


def pytest_collection_finish(session):
    """Leave the tests themselves out of every pass of the collector: there are tens of thousands."""
    gc.freeze()


def pytest_xdist_auto_num_workers(config):
    """One process for tests that measure or open a browser, which another would disturb; else pytest-xdist's own choice."""
    return None if "not browser" in config.option.markexpr else 0
