"""The group: the same bits for any number of processes, the gradient of the whole batch, and clear errors."""

import json

import numpy as np
import pytest

import tensorgrad as tg
from tensorgrad import Tensor, nn, parallel
from tensorgrad.arrays import blas
from tensorgrad.nn.random import default_generator
from tensorgrad.parallel.communicator import BITS, CLOSES, Alone, closing_mark, mark_of, more_of, tag_of
from tensorgrad.parallel.group import CHECK_EVERY
from tensorgrad.parallel.state import State
from tests.each import each
from tests.tensorgrad.parallel.networks import batch, digest, loss_of, parameters, run


@pytest.fixture(scope="module")
def alone():
    with parallel.open(shards=8) as group:
        return run(group), run(group, large=20_000)


@each("processes", [2, 3, 4, 8, 9])
def test_any_number_of_processes_gives_the_same_bits(processes, alone):
    assert parallel.simulate(run, processes) == [alone[0]] * processes


@each("processes", [2, 3, 4, 7])
def test_gradients_that_travel_in_pieces_have_the_same_bits(processes, alone):
    assert parallel.simulate(lambda group: run(group, large=20_000), processes) == [alone[1]] * processes


def test_the_bits_depend_on_the_number_of_shards():
    assert parallel.simulate(run, 1, shards=2) != parallel.simulate(run, 1, shards=8)


@each("examples", [32, 31, 5])
def test_the_gradient_is_that_of_the_whole_batch(examples):
    x, y = batch(examples)
    model, whole = parameters(), parameters()
    with parallel.open(shards=8) as group:
        loss = group.backward(model, loss_of(model), x.astype(float), y)
    z = loss_of(whole)(x.astype(float), y)
    z.backward()
    assert loss == pytest.approx(z.item(), rel=1e-12)
    for p, q in zip(model, whole):
        np.testing.assert_allclose(p.grad, q.grad, rtol=1e-5 if p.dtype == np.float32 else 1e-10, atol=1e-7)


def test_a_sum_over_examples_counts_each_shard_once():
    w = Tensor([2.0])
    with parallel.open(shards=3) as group:
        total = group.backward([w], lambda x: (w * x).sum(), np.arange(7.0), reduction="sum")
    assert total == 42 and w.grad.tolist() == [21]


def test_gradients_accumulate_over_calls_and_parameters_without_one_keep_none():
    w, unused, frozen = Tensor([1.0]), Tensor([1.0]), Tensor([1.0], keep_grad=False)
    with parallel.open() as group:
        for _ in range(2):
            group.backward([w, unused, frozen], lambda x: (w * x * frozen).mean(), np.ones(4))
    assert w.grad.tolist() == [2] and unused.grad is None and frozen.grad is None


def test_metrics_are_means_over_the_examples_on_every_process():
    def program(group):
        w = Tensor([1.0])
        return group.backward([w], lambda x: ((w * x).mean(), {"largest": x.max(), "count": len(x)}), np.arange(5.0))

    # shards of 3 and 2 examples
    assert (
        parallel.simulate(program, 4, shards=3)
        == [(2.0, {"largest": pytest.approx((2 * 3 + 4 * 2) / 5), "count": pytest.approx(13 / 5)})] * 4
    )


def test_mean_measures_without_a_graph():
    x = np.arange(10.0)
    w = Tensor([2.0])
    found = parallel.simulate(lambda group: group.mean(lambda x: {"mean": (w * x).mean(), "ones": np.ones(1)}, x), 3)
    assert found == [{"mean": 9.0, "ones": 1.0}] * 3 and w.grad is None
    recorded: list = []
    with parallel.open(shards=2) as group:
        group.mean(lambda x: recorded.append((w * x).rule) or 0.0, x)
    assert recorded == [None, None], "the measure records a graph, which no backward pass uses"


# Modules: buffers and random numbers


def network():
    rng = np.random.default_rng(5)
    return nn.Sequential(nn.Linear(6, 8, generator=rng), nn.BatchNorm1d(8), nn.Dropout(0.5, generator=rng), nn.Linear(8, 3, generator=rng))


