"""What a recording leaves as it was, after an exception, in threads and nested, and what it refuses, with a sentence."""

import threading

import pytest

torch = pytest.importorskip("torch")

from torch import nn  # noqa: E402
from torch.optim.optimizer import _global_optimizer_pre_hooks  # noqa: E402
from torch.overrides import _get_current_function_mode_stack  # noqa: E402

from tensorgrad import from_torch  # noqa: E402
from tensorgrad.beside_torch import recorder as of_recorder  # noqa: E402
from tests.each import each  # noqa: E402

pytestmark = pytest.mark.torch


def w(*sizes):
    return torch.rand(*sizes or (3,), requires_grad=True)


class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    def backward(ctx, G):
        return 2 * G


def patched():
    """Return what a recording patches."""
    of_torch = nn.modules.module
    hooks = of_torch._global_forward_hooks, of_torch._global_forward_pre_hooks, of_torch._global_forward_hooks_always_called
    apply = torch.autograd.Function.__dict__["apply"]
    return [*map(dict, hooks)], dict(_global_optimizer_pre_hooks), apply, _get_current_function_mode_stack(), torch.is_grad_enabled()


def raised_in_the_program(x):
    (x * 2).sum()
    raise KeyError("mine")


def raised_by_pytorch(x):
    return x @ torch.ones(4)


def raised_in_a_hook_of_a_module(x):
    layer = nn.Linear(3, 1)
    layer.register_forward_hook(lambda *args: 1 / 0)
    return layer(x)


def raised_in_an_own_function(x):
    class Wrong(Twice):
        @staticmethod
        def forward(ctx, x):
            raise LookupError("mine")

    return Wrong.apply(x)


@each("program", [raised_in_the_program, raised_by_pytorch, raised_in_a_hook_of_a_module, raised_in_an_own_function])
def test_after_an_exception_all_is_as_before_and_the_exception_is_that_of_the_program(program):
    before, x = patched(), w()
    with pytest.raises(Exception) as alone:
        program(x)
    with pytest.raises(Exception) as recorded:
        from_torch(lambda: program(x))
    assert repr(recorded.value) == repr(alone.value) and patched() == before


def test_after_an_exception_of_ours_all_is_as_before(monkeypatch):
    def broken(*args):
        raise ZeroDivisionError

    before = patched()
    monkeypatch.setattr(of_recorder.Recorder, "told", broken)
    with pytest.raises(ZeroDivisionError):
        from_torch(lambda: nn.Linear(3, 1)(w()).sum())
    assert patched() == before


def test_a_recording_within_a_recording_sees_the_same_and_leaves_no_trace_in_the_outer_one():
    x = w()

    def outer():
        inner = from_torch(lambda: (x * x).sum())
        inner.z.backward()
        assert inner.leaves[0][1].grad.tolist() == pytest.approx((2 * x.detach()).tolist())
        return inner.loss * 2

    seen = from_torch(outer)
    seen.z.backward()
    assert [call.name for call in seen.calls] == ["mul", "sum", "mul"] and len(seen.leaves) == 1
    assert seen.leaves[0][1].grad.tolist() == pytest.approx((4 * x).tolist())


def test_what_other_threads_compute_is_theirs():
    layer, x, others = nn.Linear(3, 1), w(), []

    def program():
        thread = threading.Thread(target=lambda: others.append(Twice.apply(layer(x)).sum()))
        thread.start()
        thread.join()
        return x.sum()

    seen = from_torch(program)
    assert [call.name for call in seen.calls] == ["sum"] and others[0].grad_fn is not None


def test_hooks_of_modules_are_called_as_often_and_in_the_same_order():
    model, x, order = nn.Sequential(nn.Linear(3, 4), nn.Tanh()), w(2, 3), []
    for i, layer in enumerate(model):
        layer.register_forward_pre_hook(lambda *args, i=i: order.append(f"before {i}"))
        layer.register_forward_hook(lambda *args, i=i: order.append(f"after {i}"))
    found = []
    for run in (lambda: model(x).sum(), lambda: from_torch(lambda: model(x).sum())):
        order.clear()
        run()
        found.append([*order])
    assert found[0] == found[1] == ["before 0", "after 0", "before 1", "after 1"]


def step_inside():
    model = nn.Linear(3, 1)
    optimiser = torch.optim.SGD(model.parameters(), 0.1)

    def program():
        model(torch.ones(3)).sum().backward()
        optimiser.step()
        return model(torch.ones(3)).sum()

    return program


def computed_before():
    x = w()
    early = x * 2
    return lambda: (x * early).sum()


def complex_leaf():
    x = torch.rand(3, dtype=torch.complex64, requires_grad=True)
    return lambda: x.abs().sum()


def checkpoint_that_hides():
    x = w()
    return lambda: torch.utils.checkpoint.checkpoint(torch.sin, x, use_reentrant=True).sum()


def shape_changed_unseen():
    def program():
        y = w(2, 3) * 2
        y.sum()
        with torch.no_grad():
            y.t_()
        return (y + 1).sum()

    return program


def under_no_grad():
    x = w()

    def program():
        with torch.no_grad():
            y = x * 2
        return y.sum()

    return program


