"""detect_anomaly on tensors: it names the first function, forward or backward, with a result that is not finite, and its line."""

import re

import numpy as np
import pytest

import tensorgrad as tg
from tensorgrad import AnomalyError, Tensor, detect_anomaly, function, grad, no_grad
from tests.each import each


def line(after=0):
    """Return the number of the caller's line, plus `after`."""
    import sys

    return rf"test_anomaly\.py:{sys._getframe(1).f_lineno + after}"


def test_backward_names_function_index_input_gradient_and_line():
    x = Tensor([4.0, 0.0])
    with detect_anomaly():
        y, here = x.sqrt(), line()
        z = (y * Tensor([1.0, 0.0])).sum()
        with pytest.raises(
            AnomalyError, match=rf"^sqrt backward gave NaN at index \(1,\): input 0.0, incoming gradient 0.0; made at .*{here}$"
        ):
            z.backward()
    assert x.grad is None


@each(
    ("program", "says"),
    [
        (lambda x: tg.log(x), r"log forward gave -inf at index (0,): input 0.0"),
        (lambda x: x / x, "div forward gave NaN at index (0,): inputs 0.0 and 0.0"),
        (lambda x: 1.0 / x, "div forward gave inf at index (0,): inputs 1.0 and 0.0"),
        (lambda x: tg.exp(x * 1e4).sum(), "exp forward gave inf at index (1,): input 10000.0"),
        (
            lambda x: (x.reshape(1, 2) * 1e200) @ np.full((2, 1), 1e200),
            "matmul forward gave inf at index (0, 0): an input of shape (1, 2), all fin",
        ),
        (lambda x: (x + np.array([1.0, np.inf])).sum(), "add forward gave inf at index (1,): inputs 1.0 and inf"),
        (lambda x: ((x + 1e308) * 1.0).sum() * 1e10, "sum forward gave inf: an input of shape (2,), all finite"),
        (lambda x: Tensor([np.nan]) * 2, "mul forward gave NaN at index (0,): inputs NaN and 2.0"),
    ],
)
@each("mode", [detect_anomaly, lambda: both(no_grad(), detect_anomaly())], ids=["recorded", "no_grad"])
def test_forward_names_the_first_function(mode, program, says):
    x = Tensor([0.0, 1.0])
    with mode(), pytest.raises(AnomalyError, match=re.escape(says) + r".*; made at .*test_anomaly\.py:\d+$"):
        program(x)


def both(*modes):
    from contextlib import ExitStack

    stack = ExitStack()
    for mode in modes:
        stack.enter_context(mode)
    return stack


@each(
    ("program", "says"),
    [
        (lambda x: (x * x).sqrt(), r"sqrt backward gave inf at index (0,): input 0.0, incoming gradient 1.0; made at"),
        (lambda x: 1.0 / (x + 1e-200), "div backward gave -inf at index (0,): inputs 1.0 and 1e-200, incoming gradient 1.0"),
        (lambda x: np.full(2, 3.0) / (x + 1e-160), "div backward gave -inf at index (0,) for input 2: inputs 3.0 and 1e-160, incoming"),
        (
            lambda x: np.full((2, 1), 3.0) / (1e-160 + x),
            "div backward gave -inf at index (0, 0) for input 2: inputs 3.0 and 1e-160, incoming",
        ),
    ],
)
def test_backward_names_the_first_function(program, says):
    x = Tensor([0.0, 1.0])
    with detect_anomaly():
        z = program(x)
        with pytest.raises(AnomalyError, match=re.escape(says)):
            z.backward(np.ones(z.shape))


def test_for_rules_that_mix_entries_the_error_says_which_inputs_are_finite():
    A = Tensor(np.full((1, 2), 1e200))
    with detect_anomaly():
        C = A @ np.full((2, 1), 1e100)
        with pytest.raises(
            AnomalyError, match=r"matmul backward gave inf at index \(0, 0\) for input 1: .*incoming gradient of shape \(1, 1\), all fin"
        ):
            C.backward(np.full((1, 1), 1e250))


