"""The report says why a parameter has no gradient, where numbers become nan, which units are dead, and what is kept."""

import inspect

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import torch.nn.functional as F  # noqa: E402
from torch import nn  # noqa: E402

from tensorgrad import from_torch  # noqa: E402
from tensorgrad.beside_torch.counterparts.table import TABLE, counterpart  # noqa: E402

pytestmark = pytest.mark.torch


class Layers(nn.Module):
    """A network of which each parameter but two gets no gradient, each for its own reason. What stops it is on the line of its name."""

    def __init__(self):
        super().__init__()
        self.a, self.out = nn.Linear(4, 8, bias=False), nn.Linear(8, 3, bias=False)
        for name in ("detached", "watched", "dropped", "frozen", "never", "chosen"):
            setattr(self, name, nn.Linear(8, 8, bias=False))
        self.frozen.requires_grad_(False)
        self.scale, self.offset, self.noise = (nn.Parameter(torch.tensor(2.0)) for _ in range(3))
        self.gate, self.fresh, self.decided = (nn.Parameter(torch.ones(8)) for _ in range(3))

    def forward(self, x):
        h = F.relu(self.a(x))
        g = self.detached(h).detach()  # detached.weight
        with torch.no_grad():
            t = self.watched(h)  # watched.weight
        self.dropped(h)  # dropped.weight
        h = self.frozen(h) + g + t
        k = self.chosen(h).argmax(1)  # chosen.weight
        h = h * self.scale.item()  # scale
        h = h + self.offset.data  # offset
        h = h + float(self.noise.detach())  # noise
        h = h * (self.gate > 0)  # gate
        u = self.fresh.detach().requires_grad_()  # fresh
        if self.decided.sum() > 0:  # decided
            h = h * u
        return self.out(h)[torch.arange(4), k % 3]


REASONS = {
    "a.weight": "",
    "out.weight": "",
    "detached.weight": "every path to the loss ends at .detach() ({})",
    "watched.weight": "every path to the loss ends at linear under no_grad ({})",
    "dropped.weight": "used, but the loss does not depend on the result of linear ({})",
    "frozen.weight": "frozen, requires_grad is False",
    "never.weight": "never used",
    "chosen.weight": "every path to the loss ends at argmax, which gives integers ({})",
    "scale": "it became a number outside PyTorch, which has no gradient, by .item() ({})",
    "offset": "every path to the loss ends at .data ({})",
    "noise": "it became a number outside PyTorch, which has no gradient, by float() ({})",
    "gate": "every path to the loss ends at gt, which gives truth values ({})",
    "fresh": "every path to the loss ends at .detach() ({})",
    "decided": "it became a number outside PyTorch, which has no gradient, by bool(), a decision ({})",
}


def line_of(name):
    source, first = inspect.getsourcelines(Layers)
    return next((f"test_report.py:{first + i}" for i, line in enumerate(source) if line.endswith(f"# {name}\n")), "")


@pytest.fixture(scope="module")
def report():
    torch.manual_seed(0)
    net, x = Layers(), torch.randn(4, 4)
    return from_torch(lambda: net(x).mean()).report()


def test_each_parameter_has_a_gradient_or_the_reason_why_not(report):
    found = {p.name: p.why for p in report.parameters}
    assert {name: found[name] for name in REASONS} == {name: why.format(line_of(name)) for name, why in REASONS.items()}
    assert {p.name for p in report.parameters if p.gradient is not None} == {"a.weight", "out.weight", "u"}


def detached_in_place(w, v):
    h = w * 2
    h.detach_()
    return v * h


def given_to_data(w, v):
    u = torch.zeros(3)
    u.data = w.data
    return v * u


def into_a_buffer(w, v):
    b = torch.zeros(3)
    with torch.no_grad():
        b[1:].copy_(w[1:])
    return v * b


def under_inference(w, v):
    with torch.inference_mode():
        u = w * 2
    return v * u.clone()


