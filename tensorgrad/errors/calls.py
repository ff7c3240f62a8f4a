"""Calls that do not fit: unknown arguments, arguments of the wrong type, and errors from within a function in its own name."""

import re
from difflib import get_close_matches
from functools import cache
from inspect import Signature, signature
from numbers import Real

import numpy as np
from numpy.exceptions import AxisError
from numpy.linalg import LinAlgError
from numpy.ma import MaskError

from scalargrad.messages.errors import brief, is_integer, wrong_type
from scalargrad.rule import unknown_argument
from tensorgrad.errors.errors import axis_out_of_range, clash
from tensorgrad.errors.torch_names import ADVICE, CALLED, INTEGER, NUMBERS, NUMPYS, SEVERAL

# What is said again in our words:
FROM_WITHIN = (TypeError, ValueError, IndexError, AttributeError, KeyError, OverflowError, MemoryError, np.ma.MaskError)
TOO_LARGE = 2**63  # for a number of things, or of axes
MOST_PARTS = 2**20  # things that are made one after the other


def must_be_feasible(function, what, count):
    """Raise ValueError for a number of parts that would take too long to make."""
    if count > MOST_PARTS:
        raise ValueError(f"{function}: {what}={brief(count)} is too large; use at most {MOST_PARTS}")


def unknown_keyword(function, keyword, signature):
    """Return the error for an argument that a function does not have, with the name that it has here."""
    names = list(signature.parameters)
    ours = next((n for n in CALLED.get(keyword, ()) if n in names), None)
    near = get_close_matches(keyword, names, 1)
    if ours:
        advice = f"here: {ours}{', as in NumPy' * (ours in NUMPYS)}{', as in PyTorch' * (ours == 'dim')}"
    else:
        advice = ADVICE.get(keyword) or (f"is {near[0]} meant?" if near else "")
    return unknown_argument(function, keyword, signature, advice)


def must_bind(function, signature, args, options):
    """Return the arguments of a call bound to a signature. Raises TypeError if they do not fit."""
    open_to_any = any(p.kind is p.VAR_KEYWORD for p in signature.parameters.values())
    unknown = [word for word in options if word not in signature.parameters]
    if unknown and not open_to_any:
        raise unknown_keyword(function, unknown[0], signature)
    try:
        return signature.bind(*args, **options)
    except TypeError as wrong:
        raise TypeError(f"{function}: {wrong}; signature: {function.removeprefix('@function ')}{signature}") from None


def must_construct(kind, args, options):
    """Raise TypeError if a class cannot be made with these arguments. Without any, __init__ or a copy will see."""
    if args or options:
        must_bind(kind.__name__, arguments_of(kind), args, options)


@cache
def arguments_of(kind):
    """Return the signature of a class, as messages show it."""
    takes = signature(kind.__init__)
    return takes.replace(parameters=[*takes.parameters.values()][1:], return_annotation=Signature.empty)


def wrong_kind(function, signature, given):
    """Return the error for the first argument in {name: value} that has the wrong type for its name; None if all are right."""
    for name, x in given.items():
        if x is signature.parameters[name].default or hasattr(x, "shape"):
            continue
        if (name in INTEGER and not is_integer(x)) or (name in SEVERAL and not all(map(is_integer, flattened(x)))):
            return wrong_type(function, name, x, "an integer")
        if name == "axis" and isinstance(x, list):
            return TypeError(f"{function}: axis={brief(x)} is a list; name several axes by a tuple")
        if name in NUMBERS and not isinstance(x, Real):
            return wrong_type(function, name, x, "a number")
        if any(is_integer(n) and abs(n) >= TOO_LARGE for n in flattened(x)):
            return ValueError(f"{function}: {name}={brief(x)} is too large")
    return None


INNER = r"^[a-z_0-9]+: "  # the name of a function that the one called has called itself


def reworded(rule, wrong, values):
    """Return the error that a kernel raised, with the function and the shapes."""
    text = str(wrong)
    if text.startswith(f"{rule.name}:"):
        return wrong
    if text.startswith(f"{getattr(rule, '__qualname__', '')}:"):  # a rule under another name, as max under amax
        return in_name_of(rule.name, wrong)
    kind = type(wrong) if type(wrong) in (ValueError, IndexError, TypeError, MemoryError) else ValueError
    kind = TypeError if type(wrong) is AttributeError else kind
    arrays = [np.shape(x) for x in values if np.ndim(x)]
    if isinstance(wrong, np.exceptions.AxisError) and wrong.axis is not None:
        return axis_out_of_range(rule.name, wrong.axis, arrays[0] if arrays else (), wrong.ndim)
    if "broadcast" in text and len(arrays) > 1:
        return clash(rule.name, values, inner=2 if "newaxis" in text else 0)  # NumPy writes it so for stacks of matrices
    if "duplicate value in 'axis'" in text:
        text = "axis= names one axis twice"
    text = re.sub(r" with remapped shapes \[original->remapped\]:", "", text).replace("  ", " ")
    return kind(f"{rule.name}: {text} (shape{'s' * (len(arrays) > 1)} {' and '.join(map(str, arrays)) or '()'})")


def explained(function, signature, given, wrong):
    """Return the error to raise for one from within a function: for an argument of the wrong type, else the same in its name."""
    kinds_fit = isinstance(wrong, ValueError) and not isinstance(wrong, AxisError)
    return (None if kinds_fit else wrong_kind(function, signature, given)) or in_name_of(function, wrong)


def in_name_of(function, wrong):
    """Return an error from within a function as one of that function: one line that starts with its name."""
    text = " ".join(line.strip() for line in str(wrong).splitlines())
    if text == str(wrong) and text.startswith(f"{function}:"):
        return wrong
    text = f"{function}: {re.sub(INNER, '', text) or 'the arguments do not fit'}"
    if type(wrong) in (ValueError, IndexError, MemoryError, AxisError, LinAlgError):
        return type(wrong)(text)
    if type(wrong) is OverflowError:
        return ValueError(text)
    ufuncs = isinstance(wrong, TypeError) and type(wrong).__module__.startswith("numpy")  # which is made of types, not of a text
    if ufuncs or type(wrong) in (TypeError, AttributeError, KeyError, MaskError):
        return TypeError(text)
    return wrong


def flattened(x):
    """Return the contents of nested lists in one list."""
    return [y for part in x for y in flattened(part)] if isinstance(x, list | tuple) else [x]