def test_a_sum_of_contributions_a_hook_and_an_upstream_gradient_are_caught_too():
    x = Tensor([1.0], name="x")
    with detect_anomaly():
        y = x * 1e308
        with pytest.raises(
            AnomalyError, match=r"the gradient of x is inf at index \(0,\): its contributions are finite and their sum is not"
        ):
            (y * 1.0 + (x - 1.0) * 1e308).backward()
        with pytest.raises(AnomalyError, match=r"the gradient of .* is NaN at index \(0,\)"):
            (x * 2).backward([np.nan])
        x.hooks.append(lambda G: G * np.inf)
        with pytest.raises(AnomalyError, match="the gradient of x is inf"):
            (x * 2).backward()


def test_a_graph_that_was_made_before_says_how_to_find_the_line():
    y = Tensor([0.0]).sqrt()
    with (
        detect_anomaly(),
        pytest.raises(AnomalyError, match=r"sqrt backward gave inf at index \(0,\): incoming gradient 1.0; made at an unrecorded line"),
    ):
        y.backward()


def test_anomalies_are_found_inside_functions_and_in_higher_derivatives():
    @function
    def root(x):
        return x.sqrt()

    with detect_anomaly():
        with pytest.raises(AnomalyError, match=r"sqrt backward gave inf at index \(0,\): input 0.0"):
            root(Tensor([0.0])).backward()
        x = Tensor([0.0])
        first = grad((x**1.5).sum(), x, create_graph=True)
        with pytest.raises(AnomalyError, match="pow backward gave inf"):
            first.backward()
        with pytest.raises(AnomalyError, match="forward gave"):
            grad(x.sqrt().sum(), x, create_graph=True)


def test_an_anomaly_changes_no_gradient_and_the_next_pass_is_right():
    def made():
        x = Tensor([0.5, 2.0])
        y = x.sqrt() * x
        return x, (y / (x * x + 1.0)).sum()

    (x, z), (w, u) = made(), made()
    z.backward()
    with detect_anomaly():
        u.backward()
    assert np.array_equal(x.grad, w.grad)
    v = Tensor([0.0])
    r = v.sqrt().sum() + v.sum()
    with detect_anomaly(), pytest.raises(AnomalyError):
        r.backward(retain_graph=True)
    assert v.grad is None
    r.backward()
    assert v.grad.tolist() == [np.inf]


MASK = np.array([[0.0, -np.inf], [0.0, 0.0]])


@each(
    "masked",
    [
        lambda s: s + MASK,
        lambda s: s + Tensor(MASK),
        lambda s: s - -MASK,
        lambda s: tg.where(MASK == 0, s, -np.inf),
        lambda s: tg.masked_fill(s, MASK != 0, np.float32(-np.inf)),
        lambda s: np.where(MASK == 0, s, -np.inf) / 2 + s[0],
        lambda s: tg.pad(s, ((0, 0), (0, 1)), constant_values=-np.inf),
        function(lambda s: tg.where(MASK == 0, s, -np.inf)),
    ],
)
def test_a_mask_of_infinities_that_the_program_puts_in_is_no_anomaly(masked):
    s = Tensor([[1.0, 2.0], [3.0, 4.0]])
    with detect_anomaly():
        tg.softmax(masked(s))[0, 0].backward()
        with pytest.raises(AnomalyError, match="mul forward gave NaN"):
            masked(s) * 0.0
        with no_grad():
            s + MASK
    assert np.isfinite(s.grad).all()


def test_without_detect_anomaly_there_is_no_error_and_no_warning():
    x = Tensor([0.0, -1.0])
    tg.log(x).sum().backward()
    assert x.grad[0] == np.inf
    with detect_anomaly():
        pass
    assert np.isnan(tg.log(x).data[1])
