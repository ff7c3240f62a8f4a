"""@public: what public functions that are not rules share: arrays as arguments, results of their own under their name, our errors."""

import inspect
import re
from collections.abc import Callable
from functools import wraps
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

import numpy as np

from tensorgrad.arrays.floats import ARRAY, as_floats, kind_among
from tensorgrad.arrays.operands import FLOATS, operand
from tensorgrad.errors import calls
from tensorgrad.errors.calls import FROM_WITHIN
from tensorgrad.rule import Rule, rule
from tensorgrad.tensor import Tensor
from tensorgrad.vjp import vjp

F = TypeVar("F", bound=Callable)
SEVERAL = (list, tuple)

# What a parameter of a public function is
Array = Annotated[Any, "an array of floats or a tensor; lists, numbers and integers become arrays of floats"]
AsGiven = Annotated[Any, "an array that keeps its dtype, such as classes, indices or a mask"]
Arrays = Annotated[Any, "several arrays, which the function converts itself"]
Option = Annotated[Any, "not an array"]
KINDS = {"Array": Array, "AsGiven": AsGiven, "Arrays": Arrays, "Option": Option, "Tensor": Array, "ndarray": Array}


def public(function: F) -> F:
    """Make a function public: lists and integers become arrays of floats, and errors name the function and its signature.

    Annotations say which parameters are arrays. A result that is one of the arguments is copied. A result that is one function of
    the arguments bears the name of the function that the user called: squeeze, not reshape. Rules do all this too. Raises TypeError
    for a parameter without default and annotation.

    >>> @public
    ... def first(x: Array, axis=0): return x[0]
    >>> first([3, 4]).item()
    3.0
    >>> first([3, 4], dim=0)
    Traceback (most recent call last):
    TypeError: first: unknown argument dim= (here: axis, as in NumPy); signature: first(x, axis=0)
    """
    return answering(function, Parameters(function))  # type: ignore[return-value]


def method(function):
    """Make a function public and a method of tensors: t.mean(axis=0). A rule is public already."""
    function = function if isinstance(function, Rule) else public(function)
    function.is_method = True
    return function


def shape_method(function):
    """Make a function public and a method that takes a shape, or an order of axes, also number by number: t.reshape(2, 3)."""
    function = method(function)
    function.takes_shape = True
    return function


def alias(name: str, function: F) -> F:
    """Return a public function under another name, which pictures and errors show. It is a method if the function is one.

    >>> @public
    ... def first(x: Array): return x[0]
    >>> alias("head", first)([3, 4]).item()
    3.0
    """
    inner = function.__wrapped__  # type: ignore[attr-defined]

    @wraps(inner)
    def called(*args, **options):
        return inner(*args, **options)

    called.__name__ = called.__qualname__ = name
    found = public(called)
    if hasattr(function, "is_method"):
        found.is_method = True  # type: ignore[attr-defined]
    return found  # type: ignore[return-value]


FORMULAS = re.compile(r"^In (?:formulas|the backward pass)[^:\n]*:\n(?: {4}.*\n)+\n", re.M)  # in a docstring


def versions(general, work, example, axes=(1, 2, 3)):
    """Return the versions of a public function over 1, 2 and 3 axes: conv1d, conv2d and conv3d of conv.

    work(name, axes, x, ...) computes them. example(axes) returns the arguments of an example and the shape of its result.
    """
    return [version(general.__wrapped__, work, d, *example(d)) for d in axes]


def version(general, work, d, arguments, shape):
    name, last = f"{general.__name__}{d}d", ("last axis", "last two axes", "last three axes")[d - 1]

    def called(x, *args, **options):
        return work(name, d, x, *args, **options)

    summary = (general.__doc__ or "").partition("\n")[0].replace("last axes", last)
    sizes = "Each size is one number" + ", or one for each axis" * (d > 1)
    formulas = "".join(FORMULAS.findall(inspect.cleandoc(general.__doc__ or "")))
    called.__doc__ = f"{summary}\n\n{formulas}{sizes}. See `{general.__name__}`.\n\n>>> {name}({arguments}).shape\n{shape}\n"
    called.__name__ = called.__qualname__ = name
    called.__module__, called.__signature__ = general.__module__, inspect.signature(general)
    return public(called)


