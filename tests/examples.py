"""How many generated examples a test tries: few in the default tests; `--hypothesis-profile all` tries all."""

from hypothesis import settings

PROFILES = {"few": 8, "all": 100}  # of a test that does not say how many are enough for it


def at_most(count):
    """Return the settings of a test for which so many examples are enough."""
    return settings(max_examples=min(count, settings().max_examples))
