"""seen.check() compares both engines with finite differences, and names the mistake in a custom function's backward."""

import random

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import torch.nn.functional as F  # noqa: E402
from torch import nn  # noqa: E402
from torch.autograd import Function  # noqa: E402
from torch.utils.checkpoint import checkpoint  # noqa: E402

import tensorgrad as tg  # noqa: E402
from tensorgrad import from_torch  # noqa: E402
from tensorgrad.beside_torch.checking.check import both  # noqa: E402
from tensorgrad.beside_torch.counterparts.table import TABLE, beside, counterpart  # noqa: E402
from tests.tensorgrad.beside_torch.programs import PROGRAMS, classifier  # noqa: E402

pytestmark = pytest.mark.torch


def own(forward, backward, save=lambda ctx, y, *xs: ctx.save_for_backward(*xs)):
    """Return a custom function from forward(a[, b]) and backward(ctx, G, *what was saved)."""

    class Own(Function):
        @staticmethod
        def forward(ctx, a, b=None):
            xs = (a,) if b is None else (a, b)
            y = forward(*xs)
            save(ctx, y, *xs)
            return y

        @staticmethod
        def backward(ctx, G):
            found = backward(ctx, G, *ctx.saved_tensors)
            return found if isinstance(found, tuple) else (found, None)

    return Own


def keep_result(ctx, y, *xs):
    ctx.save_for_backward(y)


def numbers(*shape):
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(sum(shape))) + 0.1


X, B, V, W, S, T = numbers(4, 3), numbers(3), numbers(4, 3) + 0.3, numbers(3, 2), numbers(3, 3), numbers(3, 3) - 0.2

