"""What Python's messages mean: a sentence for each kind of error, which is true of every program that raises it."""

import re

ALLOWED = "A program may import what comes with Python, and NumPy. Other packages may be missing where it is checked."
NOTHING = "None is what a function gives that ends without `return`, and what stands where nothing was written yet."
IMPORTS = {
    "np": "import numpy as np",
    "Fraction": "from fractions import Fraction",
    "contextmanager": "from contextlib import contextmanager",
    "defaultdict": "from collections import defaultdict",
    "deque": "from collections import deque",
    "Counter": "from collections import Counter",
    "reduce": "from functools import reduce",
    "prod": "from math import prod",
    **{name: f"import {name}" for name in ("math", "numpy", "itertools", "functools", "collections", "operator", "random", "copy", "sys")},
    **{name: f"from math import {name}" for name in ("exp", "log", "tanh", "sqrt", "cosh")},
}
ADVICE = (  # a pattern of "Type: message", and what to say
    (r"(?:ModuleNotFound|Import)Error: import of (\w+) halted", "The exercises build {0} anew, so a program cannot import it. " + ALLOWED),
    (r"(?:ModuleNotFound|Import)Error", ALLOWED),
    (r"NameError: name '(\w+)' is not defined", "{imported}"),
    (r"UnboundLocalError: .*?'(\w+)'", "The line in which {0} gets its value has not run yet."),
    (r"RecursionError", "Each call waits for another call of the same function. Where do the calls end?"),
    (r"TypeError: 'NoneType' object is not an iterator", "An iterator is needed here, such as a function with a `yield` gives."),
    (r"TypeError: unsupported operand type\(s\) for (.+?): .*'NoneType'", "One side of {0} is None. " + NOTHING),
    (r"TypeError: .*'NoneType'|TypeError: cannot unpack non-iterable NoneType", "Something here is None. " + NOTHING),
    (r"AttributeError: 'NoneType'", "Something here is None. " + NOTHING),
    (r"AttributeError: 'list' object has no attribute 'add'", "A set has add. A list has append."),
    (r"AttributeError: 'set' object has no attribute '(append|extend)'", "A list has {0}. A set has add and update."),
    (r"AttributeError: 'tuple' object has no attribute", "A tuple does not change. A list does."),
    (r"AttributeError: '(int|float|Fraction)' object", "A number stands here where an object is needed."),
    (r"TypeError: '(\w+)' object is not callable", "Round brackets behind a name call a function. An entry is taken with square brackets."),
    (r"TypeError: '(int|float|Fraction)' object is not (\w+)", "A number stands here where a collection is needed."),
    (r"TypeError: unhashable type: '(\w+)'", "A {0} cannot be a key of a dictionary, or a member of a set."),
    (r'TypeError: can only concatenate (\w+) \(not "(\w+)"\)', "+ joins a {0} and a {0}. Here a {1} stands on its other side."),
    (r"\w*Error: matmul: ", "A matrix product needs as many columns on the left as rows on the right."),
    (r"ValueError: shapes .* not aligned", "A matrix product needs as many columns on the left as rows on the right."),
    (r"ValueError: operands could not be broadcast together with shapes (\(.*?\)) (\(.*?\))", "{0} and {1} do not fit, entry by entry."),
    (r"ValueError: axes don't match array", "The order has another number of axes than the array."),
    (r"\w*(?:Type|Casting)Error: Cannot cast ufunc .* to dtype\('int", "An array of integers cannot hold fractions."),
    (r"ValueError: assignment destination is read-only", "np.broadcast_to shows one number in many places. Copy it before you write."),
    (r"RuntimeError: generator didn't (?:stop|yield)", "contextmanager runs a function with one yield, at which the block runs."),
    (
        r"(?:Type|Attribute)Error: .*(?:context manager protocol|__enter__)",
        "After `with` stands a context manager. Is @contextmanager above the function?",
    ),
    (r"RuntimeError: (Set|dictionary) changed size during iteration", "The loop walks over what its body changes. Walk over a copy of it."),
)


def advice(error) -> str:
    """Return what to say of an error "Type: message", or "".

    >>> advice("NameError: name 'np' is not defined")
    'Write `import numpy as np` at the top of your file.'
    >>> advice("AttributeError: 'list' object has no attribute 'add'")
    'A set has add. A list has append.'
    """
    for pattern, said in ADVICE:
        if found := re.match(pattern, error):
            name = IMPORTS.get(found[1]) if found.groups() else None
            return said.format(*found.groups(), imported=f"Write `{name}` at the top of your file." if name else "")
    return ""
