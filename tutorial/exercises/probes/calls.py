"""The call of a probe as a learner would write it: Python that can be copied, with the values of its names in lines above it."""

from collections.abc import Mapping
from fractions import Fraction
from textwrap import wrap

WIDTH = 74
MOST_ENTRIES = 24  # of an array that is written in full


def code(value) -> str:
    """Return a value as Python code. A large array is only described.

    >>> code({"a": [Fraction(1, 2), 3]}), code((-2.0,))
    ("{'a': [Fraction(1, 2), 3]}", '(-2.0,)')
    """
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{code(k)}: {code(x)}" for k, x in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        inside = ", ".join(map(code, value))
        return f"[{inside}]" if isinstance(value, list) else f"({inside}{',' * (len(value) == 1)})"
    if hasattr(value, "tolist"):  # of NumPy, which not every exercise imports
        numbers = value.tolist()
        return f"np.array({code(numbers)})" if value.size <= MOST_ENTRIES else f"an array of the shape {value.shape}"
    if isinstance(value, Fraction):
        return str(value) if value.denominator == 1 else f"Fraction({value.numerator}, {value.denominator})"
    return f"{value:.6g}" if isinstance(value, float) and value % 1 else repr(value)


def called(name, *arguments) -> str:
    """Return the call of a function.

    >>> called("slope", 2, Fraction(1, 10))
    'slope(2, Fraction(1, 10))'
    """
    return f"{name}({', '.join(map(code, arguments))})"


def with_names(call, **values) -> str:
    r"""Return a call below the lines that give its names their values. Long lines are folded.

    >>> print(with_names("size(inputs)", inputs={"z": ["a"]}))
    inputs = {'z': ['a']}
    size(inputs)
    """
    return folded([*(f"{name} = {code(value)}" for name, value in values.items()), call])


def folded(lines) -> str:
    """Return lines as text. A long one is folded at its spaces, and goes on further right."""
    found = []
    for line in "\n".join(lines).split("\n"):
        indent = " " * (len(line) - len(line.lstrip()))
        found += wrap(line, WIDTH, subsequent_indent=f"{indent}    ", break_long_words=False, break_on_hyphens=False) or [""]
    return "\n".join(found)