def train_network(group):
    model, found = network(), []
    for examples in (32, 20, 5):
        x, y = batch(examples)
        loss = group.backward(model, lambda x, y: tg.cross_entropy(model(x), y), x, y)
        for p in model.parameters():
            p.data, p.grad = p.data - 0.1 * p.grad, None
        found.append((loss, digest(*model.state_dict().values())))
    return found


def test_dropout_and_batch_norm_have_the_same_bits_on_any_number_of_processes():
    (alone,) = parallel.simulate(train_network, 1, shards=4)
    assert parallel.simulate(train_network, 3, shards=4) == [alone] * 3


class Counting(nn.Module):
    """It counts its calls, keeps a running mean, and draws random numbers."""

    def __init__(self):
        super().__init__()
        self.w = nn.Parameter([1.0])
        self.generator = np.random.default_rng(3)
        self.drawn = []
        self.register_buffer("mean", np.zeros(1, np.float32))
        self.register_buffer("calls", np.zeros((), np.int64))
        self.register_buffer("fixed", np.full(3, 0.1, np.float32))

    def forward(self, x):
        self.drawn = [*self.drawn, int(self.generator.integers(1000))]
        self.mean = np.asarray(0.9 * self.mean + 0.1 * x.mean(), np.float32)
        self.calls = np.asarray(self.calls + 1)
        return (self.w * x).mean()


def test_buffers_are_the_mean_over_the_shards_and_integers_count_steps():
    model = Counting()
    with parallel.open(shards=2) as group:
        group.backward(model, model, np.array([1.0, 2.0, 3.0, 5.0, 4.0]))
        group.backward(model, model, np.array([1.0, 2.0, 3.0, 5.0, 4.0]))
    assert model.mean[0] == pytest.approx(3 * 0.1 + 0.9 * 3 * 0.1) and model.mean.dtype == np.float32
    assert model.calls == 2 and model.calls.dtype == np.int64
    assert model.fixed.tolist() == np.full(3, 0.1, np.float32).tolist()


def test_buffers_are_the_mean_over_the_shards_also_of_a_sum():
    means = []
    for reduction in "mean", "sum":
        model = Counting()
        with parallel.open(shards=3) as group:
            group.backward(model, model, np.arange(7.0), reduction=reduction)
        means.append((model.mean.tolist(), model.calls.item()))
    assert means[0] == means[1] and means[0][1] == 1


def test_an_integer_that_counts_is_rounded():
    """The shares of 9 shards of 21 examples add up to 0.9999999999999999."""
    model = Counting()
    with parallel.open(shards=9) as group:
        for _ in range(3):
            group.backward(model, model, np.arange(21.0))
    assert model.calls == 3


def test_each_shard_of_each_step_has_random_numbers_of_its_own():
    model = Counting()
    with parallel.open(shards=4) as group:
        for _ in range(2):
            group.backward(model, model, np.ones(8))
    assert len(set(model.drawn)) == 8


def test_generators_of_the_loss_itself_are_named():
    def program(group):
        rng, w = np.random.default_rng(0), Tensor([1.0])
        return [group.backward([w], lambda x: (w * x * rng.random()).mean(), np.ones(8), generators=[rng]) for _ in range(2)]

    (alone,) = parallel.simulate(program, 1)
    assert parallel.simulate(program, 2) == [alone] * 2 and alone[0] != alone[1]


def test_share_copies_the_weights_and_buffers_of_rank_0():
    def program(group):
        model = Counting()
        model.w.data, model.mean = [float(group.rank)], np.full(1, group.rank, np.float32)
        group.share(model)
        return model.w.data.tolist(), model.mean.tolist()

    assert parallel.simulate(program, 3) == [([0.0], [0.0])] * 3


# What differs is an error that names the rank


def differing(name):
    """Return a program in which rank 1 differs from the others."""

    def program(group):
        odd = group.rank == 1
        x, y = batch(seed=odd and name == "batch")
        model = parameters(seed=2 if odd and name == "weights" else 1)
        if odd and name == "names":
            model[0].name = "other"
        rng = np.random.default_rng(odd and name == "generator")
        for _ in range(2 - (odd and name == "steps")):
            group.backward(model, with_metric(loss_of(model), "odd" if odd and name == "metrics" else "m"), x, y, generators=[rng])

    return program