ENDS = [  # (what the program does with w beside v, where the gradient of w ends)
    (detached_in_place, "every path to the loss ends at .detach_() ("),
    (given_to_data, "every path to the loss ends at .data ("),
    (into_a_buffer, "every path to the loss ends at copy_ under no_grad ("),
    (under_inference, "every path to the loss ends at mul under no_grad ("),
    (lambda w, v: v[w.topk(2).indices], "every path to the loss ends at topk, which gives integers ("),
    (
        lambda w, v: v * torch.autograd.grad(w.square().sum(), w)[0],
        "ends at autograd.grad without create_graph=True (",
    ),
    (lambda w, v: v * torch.tensor(w.tolist()), "it became a number outside PyTorch, which has no gradient, by .tolist() ("),
    (lambda w, v: v * torch.from_numpy(np.asarray(w.detach())), "by np.asarray() ("),
    (lambda w, v: v[torch.multinomial(w.softmax(0), 2)], "every path to the loss ends at multinomial, which gives integers ("),
    (lambda w, v: (str(w), v)[1], "never used"),
    (lambda w, v: v * torch.zeros_like(w), "never used"),
]


@pytest.mark.parametrize("program, said", ENDS, ids=[f"{i}: {said}" for i, (_, said) in enumerate(ENDS)])
def test_the_place_where_a_gradient_ends_is_found_in_programs_of_every_style(program, said):
    w, v = torch.tensor([3.0, 1.0, 2.0], requires_grad=True), torch.ones(3, requires_grad=True)
    found = {p.name: p for p in from_torch(lambda: program(w, v).sum()).report().parameters}
    assert (said in found["w"].why) if "w" in found else said == "never used"


def test_the_report_has_eighty_columns(report):
    assert max(map(len, str(report).splitlines())) <= 80 and "detached.weight: every path to the loss ends at" in str(report)


def test_our_bytes_stand_beside_those_that_pytorch_keeps_itself():
    w = torch.ones(10, requires_grad=True)  # float32: 40 bytes
    seen = from_torch(lambda: (w.exp() * w).sum())
    assert seen.report().saved_by_torch == (80, 40, 4) and seen.report().memory.saved == 80
    seen.loss.backward()
    assert seen.report().saved_by_torch.saved is None and "PyTorch has freed what it saved" in str(seen.report())


def test_the_first_nan_of_the_values_is_named_with_its_line_but_a_mask_is_not():
    scores = torch.zeros(2, 2, requires_grad=True)
    mask = torch.tensor([[0.0, -torch.inf], [0.0, 0.0]])
    assert from_torch(lambda: (scores + mask).softmax(1)[0, 0]).report().value is None
    found = from_torch(lambda: torch.log(scores - 1).sum()).report().value
    assert str(found).startswith("torch.log (test_report.py:") and "gives NaN at index (0, 0); what it was given is finite" in str(found)


def test_the_first_infinite_gradient_is_named_though_all_values_are_finite():
    x = torch.tensor([0.0, 4.0], requires_grad=True)
    report = from_torch(lambda: torch.where(x > 0, x.sqrt(), 0.0).sum()).report()
    assert report.value is None and report.gradient.name == "x.sqrt"
    assert report.gradient.text.startswith("passes NaN at index (0,) to x, where x is 0")


@pytest.mark.parametrize("scale, what", [(0.01, "vanish"), (30.0, "explode"), (0.4, "")])
def test_layers_whose_gradients_vanish_or_explode_are_named(scale, what):
    torch.manual_seed(0)
    net = nn.Sequential(*[nn.Linear(16, 16, bias=False) for _ in range(6)])
    for p in net.parameters():
        nn.init.normal_(p, std=scale)
    text = str(from_torch(lambda: net(torch.randn(8, 16)).mean()).report())
    assert (f"gradients {what}: " in text and " at net.0 (" in text) if what else "gradients vanish" not in text and "explode" not in text


def test_dead_units_are_counted_along_the_axis_of_the_units():
    linear, conv = nn.Linear(3, 4), nn.Conv2d(3, 4, 1)
    with torch.no_grad():
        linear.bias[0] = conv.bias[1] = -1e3
        linear.bias[1:] = conv.bias[2:] = conv.bias[0] = 1e3
    x = torch.randn(5, 3)
    first = from_torch(lambda: F.relu(linear(x)).mean()).report().dead_units
    second = from_torch(lambda: conv(x[:, :, None, None]).relu_().mean()).report().dead_units
    assert [u[2:5] for u in first + second] == [(1, 4, 5), (1, 4, 5)]