# fmt: off
MISTAKES = {  # name: (inputs, forward, backward, what the check says[, what forward saves])
    "a wrong factor": ((X,), lambda a: a**3, lambda ctx, G, a: 2 * G * a**2, "it is 0.666667 times what is expected: is a factor wrong?"),
    "a missing factor": ((X,), lambda a: a**3, lambda ctx, G, a: 3 * G * a, "a factor a is missing"),
    "twice": ((X,), lambda a: a.exp(), lambda ctx, G, a: 2 * G * a.exp(), "it is twice as much"),
    "a sign": ((X,), lambda a: a.cos(), lambda ctx, G, a: G * a.sin(), "the sign is wrong"),
    "zeros": ((X,), lambda a: a**2, lambda ctx, G, a: 0 * G, "it is 0: is a term forgotten?"),
    "a lost sum over the broadcast axis": ((X, B), lambda a, b: a * b, lambda ctx, G, a, b: (G * b, (G * a)[0]),
        "is the sum over the axis missing along which the input was repeated?"),
    "a mean for the sum over the broadcast axis": ((X, B), lambda a, b: a + b, lambda ctx, G, a, b: (G, G.mean(0)),
        "4 is the length of axis 0 of the output: is a mean taken for a sum?"),
    "saved tensors in another order": ((S, T), lambda a, b: a @ b, lambda ctx, G, b, a: (G @ b.T, a.T @ G),
        "with ctx.saved_tensors in another order, b, a, it would be right"),
    "gradients in another order": ((X, V), lambda a, b: a * b, lambda ctx, G, a, b: (G * a, G * b),
        "that is what belongs to b: are the two exchanged"),
    "gradients in another order, of other shapes": ((X, W), lambda a, b: a @ b, lambda ctx, G, a, b: (a.T @ G, G @ b.T),
        "that is the shape of b: is the order of the gradients that of forward's arguments?"),
    "a missing transpose": ((S, T), lambda a, b: a @ b, lambda ctx, G, a, b: (G @ b, a.T @ G),
        "with bᵀ instead of b (ctx.saved_tensors[1]) it would be right"),
    "a missing transpose that raises": ((X, W), lambda a, b: a @ b, lambda ctx, G, a, b: (G @ b, a.T @ G),
        "backward raises RuntimeError: mat1 and mat2 shapes cannot be multiplied (4x2 and 3x2); with bᵀ instead of b"),
    "a transposed gradient": ((S,), lambda a: a.T * 1, lambda ctx, G, a: G, "it is the transpose of what is expected"),
    "the upstream gradient": ((X,), lambda a: a**2, lambda ctx, G, a: 2 * a, "the upstream gradient is ignored"),
    "another shape": ((X,), lambda a: a.sum(), lambda ctx, G, a: G, "is not repeated along the axes that the function reduced (expand)"),
    "a flat gradient": ((X,), lambda a: a.flatten(), lambda ctx, G, a: G, "must be reshaped to the shape"),
    "None": ((X, V), lambda a, b: a * b, lambda ctx, G, a, b: (G * b, None), "backward returns None for b, which needs a gradient"),
    "one gradient of two": ((X, V), lambda a, b: a * b, lambda ctx, G, a, b: (G * b,), "the number of gradients is 1, expected 2"),
    "a number": ((X,), lambda a: a.sum(), lambda ctx, G, a: 1.0, "backward returns something that is not a tensor"),
    "a saved tensor in place": ((X,), lambda a: a**2, lambda ctx, G, a: a.mul_(2) * G,
        "a (ctx.saved_tensors[0]) after backward is changed"),
    "the upstream gradient in place": ((X,), lambda a: a**2, lambda ctx, G, a: G.mul_(2 * a),
        "the upstream gradient after backward is changed"),
    "no mask": ((X,), lambda a: a.relu(), lambda ctx, G, a: G, "it is right, except where the slope is 0: is a mask missing"),
    "half a mask": ((X,), lambda a: a.clamp(-0.5, 0.5), lambda ctx, G, a: G * (a > -0.5), "is a mask missing, or one of its conditions?"),
    "an inverted mask": ((X,), lambda a: a.relu(), lambda ctx, G, a: G * (a < 0), "is the mask inverted?"),
    "a mean for a sum": ((X,), lambda a: a.sum(1), lambda ctx, G, a: (G / 3)[:, None].expand(4, 3), "is a mean taken for a sum?"),
    "a sum for a mean": ((X,), lambda a: a.mean(), lambda ctx, G, a: G.expand(4, 3),
        "12 is the number of entries that go into one: is a division missing?"),
    "the input for the result": ((X,), lambda a: a.tanh(), lambda ctx, G, a: G * (1 - a**2),
        "with the result instead of a (ctx.saved_tensors[0])"),
    "the result for the input": ((X,), lambda a: a.sin(), lambda ctx, G, y: G * y.cos(),
        "with a instead of the result (ctx.saved_tensors[0])", keep_result),
    "the inner derivative": ((X,), lambda a: (a * a).sin(), lambda ctx, G, a: G * (a * a).cos(), "a factor 2 · a is missing"),
    "a factor of the result": ((X,), lambda a: a.sigmoid(), lambda ctx, G, y: G * y, "a factor (1 − the result) is missing", keep_result),
    "a factor too many": ((X,), lambda a: a.sin(), lambda ctx, G, a: G * a * a.cos(), "a factor a is too many"),
    "a term": ((X,), lambda a: a**2 + a, lambda ctx, G, a: 2 * G * a, "a term is missing: G"),
    "another mask each time": ((X,), lambda a: F.dropout(a, 0.5), lambda ctx, G, a: F.dropout(G, 0.5),
        "backward gives something else each time"),
    "an attribute": ((X,), lambda a: a**2, lambda ctx, G: G * ctx.a,
        "backward uses ctx.a, which forward does not keep", lambda ctx, y, a: None),
    "the other direction": ((X,), lambda a: a.cumsum(0), lambda ctx, G, a: G.cumsum(0),
        "along axis 0 the other way round it would be right"),
    "another order": ((X,), lambda a: a.roll(1, 0), lambda ctx, G, a: G, "the right numbers at wrong places"),
    "a repeated index": ((X,), lambda a: a[[0, 0, 1]], lambda ctx, G, a: torch.zeros_like(a).index_put((torch.tensor([0, 0, 1]),), G),
        "only one of 2 terms is there: what is used several times (a repeated index) gets the sum"),
    "softmax along another axis": ((S,), lambda a: a.softmax(1), lambda ctx, G, y: y * (G - (G * y).sum(0, keepdim=True)),
        "depends on the entries along axis 1, and backward passes its gradient to the entries along axis 0", keep_result),
    "a norm without its own derivative": ((X,), lambda a: a / a.norm(), lambda ctx, G, a: G / a.norm(),
        "depends on the entries along axes 0, 1, and backward passes its gradient to the same entry alone"),
    "a product's second term": ((X,), lambda a: a * a.sigmoid(), lambda ctx, G, a, s: G * s,
        "a term is missing: G · the result · (1 − ctx.saved_tensors[1])", lambda ctx, y, a: ctx.save_for_backward(a, a.sigmoid())),
    "exp of what was kept": ((X,), lambda a: a.log_softmax(1), lambda ctx, G, y: G - y * G.sum(1, keepdim=True),
        "with exp(the result) instead of the result (ctx.saved_tensors[0])", keep_result),
    "one branch": ((X,), F.elu, lambda ctx, G, a: G * torch.where(a > 0, torch.ones_like(a), a.exp() - 1),
        "it is wrong only where a is below about 0: is a branch or its condition wrong?"),
    "one branch's factor": ((X,), lambda a: F.leaky_relu(a, 0.1), lambda ctx, G, a: G * torch.where(a > 0, 1.0, 0.01),
        "it is 0.1 times as much there"),
    "one branch's sign": ((X,), lambda a: a.abs() * a.abs(), lambda ctx, G, a: 2 * G * a.abs(), "the sign is wrong there"),
    "a number that comes out": ((B,), lambda a: a.norm(), lambda ctx, G, a: G * a,
        "times what is expected: is a factor wrong? (the result is"),
    "straight through": ((X,), lambda a: a.round(), lambda ctx, G, a: G, "right only if it is meant, as a straight-through estimator"),
    "a reversed gradient": ((X,), lambda a: a.clone(), lambda ctx, G, a: -0.5 * G, "backward -0.5 · G; right only if it is meant"),
}
# fmt: on


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_in_a_backward_is_named(mistake):
    inputs, forward, backward, said, *save = MISTAKES[mistake]
    f, xs = own(forward, backward, *save), [x.clone().requires_grad_() for x in inputs]
    before = [x.detach().clone() for x in xs]
    found = from_torch(lambda: f.apply(*xs).sum()).check()
    assert not found and said in str(found), str(found)
    assert str(found).startswith("Own.backward (test_check.py:") and ", called at test_check.py:" in str(found)
    assert all(map(torch.equal, before, xs)), "the check has changed the program's tensors"


