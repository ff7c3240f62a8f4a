"""The operators of formulas: the sign of each, how tightly it binds, and its function of numbers and of formulas."""

import operator
from typing import NamedTuple

from scalargrad import numeric

COMPARISON, SUM, PRODUCT, MINUS, POWER, ATOM = range(6)  # how tightly each kind of formula binds


class Operator(NamedTuple):
    """An operator of formulas: its sign in Python, how tightly it binds, its function of numbers, and its function of formulas."""

    sign: str
    level: int
    function: object
    of_formulas: object = None


ADD = Operator("+", SUM, numeric.held(operator.add), operator.add)
SUB = Operator("-", SUM, numeric.held(operator.sub), operator.sub)
MUL = Operator("*", PRODUCT, numeric.held(operator.mul), operator.mul)
DIV = Operator("/", PRODUCT, numeric.divide, operator.truediv)
NEG = Operator("-", MINUS, operator.neg, operator.neg)
POW = Operator("**", POWER, numeric.power, operator.pow)
LT = Operator("<", COMPARISON, operator.lt, operator.lt)
LE = Operator("<=", COMPARISON, operator.le, operator.le)
GT = Operator(">", COMPARISON, operator.gt, operator.gt)
GE = Operator(">=", COMPARISON, operator.ge, operator.ge)
EQ = Operator("==", COMPARISON, operator.eq, operator.eq)
