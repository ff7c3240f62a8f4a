"""Derivatives to keep and to differentiate again: grad, value_and_grad, vjp, jvp, jacobian, hessian, hvp.

Nothing here changes `.grad`. The functions after `grad` differentiate a function f at a point of arrays or tensors. They call f
with new variables that hold the point, so everything that f uses besides its arguments counts as constant.
"""

from collections.abc import Callable
from functools import wraps
from numbers import Real

import numpy as np

from scalargrad.graph import inputs_first, is_function
from scalargrad.messages.errors import brief, not_a_function, wrong_result
from scalargrad.modes import recording
from tensorgrad.arrays import operands
from tensorgrad.backward import totals
from tensorgrad.errors import errors
from tensorgrad.modes import telling
from tensorgrad.tensor import Tensor, array_of, as_tensor, is_variable, leaf, made


def grad(z, xs=None, upstream=1, create_graph=False, unused=None, *, retain_graph=None):
    """Return dz/dx (times `upstream`) for one tensor x as an array, or a list for a list. No `.grad` changes.

    A z of more than one entry needs an `upstream` of its shape. With create_graph=True the derivatives are tensors that can be
    differentiated again. The graph is released unless `retain_graph` or `create_graph`. Raises ValueError if z does not depend
    on some x, unless `unused` is the number to fill its gradient with. At a kink the function's help says which derivative is meant.

    grad(f) of a function f of arrays that returns one number is its gradient as a function. grad(f)(x) is an array of the shape
    of x, and grad(f)(x, y) is the list of gradients of an f of two arguments. At tensors it returns tensors.

    >>> x = Tensor([1.0, 2.0]); grad((x * x).sum(), x)
    array([2., 4.])
    >>> grad(lambda x: (x * x).sum())([1.0, 2.0])
    array([2., 4.])
    """
    if is_function(z):
        return derivative(z, xs)
    if xs is None:
        raise TypeError("grad: the tensors are missing; give the one or the list to differentiate by, grad(z, x)")
    if isinstance(z, (np.ndarray, Real)):
        raise TypeError(f"grad: z = {brief(z)} is not a tensor; to differentiate a derivative, ask for it with create_graph=True")
    many = isinstance(xs, (list, tuple))
    wanted = [errors.variable(x, "grad") for x in (xs if many else [xs])]
    retain = create_graph if retain_graph is None else retain_graph
    depends = unused is None or z.node is not None
    found = {}
    if depends:
        node = errors.variable(z, "grad")
        found = dict(after(node, operands.upstream(z, upstream, create_graph), wanted, retain, create_graph))
    for x, node in zip(xs if many else [xs], wanted):
        if node not in found:
            if unused is None:
                raise ValueError(f"grad: z does not depend on {errors.called(x)}; leave it out, or ask for zeros with unused=0")
            filled = np.full(x.shape, unused, x.dtype)
            found[node] = made(filled) if create_graph else filled
    return each_its_own([found[node] for node in wanted]) if many else found[wanted[0]]


def derivative(f, given):
    """Return the gradient of f as a function of the same arguments."""
    if given is not None:
        raise TypeError("grad: f is a function, and grad(f) its gradient; give the point to that, grad(f)(x)")

    @wraps(f)
    def df(*point):
        if not point:
            raise TypeError("grad: the point is missing; give an array for each argument, as in grad(f)(x)")
        if any(map(is_variable, point)):
            with recording(), telling(None):
                xs = [x + 0.0 if is_variable(x) else leaf(operands.real_array(x)) for x in point]
                found = grad(f(*xs), xs, create_graph=True, unused=0)
        else:
            at = At("grad", f, point)
            found = at.totals(at.number("grad"), None)
        return only_one(found, len(point) > 1)

    return df


def each_its_own(totals):
    """Return the totals such that the user may change each: if a variable is asked for twice, the second array is a copy."""
    taken = set()
    for i, total in enumerate(totals):
        if id(total) in taken and type(total) is not Tensor:
            totals[i] = total.copy()
        taken.add(id(total))
    return totals


