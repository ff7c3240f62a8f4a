"""Pictures and pages take a recording: closed boxes are marked, and an intended −inf raises no alarm."""

import json

import pytest

torch = pytest.importorskip("torch")

import torch.nn.functional as F  # noqa: E402

import viz  # noqa: E402
from scalargrad import Graph, Trace  # noqa: E402
from scalargrad.user_names.remarks import remarks_of  # noqa: E402
from tensorgrad import from_torch, zoom  # noqa: E402
from tests.each import each  # noqa: E402
from tests.viz.script_data import script_data  # noqa: E402
from viz.graphs.finite import warning_of  # noqa: E402
from viz.text.reasons import reason  # noqa: E402

pytestmark = pytest.mark.torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, G):
        (x,) = ctx.saved_tensors
        return 2 * G * x


def squared():
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    return lambda: Square.apply(w).sum()


def test_a_function_of_the_user_is_marked_and_cannot_be_opened():
    seen = from_torch(squared())
    assert "your own backward: Square" in viz.draw(seen).source
    nodes = json.loads(script_data(viz.explore(seen)))["nodes"]
    marked = next(node for node in nodes if node.get("mark"))
    assert marked["mark"] == "own" and marked["code"] == "return lambda: Square.apply(w).sum()"
    data = json.loads(script_data(viz.play(seen)))
    assert data["marks"] == [["own", "your own backward"]] and "scalarGraphs" not in data or "1" not in data["scalarGraphs"]
    with pytest.raises(TypeError, match="Square: its entries cannot be opened, because your own backward computes this derivative"):
        zoom(seen.z)


def test_all_pictures_take_a_recording():
    w = torch.randn(2, 3, requires_grad=True)
    seen = from_torch(lambda: torch.tanh(w @ torch.ones(3)).sum())
    for page in (viz.play(seen), viz.handout(seen), viz.slides(seen), viz.explore(seen)):
        assert "loss" in page.html
    assert "<svg" in viz.lifetimes(seen).svg and "loss" in viz.mermaid(seen)


MASKS = {
    "masked_fill": lambda w, keep: w.masked_fill(~keep, float("-inf")),
    "sum": lambda w, keep: w + torch.zeros(4, 4).masked_fill(~keep, float("-inf")),
    "where": lambda w, keep: torch.where(keep, w, torch.tensor(float("-inf"))),
    "log": lambda w, keep: w + torch.log(keep.float()),
}


def set_items(w, keep):
    scores = w * 1
    scores[~keep] = float("-inf")
    return scores


@each("mask", [*MASKS.values(), set_items], ids=[*MASKS, "setitem"])
def test_an_intended_mask_is_no_alarm(mask):
    w, keep = torch.randn(4, 4, requires_grad=True), torch.ones(4, 4).tril() == 1
    seen = from_torch(lambda: F.softmax(mask(w, keep), -1)[0].pow(2).sum())
    assert warning_of(Trace(seen)) == "" and "! not finite" not in viz.draw(seen).source


def test_a_page_computes_no_box_of_pytorch_as_our_function_of_its_name():
    w = torch.ones(3, requires_grad=True)
    with pytest.warns(UserWarning, match="Using a target size"):
        seen = from_torch(lambda: F.mse_loss(w[:, None], torch.zeros(3)))
        assert "mse_loss" in viz.play(seen).html


def test_numbers_that_autocast_has_rounded_can_be_drawn():
    model, x = torch.nn.Linear(4, 4), torch.randn(5, 4)

    def program():
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return model(x).float().pow(2).mean()

    assert "linear" in str(viz.draw(from_torch(program)))


def test_a_value_in_which_all_terms_cancel_is_pytorch_s_and_can_be_drawn():
    x = torch.randn(4, 6, requires_grad=True)

    def program():
        teacher = F.softmax(x.detach() + 1e-4 * torch.randn(4, 6), -1)
        return F.kl_div(F.log_softmax(x, -1), teacher, reduction="batchmean") * 4

    torch.manual_seed(0)
    seen = from_torch(program)
    assert not seen.report().boxes and seen.z.data == seen.loss.detach().numpy()
    assert "log_softmax" in viz.draw(seen).source


def test_what_complex_numbers_compute_is_drawn_and_played_though_an_entry_is_tiny():
    w = torch.tensor([[1e-9, 1.0], [2.0, 3.0]], requires_grad=True)

    def program():
        turned = torch.view_as_real(torch.view_as_complex(w * 1.0) * 1j)
        return (turned * turned).sum() - turned.sum() * 1e-12

    seen = from_torch(program)
    assert "ViewAsReal" in viz.draw(seen).svg and "ViewAsReal" in viz.play(seen).html


