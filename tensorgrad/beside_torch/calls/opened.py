"""A function that PyTorch itself writes in Python is opened: it runs as it is, and the recorder sees the calls inside it.

PyTorch asks at the beginning of such a function whether a recorder listens, and hands it the call. An opened function is a copy
that is told: no.
"""

from functools import cache
from types import FunctionType

PRINTS = ("__repr__", "__format__")  # what they compute does not belong to the program
ASKS = ("has_torch_function", "has_torch_function_unary", "has_torch_function_variadic")


@cache
def opened(func):
    """Return a copy of a function of PyTorch's that does not hand its call over; None if it is not written in Python."""
    asks = isinstance(func, FunctionType) and set(ASKS).intersection(func.__code__.co_names, func.__globals__)
    if not asks or func.__name__ in PRINTS:
        return None
    outside = func.__globals__ | dict.fromkeys(ASKS, lambda *args: False)
    inner = FunctionType(func.__code__, outside, func.__name__, func.__defaults__, func.__closure__)
    inner.__kwdefaults__ = func.__kwdefaults__
    return inner