class Two(Function):
    @staticmethod
    def forward(ctx, a):
        ctx.save_for_backward(a)
        return a.sin(), a.cos()


def test_upstream_gradients_in_another_order_or_unused_are_named():
    class Exchanged(Two):
        @staticmethod
        def backward(ctx, H, G):
            return G * ctx.saved_tensors[0].cos() - H * ctx.saved_tensors[0].sin()

    class Unused(Two):
        @staticmethod
        def backward(ctx, G, H):
            return G * ctx.saved_tensors[0].cos()

    x = X.clone().requires_grad_()
    checked = lambda f: str(from_torch(lambda: (lambda a, b: (a * b).sum())(*f.apply(x))).check())
    assert "that is right for result 2: is the order of the upstream gradients that of the results?" in checked(Exchanged)
    assert "the gradient of result 2 for a at [0, 0] is 0" in (found := checked(Unused)) and "upstream gradient of result 2?" in found


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_a_right_backward_passes_in_the_digits_of_float64(dtype):
    f = own(lambda a, b: a @ b, lambda ctx, G, a, b: (G @ b.T, a.T @ G))
    a, b = (x.clone().to(dtype).requires_grad_() for x in (S, T))
    found = from_torch(lambda: f.apply(a, b).sin().sum()).check()
    assert found and found.compared >= 18 and found.exactly < 1e-7 and not found.notes, found


def test_a_function_that_computes_in_float32_is_compared_as_exactly_as_that_allows():
    right = own(lambda a: a.float().exp(), lambda ctx, G, a: G * a.exp())
    wrong = own(lambda a: a.float().exp(), lambda ctx, G, a: G * a)
    x = X.float().requires_grad_()
    assert (
        "it computes in float32, so it was compared to 0.2 % only" in str(found := from_torch(lambda: right.apply(x).sum()).check())
        and found
    )
    assert "with the result instead of a" in str(from_torch(lambda: wrong.apply(x).sum()).check())


