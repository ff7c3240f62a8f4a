"""A small graph of a function at the numbers of its example, as a drawing that follows the theme of the site."""

import ast
from inspect import Parameter, signature
from typing import NamedTuple

import numpy as np

import viz
from scalargrad import Value
from scalargrad.graph import inputs_first
from tensorgrad import Tensor
from tutorial.book.reference.examples import ROWS, examples, names_for

MOST = 12  # variables in a small graph
NUMBERS = (int, float, list, np.ndarray)


class Example(NamedTuple):
    """What a function computes at its example, and the tensors that it was computed from: a graph of tensors does not hold its leaves."""

    y: Value | Tensor
    leaves: list


def at_example(name, function):
    """Return the Example of a function, or None: its result has no derivative, or its graph is large."""
    return of_numbers(ROWS[name]) if name in ROWS and ROWS[name].example else of_arrays(name, function)


def drawing(y):
    return viz.draw(y, theme="auto", **({"partials": "both"} if isinstance(y, Value) else {"functions": "nodes"}))


def contributions(y):
    """Return the formulas of the backward pass of the function that computed a tensor, or none if it is composed of several."""
    if isinstance(y, Value) or any(x.rule for x in y.node.inputs):
        return []
    return list(dict.fromkeys(vjp.formula for vjp in y.node.rule.vjps if vjp))


def of_numbers(row):
    """Return the Example of what a row of the table computes at the numbers of its example."""
    (example,) = ast.parse(row.example[0]).body
    given = [value(number, {}) for number in example.value.args]
    names = row.parameters if len(row.parameters) == len(given) else [f"x{k + 1}" for k in range(len(given))]
    y = row(*(x if isinstance(x, bool) else Value(x, name=name) for x, name in zip(given, names)))
    y.name = "y"
    return Example(y, [])


def value(expression, names):
    return eval(compile(ast.Expression(expression), "<example>", "eval"), dict(names))


def of_arrays(name, function):
    """Return the Example of what the function's first example computes, from variables in place of its arrays."""
    names = names_for(function)
    for statement in (line for example in examples(function.__doc__) for line in ast.parse(example.source).body):
        for call in ast.walk(statement):
            if isinstance(call, ast.Call) and getattr(call.func, "id", None) in (name, function.__name__):
                given = [value(arg, names) for arg in call.args]
                return result(function, given, {k.arg: value(k.value, names) for k in call.keywords})
        exec(compile(ast.Module([statement], []), "<example>", "exec"), names)
    return None


def result(function, given, options):
    """Return the Example of the first variable among the results of a call, or None if there is none or its graph is large."""
    bound = signature(function).bind(*given, **options)
    arrays = {*getattr(function, "arrays", ()), *getattr(function, "input_names", ())}
    for name, x in bound.arguments.items():
        several = bound.signature.parameters[name].kind is Parameter.VAR_POSITIONAL or name == "xs" and isinstance(x, (list, tuple))
        if several:
            bound.arguments[name] = tuple([variable(each, f"{name[0]}{k + 1}") for k, each in enumerate(x)])
        elif name in arrays:
            bound.arguments[name] = variable(x, name)
    found = function(*bound.args, **bound.kwargs)
    y = next((t for t in (found if isinstance(found, (tuple, list)) else [found]) if isinstance(t, Tensor)), None)
    if y is None or y.node is None or y.node.rule is None or len(inputs_first(y.node)) > MOST:
        return None
    y.name = "y"
    given = [x for argument in bound.arguments.values() for x in (argument if isinstance(argument, tuple) else [argument])]
    return Example(y, [x for x in given if isinstance(x, Tensor)])


def variable(x, name):
    """Return numbers as a variable. Anything else stays, and so do the classes of a loss, which are integers."""
    if not isinstance(x, NUMBERS) or isinstance(x, bool) or (name == "target" and np.asarray(x).dtype.kind == "i"):
        return x
    return Tensor(np.asarray(x, dtype=float), name=name)
