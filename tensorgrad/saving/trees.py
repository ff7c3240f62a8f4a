"""A state as text and arrays: nested dictionaries, lists, numbers and texts become JSON, and arrays stand in a table beside it.

Everything returns as it was, to the bit: integer keys, tuples, large integers, dtypes, infinity and nan.
"""

from collections.abc import Mapping

import numpy as np

from scalargrad.messages.errors import brief
from tensorgrad.tensor import Tensor, array_of

PLAIN = (bool, int, float, str, type(None))


def flattened(x, path, arrays):
    """Return x as JSON has it. Put its arrays into the table `arrays`, under names that begin with `path`.

    >>> arrays = {}; flattened({"step": 1, 0: (np.ones(2),)}, "adam", arrays), arrays
    ({'dict': [['step', 1], [0, {'tuple': [{'array': 'adam.0.0'}]}]]}, {'adam.0.0': array([1., 1.])})
    """
    if type(x) in PLAIN:
        return x
    if isinstance(x, np.generic):
        return flattened(x.item(), path, arrays)
    if isinstance(x, np.ndarray | Tensor):
        arrays[path] = np.asarray(array_of(x))
        return {"array": path}
    if isinstance(x, Mapping):
        bad = [key for key in x if type(key) not in (str, int)]
        if bad:
            raise TypeError(f"save: {path} has the key {brief(bad[0])}; keys are texts or integers")
        return {"dict": [[key, flattened(value, f"{path}.{key}", arrays)] for key, value in x.items()]}
    if isinstance(x, list | tuple):
        inner = list(x) if all(type(y) in PLAIN for y in x) else [flattened(y, f"{path}.{i}", arrays) for i, y in enumerate(x)]
        return {"tuple" if isinstance(x, tuple) else "list": inner}
    what = f"{path} is the class {x.__name__}" if isinstance(x, type) else f"{path} is {brief(x)} ({type(x).__name__})"
    raise TypeError(f"save: {what}; give an object with state_dict() and load_state_dict(), or arrays, numbers, texts, lists, dictionaries")


def restored(x, arrays):
    """Return what `flattened` was given. Raises ValueError or KeyError if the text or the table is damaged.

    >>> restored({"dict": [[0, {"tuple": [{"array": "a"}, 2.5]}]]}, {"a": np.ones(2)})
    {0: (array([1., 1.]), 2.5)}
    """
    if type(x) in PLAIN:
        return x
    ((kind, inner),) = x.items()
    if kind == "array":
        return arrays[inner]
    if kind == "dict":
        return {key: restored(value, arrays) for key, value in inner}
    if kind in ("list", "tuple"):
        found = [restored(y, arrays) for y in inner]
        return tuple(found) if kind == "tuple" else found
    raise ValueError(f"unknown entry {brief(kind)}")
