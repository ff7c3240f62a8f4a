"""Cases of functions of single entries, and of what is made of them."""

import math

import numpy as np

import tensorgrad as tg
from tensorgrad.functions.blends import addcdiv, addcmul, between, lerp, masked_fill, nan_to_num, safe_log, scale
from tensorgrad.rules import elementwise as e
from tests.scalargrad.oracles import ORACLES
from tests.tensorgrad.case import Case

away = lambda a: a + np.where(a >= 0, 1, -1) * 0.5  # from 0
positive = lambda a: np.abs(a) + 0.5
beyond_one = lambda a: np.abs(a) + 1.5
within_one = lambda a: np.tanh(a) * 0.9
no_whole = lambda a: positive(a) * np.sqrt(2)
apart = lambda a: np.round(a) + 0.3 + 0.1 * np.sin(a)  # from whole and half numbers

SHAPES = [(2, 3), (), (0, 3)]
PAIRS = [((2, 3), (2, 3)), ((2, 3), (3,)), ((2, 1), (1, 3)), ((), (3,)), ((0, 3), (3,)), ((), ())]

DOMAINS = {  # of the functions of one number; the others are smooth everywhere
    e.reciprocal: away, e.cbrt: away, e.abs: away, e.sign: away, e.relu: away,
    e.sqrt: positive, e.sqrt_total: positive, e.rsqrt: positive, e.log: positive, e.log2: positive, e.log10: positive, e.log1p: positive,
    e.tan: within_one, e.asin: within_one, e.acos: within_one, e.atanh: within_one, e.acosh: beyond_one,
    e.floor: apart, e.ceil: apart, e.trunc: apart, e.round: apart,
}  # fmt: skip
SMOOTH = [
    *(e.sinc, e.neg, e.square, e.exp, e.exp2, e.expm1, e.sin, e.cos, e.atan, e.sinh, e.cosh, e.tanh, e.asinh),
    *(e.sigmoid, e.softplus, e.erf, e.gelu, e.gelu_tanh, e.silu),
]

TIES = np.array([[1.0, 2.0, 3.0], [0.0, -1.0, 2.0]]), np.array([[1.0, 2.5, 1.0], [0.0, -1.0, 3.0]])
MASK = np.array([[True, False, True], [False, False, True]])
BASES = np.array([2.0, 0.5, -1.5, 3.0, -0.7, 1.0])
ON_BOUNDS = np.array([-2.0, -1.0, 0.0, 1.0, 2.0])

