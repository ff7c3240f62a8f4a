"""For all tests: generated examples are the same in every run, and a busy machine fails none of them."""

import signal

from hypothesis import settings

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as under nohup or in a script's background: the tests of Ctrl-C need it
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("gradsteps", derandomize=True, deadline=None)
settings.load_profile("gradsteps")
