"""Functions that return derivatives: grad, value_and_grad, jacobian, hessian, vjp, jvp, hvp. None of them changes `.grad`."""

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from numbers import Real

from scalargrad import rules
from scalargrad.fast.totals import total_derivatives
from scalargrad.fast.value import Value
from scalargrad.graph import is_function
from scalargrad.messages.errors import brief, not_a_function, refuse_tensors, refuse_upstream, wrong_result
from scalargrad.modes import recording
from scalargrad.numeric import Number
from scalargrad.user_names import names


def grad(
    z: Value | Callable,
    xs: Value | Iterable[Value] | None = None,
    upstream: Number | Value = 1,
    create_graph: bool = False,
    unused: Number | None = None,
):
    """Return dz/dx (times `upstream`) for one variable x, or a list for a list. No `.grad` changes.

    With create_graph=True the derivatives are Values that can be differentiated again. Raises ValueError if z does not depend
    on some x, unless `unused` is the number to return for it. At a kink the function's help says which derivative is meant.

    grad(f) of a function f of numbers is its derivative as a function. grad(f)(3.0) is a number, and grad(f)(3.0, 4.0) is
    the list of derivatives of an f of two arguments. At Values it returns Values, so grad(grad(f)) is the second derivative.

    >>> from scalargrad import Value
    >>> x = Value(2.0); dz = grad(x**3, x, create_graph=True); dz.data, grad(dz, x)
    (12.0, 12.0)
    >>> cube = lambda x: x**3; grad(cube)(2.0), grad(grad(cube))(2.0), grad(lambda x, y: x * y)(3, 4)
    (12.0, 12.0, [4, 3])
    """
    refuse_tensors("grad", z)
    if is_function(z):
        return derivative(z, xs)
    if isinstance(z, Real):
        raise TypeError(f"grad: {z!r} is a number, not a variable; to differentiate a derivative ask for it with create_graph=True")
    if xs is None:
        raise TypeError("grad: the variables are missing; give the one or the list to differentiate by, grad(z, x)")
    wanted = list(xs) if isinstance(xs, Iterable) else [xs]
    if not (create_graph and isinstance(upstream, Value)):
        upstream = refuse_upstream(getattr(upstream, "data", upstream))
    totals = total_derivatives(z, upstream, create_graph=create_graph)
    for x in wanted:
        if not hasattr(x, "inputs"):
            raise TypeError(f"grad: {brief(x)} is not a variable; give the Value that z was made from")
        if x not in totals and unused is None:
            raise ValueError(
                f"grad: {names.called_one(z)} does not depend on {names.called_one(x)}; "
                "make it from that variable itself, not from its .data, or ask for zeros with unused=0"
            )
    found = [as_variable(totals.get(x, unused), x) if create_graph else totals.get(x, unused) for x in wanted]
    return found if isinstance(xs, Iterable) else found[0]


def derivative(f, given):
    """Return the derivative of f as a function of the same arguments."""
    if given is not None:
        said = getattr(f, "__name__", "f")
        said = said if said.isidentifier() else "f"
        raise TypeError(
            f"grad: {said} is a function, and grad({said}) its derivative; give the point to that, grad({said})({brief(given)})"
        )

    @wraps(f)
    def df(*point):
        plain = not any(isinstance(x, Value) for x in point)
        xs = _at("grad", f, point if plain else [x + 0 if isinstance(x, Value) else x for x in point])
        with recording():
            z = one_value("grad", f(*xs))
            totals = total_derivatives(z, create_graph=not plain)
            found = [totals.get(x, 0) if plain else as_variable(totals.get(x, 0), x) for x in xs]
        return found[0] if len(found) == 1 else found

    return df


def one_value(function, z):
    """Return z if it is a variable. Raises TypeError otherwise: f must return one."""
    if not isinstance(z, Value):
        raise wrong_result(f"{function}: the function", z, "one Value made from its arguments")
    return z


def as_variable(total, like):
    """Return a total as a variable. A plain number becomes a constant function of `like`."""
    return total if hasattr(total, "inputs") else rules.where(0, like, total)


