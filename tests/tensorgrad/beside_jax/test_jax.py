"""A JAX program is a graph of ours, whose gradients are JAX's."""

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="JAX is not installed: python -m pip install jax")

import jax.numpy as jnp  # noqa: E402

from tensorgrad.beside_jax import from_jax  # noqa: E402

pytestmark = pytest.mark.torch  # with the tests of other libraries
jax.config.update("jax_disable_most_optimizations", True)  # most of the time goes into compiling


def numbers(*shape):
    return jax.random.normal(jax.random.PRNGKey(sum(shape)), shape)


def network(params, x, y):
    for layer in params[:-1]:
        x = jax.nn.relu(x @ layer["w"] + layer["b"])
    return -jnp.mean(jax.nn.log_softmax(x @ params[-1]["w"] + params[-1]["b"])[jnp.arange(4), y])


@jax.jit
def attention(q, k, v):
    return jax.nn.softmax(q @ k.T / 2) @ v


def recurrent(w, xs):
    def step(h, x):
        h = jnp.tanh(w @ h + x)
        return h, h

    return jax.lax.scan(step, jnp.zeros(3), xs)[1].sum()


def branches(x):
    y = jax.lax.cond(x[0] > 0, lambda v: v * 2, lambda v: -v, x[1])
    return y + jax.checkpoint(lambda v: jnp.sin(v) * v)(x).sum() + jnp.where(x > 0, x, x**2).max() + jax.nn.gelu(x).prod()


LAYERS = [{"w": numbers(3, 5), "b": numbers(5)}, {"w": numbers(5, 2), "b": numbers(2)}]
PROGRAMS = {  # name: (function, arguments, how many calls are boxes of JAX's)
    "network": (network, (LAYERS, numbers(4, 3), jnp.array([0, 1, 0, 1])), 1),
    "attention": (lambda q, k, v: attention(q, k, v).sum(), (numbers(4, 3), numbers(4, 3) + 1, numbers(4, 3) - 1), 0),
    "scan": (recurrent, (numbers(3, 3), numbers(6, 3)), 0),
    "vmap": (lambda w, x: jax.vmap(lambda row: jnp.tanh(row @ w).sum())(x).mean(), (numbers(3, 2), numbers(5, 3)), 0),
    "branches": (branches, (numbers(4),), 0),
    "fori_loop": (lambda w: jax.lax.fori_loop(0, 5, lambda i, h: jnp.sin(h) * w, w).sum(), (numbers(3),), 0),
    "shapes": (
        lambda w: jnp.concatenate([w, w.T], 1).std() + jnp.einsum("ij,jk,ik->", w, w, w) + jnp.cumsum(w, 0)[1].sum(),
        (numbers(3, 3),),
        0,
    ),
    "boxes": (
        lambda w, x: jax.lax.conv(x, w, (1, 1), "SAME").sum() + jnp.sort(x.ravel())[0],
        (numbers(2, 1, 3, 3), numbers(1, 1, 5, 5)),
        2,
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_our_gradients_are_those_of_jax(name):
    f, args, boxes = PROGRAMS[name]
    seen = from_jax(f, *args)
    assert seen.check() and np.allclose(seen.z.data, f(*args), rtol=1e-5)
    assert sum(call.by != "a rule of tensorgrad" for call in seen.calls) == boxes and not any(call.why for call in seen.calls)


def test_leaves_scopes_and_lines_are_those_of_the_program():
    seen = from_jax(network, *PROGRAMS["network"][1])
    assert list(seen.leaves) == ["params.0.b", "params.0.w", "params.1.b", "params.1.w", "x"]
    attended = from_jax(*PROGRAMS["attention"][:1], *PROGRAMS["attention"][1])
    assert {"attention"} <= {part for v in ancestors(attended.z.node) for part in v.scope or ()}
    assert {call.file.rpartition("/")[2] for call in attended.calls} == {"test_jax.py"}


def ancestors(v):
    found, stack = {v}, [v]
    while stack:
        new = set(stack.pop().inputs) - found
        found |= new
        stack.extend(new)
    return found


def test_what_is_constant_gets_no_gradient():
    seen = from_jax(lambda w: (jax.lax.stop_gradient(w) * w).sum(), jnp.array([1.0, 3.0]))
    seen.z.backward()
    assert seen.leaves["w"].grad.tolist() == [1, 3]


def test_what_cannot_be_recorded_is_refused_with_what_to_do():
    x = jnp.array(3.0)
    with pytest.raises(RuntimeError, match="no reverse derivative of a while_loop .*; use lax.scan"):
        from_jax(lambda x: jax.lax.while_loop(lambda v: v < 100, lambda v: v * 2, x), x)
    with pytest.raises(RuntimeError, match="a scan of 2000 steps is longer than 1000; record fewer steps"):
        from_jax(lambda x: jax.lax.scan(lambda h, _: (h * x, None), x, None, length=2000)[0], x)
    with pytest.raises(TypeError, match=r"returned arrays of shape \(2,\); it must return the loss, one number"):
        from_jax(lambda x: x * 2, jnp.ones(2))
    with pytest.raises(RuntimeError, match="does not depend on an array of floats"):
        from_jax(lambda x: jnp.sum(jnp.arange(3.0)), x)
