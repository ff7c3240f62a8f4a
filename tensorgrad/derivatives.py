"""Derivatives to keep and to differentiate again: grad, value_and_grad, vjp, jvp, jacobian, hessian, hvp.

Nothing here touches `.grad`. The functions after `grad` differentiate a function f at a point, given as arrays or tensors: f is
called with variables of its own that hold them, so what it uses besides its arguments counts as constant.
"""

from collections.abc import Callable
from functools import wraps

import numpy as np

from scalargrad.errors import brief
from scalargrad.graph import inputs_first, is_function
from scalargrad.modes import recording
from tensorgrad import operands
from tensorgrad.backward import totals
from tensorgrad.errors import errors
from tensorgrad.modes import telling
from tensorgrad.node import Node
from tensorgrad.tensor import Tensor, as_tensor, made, plain


def grad(z, xs=None, upstream=1, create_graph=False, unused=None, *, retain_graph=None):
    """dz/dx for each of xs, without touching any `.grad`: one array for one tensor, a list for a list.

    With `create_graph` they are tensors that can be differentiated again (and the graph is retained). A z of more than one
    entry needs an `upstream` of its shape. ValueError for an x that z does not depend on, unless `unused` is the number to
    fill its gradient with. At kinks each function says which derivative is meant.

    Of a function f of arrays that gives one number, grad(f) is its gradient as a function: grad(f)(x) is an array of the shape
    of x, and grad(f)(x, y) the list of them for an f of two arguments. At tensors it gives tensors, to be differentiated again.

    >>> x = Tensor([1.0, 2.0]); grad((x * x).sum(), x)
    array([2., 4.])
    >>> grad(lambda x: (x * x).sum())([1.0, 2.0])
    array([2., 4.])
    """
    if is_function(z):
        return derivative(z, xs)
    if xs is None:
        raise TypeError("grad: the tensors are missing; give the one or the list to differentiate by, grad(z, x)")
    many = isinstance(xs, (list, tuple))
    wanted = [errors.variable(x, "grad") for x in (xs if many else [xs])]
    retain = create_graph if retain_graph is None else retain_graph
    depends = unused is None or z.node is not None
    found = dict(after(errors.variable(z, "grad"), operands.upstream(z, upstream), wanted, retain, create_graph)) if depends else {}
    for x, node in zip(xs if many else [xs], wanted):
        if node not in found:
            if unused is None:
                raise ValueError(f"grad: z does not depend on {errors.called(x)}; leave it out, or ask for zeros with unused=0")
            filled = np.full(x.shape, unused, x.dtype)
            found[node] = made(filled) if create_graph else filled
    return each_its_own([found[node] for node in wanted]) if many else found[wanted[0]]


def derivative(f, given):
    """The gradient of f as a function of the same arguments."""
    if given is not None:
        raise TypeError("grad: f is a function, and grad(f) its gradient; give the point to that, grad(f)(x)")

    @wraps(f)
    def df(*point):
        if not point:
            raise TypeError("grad: the point is missing; give an array for each argument, as in grad(f)(x)")
        if any(type(x) is Tensor and x.node is not None for x in point):
            with recording(), telling(None):
                xs = [x + 0.0 if type(x) is Tensor and x.node is not None else variable(operands.real_array(x)) for x in point]
                found = grad(f(*xs), xs, create_graph=True, unused=0)
        else:
            at = At(f, point)
            found = at.totals(at.number("grad"), None)
        return only_one(found, len(point) > 1)

    return df


def each_its_own(totals):
    """Gradients of which the user may change each: where a variable is asked for twice, the second array is a copy."""
    taken = set()
    for i, total in enumerate(totals):
        if id(total) in taken and type(total) is not Tensor:
            totals[i] = total.copy()
        taken.add(id(total))
    return totals


def after(z, G, nodes, retain, differentiable):
    """[(x, dz/dx)] for those of `nodes` that the node z depends on, with dz/dz = G."""
    return totals(z, as_tensor(G) if differentiable else plain(G), retain, differentiable, set(nodes))