def with_metric(loss, name):
    """Return a loss that also measures a number of this name."""
    return lambda x, y: (loss(x, y), {name: 1})


DIFFERENCES = {
    "weights": r"the weights differ on rank 1: W is .*checksum .* on rank 1, but .* on rank 0",
    "names": r"the weights differ on rank 1: W is missing on rank 1",
    "batch": r"rank \d does something else than rank \d at step 1: it has another batch",
    "generator": r"rank \d does something else than rank \d at step 1: it has another batch, other random numbers",
    "metrics": r"rank \d does something else than rank \d at step 1: it has .* other names of metrics",
    "steps": r"rank 1 has closed the group before step 2, rank 0 is at step 2; both need equally many batches",
}


@each("name, message", DIFFERENCES.items())
def test_a_difference_between_processes_is_an_error_that_names_the_rank(name, message):
    with pytest.raises(parallel.Mismatch, match=message):
        parallel.simulate(differing(name), 2)


def test_settings_that_differ_are_named():
    from tensorgrad.parallel import group, threads

    def program(rank, size, boxes, ended):
        with group.Group(threads.Threads(rank, size, boxes, ended), settings={"seed": rank}):
            pass

    with pytest.raises(parallel.Mismatch, match="the processes differ on rank 1: seed is 1 on rank 1, but 0 on rank 0"):
        threads.run_all(program, 2)


def test_weights_that_drift_apart_are_found_within_a_hundred_steps():
    def program(group):
        w = Tensor([1.0], name="w")
        for step in range(CHECK_EVERY + 1):
            if step == 3 and group.rank == 2:
                w.data = [2.0]
            group.backward([w], lambda x: (w * x).mean(), np.ones(6))

    with pytest.raises(parallel.Mismatch, match="the weights differ on rank 2: w is"):
        parallel.simulate(program, 3, shards=3)


def test_only_the_first_step_and_every_hundredth_compare_the_weights():
    def program(group):
        w, sent = Tensor([1.0]), [group.messages]
        for _ in range(CHECK_EVERY + 2):
            group.backward([w], lambda x: (w * x).mean(), np.ones(4))
            sent.append(group.messages)
        return np.diff(sent).tolist()

    for sent in parallel.simulate(program, 2, shards=2):
        usual, more = min(sent), [step for step, count in enumerate(sent) if count > min(sent)]
        assert usual > 0 and more == [0, CHECK_EVERY], "other steps send messages for a comparison"


def test_the_weights_of_each_new_model_are_compared():
    """Also where Python gives the parameter of a new model the id of an earlier one."""

    def program(group):
        for start in [0] * 20 + [group.rank]:
            w = Tensor([float(start)], name="w")
            group.backward([w], lambda x, w=w: (w * x).mean(), np.ones(4))

    with pytest.raises(parallel.Mismatch, match="the weights differ on rank 1: w is"):
        parallel.simulate(program, 2)


@each("step", [1, 7, 8, 2047, 10**9])
def test_a_tag_is_legal_in_every_mpi_and_names_the_step_of_the_other(step):
    marks = mark_of(step, 2**32 - 1), more_of(mark_of(step, CLOSES - 1), 2**32 - 1), closing_mark(step)
    assert all(0 <= tag_of(mark) <= 32767 and mark >> BITS == step for mark in marks)
    assert len({tag_of(mark_of(step + ahead, 5)) for ahead in (-1, 0, 1)}) == 3
    for ahead in -1, 1, 2:
        with pytest.raises(parallel.Mismatch, match=f"rank 3 is at step {step + ahead}, rank 0 at step {step};"):
            Alone().compare(3, tag_of(mark_of(step + ahead, 5)), mark_of(step, 5))


def test_an_exception_on_one_rank_is_raised_with_its_rank():
    def program(group):
        if group.rank == 2:
            raise ZeroDivisionError("rank 2 divides by 0")
        group.mean(lambda x: x.mean(), np.ones(3))

    with pytest.raises(ZeroDivisionError) as found:
        parallel.simulate(program, 3)
    assert found.value.__notes__ == ["on rank 2 of 3"]


