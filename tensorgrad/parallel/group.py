"""A group of processes that compute one step together: `open` starts it, `backward` adds the gradients of all shards."""

from contextlib import contextmanager
from math import inf
from operator import attrgetter
from weakref import WeakKeyDictionary

from scalargrad.messages.errors import integer, must_be_one_of
from tensorgrad.parallel.communicator import closing_mark, mark_of
from tensorgrad.parallel.mismatch import agree, checksum, program_facts
from tensorgrad.parallel.mpi import communicator
from tensorgrad.parallel.state import State
from tensorgrad.parallel.step import Plan, backward_over_shards, mean_over_shards

CHECK_EVERY = 100  # steps from one comparison of all weights to the next


def open(shards: int = 8, timeout: float = 600.0, **settings) -> "Group":
    """Return the group of all processes that mpirun has started, for a `with` block; without mpirun, of this process alone.

    Every batch is cut into so many shards. One fixed tree adds their gradients, so any number of processes gives the same bits.
    `settings`, such as seed=3, must be the same on all processes, as must the program and the versions. Raises Mismatch, which
    names the rank, if they differ. No process waits longer than `timeout` seconds for another. An exception that leaves the block
    ends all processes. In the block, matrix products use one thread, because their last bits depend on the number of threads.

    >>> import numpy as np
    >>> from tensorgrad import Tensor, parallel
    >>> w = Tensor([1.0], name="w")
    >>> with parallel.open(shards=4) as group:
    ...     loss = group.backward([w], lambda x: (w * x).mean(), np.arange(8.0))
    >>> loss, w.grad, group.rank, group.size
    (3.5, array([3.5]), 0, 1)
    """
    integer("parallel.open", "shards", shards, 1)
    comm = communicator()
    comm.timeout = timeout
    return Group(comm, shards, settings)


class Group:
    """Processes that run the same program on the same batches. `rank` numbers them from 0, `size` counts them.

    Print and write files on rank 0 only: `if group.rank == 0`. `bytes_sent` and `messages` count what this process has sent, and
    `seconds_waited` how long it has waited for others.

    >>> import numpy as np
    >>> from tensorgrad import parallel
    >>> with parallel.open(shards=4) as group:
    ...     mean = group.mean(lambda x: {"mean": x.mean(), "largest": x.max()}, np.arange(8.0))
    >>> mean  # over the shards [0, 1], [2, 3], [4, 5] and [6, 7]
    {'mean': 3.5, 'largest': 4.0}
    """

    def __init__(self, comm, shards=8, settings=None):
        self.comm, self.shards, self.settings, self.steps = comm, shards, dict(settings or {}), 0
        self.rank, self.size = comm.rank, comm.size
        self._block = None
        self._last_check: WeakKeyDictionary = WeakKeyDictionary()  # node of a parameter: the step that compared its weights

    def __enter__(self):
        with self._ending_all():
            if self.size > 1:
                agree(self.comm, program_facts() | {"shards": self.shards} | self.settings, "the processes", mark_of(0, 0))
        self._block = self.comm.one_thread()
        self._block.__enter__()
        return self

    def __exit__(self, kind, wrong, traceback):
        block, self._block = self._block, None
        block.__exit__(None, None, None)
        if wrong is not None and not (kind is SystemExit and not wrong.code):
            self.comm.abort(wrong)
            return
        with self._ending_all():
            agree(self.comm, {}, "", closing_mark(self.steps + 1))

    @contextmanager
    def _ending_all(self):
        """End all processes if an exception leaves this block."""
        try:
            yield
        except BaseException as wrong:
            self.comm.abort(wrong)
            raise

    bytes_sent, messages, seconds_waited = map(property, map(attrgetter, ("comm.bytes_sent", "comm.messages", "comm.seconds_waited")))

    def backward(self, model, loss_of, *batch, reduction: str = "mean", generators=()):
        """Add to each parameter's `.grad` the gradient of the loss over the whole batch, and return the loss.

        The batch is one or more arrays whose first axis counts the examples. Each shard's loss_of(*arrays) returns its mean loss, a
        tensor of one entry, or (loss, {name: number}); then the result is (loss, {name: mean number}). A shard counts by its share of
        the examples. With reduction="sum" all shards count 1: loss_of then returns sums. `model` is a module, a list of tensors or a
        dictionary {name: tensor}.

        Every process must call this with the same batch. The first call with a parameter, and every hundredth, compares the weights
        of all processes. Each shard starts from the buffers of the last step, and batch norm normalises it by its own mean and
        variance; the new buffers are the mean over the shards. Random layers draw numbers that depend on the step and the shard
        alone. `generators` are those of loss_of itself.
        Raises Mismatch if the processes differ, TypeError or ValueError for a wrong loss or batch.
        """
        must_be_one_of("backward", ("mean", "sum"), reduction=reduction)
        state = State(model, generators)
        plan = Plan(self.comm, batch, self.shards, reduction)
        self._step()
        self._check_weights(state)
        keys = state.draw_keys()
        mark = self._mark("backward", reduction, [key for _, key, _ in keys], *batch)
        return backward_over_shards(self.comm, plan, state, loss_of, mark, keys)

    def mean(self, measure, *batch):
        """Return the mean of measure(*arrays), a number or {name: number}, over the shards of a batch, with the same bits on any group.

        A shard counts by its share of the examples. Nothing is recorded for a backward pass. For layers such as dropout and batch
        norm, call model.eval() before.
        """
        plan = Plan(self.comm, batch, self.shards)
        self._step()
        return mean_over_shards(self.comm, plan, measure, self._mark("mean", *batch))

    def share(self, model):
        """Copy the parameters and buffers of rank 0 to all processes. Without this, all must start from the same seed."""
        state = State(model)
        self._step()
        mark = self._mark("share")
        agree(self.comm, state.shapes(), "parameters", mark)
        for _, array, put in state.arrays():
            put(self._from_first(array, mark))

    def _from_first(self, array, mark):
        found = array.copy()
        if self.rank:
            self.comm.receive(0, mark, found)
        else:
            for rank in range(1, self.size):
                self.comm.send(rank, found, mark)
        self.comm.finish_sends()
        return found

    def _step(self):
        """Begin the next step. Raises RuntimeError outside the `with` block."""
        if self._block is None:
            raise RuntimeError("the group is not open; write `with parallel.open(shards=8) as group:` and call it in the block")
        self.steps += 1

    def _mark(self, *what):
        """Return the mark of this step: where all processes must be, and with which batch."""
        return mark_of(self.steps, checksum(*what) if self.size > 1 else 0)

    def _check_weights(self, state):
        """Compare the weights of all processes in the first step of each parameter, and in every hundredth."""
        if self.size == 1:
            return
        nodes = [p.node or p.own_node() for _, p in state.named]
        last = min((self._last_check.get(node, -inf) for node in nodes), default=-inf)
        if self.steps - last >= CHECK_EVERY:
            self._last_check.update(dict.fromkeys(nodes, self.steps))
            agree(self.comm, state.facts(), "the weights", self._mark("weights"))
