"""A picture of a function: the variable that it returns, and the leaves that it uses, with the names of its locals."""

from inspect import signature

from scalargrad import modes
from scalargrad.callers import called_function
from scalargrad.graph import is_function
from scalargrad.user_names.local_names import named


def result_of(z):
    """Return z and {}; of a function of no arguments, what it returns, and the leaves that it uses, whose arrays would else be lost.

    The variables that the function makes get the names of its locals. A recording of another library's program has a method
    `__graph__`, which returns its z.
    """
    if hasattr(z, "__graph__"):
        return z.__graph__(), z
    if not is_function(z):
        if (sees := modes.witness.get()) is not None:
            sees.catch_up()
        return z, {}
    try:
        signature(getattr(z, "forward", z)).bind()  # the call of a module takes what its forward takes
    except TypeError:
        function, name = called_function(), getattr(z, "__name__", "model" if hasattr(z, "forward") else "f").replace("<lambda>", "f")
        raise TypeError(f"{function}: {name} is a function that takes arguments; write {function}(lambda: {name}(x))") from None
    except ValueError:
        pass  # a function of C that does not say what it takes
    block = named()
    block.leaves = {}
    with block:
        return z(), block.leaves
