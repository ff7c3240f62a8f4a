"""Scores of the next token that depend on this token: a causal mask is missing, or the network looks ahead in another way.

The targets of such a loss are the tokens themselves, moved by one. Whether the scores of the first place depend on the second token is
asked of the graph: backpropagation from the scores to the embeddings.
"""

from typing import NamedTuple

import numpy as np

from tensorgrad import backward

LOSSES = {"cross_entropy", "nll_loss"}
FEWEST = 3  # places: fewer agree by chance


class Predicted(NamedTuple):
    """A loss of next tokens: its call, the variable of the scores, and that of the embedded tokens of shape (batch, place, channel)."""

    call: object
    scores: object
    embedded: object


def is_next(tokens, targets):
    """Return whether targets are the tokens of (batch, place), each moved by one place; a target below 0 does not count.

    >>> tokens = np.array([[5, 7, 8, 6]]); is_next(tokens, np.array([7, 8, 6, 2])), is_next(tokens, np.array([[7, 8, 6]]))
    (True, True)
    """
    if tokens.ndim != 2 or tokens.shape[1] < FEWEST or len(np.unique(tokens)) < FEWEST:
        return False
    places = targets.size // len(tokens)
    if places * len(tokens) != targets.size or places not in (tokens.shape[1], tokens.shape[1] - 1):
        return False
    moved, following = targets.reshape(len(tokens), places)[:, : tokens.shape[1] - 1], tokens[:, 1:]
    counts = moved >= 0
    return bool(counts.any() and (moved == following)[counts].all())


def looks_ahead(predicted):
    """Return whether the scores of the first place depend on the second token."""
    y, x = predicted.scores, predicted.embedded
    G = np.zeros(y.shape, y.dtype)
    G[(0, slice(None), 0) if len(y.shape) == 3 else 0] = np.linspace(1, 2, y.shape[1])  # (batch, class, place), or (batch · place, class)
    found = dict(backward.totals(y, G, retain=True, wanted={x})).get(x)
    return found is not None and bool(np.any(found[0, 1] != 0))


AHEAD = (
    "predicts the next token, and its scores for the first place depend on the second token, which is the target there; "
    "is a causal mask missing?"
)
