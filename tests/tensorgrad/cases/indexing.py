"""Cases of indexing, gathering and scattering."""

import numpy as np

from tensorgrad.rules.gathering import embedding, gather, index_add, index_select, scatter, scatter_add, take, take_along_axis
from tensorgrad.rules.indexing import added_at, assigned_at, getitem, index_put, narrow, scatter_into_zeros, scattered_sum, select
from tests.tensorgrad.case import Case

MASK = np.array([[True, False, True], [False, False, True]])
REPEATED = np.array([[1, 0], [-1, 1]])

INDICES = {
    "number": 1,
    "last": -1,
    "slice": slice(0, 1),
    "backwards": (slice(None), slice(None, None, -2)),
    "ellipsis": (..., 0),
    "all": ...,
    "nothing": (),
    "newaxis": (None, slice(None), None, 1),
    "entry": (1, 2),
    "numbers": [1, 0, 1, 1],
    "array": REPEATED,
    "pairs": ([0, 1, 0], [2, 2, 2]),
    "open": ([[0], [1]], [2, 0, 2]),
    "array and slice": (slice(None), [2, 2, 0]),
    "array, newaxis, slice": ([0, 0], None, slice(1, None)),
    "apart": ([1, 0], None, [2, 2]),
    "mask": MASK,
    "mask of rows": [True, False],
    "mask and number": (MASK[0, :2], -1),
    "mask and array": (slice(None), MASK[0]),
    "no entry": np.zeros((2, 3), bool),
    "empty": [],
    "true": True,
}

axis0, axis1 = np.array([[1, 0, 1], [1, 1, 0], [0, 0, 1]]), np.array([[2, 0, 2, 1], [1, 1, 1, 0]])
long = np.arange(600).reshape(2, 300) % 3  # more entries than are added one by one

CASES = [
    *[Case(getitem, (2, 3), index=i, label=label) for label, i in INDICES.items()],
    *[Case(getitem, (), index=i, label=str(i)) for i in ((), ..., None)],
    Case(getitem, (2, 3, 2), index=(slice(None), [2, 0, 2], 1), label="array between"),
    Case(getitem, (0, 3), index=(slice(None), [1, 1])),
    Case(getitem, (3,), index=long, label="long", second=False),
    Case(getitem, (3, 2), index=long[:, :70], label="long rows", second=False),
    Case(scatter_into_zeros, (2, 2), shape=(2, 3), index=(slice(None), [1, 1])),
    Case(scatter_into_zeros, (), shape=(3,), index=1),
    Case(scatter_into_zeros, (2,), shape=(3,), index=[-1, 2]),
    Case(scatter_into_zeros, (2,), shape=(3,), index=slice(None, None, 2)),
    Case(scatter_into_zeros, (3,), shape=(2, 3), index=MASK),
    Case(scattered_sum, (3,), (2,), (2, 3), (2, 2), shape=(2, 3), indices=(1, (0, [2, 2]), ..., (slice(None), slice(0, 2)))),
    Case(scattered_sum, (), (3,), shape=(3,), indices=(-1, [True, True, True])),
    *[Case(assigned_at, (2, 3), (), index=i, label=label) for label, i in INDICES.items()],
    *[Case(added_at, (2, 3), (), index=i, label=label) for label, i in INDICES.items()],
    Case(assigned_at, (3, 2), (3, 2), index=[2, 0, 2], label="the last one stands"),
    Case(added_at, (3, 2), (3, 2), index=[2, 0, 2], label="all are added"),
    Case(added_at, (3,), (2, 1), index=long, label="long", second=False),
    *[Case(f, (2, 3), s, index=[0, 1], label=f"broadcast {s}") for f in (assigned_at, added_at) for s in [(3,), (2, 1), (1,)]],
    Case(lambda x, v: index_put(x, [1, 1], v, accumulate=True), (2, 3), (2, 3), label="index_put"),
    *[Case(narrow, (2, 4), axis=-1, start=s, length=2) for s in (1, -2)],
    Case(narrow, (3,), axis=0, start=3, length=0),
    *[Case(select, (2, 4), axis=a, index=-1) for a in (0, -1)],
    Case(take_along_axis, (2, 3), indices=axis1, axis=1),
    Case(take_along_axis, (2, 3), indices=np.array([[0, -1, 1]]), axis=0, label="broadcast"),
    Case(take_along_axis, (2, 1), indices=axis0[:2], axis=0, label="broadcast x"),
    Case(take_along_axis, (2, 3), indices=[5, 0, 5], axis=None),
    Case(take, (2, 3), indices=REPEATED, axis=-1),
    Case(take, (2, 3), indices=[[5, -1], [0, 5]]),
    Case(take, (2, 3), indices=[[5, -1], [0, 8]], total=True),
    Case(take, (2, 3), indices=1, axis=0),
    Case(index_select, (2, 3), axis=1, index=[2, 2, 0]),
    Case(index_select, (2, 3), axis=1, index=[2, 3, -1, 2], total=True),
    Case(lambda table: embedding(axis0, table), (4, 3), label="embedding"),
    Case(lambda table: embedding([[0, 9], [-1, 0]], table, total=True), (4, 3), label="embedding, total"),
    Case(gather, (2, 3), axis=0, index=axis0),
    Case(gather, (2, 3), axis=-1, index=axis1[:1]),
    Case(gather, (2, 3), axis=1, index=[[2, 3, 2, -1]], total=True),
    Case(lambda x, s: scatter(x, 0, axis0, s), (2, 3), (3, 3), label="scatter"),
    Case(lambda x, s: scatter_add(x, 1, axis1, s), (2, 3), (2, 4), label="scatter_add"),
    Case(lambda x, s: scatter_add(x, 1, axis1[:, :2], s), (2, 3), (2, 4), label="scatter_add, larger src"),
    Case(lambda x, s: index_add(x, 1, [2, 2], s), (2, 3), (2, 2), label="index_add"),
    *[
        Case(lambda table, i=i: embedding(axis0, table, padding_idx=i), (4, 3), smooth=False, label=f"embedding, padding {i}")
        for i in (1, -4)
    ],
    Case(lambda table: embedding([[0, 9], [-1, 0]], table, True, 0), (4, 3), smooth=False, label="embedding, padding, total"),
    # a number without axes has axis 0, of one entry
    *[Case(gather, (), axis=0, index=i, label=f"number {i}") for i in (0, [0, 0])],
    Case(gather, (), axis=-1, index=[0, 1], total=True, label="number, total"),
    *[Case(take, (), axis=0, indices=i, label=f"number {i}") for i in (0, [0, -1])],
    *[Case(index_select, (), axis=0, index=i, label=f"number {i}") for i in (0, [0])],
    *[
        Case(lambda x, s, f=f, i=i: f(x, 0, i, s), (), np.shape(i), label=f"{f.__name__} of a number {i}")
        for f in (scatter, scatter_add)
        for i in (0, [0, 0])
    ],
    Case(lambda x, s: index_add(x, -1, [0], s), (), (), label="index_add of a number"),
]