REFUSED = [
    (step_inside, r"SGD\.step\(\) changes parameters .* \(at test_limits\.py:\d+\); return the loss before the step"),
    (computed_before, r"early was computed before the recording began, .* by MulBackward0 \(at test_limits.py:\d+\); compute it inside"),
    (complex_leaf, r"x is complex \(at test_limits\.py:\d+\); keep its real and imaginary parts"),
    (checkpoint_that_hides, r"checkpoint\(\.\.\., use_reentrant=True\) .* \(at test_limits\.py:\d+\); give it use_reentrant=False"),
    (shape_changed_unseen, r"y got another shape .* \(at test_limits\.py:\d+\); change its shape outside of no_grad"),
    (under_no_grad, r"the loss does not require grad: the gradient is cut off by mul under no_grad \(test_limits\.py:\d+\)"),
    (lambda: lambda: w() * 2, r"a tensor of shape \(3,\); return a loss of one entry, such as its \.mean\(\)"),
    (lambda: lambda: (w().sum(), w()), r"tuple, \[0\] of shape \(\), \[1\] of shape \(3,\); say which is the loss: .*program\(\)\[0\]"),
    (lambda: lambda: {"logits": w(), "loss": w().sum()}, r"dict, .*; say which is the loss: from_torch\(lambda: program\(\)\['loss'\]\)"),
    (lambda: lambda: w().sum().item(), r"float; return the tensor itself, without \.item\(\)"),
    (lambda: lambda: None, "NoneType; let it return the loss"),
]


@each("make, said", REFUSED)
def test_what_cannot_be_recorded_is_refused_with_what_where_and_what_to_do(make, said):
    with pytest.raises((RuntimeError, TypeError), match="^from_torch: (the function returned )?" + said):
        from_torch(make())


def test_gradients_that_the_program_computes_itself_are_as_without_us():
    x = w()

    def program():
        y = x.pow(3).sum()
        y.backward()
        return y

    seen = from_torch(program)
    seen.z.backward()
    assert x.grad.tolist() == pytest.approx(seen.leaves[0][1].grad.tolist())


class Squared(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, G):
        return 2 * G * ctx.saved_tensors[0]


def test_an_own_function_whose_saved_tensors_the_program_has_freed_runs_again():
    x = w()

    def program():
        y = Squared.apply(x).sum()
        y.backward()
        return y

    seen = from_torch(program)
    seen.z.backward()
    assert seen.leaves[0][1].grad.tolist() == pytest.approx((2 * x.detach()).tolist())


class Doubled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.mul_(2)

    @staticmethod
    def backward(ctx, G):
        return 2 * G


def test_an_own_function_that_writes_to_a_view_writes_to_what_it_is_a_view_of():
    x = w(4)

    def program():
        base = x * 1
        part = base[1:3]
        Doubled.apply(part)
        return (base * torch.arange(4)).sum() + part.sum()

    seen = from_torch(program)
    seen.z.backward()
    assert seen.leaves[0][1].grad.tolist() == torch.autograd.grad(seen.loss, x)[0].tolist() == [0, 4, 6, 3]


def test_a_recording_is_freed_with_its_arrays():
    from weakref import ref

    model = nn.Linear(3, 1)
    seen = from_torch(lambda: model(torch.ones(2, 3)).sum())
    arrays = [ref(x) for _, x in seen.leaves] + [ref(seen.z)]
    del seen
    assert [array() for array in arrays] == [None] * 3


class Recurrent(torch.nn.Module):
    """Keeps its state from call to call, without detach()."""

    def __init__(self, several):
        super().__init__()
        self.cell, self.state, self.several = torch.nn.LSTMCell(2, 3) if several else torch.nn.GRUCell(2, 3), None, several

    def forward(self, x):
        self.state = self.cell(x, self.state)
        return self.state[0] if self.several else self.state


@pytest.mark.parametrize("several, do", [(False, r"self\.state\.detach\(\)"), (True, r"tuple\(h\.detach\(\) for h in self\.state\)")])
def test_a_state_that_is_kept_from_call_to_call_is_to_be_detached(several, do):
    net, x = Recurrent(several), torch.ones(1, 2)
    net(x)
    with pytest.raises(
        RuntimeError, match=rf"self\.state was computed before .*: begin each call with a new one, or with self\.state = {do}"
    ):
        from_torch(lambda: net(x).sum())


def test_an_error_of_the_program_names_the_first_value_that_is_not_finite():
    w = torch.tensor([-1.0, 2.0], requires_grad=True)

    def program():
        mean = torch.log(w)
        return torch.distributions.Normal(mean + 1, 1.0).log_prob(torch.zeros(2)).sum()

    with pytest.raises(ValueError, match="Expected parameter loc") as raised:
        from_torch(program)
    (said,) = raised.value.__notes__
    assert said.startswith("from_torch: before this, torch.log (test_limits.py:") and "is finite, from -1 to 2" in said


def test_a_mean_of_what_only_vmap_computed_is_recorded():
    w, x = torch.randn(3, 4, requires_grad=True), torch.randn(5, 4)
    meta = nn.Linear(4, 4, device="meta")
    call = lambda row, bias: torch.func.functional_call(meta, {"weight": torch.eye(4), "bias": bias}, (x * row,))
    seen = from_torch(lambda: torch.vmap(call)(w, w.cos()).mean(0).square().sum())
    check = seen.check()
    assert check and "no differences of the whole program: it computes where PyTorch shows no calls" in str(check)
    assert seen.report().parameters[-1].gradient > 0
    seen.loss.backward()
    with pytest.raises(RuntimeError, match="from_torch: PyTorch has freed what it saved for "):
        seen.check()
