"""from_jax: a JAX program as a graph of ours, to draw, play, check and report on.

JAX writes the program down as a jaxpr, a list of calls of primitives. `jaxpr` runs it call by call, with JAX's values and a variable of
ours beside each; `primitives` has our function for each primitive. Only this file may be imported where JAX is not installed.
"""

from collections.abc import Callable

from scalargrad.messages.errors import not_a_function
from tensorgrad.beside.installed import require


def from_jax(f: Callable, *args):
    """Run a function of JAX's at these arguments, and return a Recording: its result `z` as a tensor of ours, `leaves` and `calls`.

    Leaves are the arrays of floats in `args`, which may be lists, tuples and dictionaries. Functions under jit are scopes. A scan runs
    step by step. A primitive that has no counterpart here is one box of the graph: JAX computes its value and its vjp.

    Raises ModuleNotFoundError if JAX is not installed, TypeError if f does not return a number, and RuntimeError for what cannot be
    recorded, such as a long scan.

        seen = from_jax(lambda w: (w * w).sum(), jnp.array([1.0, 2.0]))
        seen.z.backward()
    """
    if not callable(f):
        raise not_a_function("from_jax", f, "from_jax(loss, params, x)")
    require("jax", "from_jax", "JAX")
    from tensorgrad.beside_jax.jaxpr import recorded

    return recorded(f, args)
