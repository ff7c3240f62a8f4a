"""Cases of attention."""

import numpy as np

from tensorgrad.functions.sequences.attention import attention, multi_head_attention, scaled_dot_product_attention
from tests.tensorgrad.case import Case

LOWER = np.tri(2, 3, dtype=bool)
ONE_ROW_SHUT = np.array([[True, False, True], [False, False, False]])
ADDED = np.array([[0.5, -np.inf, -1.0], [-np.inf, -np.inf, -np.inf]])


def with_a_mask_of_its_own(q, k, v, mask):
    return scaled_dot_product_attention(q, k, v, mask)


def in_two_heads(x, in_weight, in_bias, out_weight, out_bias, **options):
    return multi_head_attention(x, x, x, 2, in_weight, in_bias, out_weight, out_bias, **options)


def between_two(x, y, W_q, W_k, W_v, out_weight):
    return multi_head_attention(x, y, y, 2, (W_q, W_k, W_v), None, out_weight, None)


QKV = (2, 4), (3, 4), (3, 2)
WEIGHTS = (12, 4), (12,), (4, 4), (4,)

CASES = [
    *[
        Case(attention, *QKV, mask=m, causal=c, scale=0.6, label=n)
        for n, m, c in [
            ("open", None, False),
            ("causal", None, True),
            ("lower", LOWER, False),
            ("shut", ONE_ROW_SHUT, True),
            ("keys", LOWER[1], False),
        ]
    ],
    *[
        Case(attention, (2, 1, 2, 3), (2, 2, 2, 3), (2, 3), mask=m, causal=True, label=f"heads{len(m)}")
        for m in (LOWER[:, :2], np.ones((2, 1, 1, 2), bool))
    ],
    *[Case(scaled_dot_product_attention, *QKV, **o) for o in [{}, {"causal": True}, {"scale": 0.3}]],
    *[Case(scaled_dot_product_attention, *QKV, mask=m, label=n) for n, m in [("lower", LOWER), ("shut", ONE_ROW_SHUT), ("added", ADDED)]],
    Case(scaled_dot_product_attention, *QKV, mask=ONE_ROW_SHUT, causal=True, label="both"),
    Case(scaled_dot_product_attention, (2, 1, 2, 3), (2, 2, 2, 3), (2, 3), mask=LOWER[:, :2], label="heads"),
    *[Case(with_a_mask_of_its_own, *QKV, m) for m in [(2, 3), (3,), (1, 1)]],
    *[Case(in_two_heads, x, *WEIGHTS) for x in [(3, 4), (2, 3, 4)]],
    Case(in_two_heads, (2, 3, 4), *WEIGHTS, causal=True),
    Case(between_two, (2, 4), (3, 5), (4, 4), (4, 5), (4, 5), (3, 4)),
]
