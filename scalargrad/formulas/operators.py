"""The operators of formulas: the sign of each, how tightly it binds, and its function of numbers and of formulas."""

import operator
from typing import NamedTuple

from scalargrad import numeric

COMPARISON, SUM, PRODUCT, MINUS, POWER, ATOM = range(6)  # how tightly each kind of formula binds


class Operator(NamedTuple):
    """An operator of formulas: its sign in Python, how tightly it binds, and its function of numbers."""

    sign: str
    level: int
    function: object


ADD = Operator("+", SUM, numeric.held(operator.add))
SUB = Operator("-", SUM, numeric.held(operator.sub))
MUL = Operator("*", PRODUCT, numeric.held(operator.mul))
DIV = Operator("/", PRODUCT, numeric.divide)
NEG = Operator("-", MINUS, operator.neg)
POW = Operator("**", POWER, numeric.power)
LT = Operator("<", COMPARISON, operator.lt)
LE = Operator("<=", COMPARISON, operator.le)
GT = Operator(">", COMPARISON, operator.gt)
GE = Operator(">=", COMPARISON, operator.ge)
EQ = Operator("==", COMPARISON, operator.eq)
WRITTEN: dict = {ADD: operator.add, SUB: operator.sub, MUL: operator.mul, DIV: operator.truediv, NEG: operator.neg, POW: operator.pow}
WRITTEN |= {op: op.function for op in (LT, LE, GT, GE, EQ)}  # what each operator is called with between formulas
