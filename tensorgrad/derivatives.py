"""Derivatives to keep and to differentiate again: grad, value_and_grad, vjp, jvp, jacobian, hessian, hvp."""

from tensorgrad import refusals
from tensorgrad.backward import totals
from tensorgrad.tensor import Tensor, made


def grad(z, xs, upstream=None, create_graph=False, retain_graph=None, unused=None):
    """dz/dx for each of xs, without touching any `.grad`: one array for one tensor, a list for a list.

    With `create_graph` they are tensors that can be differentiated again. A z of more than one entry needs an `upstream` of its
    shape. ValueError for an x that z does not depend on; `unused=0` gives zeros for it.

    >>> x = Tensor([1.0, 2.0]); grad((x * x).sum(), x)
    array([2., 4.])
    """
    many = isinstance(xs, (list, tuple))
    wanted = [refusals.variable(x, "grad") for x in (xs if many else [xs])]
    node = refusals.variable(z, "backward()")
    G = refusals.upstream(z, upstream)
    if create_graph and type(G) is not Tensor:
        G = made(G)
    found = dict(totals(node, G, create_graph if retain_graph is None else retain_graph, create_graph, set(wanted)))
    for x, node in zip(xs if many else [xs], wanted):
        if node not in found:
            if unused is None:
                raise ValueError(f"grad: z does not depend on {refusals.called(x)}; leave it out, or ask for zeros with unused=0")
            found[node] = x._data * 0
    return [found[node] for node in wanted] if many else found[wanted[0]]