def test_the_entry_both_numbers_and_the_places_are_named():
    f = own(lambda a: a**3, lambda ctx, G, a: 2 * G * a**2)
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (problem,) = from_torch(lambda: f.apply(x).sum()).check().problems
    assert problem.what == "the gradient of the result for a at [0]" and problem.got / problem.expected == pytest.approx(2 / 3)


def test_what_a_second_call_overwrites_is_found_though_each_call_alone_is_right():
    class Shared(Function):
        @staticmethod
        def forward(ctx, x):
            Shared.x = x
            return x**2

        @staticmethod
        def backward(ctx, G):
            return 2 * G * Shared.x

    x = X.clone().requires_grad_()
    found = from_torch(lambda: (Shared.apply(x) + Shared.apply(2 * x)).sum()).check()
    assert not found and "what it uses has been changed since; keep it with ctx.save_for_backward" in str(found)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_both_engines_and_differences_agree_in_float64(program):
    torch.manual_seed(0)
    found = from_torch(program()).check()
    assert found and found.exactly < 1e-6, str(found)


def checkpointed():
    a, b, x = nn.Linear(4, 4), nn.Linear(4, 4), torch.randn(3, 4, requires_grad=True)
    return lambda: checkpoint(lambda h: torch.tanh(b(torch.tanh(a(h)))), x, use_reentrant=False).pow(2).sum()


def half_precision():
    m, x = nn.Linear(8, 3).bfloat16(), torch.randn(4, 8).bfloat16()
    return lambda: m(x).float().pow(2).mean()


def autocast():
    m, x = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 3)), torch.randn(4, 8)

    def loss():
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = m(x)
        return F.cross_entropy(y.float(), torch.tensor([0, 1, 2, 0]))

    return loss


@pytest.mark.parametrize("program", [checkpointed, half_precision, autocast], ids=lambda f: f.__name__)
def test_a_program_of_less_precision_or_memory_is_compared_in_float64(program):
    torch.manual_seed(0)
    found = from_torch(program()).check()
    assert found and found.exactly < 1e-6, str(found)


def test_the_row_of_a_padding_index_gets_no_gradient_on_purpose():
    torch.manual_seed(0)
    table, index = nn.Embedding(10, 4, padding_idx=0), torch.tensor([[0, 3], [5, 0]])
    found = from_torch(lambda: table(index).tanh().sum()).check()
    assert found and ("those of the row padding_idx do on purpose" in str(found) or found.exactly < 1e-6)


def test_the_program_is_as_it_was_after_a_check():
    torch.manual_seed(0)
    program = classifier()
    model, x = program.__closure__[0].cell_contents, program.__closure__[1].cell_contents
    model.note = []
    seen = from_torch(program)
    state = lambda: [*model.state_dict().items(), ("x", x), ("random", torch.random.get_rng_state())]
    before = [(name, t.clone(), t._version) for name, t in state()] + [(random.getstate(), str(np.random.get_state()))]
    assert seen.check()
    after = [(name, t, t._version) for name, t in state()] + [(random.getstate(), str(np.random.get_state()))]
    assert str(before) == str(after) and all(p.grad is None for p in model.parameters())
    seen.loss.backward()


def test_a_module_that_keeps_what_it_computed_gets_its_own_tensor_back():
    class Stateful(nn.Module):
        def __init__(self):
            super().__init__()
            self.w, self.hidden = nn.Parameter(torch.ones(3)), torch.zeros(3)

        def forward(self, x):
            self.hidden = torch.tanh(self.w * x + self.hidden.detach())
            return self.hidden.sum()

    model = Stateful()
    seen = from_torch(lambda: model(torch.arange(3.0)))
    kept = model.hidden
    found = seen.check()
    assert found and model.hidden is kept and found.exactly < 1e-6  # it runs again as if it had not run