class Parameters:
    """The parameters of a public function: its name, its signature as users see it, and which of them are arrays."""

    def __init__(self, function):
        self.function, signature = function.__name__, inspect.signature(function)
        parameters, empty = signature.parameters, inspect.Parameter.empty
        said = {name: kind(p.annotation) for name, p in parameters.items() if p.annotation is not empty}
        for name, p in parameters.items():
            if p.default is empty and name not in said:
                raise TypeError(f"public: {self.function} does not say what {name} is; write {name}: Array, or {name}: Option")
        bare = [p.replace(annotation=empty) if name in said else p for name, p in parameters.items()]
        self.signature = signature.replace(parameters=bare, return_annotation=empty) if said else signature
        self.names, self.kept = list(parameters), {name for name, found in said.items() if found is AsGiven}
        self.arrays = {name for name, found in said.items() if found is AsGiven or found is Array}
        self.fit = {n: is_no_list if n in self.kept else fits for n in self.arrays}
        self.fit_at = [self.fit.get(n) for n in self.names] or [None]
        self.last = len(self.fit_at) - 1  # the place of *xs, if there is one
        self.named = {}  # {rule: the same under the name of this function}

    def converted(self, args, options):
        """Return the arguments of a call, with arrays of floats for parameters that are arrays."""
        given = {i: (self.names[min(i, self.last)], x) for i, x in enumerate(args)} | {n: (n, x) for n, x in options.items()}
        kept = lambda n, x: operand(self.function, x, ()) if n in self.kept and type(x) in SEVERAL else x  # whatever dtype a list has
        found = {place: kept(n, x) for place, (n, x) in given.items()}
        floats = {place: x for place, (n, x) in given.items() if n in self.arrays and n not in self.kept}
        values = as_floats(self.function, floats.values(), may_lack=True)
        dtype = kind_among(values)
        found |= {place: np.asarray(x, dtype) if type(x) in (int, float) else x for place, x in zip(floats, values)}
        return [found[i] for i in range(len(args))], {n: found[n] for n in options}


def kind(annotation):
    """Return the kind of parameter that an annotation stands for, alone or beside None; it may be text. None if it is another."""
    for found in KINDS.values():
        if annotation is found:
            return found
    if annotation is Tensor or annotation is ARRAY:
        return Array
    words = re.findall(r"\w+", annotation) if isinstance(annotation, str) else ()
    parts = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else ()
    return next((found for found in (*map(KINDS.get, words), *map(kind, parts)) if found is not None), None)


def answering(function, parameters):
    """Return the function that users call: it converts arguments, words errors, and copies an argument that is the result."""
    fit, fit_at, last = parameters.fit, parameters.fit_at, parameters.last

    @wraps(function)
    def call(*args, **options):
        for i, x in enumerate(args):
            if type(x) is not Tensor and (suits := fit_at[i if i < last else last]) is not None and not suits(x):
                args, options = parameters.converted(args, options)
                break
        else:
            for n, x in options.items():
                if type(x) is not Tensor and n in fit and not fit[n](x):
                    args, options = parameters.converted(args, options)
                    break
        try:
            y = function(*args, **options)
        except FROM_WITHIN as wrong:
            name, signature = parameters.function, parameters.signature
            given = calls.must_bind(name, signature, args, options).arguments
            raise calls.explained(name, signature, given, wrong) from None
        given = (*args, *options.values()) if options else args
        for x in given:
            if x is y:
                y = copied(y)
                break
        for t in y if type(y) in SEVERAL else (y,):
            if type(t) is Tensor and (node := t.node) is not None and node.rule is not None and node.rule.name != parameters.function:
                bear_name(parameters, node, given)
        return y

    call.__signature__, call.arrays = parameters.signature, parameters.arrays - parameters.kept  # type: ignore[attr-defined]
    return call


def bear_name(parameters, node, given):
    """Let the function that made a node bear the name that the user called, if it is one function of the arguments `given`."""
    inputs = set()  # by identity, because a node compares itself with tensors too
    for x in given:
        if type(x) is Tensor:
            inputs.add(id(x.node))
        elif type(x) in SEVERAL:
            inputs.update([id(t.node) for t in x if type(t) is Tensor])
    for v, _, _ in node.edges:
        if id(v) not in inputs:
            return
    rule = node.rule
    node.rule = parameters.named.get(rule) or parameters.named.setdefault(rule, rule.under(parameters.function, parameters.names))


def is_no_list(x):
    return type(x) not in SEVERAL


def fits(x):
    """Return whether an argument is an array of floats, or absent."""
    return x is None or (type(x) is ARRAY and x.dtype in FLOATS)


def copied(y):
    """Return a copy of a tensor or of an array; anything else as it is."""
    return identity(y) if type(y) is Tensor else y.copy() if type(y) is ARRAY else y


@rule(vjp("dz/dx = dz/dy", lambda G: G))
def identity(x):
    """Return x as another variable."""
    return x.view()
