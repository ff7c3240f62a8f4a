"""The graph of an engine like micrograd is a graph of ours, whose functions are boxes with the engine's own backward."""

import math

import pytest

import tensorgrad as tg
import viz
from tensorgrad.beside_micrograd import from_micrograd
from tensorgrad.rules.elsewhere import OnlyOnce
from tests.each import each


class Value:
    """micrograd's Value, with a function for each mistake."""

    def __init__(self, data, inputs=(), op=""):
        self.data, self.grad, self._prev, self._op, self._backward = data, 0, set(inputs), op, lambda: None

    def made(self, data, inputs, op, *partials):
        out = Value(data, inputs, op)

        def backward():
            for x, partial in zip(inputs, partials):
                x.grad += partial * out.grad

        out._backward = backward
        return out

    def __add__(self, other):
        return self.made(self.data + other.data, (self, other), "+", 1, 1)

    def __mul__(self, other):
        return self.made(self.data * other.data, (self, other), "*", other.data, self.data)

    def __pow__(self, k):
        return self.made(self.data**k, (self,), f"**{k}", k * self.data ** (k - 1))

    def tanh(self, slope=lambda t: 1 - t * t):
        t = math.tanh(self.data)
        return self.made(t, (self,), "tanh", slope(t))

    def overwriting_tanh(self):
        out = self.tanh()

        def backward():
            self.grad = (1 - out.data**2) * out.grad

        out._backward = backward
        return out

    def doubled(self):
        return self.made(2 * self.data, (self,), "doubled", 2)

    def backward(self):
        order, seen = [], set()

        def visit(v):
            if v not in seen:
                seen.add(v)
                for x in v._prev:
                    visit(x)
                order.append(v)

        visit(self)
        self.grad = 1
        for v in reversed(order):
            v._backward()


def test_the_engines_graph_has_its_names_and_its_gradients():
    a, b = Value(3.0), Value(0.5)
    h = (a * b).tanh()
    z = h * h + a**2 * b + a * a
    a.grad = 7
    seen = from_micrograd(z)
    assert seen.check() and tg.check(seen.z) and set(seen.leaves) == {"a", "b"} and a.grad == 7 and z.grad == 0
    assert repr(seen).endswith("0 by a rule of tensorgrad, 8 by a function of your own>")
    assert sorted(v.rule.name for v in seen.z.node.inputs) == ["add", "mul"] and "h" in viz.mermaid(seen)
    seen.z.backward()
    a.grad = 0
    z.backward()
    assert {name: x.grad.item() for name, x in seen.leaves.items()} == pytest.approx({"a": a.grad, "b": b.grad})


def test_a_wrong_derivative_and_a_wrong_sum_are_found_by_different_checks():
    a = Value(0.5)
    seen = from_micrograd(a.tanh(lambda t: 1 + t * t) * a)
    assert "tanh: the contribution of" in str(tg.check(seen.z)) and seen.check()
    seen = from_micrograd(a.overwriting_tanh() * a)
    assert tg.check(seen.z) and str(seen.check()).startswith("from_micrograd: dz/da at [] is ")


def test_a_function_that_the_engine_does_not_name_is_not_computed_again():
    a = Value(0.5)
    seen = from_micrograd(a.doubled() * a)
    assert seen.check()
    with pytest.raises(OnlyOnce, match="doubled: _op and _prev do not say how to compute it again"):
        tg.check(seen.z)


@each("z, error, message", [(3.0, TypeError, "a float has no data, grad, _prev, _backward"), ("cycle", ValueError, "has a cycle")])
def test_what_is_no_graph_of_an_engine_is_refused(z, error, message):
    if z == "cycle":
        z = Value(1.0)
        z._prev = {z + z}
        z._prev.copy().pop()._prev = {z}
    with pytest.raises(error, match=message):
        from_micrograd(z)