def test_a_program_that_writes_to_a_buffer_runs_again_from_what_the_buffer_was():
    class Average(nn.Module):
        def __init__(self):
            super().__init__()
            self.w = nn.Parameter(torch.ones(3))
            self.register_buffer("average", torch.zeros(3))

        def forward(self, x):
            y = self.w * x
            self.average.mul_(0.9).add_(0.1 * y.detach())
            return (y - self.average).pow(2).sum()

    model = Average()
    seen = from_torch(lambda: model(torch.arange(3.0)))
    kept = model.average.clone()
    found = seen.check()
    assert found and "the program gives the loss" not in str(found) and torch.equal(model.average, kept)
    assert "also through .detach()" in str(found)


def test_a_loss_that_flows_around_both_engines_is_a_note_with_the_line():
    w = X.clone().requires_grad_()
    found = from_torch(lambda: (w * w.detach()).sum()).check()
    assert found and "the loss depends on it also through .detach() (test_check.py:" in str(found)
    v = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
    found = from_torch(lambda: v * v.item()).check()
    assert found and "through .item() (test_check.py:" in str(found)


def test_a_hook_that_changes_a_gradient_is_a_note():
    w = X.clone().requires_grad_()
    w.register_hook(lambda g: 2 * g)
    found = from_torch(lambda: (w * w).sum()).check()
    assert found and "the gradient of w differs by 1 from the derivative of the program in float64: its hooks change it" in str(found)


def in_place_of(monkeypatch, function, rule):
    """Let a rule be the counterpart of a function of PyTorch's."""

    counterpart(function)  # fills the table
    monkeypatch.setitem(TABLE, function, beside()(lambda input: rule(input)))


def test_the_engine_that_differences_contradict_is_named(monkeypatch):
    in_place_of(monkeypatch, torch.cos, tg.rule(lambda G, x: G * np.sin(x))(lambda x: np.cos(x)))
    w = X.clone().requires_grad_()
    found = from_torch(lambda: torch.cos(w).sum()).check()
    assert not found and found.problems[0].function == "from_torch"
    assert "differences confirm PyTorch's; from_torch is wrong here" in str(found)


def test_two_engines_that_choose_another_slope_at_a_kink_are_a_note(monkeypatch):
    in_place_of(monkeypatch, torch.abs, tg.rule(lambda G, x: G * np.where(x >= 0, 1.0, -1.0))(lambda x: np.abs(x)))
    w = torch.tensor([0.0, 1.0], dtype=torch.float64, requires_grad=True)
    found = from_torch(lambda: torch.abs(w).sum()).check()
    assert found and "is 1 here and 0 in PyTorch: a kink lies here, and differences allow both" in str(found)


def test_two_slopes_at_a_kink_are_a_convention_and_no_mistake():
    w = torch.zeros(3, dtype=torch.float64, requires_grad=True)
    f = own(lambda a: a.abs(), lambda ctx, G, a: G * torch.where(a >= 0, 1.0, -1.0))
    assert from_torch(lambda: f.apply(w).sum()).check()


def test_a_backward_that_draws_random_numbers_leaves_those_of_the_program():
    f, x = own(lambda a: a * 2, lambda ctx, G, a: 2 * G * (torch.rand(()) < 2)), X.clone().requires_grad_()
    seen, before = from_torch(lambda: f.apply(x).sum()), torch.random.get_rng_state()
    assert seen.check() and torch.equal(torch.random.get_rng_state(), before)


def test_both_inputs_of_a_function_have_their_problem():
    f = own(lambda a, b: a * b, lambda ctx, G, a, b: (-G * b, 2 * G * a))
    a, b = X.clone().requires_grad_(), V.clone().requires_grad_()
    first, second = from_torch(lambda: f.apply(a, b).sum()).check().problems
    assert "the sign is wrong" in str(first) and "it is twice as much" in str(second)


def test_random_numbers_are_drawn_again_as_in_the_first_run():
    w = X.clone().float().requires_grad_()
    found = from_torch(lambda: (F.dropout(w, 0.5) * torch.randn_like(w) + torch.randn(3) * w).sum()).check()
    assert found and found.exactly < 1e-6 and not found.notes, str(found)