def _at(function, f, point):
    """Return the point as variables. Raises TypeError if f is not a function or the point is not a list of numbers."""
    point = _numbers(function, "point", point)
    refuse_tensors(function, f, *point)
    if not callable(f):
        raise not_a_function(function, f, f"{function}(f, *point), the function first")
    if not point:
        call = "grad(f)(3.0)" if function == "grad" else f"{function}(f, 3.0)"
        raise TypeError(f"{function}: the point is missing; give the numbers after the function, as in {call}")
    return [x if isinstance(x, Value) else Value(x) for x in point]


def _numbers(function, name, xs, of=None, what=""):
    """Return xs as a list. Raises ValueError if its length is not that of `of`."""
    if not isinstance(xs, Iterable) or isinstance(xs, str):
        raise TypeError(f"{function}: {name}={brief(xs)} is not a list of numbers")
    xs = list(xs)
    if of is not None and len(xs) != len(of):
        raise ValueError(f"{function}: {name} has length {len(xs)}; give one number for each {what}, {len(of)} in all")
    return xs


def value_and_grad(f: Callable, *point: Number | Value) -> tuple[Number, list[Number]]:
    """Return f(*point) and the list of its derivatives, as numbers.

    >>> value_and_grad(lambda x, y: x * y, 3, 4)
    (12, [4, 3])
    """
    xs = _at("value_and_grad", f, point)
    with recording():
        z = one_value("value_and_grad", f(*xs))
    totals = total_derivatives(z)
    return z.data, [totals.get(x, 0) for x in xs]


def jacobian(f: Callable, *point: Number | Value) -> list[list[Number]]:
    """Return ∂fᵢ/∂xⱼ as a list of rows, where f returns one Value or a list of Values.

    >>> jacobian(lambda x, y: [x * y, x + y], 3, 4)
    [[4, 3], [1, 1]]
    """
    xs = _at("jacobian", f, point)
    with recording():
        outputs = _outputs(f(*xs))
    rows = [total_derivatives(z) for z in outputs]
    return [[totals.get(x, 0) for x in xs] for totals in rows]


def hessian(f: Callable, *point: Number | Value) -> list[list[Number]]:
    """Return ∂²f/∂xᵢ∂xⱼ as a list of rows.

    >>> hessian(lambda x, y: x * x * y, 3, 4)
    [[8, 6], [6, 0]]
    """
    xs = _at("hessian", f, point)
    with recording():
        totals = total_derivatives(f(*xs), create_graph=True)
    rows = []
    for x in xs:
        first = totals.get(x, 0)
        second = total_derivatives(first) if hasattr(first, "inputs") else {}
        rows.append([second.get(v, 0) for v in xs])
    return rows


def vjp(f: Callable, point: Sequence, upstream: Sequence[Number]) -> list[Number]:
    """Return the upstream gradients times the Jacobian of f: one number for each number of `point`.

    >>> vjp(lambda x, y: [x * y, x + y], [3, 4], [1, 10])
    [14, 13]
    """
    xs = _at("vjp", f, point)
    with recording():
        outputs = _outputs(f(*xs))
        together = sum(u * z for u, z in zip(_numbers("vjp", "upstream", upstream, outputs, "output"), outputs))
    totals = total_derivatives(together)
    return [totals.get(x, 0) for x in xs]


def jvp(f: Callable, point: Sequence, direction: Sequence[Number]) -> list[Number]:
    """Return the Jacobian of f times a direction: how each output changes along it. It takes one backward pass for each output.

    >>> jvp(lambda x, y: [x * y, x + y], [3, 4], [1, 10])
    [34, 11]
    """
    xs = _at("jvp", f, point)
    direction = _numbers("jvp", "direction", direction, xs, "input")
    return [sum(d * v for d, v in zip(row, direction)) for row in jacobian(f, *xs)]


def hvp(f: Callable, point: Sequence, direction: Sequence[Number]) -> list[Number]:
    """Return the Hessian of f times a direction, as the gradient of (gradient · direction). The Hessian is not computed.

    >>> hvp(lambda x, y: x * x * y, [3, 4], [1, 10])
    [68, 6]
    """
    xs = _at("hvp", f, point)
    direction = _numbers("hvp", "direction", direction, xs, "input")
    with recording():
        totals = total_derivatives(f(*xs), create_graph=True)
        along = sum(d * totals.get(x, 0) for x, d in zip(xs, direction))
    second = total_derivatives(along) if hasattr(along, "inputs") else {}
    return [second.get(x, 0) for x in xs]


def _outputs(z):
    return z if isinstance(z, (list, tuple)) else [z]
