"""Random numbers that are drawn again: what computes a function a second time must drop the same entries, and change no generator."""

from contextvars import ContextVar

import numpy as np

from scalargrad.modes import Mode

source: ContextVar = ContextVar("source", default=None)  # of an open block: it gives the generator to draw from in the place of another


class drawing_from(Mode):
    """Draw random numbers in this block from what `source` gives for a generator."""

    setting = source

    def __init__(self, source):
        super().__init__()
        self.value = source


def generator_of(rng):
    """Return the generator that a function draws from. `rng` is a generator, a seed, or None for a new one."""
    replaces = source.get()
    if replaces is None or not isinstance(rng, np.random.Generator):
        return np.random.default_rng(rng)
    return replaces(rng)


class Draws:
    """The states in which a function found the generators that it drew from, {id: state}, in the order of their first use."""

    def __init__(self, states=()):
        self.states, self.around = dict(enumerate(states)), source.get()  # of a checkpoint around this one

    def first(self, generator):
        """Return the generator to draw from for the first time, and remember its state."""
        own = self.around(generator) if self.around else generator
        self.states.setdefault(id(generator), own.bit_generator.state)
        return own

    def again(self):
        """Return a source whose generators give the same numbers once more. No generator of the program changes."""
        made, states = {}, iter(self.states.values())

        def replaces(generator):
            if id(generator) not in made:
                made[id(generator)] = restored(generator, next(states, generator.bit_generator.state))
            return made[id(generator)]

        return replaces

    def __reduce__(self):  # a copy of the program has other generators, but uses them in the same order
        return Draws, (list(self.states.values()),)


def restored(generator, state):
    """Return a new generator of the same kind in this state."""
    bits = type(generator.bit_generator)()
    bits.state = state
    return np.random.Generator(bits)