def after(z, G, nodes, retain, differentiable):
    """Return [(x, dz/dx)] for those of `nodes` that the node z depends on, with dz/dz = G."""
    return totals(z, as_tensor(G) if differentiable else array_of(G), retain, differentiable, set(nodes))


def value_and_grad(f: Callable, *point):
    """Return f(*point) and the list of its derivatives, one array for each argument. f returns one number.

    >>> value_and_grad(lambda x, y: (x * y).sum(), [1.0, 2.0], [3.0, 4.0])
    (array(11.), [array([3., 4.]), array([1., 2.])])
    """
    at = At("value_and_grad", f, point)
    z = at.number("value_and_grad")
    return z.data.copy(), at.totals(z, None)


def jacobian(f: Callable, *point):
    """Return ∂f/∂x as an array of shape (*f's shape, *x's shape), by one backward pass for each entry of f.

    For several arguments it is a list of such arrays. For an f that returns a list, it is a list of these.

    >>> jacobian(lambda x: x * x, [1.0, 2.0])
    array([[2., 0.],
           [0., 4.]])
    """
    at = At("jacobian", f, point)
    rows = [only_one(at.rows(z), len(point) > 1) for z in at.outputs]
    return only_one(rows, at.many)


def hessian(f: Callable, *point):
    """Return ∂²f/∂x∂x as an array of shape (*x's shape, *x's shape). f returns one number. Several arguments give a list of rows.

    >>> hessian(lambda x: (x * x * x).sum(), [1.0, 2.0])
    array([[ 6.,  0.],
           [ 0., 12.]])
    """
    at = At("hessian", f, point)
    first = at.totals(at.number("hessian"), None, differentiable=True)
    return only_one([only_one(at.rows(g), len(point) > 1) for g in first], len(point) > 1)


def vjp(f: Callable, point, upstream):
    """Return the upstream gradient times the Jacobian of f: dz/dx for each x of `point`, where `upstream` is dz/df.

    `point` is a list of arguments, and the result a list. Or it is the only argument, and the result one array. `upstream` is an
    array of f's shape, or a list of them if f returns a list.

    >>> vjp(lambda x: x * x, np.array([1.0, 2.0]), np.array([1.0, 10.0]))
    array([ 2., 40.])
    """
    at = At("vjp", f, argument_list(point))
    upstreams = at.matched(upstream, at.outputs, "vjp", "upstream gradient", at.many)
    return only_one(at.totals(at.combined(upstreams), None), is_list(point))


def jvp(f: Callable, point, direction):
    """Return the Jacobian of f times a direction: how f changes if its arguments move along it.

    `direction` holds one array for each argument, of its shape. It takes two backward passes and no forward mode: dz/dx is linear
    in the upstream gradient, and its derivative in that, along the direction, is the result.

    >>> jvp(lambda x: x * x, np.array([1.0, 2.0]), np.array([1.0, 10.0]))
    array([ 2., 40.])
    """
    at = At("jvp", f, argument_list(point))
    directions = at.matched(direction, at.xs, "jvp", "direction", is_list(point))
    with recording(), telling(None):
        upstreams = [leaf(np.zeros(z.shape, z.dtype)) for z in at.outputs]
        along = dotted(at.totals(at.combined(upstreams), None, differentiable=True), directions)
    found = [np.zeros(u.shape, u.dtype) for u in upstreams] if along.node is None else grad(along, upstreams, unused=0)
    return only_one(found, at.many)


def hvp(f: Callable, point, direction):
    """Return the Hessian of f times a direction, as the gradient of (gradient · direction), without computing the Hessian.

    >>> hvp(lambda x: (x * x * x).sum(), np.array([1.0, 2.0]), np.array([1.0, 10.0]))
    array([  6., 120.])
    """
    at = At("hvp", f, argument_list(point))
    directions = at.matched(direction, at.xs, "hvp", "direction", is_list(point))
    first = at.totals(at.number("hvp"), None, differentiable=True)
    with recording(), telling(None):
        along = dotted(first, directions)
    return only_one(at.totals(along, None), is_list(point))


