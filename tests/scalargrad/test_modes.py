"""no_grad, detect_anomaly and gc_paused: nested, ended by exceptions, as decorators; the former settings are restored."""

import gc
import math

import pytest

import scalargrad as sg
from scalargrad import AnomalyError, Constant, Value, detect_anomaly, gc_paused, modes, no_grad
from scalargrad import rules as rules_
from tests.each import each


def test_in_no_grad_every_function_gives_a_constant():
    x, y = Value(0.5), Value(0.25)
    with no_grad():
        made = [x + y, x - y, x * y, x / y, x**y, -x, abs(x), x.relu(), 2 + x, x * 2, 1 - x, 2**x, x.clamp(0, 1)]
        made += [row(*[x for _ in row.partials or range(3)]) for row in rules_.TABLE]
        for z in made:
            assert type(z) is Constant and (z.inputs, z.partials, z.rule) == ((), (), None)
    assert made[0].data == 0.75 and type(x + y) is Value


def test_a_leaf_made_in_no_grad_is_a_variable():
    with no_grad():
        x = Value(3.0)
    (x * x).backward()
    assert x.grad == 6.0


def test_blocks_nest():
    x = Value(3.0)
    with no_grad():
        with no_grad():
            assert type(x * x) is Constant
        assert type(x * x) is Constant
    assert type(x * x) is Value


def test_one_block_may_be_entered_again_and_inside_itself():
    block = no_grad()
    x = Value(3.0)
    with block, block:
        assert type(x * x) is Constant
    assert type(x * x) is Value and modes.active == 0
    with block:
        assert type(x * x) is Constant


@each("mode", [no_grad, detect_anomaly])
def test_an_exception_ends_the_block(mode):
    x = Value(0.0)
    with pytest.raises(ValueError, match="on the way"), mode():
        raise ValueError("on the way")
    assert type(x * x) is Value and x.log().data == -math.inf and modes.active == 0


def test_a_mode_is_also_a_decorator():
    @no_grad()
    def predict(x):
        """Twice x."""
        return x * 2 if x < 3 else predict(x - 1)

    x = Value(1.0)
    assert type(predict(x)) is Constant and type(predict(Value(9.0))) is Constant and type(x * 2) is Value
    assert predict.__name__ == "predict" and predict.__doc__ == "Twice x."


def test_no_grad_and_detect_anomaly_work_together():
    x = Value(0.0, name="x")
    with no_grad(), detect_anomaly(), pytest.raises(AnomalyError, match="log made -inf in the forward pass"):
        x.log()


def test_detect_anomaly_watches_backward_of_exact_numbers_too():
    x = Value(0, name="x")
    with detect_anomaly():
        y = x.sqrt()
        with pytest.raises(AnomalyError, match="sqrt made inf in the backward pass, for x"):
            y.backward()
    assert y.partials == (math.inf,)


def test_after_an_anomaly_the_next_backward_is_right():
    x = Value(0.0)
    with detect_anomaly():
        z = x.sqrt() * 2.0 + x
        with pytest.raises(AnomalyError):
            z.backward()
    x.data = 4.0
    z = x.sqrt() * 2.0 + x
    z.zero_grad()
    z.backward()
    assert x.grad == 1.5


def test_detect_anomaly_gives_the_same_gradients_as_without():
    def made():
        x = Value(0.5)
        y = x.sin() * x
        return x, sg.logsumexp(y, x * x, y * x)

    x, z = made()
    z.backward()
    with detect_anomaly():
        w, u = made()
        u.backward()
    assert w.grad == pytest.approx(x.grad, rel=1e-15)


def test_gc_paused_restores_the_state_of_the_collector():
    assert gc.isenabled()
    with gc_paused():
        assert not gc.isenabled()
        with gc_paused():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()
    with pytest.raises(ZeroDivisionError), gc_paused():
        raise ZeroDivisionError
    assert gc.isenabled()
    gc.disable()
    try:
        with gc_paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_one_gc_paused_may_be_entered_twice():
    pause = gc_paused()
    with pause, pause:
        assert not gc.isenabled()
    assert gc.isenabled()


def test_a_mask_of_minus_infinity_is_no_anomaly():
    x = Value(1.0)
    with detect_anomaly():
        ((x + -math.inf).exp() + x).backward()
        with pytest.raises(AnomalyError, match="add made inf"):
            x + math.inf
        with pytest.raises(AnomalyError, match="mul made nan"):
            (x + -math.inf) * 0
    assert x.grad == 1
