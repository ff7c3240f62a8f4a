"""The cost of a step on paper: by the formula, and never less than its own work."""

import pytest

from tensorgrad.parallel.cost import Link, StepCost
from tests.each import each

STEP, LINK = StepCost(shards=8, shard_seconds=0.1, update_seconds=0.01, nbytes=4e6), Link(latency=1e-3, bandwidth=1e8)


@each("processes, shards, messages, share", [(1, 8, 0, 0), (2, 4, 4, 1 / 2), (3, 4, 8, 2 / 3), (8, 1, 24, 7 / 8)])
def test_a_step_is_the_shards_of_the_busiest_process_the_exchange_and_the_update(processes, shards, messages, share):
    exchange = messages * 1e-3 + 2 * 4e6 * share / 1e8
    assert STEP.exchange_seconds(processes, LINK) == pytest.approx(exchange)
    assert STEP.seconds(processes, LINK) == pytest.approx(shards * 0.1 + exchange + 0.01)
    assert STEP.speedup(processes, LINK) == pytest.approx((0.8 + 0.01) / STEP.seconds(processes, LINK))


@each("overlap", [0.0, 0.2, 0.5, 1.0])
def test_what_overlaps_hides_at_most_the_exchange(overlap):
    exchange = STEP.exchange_seconds(2, LINK)
    hidden = min(exchange, overlap * 0.1)
    assert STEP.seconds(2, LINK, overlap) == pytest.approx(4 * 0.1 + exchange - hidden + 0.01)


def test_the_most_processes_are_those_that_are_still_of_use():
    assert STEP.most_processes(LINK) == 4 and STEP.most_processes(LINK, least=0.8) == 2
    assert STEP.most_processes(Link(latency=1.0, bandwidth=1e8)) == 1
