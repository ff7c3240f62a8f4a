"""Sequential, ModuleList, ModuleDict and ParameterList behave as lists and dictionaries, and keep their names in order."""

import numpy as np
import pytest

from tensorgrad import nn
from tests.each import each


def names(module):
    return [name for name, _ in module.named_children()]


def kinds(module):
    return [type(child).__name__ for child in module.children()]


def test_a_sequential_is_indexed_cut_and_changed_like_a_list():
    model = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
    assert len(model) == 3 and model[-1] is model.get_submodule("2") and [*model] == [*model.children()]
    head = model[:2]
    assert type(head) is nn.Sequential and head[0] is model[0] and len(head) == 2
    model.insert(1, nn.Tanh())
    assert kinds(model) == ["Linear", "Tanh", "ReLU", "Linear"] and names(model) == ["0", "1", "2", "3"]
    del model[2]
    model[1] = nn.Sigmoid()
    model.append(nn.Flatten(0)).extend([nn.Identity()])
    assert kinds(model) == ["Linear", "Sigmoid", "Linear", "Flatten", "Identity"] and names(model) == list("01234")
    assert model(np.ones((4, 2))).shape == (4,)


@each("index", [0, 1, 2, 5, -1, -2, -5])
def test_a_module_is_inserted_where_a_list_would_insert_it(index):
    model, items = nn.ModuleList([nn.ReLU(), nn.Tanh()]), ["ReLU", "Tanh"]
    model.insert(index, nn.Sigmoid())
    items.insert(index, "Sigmoid")
    assert kinds(model) == items and names(model) == ["0", "1", "2"]


def test_a_dictionary_gives_the_modules_of_a_sequential_their_names():
    model = nn.Sequential({"up": nn.Linear(2, 3), "down": nn.Linear(3, 2)})
    assert names(model) == ["up", "down"]
    assert [name for name, _ in model.named_parameters()][0] == "up.weight"
    assert model(np.ones((1, 2))).node.scope == ("down",)


def test_scopes_follow_modules_through_lists_in_lists():
    class Grid(nn.Module):
        def __init__(self):
            super().__init__()
            self.rows = nn.ModuleList([nn.ModuleList([nn.Linear(1, 1)])])
            self.rows.append(nn.ModuleDict({"last": nn.Linear(1, 1)}))

        def forward(self, x):
            return self.rows[1]["last"](self.rows[0][0](x))

    y = Grid()(np.ones((1, 1)))
    assert y.node.scope == ("rows", "1", "last")
    assert y.node.inputs[0].scope == ("rows", "0", "0")


def test_a_module_dictionary_is_a_dictionary():
    modules = nn.ModuleDict({"a": nn.ReLU()})
    modules["b"] = nn.Tanh()
    assert "b" in modules and len(modules) == 2 and modules.keys() == ["a", "b"] == [*modules]
    assert [name for name, _ in modules.items()] == ["a", "b"] and len(modules.values()) == 2
    del modules["a"]
    assert kinds(modules) == ["Tanh"]
    modules.update({"c": nn.GELU(), "b": nn.ReLU()})
    modules.update([("d", nn.Tanh())])
    modules.update(nn.ModuleDict({"e": nn.SiLU()}))
    assert modules.keys() == ["b", "c", "d", "e"] and kinds(modules) == ["ReLU", "GELU", "Tanh", "SiLU"]
    assert type(modules.pop("c")) is nn.GELU and modules.keys() == ["b", "d", "e"]
    modules.clear()
    assert len(modules) == 0
    modules["b"] = nn.Tanh()
    with pytest.raises(KeyError, match="ModuleDict has no module 'a'; it has b"):
        modules["a"]
    with pytest.raises(TypeError, match="name=3 is not non-empty text"):
        modules[3] = nn.ReLU()


def test_a_parameter_list_makes_parameters():
    class Sum(nn.Module):
        def __init__(self):
            super().__init__()
            self.weights = nn.ParameterList([np.ones(2), nn.Parameter([3.0, 4.0])])

        def forward(self, x):
            return sum(w * x for w in self.weights)

    model = Sum()
    assert [name for name, _ in model.named_parameters()] == ["weights.0", "weights.1"]
    model(np.ones(2)).sum().backward()
    assert all((w.grad == 1).all() for w in model.weights) and len(model.weights) == 2 and model.weights[1].data[0] == 3
