"""Cases of the first rules."""

from tensorgrad.rules.elementwise import add, div, mul, sub, tanh
from tests.tensorgrad.case import Case

away = lambda a: a + 3 * (a >= 0) - 1.5  # from 0

CASES = [
    *[
        Case(f, a, b)
        for f in (add, sub, mul)
        for a, b in [((2, 3), (2, 3)), ((2, 3), (3,)), ((2, 1), (1, 3)), ((), (3,)), ((0, 3), (3,)), ((), ())]
    ],
    *[Case(div, a, b, domain=away) for a, b in [((2, 3), (2, 3)), ((2, 3), (3,)), ((), (3,))]],
    *[Case(tanh, s) for s in [(2, 3), (), (0,)]],
]
