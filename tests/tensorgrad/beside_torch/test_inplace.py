"""Programs that write in place, where a tensor and its views share memory: our gradients are PyTorch's, and so are its errors."""

from collections import Counter

import pytest

torch = pytest.importorskip("torch")

from scalargrad.graph import Graph  # noqa: E402
from tensorgrad import from_torch  # noqa: E402
from tests.tensorgrad.beside_torch.random_programs import source, verdict  # noqa: E402

pytestmark = [pytest.mark.torch, pytest.mark.filterwarnings("ignore:The .grad attribute", "ignore:An output with one or more")]
FINE = {"right", "refused by PyTorch", "PyTorch used changed numbers"}


def wrong(seeds):
    found = Counter()
    for seed in seeds:
        if (said := verdict(seed, from_torch)) not in FINE:
            raise AssertionError(f"program {seed}: {said}\n{source(seed)}")
        found[said] += 1
    return found


def test_random_programs_that_write_in_place_are_right():
    assert wrong(range(25))["right"] >= 10


@pytest.mark.slow
def test_two_thousand_random_programs_that_write_in_place_are_right():
    assert wrong(range(2000))["right"] >= 1000


def test_a_view_that_was_written_to_is_one_box_under_its_own_name_and_a_write_is_one_box():
    w = torch.ones(3, 4, requires_grad=True)

    def program():
        h = w * 1.0
        turned, row, flat = h.t(), h[1], h.view(-1)
        h[0] = 0
        flat[3:5].mul_(2)
        return (turned * 2).sum() + row.sum() + flat.sum()

    names = [v.rule.name for v in Graph(from_torch(program).z.node).variables if v.rule and v.rule.name not in ("mul", "add", "sum")]
    assert names == ["setitem", "view", "getitem", "mul_", "index_put", "t", "getitem", "view"]


def test_a_view_of_one_number_that_was_written_to_shows_it_several_times():
    w = torch.ones((), requires_grad=True)

    def program():
        h = w * 3.0
        seen, alone = h.expand(2, 3), h.view(1)
        h.mul_(2)
        return (seen * seen).sum() + alone.sum()

    seen = from_torch(program)
    seen.z.backward()
    assert seen.leaves[0][1].grad == 6 * 2 * 6 * 6 + 6
