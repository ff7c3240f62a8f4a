"""Cases of recurrent layers as one function."""

import numpy as np

from tensorgrad.functions.sequences.recurrent import gru, lstm, rnn
from tests.tensorgrad.case import Case

STEPS, SAMPLES, H = 3, 2, 2


def shapes(gates, states=1):
    """Return the shapes of a, the state, W and b."""
    return (STEPS, SAMPLES, gates * H), *[(SAMPLES, H)] * states, (gates * H, H), (gates * H,)


def without_bias(function):
    def called(*arrays, **options):
        return function(*arrays, None, **options)

    called.__name__ = f"{function.name}_without_bias"
    return called


CASES = [
    Case(rnn, *shapes(1)),
    Case(rnn, *shapes(1), nonlinearity="relu"),
    Case(lstm, *shapes(4, 2)),
    Case(gru, *shapes(3)),
    *[Case(without_bias(f), *shapes(gates, states)[:-1]) for f, gates, states in ((rnn, 1, 1), (lstm, 4, 2), (gru, 3, 1))],
    Case(lstm, (1, 1, 4), (1, 1), (1, 1), (4, 1), (4,), label="one_step"),
    Case(gru, np.zeros((2, 1, 3)), (1, 1), (3, 1), (3,), label="zeros"),
]