def test_calls_of_pytorch_own_functions_and_half_precision_are_listed(monkeypatch):
    counterpart(torch.cos)
    monkeypatch.delitem(TABLE, torch.cos)
    w = torch.ones(3, requires_grad=True)
    report = from_torch(lambda: (torch.cos(w) + (w.bfloat16() * 2).float()).sum()).report()
    assert [call.name for call in report.boxes] == ["cos"] and len(report.half) == 2
    assert "torch.cos at test_report.py" in str(report) and "in half precision were computed in float32 here" in str(report)


def test_a_loss_that_was_cut_off_says_where():
    w = torch.ones(3, requires_grad=True)
    with pytest.raises(RuntimeError, match=r"does not require grad: the gradient is cut off by argmax, which gives integers \(test_report"):
        from_torch(lambda: w.argmax().float())
    with pytest.raises(RuntimeError, match=r"cut off by \.detach\(\) \(test_report"):
        from_torch(lambda: (w.detach() * 2).sum())


def test_a_report_after_the_backward_pass_says_that_the_graph_is_released():
    w = torch.ones(3, requires_grad=True)
    seen = from_torch(lambda: (w * w).sum())
    seen.z.backward()
    with pytest.raises(RuntimeError, match="report"):
        seen.report()


def test_the_function_that_makes_nan_is_blamed_and_not_another_that_uses_the_same_variable():
    p = torch.tensor([0.0, 1.0], requires_grad=True)
    report = from_torch(lambda: torch.where(p > 0, p.sqrt(), p).sum()).report()
    assert report.gradient.name == "p.sqrt"


def test_nothing_adds_up_where_grad_is_empty_and_the_gradient_is_nan_or_0():
    p = torch.tensor([0.0], requires_grad=True)
    assert "adds up" not in str(from_torch(lambda: p.sqrt().sum()).report())
    assert "adds up" not in str(from_torch(lambda: (p * 0).sum()).report())


def test_a_program_that_calls_backward_itself_has_a_report():
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, G):
            return 2 * G * ctx.saved_tensors[0]

    w = torch.ones(2, requires_grad=True)

    def step():
        loss = Square.apply(w).sum()
        loss.backward()
        return loss

    assert "PyTorch has freed what it saved" in str(from_torch(step).report())


def test_a_view_that_is_used_after_a_write_to_its_memory_is_named_with_both_lines():
    w = torch.ones(3, requires_grad=True)

    def program():
        h = w * 2
        around = h[:2]
        h *= 3
        return (around * around).sum() + h.sum()

    (view,) = from_torch(program).report().views
    assert (view.name, view.writer) == ("around", "mul_") and int(view.written_at[-3:]) == int(view.place[-3:]) + 1


def test_a_view_that_no_write_has_changed_is_not_named():
    w = torch.ones(3, requires_grad=True)

    def program():
        table = torch.zeros(3)
        table[0] = w[0]
        first = table[0]
        table[1] = first * 2
        table[2] = first * 3
        return table.sum() + first

    assert from_torch(program).report().views == []


def test_a_gradient_of_zero_has_the_call_that_passes_none_on():
    w, v = torch.full((3,), 0.3, requires_grad=True), torch.zeros(3, requires_grad=True)
    report = from_torch(lambda: (w.round() + 1).sum() + (v * (w * v)).sum()).report()
    assert [p.why.partition(" (")[0] for p in report.parameters] == ["the gradient is 0 in every entry: w.round"] * 1 + [
        "the gradient is 0 in every entry: mul"
    ]


