"""Answers to "What is dz/dx?" and "What is ∂y/∂x?": two tables test the terminal and the page.

A row of ANSWERS is (typed text, right number, whether they agree). The last entry is None if the text is not a number.
A row of MISTAKES is about Figure 1: (y or None, x, typed text, kind of mistake, part of the reply, edges that the reply marks).
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
    ("1e7",             10000001.0,             True),
    ("1e7",             10000001,               False),
    ("12345700",        12345678.0,             True),
    ("12345700",        12345678,               False),
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
MISTAKES = [
    # the total derivative dz/dx
    (None, "x1", "6",    "direct",   "The term dz/dy₁ · ∂y₁/∂x₁ = 3 is missing: x₁ also reaches z through y₁.", "y1-x1"),
    (None, "x1", "3",    "path",     "The term dz/dz · ∂z/∂x₁ = 6 is missing: x₁ also reaches z directly.",     "z-x1"),
    (None, "x1", "7",    "upstream", "The upstream gradients dz/dy are missing",                                "z-x1 y1-x1"),
    (None, "x1", "4",    "partial",  "The partials ∂y/∂x are missing",                                          "z-x1 y1-x1"),
    (None, "x1", "18",   "product",  "The terms were multiplied: multiply along a path, and add over the paths.", "z-x1 y1-x1"),
    (None, "x1", "-9",   "sign",     "The sign is wrong.",                                                      "z-x1 y1-x1"),
    (None, "x1", "15",   "twice",    "The term dz/dz · ∂z/∂x₁ = 6 was counted twice.",                          "z-x1"),
    (None, "x1", "12",   "twice",    "The term dz/dy₁ · ∂y₁/∂x₁ = 3 was counted twice.",                        "y1-x1"),
    (None, "x4", "9",    "upstream", "The upstream gradients dz/dy are missing",                                "y1-x4 y2-x4"),
    (None, "x4", "3",    "path",     "The term dz/dy₂ · ∂y₂/∂x₄ = 8 is missing: x₄ also reaches z through y₂.", "y2-x4"),
    (None, "x2", "1",    "upstream", "The upstream gradients dz/dy are missing",                                "y1-x2"),
    (None, "x3", "-2",   "value",    "This is the value of x₃, not its derivative.",                            ""),
    # the partial derivative ∂y/∂x
    ("z",  "x1", "-6",   "sign",     "The sign is wrong.",                                                      "z-x1"),
    ("z",  "x1", "34",   "value",    "This is the value of z, not how fast it changes.",                        "z-x1"),
    ("z",  "x1", "3",    "input",    "This is ∂z/∂y₁. Here x₁ changes, and nothing else.",                      "z-x1 z-y1"),
    ("z",  "x1", "9",    "total",    "This is dz/dx₁, over all paths. ∂z/∂x₁ is what z does by itself.",        "z-x1"),
    ("z",  "x1", "1/6",  "fraction", "The fraction is turned over: this is how x₁ changes with z.",             "z-x1"),
    ("y2", "x4", "16",   "value",    "This is the value of y₂, not how fast it changes.",                       "y2-x4"),
    ("y2", "x4", "4",    "value",    "This is the value of x₄, not a derivative.",                              "y2-x4"),
    ("y2", "x4", "0.125", "fraction", "The fraction is turned over",                                            "y2-x4"),
    ("y1", "x4", "3",    "total",    "This is already the term of the chain rule. ∂y₁/∂x₄ is the factor without dz/dy₁.", "y1-x4"),
]
# fmt: on