def value_and_grad(f: Callable, *point):
    """f(*point) and the list of its derivatives, one array for each argument; f gives one number.

    >>> value_and_grad(lambda x, y: (x * y).sum(), [1.0, 2.0], [3.0, 4.0])
    (array(11.), [array([3., 4.]), array([1., 2.])])
    """
    at = At(f, point)
    z = at.number("value_and_grad")
    return z.data.copy(), at.totals(z, None)


def jacobian(f: Callable, *point):
    """∂f/∂x as an array of shape (*f's shape, *x's shape): one backward pass for each entry of f.

    A list of them, one for each argument, where there are several; a list of such rows where f returns a list.

    >>> jacobian(lambda x: x * x, [1.0, 2.0])
    array([[2., 0.],
           [0., 4.]])
    """
    at = At(f, point)
    rows = [only_one(at.rows(z), len(point) > 1) for z in at.outputs]
    return only_one(rows, at.many)


def hessian(f: Callable, *point):
    """∂²f/∂x∂x as an array of shape (*x's shape, *x's shape), where f gives one number; rows of them for several arguments.

    >>> hessian(lambda x: (x * x * x).sum(), [1.0, 2.0])
    array([[ 6.,  0.],
           [ 0., 12.]])
    """
    at = At(f, point)
    first = at.totals(at.number("hessian"), None, differentiable=True)
    return only_one([only_one(at.rows(g), len(point) > 1) for g in first], len(point) > 1)


def vjp(f: Callable, point, upstream):
    """Upstream gradients times the Jacobian of f: dz/dx for each x of `point`, where `upstream` is dz/df.

    `point` is a list of arguments, or the only one (an array or tensor); the answer is a list or one array accordingly.
    `upstream` is an array of f's shape; a list of them where f returns a list.

    >>> vjp(lambda x: x * x, np.array([1.0, 2.0]), np.array([1.0, 10.0]))
    array([ 2., 40.])
    """
    at = At(f, listed(point))
    upstreams = at.matched(upstream, at.outputs, "vjp", "upstream gradient", at.many)
    return only_one(at.totals(at.combined(upstreams), None), is_list(point))


def jvp(f: Callable, point, direction):
    """The Jacobian of f times a direction: how f changes when its arguments move along it.

    `direction` holds one array for each argument, of its shape. There is no forward mode: dz/dx is linear in the upstream
    gradient, so its derivative with respect to that, along the direction, is the answer (two backward passes).

    >>> jvp(lambda x: x * x, np.array([1.0, 2.0]), np.array([1.0, 10.0]))
    array([ 2., 40.])
    """
    at = At(f, listed(point))
    directions = at.matched(direction, at.xs, "jvp", "direction", is_list(point))
    with recording(), telling(None):
        upstreams = [variable(np.zeros(z.shape, z.dtype)) for z in at.outputs]
        along = dotted(at.totals(at.combined(upstreams), None, differentiable=True), directions)
    found = [np.zeros(u.shape, u.dtype) for u in upstreams] if along.node is None else grad(along, upstreams, unused=0)
    return only_one(found, at.many)


def hvp(f: Callable, point, direction):
    """The Hessian of f times a direction, without the Hessian: the gradient of (gradient · direction).

    >>> hvp(lambda x: (x * x * x).sum(), np.array([1.0, 2.0]), np.array([1.0, 10.0]))
    array([  6., 120.])
    """
    at = At(f, listed(point))
    directions = at.matched(direction, at.xs, "hvp", "direction", is_list(point))
    first = at.totals(at.number("hvp"), None, differentiable=True)
    with recording(), telling(None):
        along = dotted(first, directions)
    return only_one(at.totals(along, None), is_list(point))