CASES = [
    *[Case(rule, *map(np.array, zip(*ORACLES[name].points)), smooth=not rule.conditions, label="its points")
      for name, rule in e.RULES.items() if name in ORACLES],
    *[Case(f, s, domain=DOMAINS.get(f, lambda a: a)) for f in [*DOMAINS, *SMOOTH] for s in SHAPES],
    *[Case(f, a, b) for f in (e.add, e.sub, e.mul, e.logaddexp, e.logaddexp2, e.maximum, e.minimum, e.fmax, e.fmin) for a, b in PAIRS],
    *[Case(f, a, b, domain=away) for f in (e.div, e.atan2, e.hypot, e.copysign, e.leaky_relu, e.elu) for a, b in PAIRS],
    *[Case(f, a, b, domain=no_whole) for f in (e.pow, e.xlogy, e.floor_divide, e.remainder, e.fmod) for a, b in PAIRS],
    *[Case(f, np.array([-7.1, 7.1, -0.3]), np.array([2.0, -2.0, -1.3])) for f in (e.floor_divide, e.remainder, e.fmod)],
    *[Case(lambda a, b=b: e.pow(a, b), BASES, label=f"to the {b}") for b in (0, 1, 2, 3, -1, -2, 5, 2.0, 17)],
    *[Case(lambda a, b=b: e.pow(a, b), (2, 3), domain=positive, label=f"to the {b}") for b in (0.5, -0.5, 1.5, 2.7)],
    *[Case(lambda b, a=a: e.pow(a, b), (2, 3), label=f"of {a}") for a in (2, 0.5, 1)],
    Case(lambda b: e.pow(0.0, b), np.array([0.0, 1.0, 2.5]), smooth=False, label="of 0"),
    Case(e.pow, np.array([0.0, 0.0, 0.0, 2.0, -2.0]), np.array([0.0, 1.0, 2.5, 0.0, 0.0]), smooth=False, zoomed=False, label="zeros"),
    Case(lambda a: e.pow(a, np.array([2, 3, 0])), (2, 3), label="whole exponents"),
    *[Case(f, *TIES, smooth=False, label="ties") for f in (e.maximum, e.minimum, e.fmax, e.fmin)],
    *[Case(f, np.array([np.nan, 1.0, 2.0]), np.array([2.0, np.nan, 1.0]), smooth=False, label="nan") for f in (e.fmax, e.fmin)],
    Case(e.sinc, np.array([0.0, 1e-9, -0.01, 0.149, 0.151]), label="near 0"),
    Case(e.hypot, np.array([0.0, 3.0]), np.array([0.0, 4.0]), smooth=False, label="kink"),
    Case(e.copysign, np.array([0.0, 3.0]), np.array([-1.0, -4.0]), smooth=False, label="kink"),
    Case(e.relu, np.array([0.0, -0.0, 1.0, -1.0]), smooth=False, label="kink"),
    Case(e.abs, np.array([0.0, -0.0, 1.0, -1.0]), smooth=False, label="kink"),
    *[Case(f, np.array([0.0, 1.0, -1.0]), np.array([0.3, 0.3, 0.3]), smooth=False, label="kink") for f in (e.leaky_relu, e.elu)],
    Case(e.sqrt_total, np.array([0.0, 4.0]), smooth=False, label="kink"),
    *[Case(lambda a, b, c=c: e.where(c, a, b), s, t) for c in (MASK, MASK[:1], True) for s, t in [((2, 3), (3,)), ((), (2, 1))]],
    *[Case(lambda a, c=c: e.where(c, a, 0), (2, 3)) for c in (MASK, 1.0 * MASK)],
    Case(e.where, 1.0 * MASK, (2, 3), (3,), smooth=False, label="of a tensor"),
    *[Case(f, (2, 3), (3,), (2, 1), domain=lambda a: 3 * a) for f in (e.clamp, e.clamp_open)],
    *[Case(lambda x, f=f: f(x, -1.0, 1.0), ON_BOUNDS, smooth=False, label="on the bounds") for f in (e.clamp, e.clamp_open)],
    *[Case(f, np.array([-2.0, 0.0, 2.0]), np.array([1.0, 1.0, 1.0]), np.array([0.0, 0.0, 0.0]), label="min > max", smooth=False)
      for f in (e.clamp, e.clamp_open)],
    *[Case(tg.clamp, (2, 3), total=t, **b) for t in (False, True) for b in ({"min": -0.4}, {"max": 0.4}, {"min": -0.4, "max": 0.4})],
    *[Case(tg.clip, (2, 3), a_min=-0.4, a_max=0.4), Case(tg.clip, (2, 3), max=0.4)],
    *[Case(tg.sqrt, (3,), domain=positive, total=t) for t in (False, True)],
    *[Case(tg.round, (3,), decimals=d, domain=apart) for d in (0, 2, -1)],
    *[Case(between, (2, 3), (3,), (2, 1)), Case(between, (2, 3), (2, 3), ())],
    *[Case(lerp, (2, 3), (3,), (2, 1)), Case(scale, (2, 3), factor=-2.5), Case(safe_log, (2, 3), domain=positive, eps=0.1)],
    *[Case(addcmul, (2, 3), (3,), (2, 1), value=v) for v in (1, -0.5)],
    *[Case(addcdiv, (2, 3), (3,), (2, 1), value=v, domain=away) for v in (1, -0.5)],
    Case(masked_fill, (2, 3), mask=MASK, value=-math.inf, smooth=False, zoomed=False),
    Case(masked_fill, (2, 3), mask=MASK[:1], value=2),
    *[Case(nan_to_num, s) for s in SHAPES],
    Case(nan_to_num, np.array([np.nan, 1.0, np.inf, -np.inf]), nan=2.0, posinf=3.0, neginf=-4.0, label="replaced", smooth=False),
]  # fmt: skip