def test_numbers_drawn_into_a_tensor_or_of_a_distribution_are_those_of_the_first_run():
    w = torch.linspace(-1, 1, 32).requires_grad_()
    normal = lambda: torch.distributions.Normal(w, w.exp(), validate_args=False)
    own = lambda: torch.empty(32, dtype=w.dtype).uniform_() + torch.randn(32, dtype=w.dtype)
    found = from_torch(lambda: (normal().rsample() * own()).sum()).check()
    assert found and found.exactly < 1e-6 and not found.notes, str(found)
    assert "through normal under no_grad" in str(from_torch(lambda: (normal().sample() * w).sum()).check())


def test_a_program_that_gives_another_loss_each_time_says_that_there_are_no_differences():
    w, runs = X.clone().requires_grad_(), []
    found = from_torch(lambda: (runs.append(1), (w * len(runs)).sum())[1]).check()
    assert found and found.exactly is None and "no differences of the whole program: the program gives the loss" in str(found)


def test_a_check_after_backward_compares_with_the_gradients_of_another_run():
    w = X.clone().requires_grad_()
    seen = from_torch(lambda: (w * w).sum())
    seen.loss.backward()
    assert seen.check() and "in backward(), so its gradients are those of another run" in str(seen.check())

    def step():
        loss = (w * w).square().sum()
        loss.backward()
        return loss

    w.grad = None
    found = from_torch(step).check()
    assert found and found.compared and torch.equal(w.grad, 4 * w.detach() ** 3)


def test_a_program_that_uses_what_its_backward_gives_is_checked_without_backward_alone():
    w = X.clone().requires_grad_()

    def step():
        loss = (w * w).sum()
        loss.backward()
        return loss * float(w.grad.norm() > 0)

    with pytest.raises(RuntimeError, match="check: PyTorch has freed its graph, and another run cannot give gradients"):
        from_torch(step).check()


def test_what_a_check_found_stands_before_what_agrees():
    a, b = X.clone().requires_grad_(), X.clone().requires_grad_()
    lines = str(from_torch(lambda: (a * (a * b).detach()).sum() + b.sum()).check()).splitlines()
    assert "where the gradient stops" in lines[0] and "all agree" in lines[1]


def test_a_forward_that_writes_to_its_input_is_refused_with_its_line():
    f = own(lambda a: a.mul_(2) + 0, lambda ctx, G, a: 2 * G)
    x = X.clone().requires_grad_()
    with pytest.raises(RuntimeError, match=r"Own.forward \(test_check.py:\d+\) changes an argument of shape \(4, 3\) in place"):
        from_torch(lambda: f.apply(x * 1).sum())


def test_a_gradient_that_is_0_but_for_rounding_agrees():
    layer, x = torch.nn.Linear(3, 3), torch.randn(6, 3)
    torch.nn.init.zeros_(layer.weight)
    torch.nn.init.zeros_(layer.bias)
    found = from_torch(lambda: F.cross_entropy(layer(x), torch.tensor([0, 1, 2, 0, 1, 2]))).check()
    assert found and not found.notes, str(found)


def test_a_counter_of_a_module_is_what_it_was_when_the_program_runs_again():
    class Annealed(nn.Module):
        def __init__(self):
            super().__init__()
            self.w, self.steps = nn.Parameter(torch.ones(3)), 0

        def forward(self, x):
            self.steps += 1
            return (self.w * x).square().sum() / self.steps

    model = Annealed()
    found = from_torch(lambda: model(torch.arange(3.0))).check()
    assert found and found.exactly < 1e-6 and model.steps == 1


def test_numbers_outside_of_modules_that_make_a_second_run_differ_are_asked_for():
    w, steps = torch.ones(3, requires_grad=True), []

    def program():
        steps.append(1)
        return (w * w).sum() / len(steps)

    assert "does it keep numbers outside of modules" in str(from_torch(program).check())


def test_leaves_that_the_program_makes_are_named_with_their_line():
    net = nn.Linear(2, 3)

    def program():
        x = torch.ones(4, 2).requires_grad_()
        h = net(x).tanh()
        start = h.detach().requires_grad_()
        scale = nn.Parameter(torch.full((3,), 2.0))
        return nn.Linear(3, 1)(h * start * scale).sum() + h.sum()

    first = program.__code__.co_firstlineno
    seen = from_torch(program)
    found = {p.name: p.made for p in seen.report().parameters}
    lines = {"x": 1, "start": 3, "scale": 4, "Linear.weight": 5, "Linear.bias": 5}
    assert {name: made for name, made in found.items() if made} == {name: f"test_check.py:{first + n}" for name, n in lines.items()}
    check = seen.check()
    assert check and f"made inside the program (test_check.py:{first + 1}" in str(check) and "rounding" not in str(check)
    seen = from_torch(program)
    seen.loss.backward()
    check = seen.check()
    assert check and "Linear.bias: not compared, made anew there" in str(check) and len(check.gradients) == 2


