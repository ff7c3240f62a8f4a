"""Answers to "What is dz/dx?": one table tests the terminal and the page.

A row is (typed text, right number, whether they agree). The last entry is None if the text is not a number.
"""

from fractions import Fraction

inf, nan = float("inf"), float("nan")

# fmt: off
ANSWERS = [
    # numbers, as people write them
    ("9",               9,                      True),
    ("9.0",             9,                      True),
    ("9.1",             9,                      False),
    ("−3",              -3,                     True),
    ("+4",              4,                      True),
    (".5",              0.5,                    True),
    ("5.",              5,                      True),
    ("1e3",             1000,                   True),
    ("1E-3",            0.001,                  True),
    (" 9 ",             9,                      True),
    ("٣",               3,                      True),
    ("−٢٫5",            -2.5,                   None),
    ("९/३",             3,                      True),
    ("-3 . 5",          -3.5,                   True),
    # fractions
    ("1/3",             Fraction(1, 3),         True),
    ("1/3",             1 / 3,                  True),
    ("6/-2",            -3,                     True),
    ("-6/-2",           3,                      True),
    ("−1 / +4",         Fraction(-1, 4),        True),
    ("1/0",             1,                      None),
    ("1/-0",            1,                      None),
    ("1/2/3",           1,                      None),
    ("1.5/2",           0.75,                   None),
    # not numbers
    ("",                0,                      None),
    ("x1",              0,                      None),
    ("2*3",             6,                      None),
    ("1_000",           1000,                   None),
    ("3,0",             3,                      None),
    ("1,000",           1000,                   None),
    (".",               0,                      None),
    ("1e",              1,                      None),
    ("nan7",            nan,                    None),
    # only the typed digits count
    ("0.333",           Fraction(1, 3),         True),
    ("0.33",            Fraction(1, 3),         False),
    ("0.420",           0.41997434161402614,    True),
    ("0.421",           0.41997434161402614,    False),
    ("0.419974",        0.41997434161402614,    True),
    ("0.5",             0.50000001,             True),
    ("1e6",             1000001.0,              True),
    ("1e6",             1000001,                False),
    ("1234570",         1234567.0,              True),
    ("1234570",         1234567,                False),
    ("1000000000001",   1000000000000,          False),
    ("1000",            1001,                   False),
    # numbers without digits
    ("inf",             inf,                    True),
    ("-Infinity",       -inf,                   True),
    ("-inf",            inf,                    False),
    ("nan",             nan,                    True),
    ("3",               nan,                    False),
    ("nan",             3.0,                    False),
    ("-1e999999999",    3,                      False),
]
# fmt: on
