"""Who sends what to whom: every total is added in the order of the tree, and the work is shared."""

import numpy as np

from tensorgrad.parallel.exchange import add_over_workers, rounds
from tensorgrad.parallel.shards import add_shards, blocks, bounds, middle
from tensorgrad.parallel.threads import simulate
from tests.each import each


def tree(lo, hi):
    """Return the tree over shards as text."""
    return str(lo) if hi - lo == 1 else f"({tree(lo, middle(lo, hi))} {tree(middle(lo, hi), hi)})"


@each("shards", [1, 2, 3, 5, 8, 13])
def test_blocks_are_nodes_of_the_tree(shards):
    for workers in range(1, shards + 1):
        found = blocks(shards, workers)
        assert [lo for lo, _ in found] == [0, *[hi for _, hi in found[:-1]]] and found[-1][1] == shards
        assert all(tree(lo, hi) in tree(0, shards) for lo, hi in found)


@each("workers", [1, 2, 3, 4, 5, 6, 7, 8])
@each("pieces", [1, 8])
def test_each_process_sends_each_piece_at_most_once_and_each_message_is_awaited(workers, pieces):
    sent, awaited = [], []
    for rank in range(workers):
        for sends, receives, _ in rounds(rank, workers, pieces):
            sent += [(rank, to, piece) for to, piece in sends]
            awaited += [(sender, rank, piece) for sender, piece in receives]
    assert sorted(sent) == sorted(awaited)
    assert len({(sender, piece) for sender, _, piece in sent}) == len(sent) == pieces * (workers - 1)


@each("workers", [2, 4, 8])
def test_powers_of_two_share_the_work_evenly(workers):
    for rank in range(workers):
        found = rounds(rank, workers, workers)
        assert [len(r.sends) for r in found] == [len(r.receives) for r in found] == [workers >> k for k in range(1, len(found) + 1)]


@each("processes", [2, 3, 4, 5, 6, 7])
@each("entries", [1, 10_000])
def test_the_sum_over_processes_has_the_bits_of_the_tree(processes, entries):
    vectors = [np.random.default_rng(i).standard_normal(entries).astype(np.float32) for i in range(8)]
    expected = add_shards(0, 8, lambda i: {"": vectors[i].copy()})[""]

    def program(group):
        own = add_shards(*blocks(8, processes)[group.rank], lambda i: {"": vectors[i].copy()})[""]
        return add_over_workers(group.comm, own, processes, 0)

    assert all((total == expected).all() for total in simulate(program, processes))
    assert (np.sum(vectors[::-1], axis=0) != expected).any() or entries == 1  # another order has other bits


@each("examples, shards", [(1, 1), (1, 8), (7, 3), (8, 8), (9, 8), (2, 2), (100, 7)])
def test_shards_differ_by_one_example_at_most(examples, shards):
    sizes = [hi - lo for lo, hi in bounds(examples, shards)]
    assert sum(sizes) == examples and max(sizes) - min(sizes) <= 1 and sizes == sorted(sizes, reverse=True)
    assert len(sizes) <= shards and (min(sizes) >= 2 or examples == 1)
