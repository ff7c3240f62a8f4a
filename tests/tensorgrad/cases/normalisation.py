"""Cases of normalisation and dropout."""

import numpy as np

from tensorgrad.functions.normalisation import (
    batch_norm,
    batch_norm_relu,
    cosine_similarity,
    dropout,
    group_norm,
    instance_norm,
    layer_norm,
    normalize,
    rms_norm,
)
from tensorgrad.rules.normalisation import over_batch, over_batch_relu, standardise, standardise_groups
from tests.tensorgrad.case import Case


def apart(a):
    """Numbers that stay apart, and their relus away from 0."""
    return a + 0.3 * np.sign(a)


def trained(x, weight=None, bias=None):
    return batch_norm(x, weight=weight, bias=bias, training=True)


def running(x, weight=None, bias=None):
    return batch_norm(x, np.linspace(-1, 1, x.shape[1]), np.linspace(0.5, 2, x.shape[1]), weight, bias)


def running_relu(x, weight, bias, residual):
    return batch_norm_relu(x, np.linspace(-1, 1, x.shape[1]), np.linspace(0.5, 2, x.shape[1]), weight, bias, residual)


def by_layer(x, weight=None, bias=None):
    return layer_norm(x, x.shape[-len(weight.shape) :] if weight is not None else x.shape[-1], weight, bias)


def by_group(x, weight=None, bias=None):
    return group_norm(x, 2, weight, bias)


def by_instance(x, weight=None, bias=None):
    return instance_norm(x, weight=weight, bias=bias)


def by_size(x, weight=None):
    return rms_norm(x, x.shape[-1], weight, eps=0.1)


def dropped(x, p):
    return dropout(x, p, rng=3)


IMAGES, ROWS, LINES = (2, 3, 2, 2), (4, 3), (3, 2, 3)

CASES = [
    *[Case(standardise, s, axes=n) for s, n in [((3, 4), 1), ((2, 3, 2), 2), ((2, 3), 2), ((0, 3), 1)]],
    *[Case(standardise, s, s[-n:], s[-n:], axes=n) for s, n in [((3, 4), 1), ((2, 3, 2), 2), ((2, 3, 2), 1), ((2, 3), 2)]],
    Case(standardise, (4,), (4,), eps=0.5),
    *[Case(standardise_groups, s, groups=n) for s, n in [((2, 4, 3), 2), ((3, 2), 1), ((0, 2, 3), 2)]],
    *[Case(standardise_groups, s, s[1:2], s[1:2], groups=n) for s, n in [((2, 4, 3), 2), ((2, 3, 2, 2), 3), ((2, 3), 1)]],
    *[Case(over_batch, x, (x[1],), (x[1],)) for x in [IMAGES, ROWS, LINES, (2, 1, 3), (3, 2, 1, 2, 2)]],
    Case(over_batch, IMAGES),
    Case(over_batch, IMAGES, (3,), eps=0.5),
    *[Case(over_batch_relu, x, (x[1],), (x[1],), x, domain=apart) for x in [IMAGES, ROWS, LINES, (2, 1, 3)]],
    Case(over_batch_relu, IMAGES, (3,), (3,), domain=apart),
    Case(over_batch_relu, ROWS, domain=apart),
    *[Case(f, x, (3,), (3,)) for f in (trained, running) for x in (IMAGES, ROWS)],
    Case(running_relu, IMAGES, (3,), (3,), IMAGES, domain=apart),
    *[Case(by_layer, (2, 3, 4), *w) for w in [(), ((4,),), ((3, 4), (3, 4)), ((2, 3, 4), (2, 3, 4))]],
    *[Case(by_group, (2, 4, *s), *w) for s in [(), (3,), (2, 2)] for w in [(), ((4,), (4,))]],
    *[Case(by_instance, (2, 3, 4), *w) for w in [(), ((3,), (3,))]],
    *[Case(by_size, (2, 3), *w) for w in [(), ((3,),)]],
    *[Case(normalize, (2, 3), p=p, axis=a) for p, a in [(2.0, 1), (3.0, 0), (1.0, -1)]],
    *[Case(cosine_similarity, a, b, axis=n) for a, b, n in [((2, 3), (2, 3), 1), ((2, 3), (3,), -1), ((2, 3), (2, 3), 0)]],
    *[Case(dropped, (3, 4), p=p) for p in (0.0, 0.4, 1.0)],
]