class At:
    """A function at a point: `xs` are variables that hold the point, `outputs` what f returned, and `many` if that was a list."""

    def __init__(self, name, f, point):
        if not callable(f):
            raise not_a_function(name, f, f"{name}(f, *point), the function first")
        self.xs = [leaf(x._data if type(x) is Tensor else operands.real_array(x)) for x in point]
        with recording(), telling(None):
            z = f(*self.xs)
        self.many = is_list(z)
        self.outputs = list(z) if self.many else [z]
        for z in self.outputs:
            if type(z) is not Tensor:
                raise wrong_result(f"{name}: the function", z, "a tensor, or its derivative would be lost")
        self.refuse_the_point_itself(name, point)

    def refuse_the_point_itself(self, name, point):
        """Raise ValueError if f uses a tensor of the point other than as its argument: that derivative would be lost."""
        outside = {x.node for x in filter(is_variable, point)}
        for z in self.outputs if outside else ():
            for x in inputs_first(z) if z.node is not None else ():
                if x in outside:
                    raise ValueError(
                        f"{name}: the function uses {errors.called(x)} not only as its argument, so that derivative would be "
                        "lost; use only the arguments, or detach() a constant"
                    )

    def number(self, name):
        """Return the only output, which must have one entry."""
        if self.many or self.outputs[0].size != 1:
            what = f"{len(self.outputs)} tensors" if self.many else f"shape {self.outputs[0].shape}"
            raise ValueError(f"{name}: the function must return one number, not {what}; sum it, or ask for vjp or jacobian")
        return self.outputs[0]

    def totals(self, z, G, differentiable=False):
        """Return dz/dx for each x, zeros if z does not depend on it. The graph is retained."""
        G = np.ones(z.shape, z.dtype) if G is None else G
        found = dict(after(z.node, G, [x.node for x in self.xs], True, differentiable)) if z.node is not None else {}
        zeros = lambda x: made(np.zeros(x.shape, x.dtype)) if differentiable else np.zeros(x.shape, x.dtype)
        return [found[x.node] if x.node in found else zeros(x) for x in self.xs]

    def rows(self, z):
        """Return the Jacobian of z for each x, by one backward pass for each entry of z."""
        found = [np.zeros((*z.shape, *x.shape), x.dtype) for x in self.xs]
        for place in np.ndindex(z.shape):
            G = np.zeros(z.shape, z.dtype)
            G[place] = 1
            for rows, total in zip(found, self.totals(z, G)):
                rows[place] = total
        return found

    def combined(self, upstreams):
        """Return the number whose derivative in each output is its upstream gradient."""
        with recording(), telling(None):
            return dotted(self.outputs, upstreams)

    def matched(self, given, tensors, name, what, many):
        """Return `given` as one array for each of `tensors`. Raises ValueError if their number or a shape does not fit."""
        arrays = list(given) if is_list(given) and (many or len(tensors) == len(given) == 1) else [given]
        if len(arrays) != len(tensors):
            raise ValueError(f"{name}: {len(tensors)} {what}s are needed, one for each tensor, got {len(arrays)}")
        found = []
        for i, (array, t) in enumerate(zip(arrays, tensors)):
            array = array._data if type(array) is Tensor else operands.real_array(array, t.dtype)
            if array.shape != t.shape:
                raise ValueError(f"{name}: {what} {i + 1} has shape {array.shape}; it must have the shape {t.shape} of its tensor")
            found.append(array)
        return found


def dotted(tensors, arrays):
    """Return the sum of all products of entries."""
    return sum([(t * a).sum() for t, a in zip(tensors, arrays)], made(np.zeros((), tensors[0].dtype)))


def is_list(x):
    """Return whether x is a list of arguments, not one array."""
    return isinstance(x, (list, tuple))


def argument_list(point):
    return point if is_list(point) else [point]


def only_one(found, many):
    """Return the list, or its only item if `many` is false."""
    return found if many else found[0]