@pytest.mark.filterwarnings("ignore:Converting a tensor", "ignore:To copy construct")
def test_numbers_copied_into_a_new_leaf_get_no_gradient():
    w = torch.ones(3, requires_grad=True)
    (of_w, *_) = from_torch(lambda: torch.tensor([x.square() for x in w], requires_grad=True).sum()).report().parameters
    assert of_w.why.startswith("every path to the loss ends at tensor, which makes a new leaf of the numbers (")
    with pytest.raises(RuntimeError, match="the loss is a new leaf: the gradient is cut off by tensor"):
        from_torch(lambda: torch.tensor(w.sum(), requires_grad=True))


def test_a_sparse_matrix_is_among_what_pytorch_saved():
    a = torch.eye(3).to_sparse()
    w = torch.ones(3, 2, requires_grad=True)
    assert from_torch(lambda: torch.sparse.mm(a, w).sum()).report().saved_by_torch.saved >= 3 * (2 * 8 + 4)


def test_a_loss_that_is_a_leaf_has_a_report():
    w = torch.ones((), requires_grad=True)
    assert "|gradient|" in str(from_torch(lambda: w).report())


@pytest.mark.parametrize("function, far", [(F.gelu, -20.0), (F.silu, -60.0), (torch.tanh, 30.0), (F.mish, -80.0), (torch.sigmoid, 40.0)])
def test_units_at_which_a_smooth_activation_is_flat_are_dead(function, far):
    w = torch.tensor([[0.1, far, -0.2], [0.3, far, 0.5]], requires_grad=True)
    (found,) = from_torch(lambda: function(w).sum()).report().dead_units
    assert (found.dead, found.units, found.what) == (1, 3, "have a slope below 0.001")


def test_a_gradient_of_zero_does_not_vanish_dead_units_or_a_factor_of_0_pass_none_on():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 4))
    nn.init.constant_(net[0].bias, -1e3)
    report = from_torch(lambda: net(torch.randn(5, 3)).square().sum()).report()
    why = {p.name: p.why.replace("test_report.py:", "").split() for p in report.parameters}
    assert " ".join(why["net.0.weight"][9:]).startswith("passes none on, since all units of net.1 (") and why["net.2.bias"] == []
    assert "linear" in why["net.2.weight"] and why["net.2.weight"][-2:] == ["are", "dead"] and "vanish" not in str(report)
    net = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 4))
    nn.init.zeros_(net[2].weight)
    report = from_torch(lambda: net(torch.randn(5, 3)).sum()).report()
    assert report.parameters[0].why.endswith("passes none on, since net.2.weight is 0 in every entry") and "vanish" not in str(report)


def test_a_pass_of_a_module_is_one_call_of_it_though_it_calls_others_inside():
    class Net(nn.Sequential):
        def forward(self, x):
            return super().forward(x.sin()).cos() + x

    net = Net(nn.Linear(3, 3))
    layers = lambda f: {layer.name for layer in from_torch(f).report().layers}
    x = torch.randn(4, 3, requires_grad=True)
    assert layers(lambda: net(x).sum()) == {"net", "net.0"}
    assert layers(lambda: net(net(x)).sum()) == {f"{name} (pass {i})" for name in ("net", "net.0") for i in (1, 2)}


def test_contributions_that_cancel_are_not_called_none():
    w = torch.ones(3, requires_grad=True)
    report = from_torch(lambda: (w * 2).sum() - (w * 2).sum()).report()
    assert report.parameters[0].why.startswith("the gradient is 0 in every entry: the contributions of mul (test_report.py:")


def test_a_parameter_that_was_frozen_when_it_was_used_says_so():
    net, head = nn.Linear(3, 3), nn.Linear(3, 1)

    def program():
        head.requires_grad_(False)
        z = head(net(torch.ones(2, 3))).sum()
        head.requires_grad_(True)
        return z

    why = {p.name: p.why for p in from_torch(program).report().parameters}
    assert why["head.weight"].startswith("requires_grad was False when linear (test_report.py:") and why["net.weight"] == ""


def test_gradients_that_explode_at_one_call_have_no_rate():
    w = torch.full((3,), 1e-9, requires_grad=True)
    text = str(from_torch(lambda: ((w * 1.5) * 1e8).sin().exp().cos().sum()).report())
    assert "gradients explode" in text and "times from one to the next" not in text
