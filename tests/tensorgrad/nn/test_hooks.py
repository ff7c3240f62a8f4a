"""register_forward_hook: what a hook sees, that it may replace the output, and that its handle removes it, as in PyTorch."""

import copy

import numpy as np
import pytest

from scalargrad import scope
from tensorgrad import Tensor, nn


def network():
    return nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))


X = np.ones((4, 2), np.float32)


def test_a_hook_sees_the_module_its_arguments_and_its_output_at_each_call():
    model, seen = network(), []
    model[1].register_forward_hook(lambda *given: seen.append(given))
    y = model(X)
    (module, args, output), *others = seen
    assert module is model[1] and not others and type(args) is tuple and args[0].shape == output.shape == (4, 3)
    y.sum().backward(), model(X)
    assert len(seen) == 2


def test_what_a_hook_returns_takes_the_place_of_the_output_and_passes_gradients():
    layer = nn.Linear(2, 3)
    layer.register_forward_hook(lambda module, args, output: output * 2)
    layer.register_forward_hook(lambda module, args, output: None)
    layer.register_forward_hook(lambda module, args, output: output + 1)
    x = Tensor(X)
    y = layer(x)
    np.testing.assert_allclose(y.data, (X @ layer.weight.data.T + layer.bias.data) * 2 + 1, rtol=1e-6)
    y.sum().backward()
    np.testing.assert_allclose(layer.bias.grad, [8, 8, 8])


def test_a_removed_hook_is_not_called():
    layer, seen = nn.ReLU(), []
    first = layer.register_forward_hook(lambda *given: seen.append("first"))
    with layer.register_forward_hook(lambda *given: seen.append("second")):
        layer(X)
    layer(X)
    first.remove(), first.remove()
    layer(X)
    assert seen == ["first", "second", "first"]


def test_a_hook_may_remove_itself():
    layer, seen = nn.ReLU(), []
    handle = layer.register_forward_hook(lambda *given: (seen.append(1), handle.remove())[1])
    layer(X), layer(X)
    assert seen == [1]


def test_with_kwargs_a_hook_sees_keyword_arguments():
    layer, seen = nn.MultiheadAttention(2, 1), []
    layer.register_forward_hook(lambda module, args, kwargs, output: seen.append((len(args), kwargs, len(output))), with_kwargs=True)
    layer(X, X, X, need_weights=False)
    assert seen == [(3, {"need_weights": False}, 2)]


def test_what_a_hook_computes_lies_in_the_scope_of_its_module():
    model = nn.Sequential(nn.Linear(2, 3), name="net")
    model[0].register_forward_hook(lambda module, args, output: output.tanh())
    with scope("outer"):
        y = model(X)
    assert y.node.rule.name == "tanh" and y.node.scope == ("outer", "net", "0")


def test_a_copy_has_hooks_of_its_own():
    layer, seen = nn.ReLU(), []
    layer.register_forward_hook(lambda *given: seen.append(1))
    other = copy.copy(layer)
    other.register_forward_hook(lambda *given: seen.append(2))
    layer(X)
    assert seen == [1]
    copy.deepcopy(layer)(X)
    assert seen == [1, 1]


def test_a_module_may_be_a_hook_and_is_no_part_of_the_state():
    class Twice(nn.Module):
        def __init__(self):
            super().__init__()
            self.factor = nn.Parameter([2.0], dtype="float32")

        def forward(self, module, args, output):
            return output * self.factor

    layer = nn.Linear(2, 3)
    before = layer(X).data
    layer.register_forward_hook(Twice())
    assert np.array_equal(layer(X).data, 2 * before)
    assert [*layer.state_dict()] == [name for name, _ in layer.named_parameters()] == ["weight", "bias"]


def test_a_hook_that_is_not_a_function_is_refused():
    with pytest.raises(TypeError, match="register_forward_hook: hook=3 is not a function of module, args and output"):
        nn.ReLU().register_forward_hook(3)


def test_an_error_in_a_hook_names_the_module():
    model = network()
    model[2].register_forward_hook(lambda module, args, output: 1 / 0)
    with pytest.raises(ZeroDivisionError) as wrong:
        model(X)
    assert "in 2, a Linear that was called with ((4, 3))" in wrong.value.__notes__
