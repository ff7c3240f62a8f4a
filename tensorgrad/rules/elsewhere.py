"""A rule whose value and vjps another library, or code of the user, computes: one closed box of the graph."""

import inspect
from typing import NamedTuple

import numpy as np

from tensorgrad.rule import Fast, Rule

POSITIONAL = inspect.Parameter.POSITIONAL_OR_KEYWORD


class Elsewhere(NamedTuple):
    """Who computes the derivative of a rule that is a closed box here: its kind, a label for pictures, a short one, and a sentence."""

    kind: str
    label: str
    short: str
    said: str


class OnlyOnce(RuntimeError):
    """A function that another library computed cannot be computed again at other numbers."""


def rule_of(name, arity, value, forward, backward, elsewhere, start=lambda *xs: None):
    """Return a rule whose first value is known, from forward(*arrays) and backward(G, arrays, slots), which another library computes.

    `elsewhere` says who computes its derivative. start(*arrays) is told for which arrays the value is known.
    """
    names = [f"x{i + 1}" for i in range(arity)] if arity > 1 else ["x"]
    parameters = [inspect.Parameter(n, POSITIONAL) for n in names]
    known = [value]

    def value_at(*xs):
        if not known:
            return forward(*xs)
        start(*xs)
        return known.pop()

    def vjp_of(slot):
        def vjp(G, *xs):
            if type(G) is not np.ndarray:
                raise RuntimeError(f"{name}: {elsewhere.said}, and only the first one")
            return backward(G, xs, [slot])[0]

        vjp.__signature__ = inspect.Signature([inspect.Parameter("G", POSITIONAL), *parameters])  # type: ignore[attr-defined]
        vjp.__doc__ = f"dz/d{names[slot]} = {elsewhere.said}"
        return vjp

    value_at.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    value_at.__name__ = value_at.__qualname__ = name
    value_at.__doc__, value_at.__module__ = f"{name}, as it is computed elsewhere.", "elsewhere"

    def entries(*xs):
        raise TypeError(f"{name}: its entries cannot be opened, because {elsewhere.said}; zoom into another function: zoom(v.node)")

    fast = Fast(lambda slots, *xs: (value_at(*xs), [*xs]), backward)
    found = Rule(value_at, *[vjp_of(slot) for slot in range(arity)], entries=entries, fast=fast, name=name)
    found.elsewhere = elsewhere
    return found
