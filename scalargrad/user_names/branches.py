"""Whether a program decides by comparing numbers. At other numbers it may then take another way, and make another graph.

A graph holds the way that was taken: of `if x > 0` one branch, of `max(x, 0)` one of the two. What is computed from the graph at other
numbers is what the program gives only as long as each comparison turns out as it did.
"""

from dis import get_instructions
from functools import cache
from types import CodeType, FunctionType, MethodType, ModuleType

from scalargrad.callers import callers, is_users

CHOOSERS = {"max", "min", "sorted"}  # functions of Python that compare; abs and round of a Value compare nothing
ORDERS = ("<", ">")  # == and != mostly compare counts and texts


def compares(z) -> bool:
    """Return whether the function z, or else the code that has z, or a function of the user that it calls, compares by <, >, max or min.

    >>> def hinge(x): return max(1 - x, 0)
    >>> def loss(): return sum(hinge(x) for x in (3, 5))
    >>> compares(loss), compares(lambda: 3 * 5)
    (True, False)
    """
    z = z.__func__ if isinstance(z, MethodType) else z
    if isinstance(z, FunctionType):
        return compared_in(z.__code__, z.__globals__, set())
    frame = None if callable(z) else next(callers(), None)
    return frame is not None and compared_in(frame.f_code, {**frame.f_globals, **functions_of(frame)}, set())


def functions_of(frame):
    return {name: held for name, held in frame.f_locals.items() if isinstance(held, FunctionType | type)}


def compared_in(code, names, met) -> bool:
    """Return whether code compares, or the code that it holds, or that of a function or a class among `names` that it calls."""
    if code in met or not is_users(code.co_filename):
        return False
    met.add(code)
    within = [inner for inner in code.co_consts if isinstance(inner, CodeType)]
    called = [names[name] for name in code.co_names if name in names]
    called += [vars(held)[name] for held in called if isinstance(held, ModuleType) for name in code.co_names if name in vars(held)]
    called += [method for held in called if isinstance(held, type) for method in vars(held).values()]
    functions = [held for held in called if isinstance(held, FunctionType)]
    return (
        compares_itself(code)
        or any(compared_in(inner, names, met) for inner in within)
        or any(compared_in(function.__code__, function.__globals__, met) for function in functions)
    )


@cache
def compares_itself(code) -> bool:
    chosen = CHOOSERS.intersection(code.co_names)
    return bool(chosen) or any(i.opname == "COMPARE_OP" and str(i.argval).startswith(ORDERS) for i in get_instructions(code))
