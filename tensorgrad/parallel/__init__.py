"""Data parallel: a batch is cut into shards, processes compute their gradients, and one fixed tree adds them, to the same bits.

    with parallel.open(shards=8) as group:
        loss = group.backward(model, loss_of, x, y)

Started by `mpirun -n 4 python program.py` these are four processes; without it the same program runs in one.
"""

from tensorgrad.parallel.cost import Link, StepCost
from tensorgrad.parallel.group import Group, open
from tensorgrad.parallel.mismatch import Mismatch
from tensorgrad.parallel.shards import graph_of_shards
from tensorgrad.parallel.threads import simulate

__all__ = ["Group", "Link", "Mismatch", "StepCost", "graph_of_shards", "open", "simulate"]
