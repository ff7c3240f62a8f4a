"""For all tests: generated examples are the same in every run, and a busy machine fails none of them."""

from hypothesis import settings

settings.register_profile("gradsteps", derandomize=True, deadline=None)
settings.load_profile("gradsteps")