def test_a_gradient_that_is_not_finite_is_no_difference_between_the_engines_and_the_program():
    w = torch.zeros(3, requires_grad=True)
    found = from_torch(lambda: w.square().sum().sqrt() + w.sum()).check()
    assert found and "no differences along w: the gradient is not finite there" in str(found)
    found = from_torch(lambda: (w / w).sum()).check()
    assert found and "no differences of the whole program: the loss is nan" in str(found)


def test_many_leaves_behind_one_cut_are_one_note():
    torch.manual_seed(0)
    net, head = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 4)), nn.Linear(4, 1)
    found = from_torch(lambda: head(net(torch.ones(2, 3)).detach()).square().sum()).check()
    assert sum("where the gradient stops" in note for note in found.notes) == 1


def test_a_slope_of_zero_is_not_called_a_lack_of_float64():
    w = torch.full((3,), 0.3, requires_grad=True)
    assert "does not run in float64" not in str(from_torch(lambda: w.round().sum() + 1).check())


def test_integers_become_floats_when_the_program_runs_again_in_float64():
    torch.manual_seed(0)
    net, labels = nn.Linear(3, 3), F.one_hot(torch.tensor([0, 2]), 3)
    found = from_torch(lambda: F.cross_entropy(net(torch.ones(2, 3)), labels.float())).check()
    assert found and found.exactly < 1e-6


def test_a_wrong_factor_along_an_axis_that_the_result_lacks_is_named():
    class LogSumExp(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = torch.logsumexp(x, 1)
            ctx.save_for_backward(x, y)
            return y

        @staticmethod
        def backward(ctx, G):
            x, y = ctx.saved_tensors
            return G[:, None] * x.exp()

    x = torch.linspace(-1, 2, 12).view(4, 3).requires_grad_()
    (problem,) = from_torch(lambda: LogSumExp.apply(x).square().sum()).check().problems
    assert "a factor exp(the result) is too many" in problem.cause


def test_numbers_that_a_layer_is_made_of_inside_the_program_are_those_of_the_first_run():
    x = torch.ones(3, requires_grad=True)
    found = from_torch(lambda: nn.Linear(3, 4)(x).square().sum()).check()
    assert found.exactly is not None and found.exactly < 1e-6


def test_only_cuts_that_a_small_change_goes_through_explain_a_slope():
    w = torch.tensor([0.3, 0.5], requires_grad=True)

    def program():
        bool((w > 0).all())
        return (w * w.detach() * (w.argmax() + 1)).sum()

    found = str(from_torch(program).check())
    assert "also through .detach() (" in found and "argmax" not in found and "bool" not in found


def test_a_silent_write_is_named_where_the_engines_differ():
    w = torch.tensor([0.3, 0.5], requires_grad=True)

    def program():
        y = w.exp()
        y.data.clamp_(max=1.0)
        return (y * y).sum()

    found = from_torch(program).check()
    assert not found and "wrote to what was computed before (test_check.py:" in str(found) and "is wrong here" not in str(found)


def test_a_leaf_that_the_program_overwrites_is_not_moved():
    w, v = torch.ones(3, requires_grad=True), torch.ones(3, requires_grad=True)

    def program():
        with torch.no_grad():
            w.copy_(torch.arange(3.0))
        return (w * w * v).sum()

    found = from_torch(program).check()
    assert found and found.exactly < 1e-6 and "no differences along w: copy_ (test_check.py:" in str(found)


def test_two_slopes_are_printed_with_the_digits_that_tell_them_apart():
    assert both(0.25, 1 / 3) == "0.25 by both engines and 0.3333 by differences"
    assert both(0.5908, 0.5908012) == "0.5908 by both engines and 0.590801 by differences"
