"""Programs that write in place, where a tensor and its views share memory: our gradients are PyTorch's, and so are its errors."""

from collections import Counter

import pytest

torch = pytest.importorskip("torch")

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
