"""Variables, functions and scopes are called as the program calls them, and each knows the line of the program that made it."""

import pytest

torch = pytest.importorskip("torch")

import torch.nn.functional as F  # noqa: E402
from torch import nn  # noqa: E402

import viz  # noqa: E402
from scalargrad.graph import Graph, scopes_of  # noqa: E402
from scalargrad.tracing.trace import Trace  # noqa: E402
from scalargrad.user_names.made_at import made_at  # noqa: E402
from scalargrad.user_names.names import name_all  # noqa: E402
from tensorgrad import from_torch  # noqa: E402
from viz.drawing.captions import Captions  # noqa: E402
from viz.drawing.highlight import NOTHING  # noqa: E402
from viz.drawing.selection import select  # noqa: E402
from viz.text.formatter import UNICODE  # noqa: E402
from viz.theme import LIGHT  # noqa: E402

pytestmark = pytest.mark.torch


def named(seen):
    """Return {name: scope} of the variables of a recording."""
    graph = Graph(seen.z)
    names, scopes = name_all(graph), scopes_of(graph.variables)
    return {names[v]: "/".join(scopes[v]) for v in graph.variables}


def formulas(seen):
    captions = Captions(select(seen.z, 1000), NOTHING, LIGHT)
    return [UNICODE.formula(captions.short.written(v)) for v in captions.selection.graph.variables if v.rule]


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(4, 12)

    def forward(self, x):
        q, k, v = self.qkv(x).split(4, dim=-1)
        scores = q @ k.transpose(-2, -1)
        scores = scores.masked_fill(torch.ones(3, 3).triu(1) == 1, float("-inf"))
        return F.softmax(scores, dim=-1) @ v


def test_variables_have_the_names_of_locals_in_forward():
    model, x = Attention(), torch.randn(2, 3, 4)
    seen = from_torch(lambda: model(x).sum())
    names = named(seen)
    assert {"qkv.weight", "q", "k", "v", "scores_1", "scores_2", "loss"} <= set(names)
    assert names["q"] == names["v"] == "" and names["qkv.weight"] == "qkv"
    assert "linear(x, weight, bias)" in formulas(seen)  # x is a constant


def test_constants_have_names_and_a_constant_stands_once():
    model, images, labels, decay = nn.Linear(4, 3), torch.randn(2, 4), torch.tensor([0, 2]), torch.tensor(0.1)

    def run():
        logits = model(images) + images.sum() * decay
        return F.cross_entropy(logits, labels) + decay * model.weight.sum()

    seen = from_torch(run)
    found = formulas(seen)
    assert found[0] == "linear(images, weight, bias)" and found[2] == "F.cross_entropy(logits, classes=labels)"
    assert sum("decay" in formula for formula in found) == 1
    assert len({id(c) for v in Graph(seen.z).variables for c in v.constants if c.name == "images"}) == 1


class Wrapped:
    def __init__(self):
        self.nets = {"policy": nn.Linear(2, 2), "value": nn.Linear(2, 1)}
        self.layers = [nn.Linear(2, 2), nn.Linear(2, 2)]
        self.model = nn.Linear(2, 2)

    def run(self):
        x = self.model(torch.ones(1, 2))
        for layer in self.layers:
            x = layer(x)
        return (self.nets["policy"](x) * self.nets["value"](x)).sum()


def test_modules_in_attributes_lists_and_dictionaries_have_their_names():
    names = named(from_torch(Wrapped().run))
    assert {"model.weight", "layers[0].weight", "layers[1].bias", "nets[policy].weight", "nets[value].bias"} <= set(names)
    assert names["nets[policy].weight"] == "nets[policy]"


def test_a_module_that_is_called_twice_has_one_scope_and_one_parameter():
    cell = nn.Linear(3, 3)

    def run():
        h = torch.ones(1, 3)
        for _ in range(3):
            h = torch.tanh(cell(h))
        return h.sum()

    names = named(from_torch(run))
    assert [name for name in names if "weight" in name] == ["weight"]
    assert {"h_1", "h_2", "h_3"} <= set(names)


class Coder(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner, self.outer = nn.Linear(3, 2), nn.Linear(2, 3)

    def encode(self, x):
        return self.inner(x)

    def decode(self, code):
        return F.linear(code, self.outer.weight)


def test_a_model_whose_forward_is_not_called_gives_its_names():
    coder, x = Coder(), torch.ones(1, 3)

    def run():
        code = coder.encode(x)
        return coder.decode(code).sum()

    names = named(from_torch(run))
    assert {"inner.weight", "inner.bias", "outer.weight", "code"} <= set(names) and names["code"] == "inner"


def test_a_sequential_keeps_its_name_and_a_loss_module_does_not_count():
    model, loss_fn = nn.Sequential(nn.Linear(2, 2), nn.ReLU()), nn.MSELoss()
    names = named(from_torch(lambda: loss_fn(model(torch.ones(1, 2)), torch.zeros(1, 2))))
    assert {"model.0.weight", "model.0.bias"} <= set(names) and names["model.0.weight"] == "model/0"
    first, second = nn.Linear(2, 2), nn.Linear(2, 2)
    assert {"first.weight", "second.weight"} <= set(named(from_torch(lambda: second(first(torch.ones(1, 2))).sum())))


def test_functions_are_written_as_the_program_writes_them():
    w = torch.ones(2, 2, requires_grad=True)

    def run():
        y = F.softmax(
            w.view(-1),
            dim=0,
        )
        return torch.exp(y).sum()

    assert [call.written for call in from_torch(run).calls] == ["w.view", "F.softmax", "torch.exp", "(…).sum"]


def test_each_variable_knows_the_line_that_made_it():
    w = torch.ones(2, requires_grad=True)

    def run():
        y = w * w
        return y.sum()  # here

    line = made_at(from_torch(run).z)
    assert line.text == "return y.sum()  # here" and str(line).startswith("test_names.py:")


def test_a_recording_may_stand_in_the_place_of_a_variable():
    w = torch.ones(2, requires_grad=True)
    seen = from_torch(lambda: (w * w).sum())
    assert viz.draw(seen).source == viz.draw(seen.z).source and "loss" in viz.draw(seen).source
    assert viz.mermaid(seen) == viz.mermaid(seen.z)
    assert Trace(seen).graph.z is seen.z.node


def test_boxes_say_functions_and_methods_as_the_program_writes_them():
    att = torch.ones(2, 3, requires_grad=True)

    def run():
        p = F.softmax(att, dim=-1)
        h = torch.relu(p.view(3, 2) * 2).exp()
        return (h + 1).sum()

    assert formulas(from_torch(run)) == [
        "F.softmax(att)",
        "p.view(shape=(3, 2))",
        "v₁·2",
        "torch.relu(v₂)",
        "v₃.exp()",
        "h + 1",
        "v₄.sum()",
    ]