def test_a_process_that_waits_too_long_says_for_whom():
    def program(group):
        group.comm.timeout = 0.05
        if group.rank == 0:
            group.mean(lambda x: x.mean(), np.ones(3))
        else:
            while not group.comm.ended:
                pass

    with pytest.raises(TimeoutError, match="rank 0 of 2 has waited 0.05 s for rank 1"):
        parallel.simulate(program, 2)


# Bad input


BAD = {
    "shards=0": (lambda g: parallel.open(shards=0), ValueError, "shards=0 is out of range; it must be 1 or more"),
    "shards=2.0": (lambda g: parallel.open(shards=2.0), TypeError, "shards=2.0 is not an integer"),
    "no batch": (lambda g: g.backward([Tensor(1.0)], lambda: 1), TypeError, "a batch needs at least one array"),
    "empty": (lambda g: g.backward([Tensor(1.0)], lambda x: 1, np.ones(0)), ValueError, "the batch has no examples"),
    "lengths": (lambda g: g.backward([Tensor(1.0)], lambda x: 1, np.ones(2), np.ones(3)), ValueError, r"\[2, 3\] examples"),
    "number": (lambda g: g.backward([Tensor(1.0)], lambda x: 1.0, np.ones(2)), TypeError, "loss_of returned 1.0; it must return a tensor"),
    "vector": (lambda g: g.backward([Tensor(1.0)], lambda x: Tensor(x), np.ones(4)), TypeError, "it must return a tensor of one entry"),
    "model": (lambda g: g.backward(3, lambda x: 1.0, np.ones(2)), TypeError, "model=3 is not a module, a list of tensors"),
    "parameter": (lambda g: g.backward([3], lambda x: 1.0, np.ones(2)), TypeError, "parameter 0=3 is not a Tensor"),
    "reduction": (lambda g: g.backward([], lambda x: 1.0, np.ones(2), reduction="max"), ValueError, "reduction='max' is unknown"),
    "metric": (lambda g: g.mean(lambda x: "a", np.ones(2)), TypeError, "returned 'a'; it must return a number"),
    "0-d": (lambda g: g.mean(lambda x: 0, 3.0), TypeError, "batch=3.0 is not an array whose first axis counts the examples"),
}


@each("name", BAD)
def test_bad_input_gets_a_clear_error(name):
    call, kind, message = BAD[name]
    with pytest.raises(kind, match=message), parallel.open(shards=2) as group:
        call(group)


def test_an_error_in_the_loss_changes_nothing():
    model = Counting()
    model.w.grad = np.ones(1)

    def loss(x):
        model(x)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), parallel.open() as group:
        group.backward(model, loss, np.ones(4))
    assert model.w.grad.tolist() == [1] and model.calls == 0


def test_a_closed_group_says_how_to_open_it():
    with parallel.open() as group:
        pass
    with pytest.raises(RuntimeError, match="write `with parallel.open"):
        group.mean(lambda x: x.mean(), np.ones(2))


def test_names_of_metrics_are_the_same_in_all_shards():
    with pytest.raises(ValueError, match=r"shard 2 has the numbers \['b'\], another shard \['a'\]"), parallel.open(shards=2) as group:
        group.mean(lambda x: {"a" if x[0] == 0 else "b": 1}, np.arange(4.0))


def test_facts_are_json():
    from tensorgrad.parallel.mismatch import program_facts

    assert json.loads(json.dumps(program_facts())) == program_facts()


def test_the_default_generator_counts_only_if_a_layer_draws_from_it():
    assert State(nn.Sequential(nn.Linear(2, 2), nn.ReLU())).generators == []
    assert State(nn.Sequential(nn.Dropout(), nn.Dropout())).generators == [default_generator()]


@pytest.mark.skipif(blas.setting() is None, reason="NumPy has another library for matrix products here")
def test_matrix_products_use_one_thread_in_the_block_and_as_many_as_before_after_it():
    count, set_count = blas.setting()
    before = count()
    try:
        set_count(2)
        with parallel.open():
            assert count() == 1
        assert count() == 2
        assert parallel.simulate(lambda group: count(), 2) == [1, 1]
    finally:
        set_count(before)