class Bent(torch.autograd.Function):
    """tanh(x · s). Its backward is wrong for x: the derivative of tanh is 1 − tanh²."""

    @staticmethod
    def forward(ctx, x, s):
        ctx.save_for_backward(x, s)
        return torch.tanh(x * s)

    @staticmethod
    def backward(ctx, G):
        x, s = ctx.saved_tensors
        t = torch.tanh(x * s)
        return G * (1 - t) * s, (G * (1 - t * t) * x).sum()


class Through(torch.autograd.Function):
    """A straight-through estimator."""

    @staticmethod
    def forward(ctx, x):
        return torch.round(x)

    @staticmethod
    def backward(ctx, G):
        return G


def whys(seen):
    """Return {why: the name of the function} of the steps that compute a partial, as a page says them."""
    trace = Trace(seen)
    return {reason(trace, i): step.y.rule.name for i, step in enumerate(trace) if step.act == "partial"}


def test_the_page_says_at_the_step_that_a_custom_backward_is_wrong_and_marks_its_box():
    w, s = torch.linspace(-2, 2, 6, requires_grad=True), torch.tensor(1.5, requires_grad=True)
    seen = from_torch(lambda: Bent.apply(w, s).sum())
    (said,) = [why for why in whys(seen) if "Bent.backward" in why]  # for x, and not for s
    assert "the gradient of the result for x at [0] is" in said and "a term is missing" in said
    assert "! wrong backward" in viz.draw(seen).source and "! wrong backward" in viz.explore(seen).html
    assert said in seen.report().remarks
    torch.testing.assert_close(*torch.autograd.grad(seen.loss, w), (1 - torch.tanh(w * s)) * s)  # it is as the program left it


def test_a_custom_backward_that_is_meant_to_be_another_is_not_called_wrong():
    w = torch.linspace(-2, 2, 6, requires_grad=True)
    source = viz.draw(from_torch(lambda: Through.apply(w).square().sum())).source
    assert "! backward is not the derivative" in source and "wrong backward" not in source
    assert "!" not in viz.draw(from_torch(squared())).source.replace("<!", "")


def test_the_page_says_where_a_gradient_stops_and_why_a_parameter_gets_none():
    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b, self.c, self.d = (torch.nn.Linear(3, 3, bias=False) for _ in range(4))
            self.c.requires_grad_(False)

        def forward(self, x):
            h = self.a(x).detach()
            k = h * 2
            return self.c(self.b(x) * torch.tanh(k))

    net = Net()
    seen = from_torch(lambda: net(torch.ones(2, 3)).sum())
    found = {why.partition(": ")[0]: function for why, function in whys(seen).items() if why.startswith("No gradient")}
    assert found == {"No gradient for a.weight": "mul", "No gradient for c.weight": "linear", "No gradient for d.weight": "sum"}
    source = viz.draw(seen).source
    assert source.count("! gradient stops") == 1 and source.count("<B>! no gradient") == 1  # a frozen parameter is meant
    assert all(p.why in " ".join(whys(seen)) for p in seen.report().parameters if p.gradient is None)


def test_the_page_carries_what_is_seldom_meant():
    w = torch.ones(3, requires_grad=True)
    seen = from_torch(lambda: F.nll_loss((w * torch.ones(2, 3)).softmax(1), torch.tensor([0, 1])))
    assert any("log_softmax is meant" in why for why in whys(seen)) and "! no log-probabilities" in viz.draw(seen).source


def test_the_page_carries_what_the_report_says_of_modules_and_views():
    net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4), torch.nn.Linear(4, 2)).eval()
    torch.nn.init.constant_(net[2].weight, 0.5)
    torch.nn.init.constant_(net[2].bias, 0.5)

    def loss():
        h = net(torch.linspace(-1, 1, 12).view(4, 3))
        around = h[:2]
        h *= 3
        return (around * around).sum() + h.sum()

    seen = from_torch(loss)
    report, odd = seen.report(), {}
    for v in Graph(seen.z).variables:
        for remark in remarks_of(v):
            odd[remark.label] = v.rule.name if v.rule else str(v.name), remark.text
    assert {label: place for label, (place, _) in odd.items()} == {
        "in eval mode": "add",  # the last function of batch norm
        "copies": "net.2.weight",
        "shares memory": "getitem",
    }
    assert {text for _, text in odd.values()} == {f"{said}." for said in [*report.remarks, *map(str, report.views)]}


def test_a_name_has_the_path_of_its_frame_only_outside_of_the_frame():
    net = torch.nn.Sequential()
    net.fc1, net.fc2 = torch.nn.Linear(2, 2), torch.nn.Linear(2, 1)
    seen = from_torch(lambda: net(torch.ones(3, 2)).sum() + net.fc2.weight.square().sum())
    source = viz.draw(seen).source
    assert "linear(constant, weight, bias)" in source and "fc2.weight.square()" in source and "fc1.weight.square" not in source
    labels = {"".join(text for text, _ in v["label"]) for v in json.loads(script_data(viz.play(seen)))["variables"]}
    assert {"fc1.weight", "fc2.weight", "fc1.bias", "fc2.bias"} <= labels
