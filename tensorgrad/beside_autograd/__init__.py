"""from_autograd: a program of HIPS autograd as a graph of ours, to draw, play, explore and check. The program itself runs unchanged.

autograd makes a node for each call of a function; `nodes` has a class of nodes that holds a variable of ours. `counterparts` has our
function where it is not the one that NumPy calls for a tensor. Only this file may be imported where autograd is not installed. It was
tried with autograd 1.9.1.
"""

from collections.abc import Callable

from scalargrad.messages.errors import not_a_function
from tensorgrad.beside.installed import require


def from_autograd(f: Callable, *args):
    """Run a function of autograd's at these arguments, and return a Recording: its result `z` as a tensor of ours, `leaves` and `calls`.

    Leaves are the floats and the arrays of floats in `args`, which may be lists, tuples and dictionaries. Give other numbers by a
    lambda: from_autograd(lambda w: loss(w, x, y), w). A function that has no counterpart here is one box of the graph: its value and
    its vjp are autograd's, or your own for a function that you made a primitive.

    Raises ModuleNotFoundError if autograd is not installed, TypeError if f does not return a number, RuntimeError for complex numbers
    and for functions that take a list as one variable, and autograd's NotImplementedError for a function without a derivative.

        seen = from_autograd(lambda w: np.sum(np.tanh(w)), np.array([1.0, 2.0]))
        seen.z.backward()
    """
    if not callable(f):
        raise not_a_function("from_autograd", f, "from_autograd(loss, weights)")
    require("autograd", "from_autograd", "HIPS autograd")
    from tensorgrad.beside_autograd.nodes import recorded

    return recorded(f, args)