class At:
    """A function at a point: `xs`, variables that hold the point, and `outputs`, what f made of them (`many`: in a list)."""

    def __init__(self, f, point):
        if not callable(f):
            raise TypeError(
                f"{brief(f)} is not a function: give the function first and then the point, as in hessian(lambda x: (x * x).sum(), x)"
            )
        self.xs = [variable(x._data if type(x) is Tensor else operands.real_array(x)) for x in point]
        with recording(), telling(None):
            z = f(*self.xs)
        self.many = is_list(z)
        self.outputs = list(z) if self.many else [z]
        for z in self.outputs:
            if type(z) is not Tensor:
                raise TypeError(
                    f"the function returned a {type(z).__name__}, so its derivative would be lost: compute with tensors to the end"
                )
        self.refuse_the_point_itself(point)

    def refuse_the_point_itself(self, point):
        """ValueError if f uses a tensor of the point by another way than its argument: that derivative would be lost."""
        outside = {x.node for x in point if type(x) is Tensor and x.node is not None}
        for z in self.outputs if outside else ():
            for x in inputs_first(z) if z.node is not None else ():
                if x in outside:
                    raise ValueError(
                        f"the function uses {errors.called(x)} not only as its argument, and that derivative would be lost: "
                        "let it use its arguments alone, or detach() what is meant as a constant"
                    )

    def number(self, name):
        """The only output, which has one entry."""
        if self.many or self.outputs[0].size != 1:
            what = f"{len(self.outputs)} tensors" if self.many else f"shape {self.outputs[0].shape}"
            raise ValueError(f"{name}: the function must return one number, not {what}; sum it, or ask for vjp or jacobian")
        return self.outputs[0]

    def totals(self, z, G, differentiable=False):
        """dz/dx for each x; zeros where z does not depend on it. The graph is retained."""
        G = np.ones(z.shape, z.dtype) if G is None else G
        found = dict(after(z.node, G, [x.node for x in self.xs], True, differentiable)) if z.node is not None else {}
        zeros = lambda x: made(np.zeros(x.shape, x.dtype)) if differentiable else np.zeros(x.shape, x.dtype)
        return [found[x.node] if x.node in found else zeros(x) for x in self.xs]

    def rows(self, z):
        """The Jacobian of z with respect to each x, one backward pass for each entry of z."""
        found = [np.zeros((*z.shape, *x.shape), x.dtype) for x in self.xs]
        for place in np.ndindex(z.shape):
            G = np.zeros(z.shape, z.dtype)
            G[place] = 1
            for rows, total in zip(found, self.totals(z, G)):
                rows[place] = total
        return found

    def combined(self, upstreams):
        """The number whose derivative with respect to each output is its upstream gradient."""
        with recording(), telling(None):
            return dotted(self.outputs, upstreams)

    def matched(self, given, tensors, name, what, many):
        """`given`, one array for each of `tensors`, each of its shape; ValueError otherwise."""
        arrays = list(given) if is_list(given) and (many or len(tensors) == len(given) == 1) else [given]
        if len(arrays) != len(tensors):
            raise ValueError(f"{name}: {len(tensors)} {what}s are needed, one for each tensor, and {len(arrays)} given")
        found = []
        for i, (array, t) in enumerate(zip(arrays, tensors)):
            array = array._data if type(array) is Tensor else operands.real_array(array, t.dtype)
            if array.shape != t.shape:
                raise ValueError(f"{name}: {what} {i + 1} has shape {array.shape}, and what it goes with {t.shape}: they must be the same")
            found.append(array)
        return found


def variable(array):
    """A variable of our own around an array, without a copy."""
    t = made(array)
    t.node = Node(t)
    return t


def dotted(tensors, arrays):
    """The sum of all products of entries."""
    return sum([(t * a).sum() for t, a in zip(tensors, arrays)], made(np.zeros((), tensors[0].dtype)))


def is_list(x):
    return isinstance(x, (list, tuple))


def listed(point):
    return point if is_list(point) else [point]


def only_one(found, many):
    return found if many else found[0]
