"""What processes compare: checksums of the numbers, and a sentence about the ranks that differ."""

import numpy as np

from tensorgrad import Tensor
from tensorgrad.parallel.mismatch import checksum, difference


def test_a_checksum_is_that_of_the_numbers_wherever_they_lie_in_memory():
    a = np.arange(12.0).reshape(3, 4)
    alike = [a.copy(), np.asfortranarray(a), np.repeat(a, 2, axis=0)[::2], a[::-1].copy()[::-1], Tensor(a)]
    assert {checksum(x) for x in alike} == {checksum(a)}
    others = [a + 1e-15 * a, a.T, a[::-1], a.astype(np.float32)]
    assert len({checksum(x) for x in (a, *others)}) == 5
    assert checksum(a, "x") != checksum("x", a) and checksum({"lr": 0.1}) != checksum({"lr": 0.2})


def test_the_sentence_names_every_rank_that_differs_and_the_first_difference():
    first = {"seed": 1, "torch": "2.0"}
    assert difference(first, {1: dict(first), 2: dict(first)}, "the programs") == ""
    said = difference(first, {1: dict(first), 2: first | {"seed": 2}}, "the programs")
    assert said == "the programs differ on rank 2: seed is 2 on rank 2, but 1 on rank 0; all processes need the same"
    said = difference(first, {1: {"seed": 1}, 2: first | {"seed": 2}, 3: first | {"more": 0}}, "the programs")
    assert said == "the programs differ on ranks 1, 2, 3: torch is missing on rank 1, but 2.0 on rank 0; all processes need the same"
    said = difference(first, {1: first | {"more": 0}}, "the programs")
    assert said.startswith("the programs differ on rank 1: more is 0 on rank 1, but missing on rank 0")
