"""Module: what it finds by itself, its modes, its state, its scopes and its text."""

import copy
import pickle

import numpy as np
import pytest

import tensorgrad as tg
import viz
from scalargrad import modes
from tensorgrad import Tensor, nn, optim
from tests.each import each


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 3)
        self.second = nn.Linear(3, 3)
        self.register_buffer("count", np.zeros(2))

    def forward(self, x):
        return self.second(self.first(x))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(), Block()])
        self.head = nn.Linear(3, 2)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.head(x)


NAMES = [
    *(f"blocks.{i}.{layer}.{what}" for i in (0, 1) for layer in ("first", "second") for what in ("weight", "bias")),
    *("head.weight", "head.bias"),
]


def test_parameters_buffers_and_modules_are_found_under_dotted_names():
    net = Net()
    assert [name for name, _ in net.named_parameters()] == NAMES
    assert [name for name, _ in net.named_buffers()] == ["blocks.0.count", "blocks.1.count"]
    assert [name for name, _ in net.named_modules()][:4] == ["", "blocks", "blocks.0", "blocks.0.first"]
    assert [name for name, _ in net.named_parameters("net", recurse=False)] == []
    assert net.get_submodule("blocks.1.first") is net.blocks[1].first


def test_a_shared_parameter_is_counted_once_and_saved_under_all_its_names():
    net = Net()
    net.blocks[1].first.weight = net.blocks[0].first.weight
    assert [name for name, _ in net.named_parameters()] == [name for name in NAMES if name != "blocks.1.first.weight"]
    state = net.state_dict()
    assert set(NAMES) < set(state)
    del state["blocks.1.first.weight"]
    net.load_state_dict(state)
    with pytest.raises(ValueError, match="blocks.0.first.weight and blocks.1.first.weight are one shared parameter here"):
        net.load_state_dict(state | {"blocks.1.first.weight": np.zeros((3, 3), np.float32)})


def test_a_shared_module_is_found_once_and_called_twice():
    layer = nn.Linear(2, 2)
    model = nn.Sequential(layer, nn.ReLU(), layer)
    assert len([*model.parameters()]) == 2 and len([*model.modules()]) == 3
    assert model(np.ones((1, 2))).shape == (1, 2)


def test_a_buffer_of_the_name_of_a_parameter_or_module_takes_its_place():
    net = Block()
    net.first.register_buffer("weight", np.ones((3, 3), np.float32))
    net.register_buffer("second", np.zeros(3))
    net.zero_grad()
    assert [name for name, _ in net.named_parameters()] == ["first.bias"]
    assert [name for name, _ in net.named_buffers()] == ["count", "second", "first.weight"]


def test_a_long_record_of_numbers_is_not_searched_in_each_walk():
    class Record(list):
        def __iter__(self):
            for i, x in enumerate(super().__iter__()):
                assert i <= 1000
                yield x

    net = Net()
    net.losses = Record()
    net.losses.extend([0.5] * 100_000)
    assert len([*net.parameters()]) == len(NAMES)


def test_a_model_of_float32_is_checked_as_a_copy_in_float64():
    net = nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2), nn.Tanh())
    before, x = net.state_dict(), np.arange(12.0).reshape(4, 3)
    for given in x, x.astype(np.float32):
        found = tg.check(net, given)
        assert found and str(found).endswith("derivatives agree (checked on a copy of the model in float64)")
    assert all((before[name] == array).all() and before[name].dtype == array.dtype for name, array in net.state_dict().items())
    assert str(tg.check(net.astype(np.float64), x)).endswith("derivatives agree")


def test_modes_reach_all_modules():
    net = Net()
    assert net.training and not net.eval().training and not net.blocks[0].first.training
    assert net.train().blocks[1].second.training


def test_frozen_parameters_are_constants_until_they_are_thawed():
    net = Net()
    net.blocks.freeze()
    net(np.ones((4, 3))).sum().backward()
    assert net.blocks[0].first.weight.grad is None and net.head.weight.grad is not None
    net.thaw().zero_grad()
    assert net.head.weight.grad is None
    net(np.ones((4, 3))).sum().backward()
    assert net.blocks[0].first.weight.grad is not None
    net.zero_grad(set_to_none=False)
    assert not net.blocks[0].first.weight.grad.any()
    with pytest.raises(TypeError, match=r"Net.requires_grad does nothing; write .freeze\(\)"):
        net.requires_grad = False
    assert [name for name, _ in net.named_parameters()] == NAMES


def test_a_module_opens_a_scope_of_its_name():
    net = Net()
    y = net(np.ones((4, 3)))
    scopes = []
    v = y.node
    while v.inputs:
        scopes.append(v.scope)
        v = v.inputs[0]
    assert scopes == [("head",), *(("blocks", i, layer) for i in "10" for layer in ("second", "first"))]
    assert nn.Sequential(nn.Linear(3, 1), name="model")(np.ones((1, 3))).node.scope == ("model", "0")
    with tg.scope("all"):
        assert net(np.ones((1, 3))).node.scope == ("all", "head")
    assert net.blocks[0](np.ones((1, 3))).node.scope == ("blocks", "0", "second")


def test_a_scope_ends_with_an_exception():
    net = Net()
    with pytest.raises(ValueError):
        net(np.ones((4, 2)))
    assert not modes.scope_path() and not modes.active


def test_state_dict_copies_and_load_state_dict_restores():
    nn.seed(0)
    net, other = Net(), Net()
    state = net.state_dict()
    net.head.weight.data = np.zeros((2, 3))
    assert state["head.weight"].any()
    other.load_state_dict(state)
    assert all(np.array_equal(a, other.state_dict()[name]) for name, a in state.items())
    state["head.bias"][:], state["blocks.0.count"][:] = 7, 7
    assert not (other.head.bias.data == 7).any() and not (net.head.bias.data == 7).any()
    assert not (other.blocks[0].count == 7).any() and not (net.blocks[0].count == 7).any(), "a buffer shares memory with the state"
    net.freeze().load_state_dict(net.state_dict() | {"head.bias": np.ones(2)})
    assert (net.head.bias.data == 1).all() and not net.head.bias.keep_grad


def test_a_state_that_is_loaded_in_part_says_what_it_left():
    model = nn.Linear(2, 1)
    found = model.load_state_dict({"weight": np.ones((1, 2)), "head.weight": np.ones(3)}, strict=False)
    assert found.missing_keys == ["bias"] and found.unexpected_keys == ["head.weight"] and (model.weight.data == 1).all()
    assert model.load_state_dict(model.state_dict()) == ([], [])


def test_one_error_lists_everything_that_does_not_fit_and_nothing_is_loaded():
    net = Net()
    before = net.state_dict()
    given = {name: np.ones_like(array) for name, array in before.items() if name != "blocks.0.count"}
    given |= {"head.weight": np.ones((3, 2)), "head.bias": np.ones(2, int), "other": np.ones(1), "blocks.1.first.bias": "text"}
    with pytest.raises(ValueError) as wrong:
        net.load_state_dict(given)
    assert str(wrong.value).splitlines() == [
        "load_state_dict: Net takes other entries; nothing was loaded",
        "  not an array: blocks.1.first.bias is 'text', (3,) is needed",
        "  shape: head.weight is (3, 2), (2, 3) is needed",
        "  dtype: head.bias is int64, float32 is needed",
        "  missing: blocks.0.count (2,)",
        "  unexpected: other (1,)",
    ]
    assert all(np.array_equal(array, net.state_dict()[name]) for name, array in before.items())
    net.load_state_dict({"head.bias": np.ones(2), "other": 1}, strict=False)
    assert (net.head.bias.data == 1).all()
    with pytest.raises(ValueError, match="shape: head.weight is .3, 2., .2, 3. is needed"):
        net.load_state_dict({"head.bias": np.zeros(2), "head.weight": np.ones((3, 2))}, strict=False)
    assert (net.head.bias.data == 1).all(), "a part of a state was loaded"


@each("again", [copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))], ids=["deepcopy", "pickle"])
def test_a_copy_is_equal_and_independent(again):
    net = Net()
    net.blocks[1].first.weight = net.blocks[0].first.weight
    other = again(net)
    assert [name for name, _ in other.named_parameters()] == [name for name, _ in net.named_parameters()]
    assert other.blocks[0].first.weight is other.blocks[1].first.weight is not net.blocks[0].first.weight
    x = np.ones((2, 3))
    assert np.array_equal(net(x).data, other(x).data)
    other.head.weight.data = np.zeros((2, 3))
    assert net.head.weight.data.any()
    other.extra = other.head.weight  # still a parameter
    assert "extra" in other._parameters


@pytest.mark.torch
def test_the_state_of_pytorchs_module_loads_as_it_is():
    torch = pytest.importorskip("torch")
    theirs = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3), torch.nn.BatchNorm2d(4), torch.nn.ReLU())
    ours = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU())
    ours.load_state_dict(theirs.state_dict())
    x = np.random.default_rng(0).standard_normal((2, 3, 6, 6), np.float32)
    np.testing.assert_allclose(ours(x).data, theirs(torch.tensor(x)).detach().numpy(), rtol=1e-5, atol=1e-5)


class OnAGpu:
    """An array of another library that NumPy cannot read."""

    def __array__(self, dtype=None, copy=None):
        raise TypeError("can't convert cuda:0 device type tensor to numpy")

    detach = None


def test_an_entry_that_numpy_cannot_read_says_what_to_write_in_pytorch():
    with pytest.raises(
        ValueError, match=r"not an array: bias is .*, \(1,\) is needed; in PyTorch write x.detach\(\).cpu\(\).float\(\) first"
    ):
        nn.Linear(2, 1).load_state_dict({"weight": np.ones((1, 2)), "bias": OnAGpu()})
    w = Tensor([1.0], name="w")
    state = {"state": {0: {"momentum_buffer": OnAGpu()}}, "param_groups": optim.SGD([w], momentum=0.9).state_dict()["param_groups"]}
    with pytest.raises(ValueError, match=r"momentum_buffer of w is not an array \(can't convert cuda:0 .*\); in PyTorch write x.cpu"):
        optim.SGD([w], momentum=0.9).load_state_dict(state)


@pytest.mark.torch
@pytest.mark.parametrize("convert", [lambda x: x.bfloat16(), lambda x: x.requires_grad_()])
def test_tensors_of_pytorch_that_numpy_cannot_read_are_named(convert):
    torch = pytest.importorskip("torch")
    with pytest.raises(ValueError, match=r"not an array: weight is .*\n  not an array: bias .* in PyTorch write x.detach"):
        nn.Linear(2, 1).load_state_dict({name: convert(x) for name, x in torch.nn.Linear(2, 1).state_dict().items()})


def test_a_shallow_copy_shares_parameters_and_has_attributes_of_its_own():
    net = Net()
    other = copy.copy(net)
    assert [*map(id, other.parameters())] == [*map(id, net.parameters())]
    other.tail = nn.Linear(2, 2)
    del other.head
    assert len([*net.parameters()]) == 10 and not hasattr(net, "tail") and net.head(np.ones(3)).shape == (2,)


def test_parameters_are_named_after_their_attributes():
    weights = nn.ParameterList([[1.0], [2.0]])
    assert [w.name for w in weights] == ["p0", "p1"] and Net().head.weight.name == "weight"
    assert nn.Parameter([1.0], name="scale").name == "scale"


def test_the_text_nests_and_counts():
    net = Net()
    net.head.freeze()
    line = "Linear(in_features=3, out_features=3, bias=True)  # 12 parameters: weight (3, 3), bias (3,)"
    assert repr(net).splitlines() == [
        "Net(  # 56 parameters, 8 frozen",
        "  (blocks): ModuleList(  # 48 parameters",
        "    (0-1): 2 x Block(  # 24 parameters",
        f"      (first): {line}",
        f"      (second): {line}",
        "    )",
        "  )",
        "  (head): Linear(in_features=3, out_features=2, bias=True)  # 8 parameters, 8 frozen: weight (2, 3), bias (2,)",
        ")",
    ]
    assert repr(nn.MultiheadAttention(4, 2)).splitlines() == [
        "MultiheadAttention(embed_dim=4, num_heads=2, dropout=0.0, batch_first=False  # 80 parameters: in_proj_weight (12, 4), "
        "in_proj_bias (12,)",
        "  (out_proj): Linear(in_features=4, out_features=4, bias=True)  # 20 parameters: weight (4, 4), bias (4,)",
        ")",
    ]


def test_a_shared_parameter_counts_once_in_the_text():
    net = Net()
    net.blocks[1].first.weight = net.blocks[0].first.weight
    assert repr(net).startswith("Net(  # 47 parameters\n")


def test_the_same_seed_gives_the_same_network():
    nn.seed(3)
    first = Net().state_dict()
    nn.seed(3)
    second = Net().state_dict()
    rng = np.random.default_rng(3)
    own = nn.Linear(3, 3, generator=rng)
    assert all(np.array_equal(first[name], second[name]) for name in first)
    assert np.array_equal(own.weight.data, first["blocks.0.first.weight"])


def test_a_module_works_without_super_init():
    class Forgetful(nn.Module):
        def __init__(self):
            self.layer = nn.Linear(2, 1)

        def forward(self, x):
            return self.layer(x)

    assert len([*Forgetful().parameters()]) == 2


def test_converting_changes_parameters_and_buffers():
    net = Net().astype(np.float64)
    y = net(np.ones((1, 3)))
    y.sum().backward()
    assert y.dtype == net.head.weight.grad.dtype == np.float64
    assert net.astype("float32").head.weight.grad is None, "a gradient of another dtype stays"
    assert net.astype("float32").blocks[0].count.dtype == np.float32


# Mistakes


def modules_in_a_list():
    net = Net()
    net.more = [nn.Linear(1, 1)]


def modules_added_to_a_list():
    net = Net()
    net.more = []
    net.more.append(nn.Linear(1, 1))
    list(net.parameters())


def an_array_for_a_parameter():
    Net().head.weight = np.zeros((2, 3))


def itself():
    net = Net()
    net.blocks[0].net = net


def no_forward():
    nn.Module()(1)


def a_name_of_a_method():
    Net().train = nn.Linear(1, 1)


def wrong_shape():
    Net()(np.ones((4, 2)))


def integers():
    Net()(np.ones((4, 3), int))


def a_wider_tensor():
    Net()(tg.Tensor(np.ones((4, 3))))


def calling_a_list():
    Net().blocks(1)


def a_class_in_place_of_a_module():
    nn.Sequential(nn.ReLU)


def a_list_in_place_of_modules():
    nn.Sequential([nn.ReLU()])


def no_such_module():
    Net().get_submodule("blocks.7")


def no_return():
    class Silent(nn.Module):
        def forward(self, x):
            x * 2

    Silent()(np.ones(3))


def a_tensor_that_is_not_a_parameter():
    Net().scale = tg.Tensor(2.0)


def a_file_for_a_state():
    Net().load_state_dict("model.npz")


def a_parameter_in_a_dictionary():
    Net().scales = {"a": nn.Parameter(1.0)}


def modules_in_lists_of_a_list():
    Net().more = [[nn.Linear(2, 2)]]


def a_parameter_added_to_a_list_in_a_dictionary():
    net = Net()
    net.more = {"a": (own := [0.0] * 10)}
    own.append(nn.Parameter(1.0))
    net.zero_grad()


def a_module_for_a_buffer():
    Net().blocks[0].count = 3


def numbers_for_an_embedding():
    nn.Embedding(3, 2)([0.5])


def a_token_out_of_range():
    nn.Sequential(nn.Embedding(3, 2))(np.array([[0, 3]]))


def a_float_for_a_size():
    nn.Linear(2.5, 1)


def an_unknown_argument():
    nn.Softmax(axis=1)


def an_unknown_argument_of_a_parameter():
    nn.Parameter([1.0], requires_grad=False)


def a_missing_argument():
    nn.Linear(3)


def a_model_in_place_of_its_result():
    viz.draw(nn.Linear(3, 1))


def backward_twice():
    z = Net()(np.ones((1, 3))).sum()
    z.backward()
    z.backward()


@each(
    "mistake, kind, message",
    [
        (a_model_in_place_of_its_result, TypeError, r"draw: model is a function that takes arguments; write draw\(lambda: model\(x\)\)"),
        (modules_in_a_list, TypeError, r"Net\.more: modules in a plain list are not found; write self\.more = nn\.ModuleList"),
        (modules_added_to_a_list, TypeError, r"Net\.more: modules in a plain list are not found"),
        (lambda: nn.ZeroPad2d((1, 2)), TypeError, r"ZeroPad2d: padding=\(1, 2\) is not an integer or a tuple of 4"),
        (lambda: nn.ConstantPad1d(1, "a"), TypeError, "ConstantPad1d: value='a' is not a number"),
        (lambda: nn.ZeroPad2d(1)(np.ones((2, 2))), ValueError, r"ZeroPad2d: x has shape \(2, 2\); a batch of 4 axes or a sample of 3"),
        (lambda: nn.ReflectionPad1d(3)(np.ones((1, 1, 3))), ValueError, r"ReflectionPad1d: padding=\(3, 3\) is wider than x"),
        (
            lambda: nn.Conv1d(1, 1, 3, padding=2, padding_mode="reflect")(np.ones((1, 1, 2), np.float32)),
            ValueError,
            r"Conv1d: padding=\(2,\) is wider than x of shape \(1, 1, 2\) can fill",
        ),
        (
            lambda: nn.Conv2d(1, 1, 3, padding=(1, 3), padding_mode="circular")(np.ones((1, 1, 2, 2), np.float32)),
            ValueError,
            r"Conv2d: padding=\(1, 3\) is wider than x",
        ),
        (lambda: nn.MSELoss(reduction="avg"), ValueError, "^MSELoss: reduction='avg' is unknown; use 'mean', 'sum' or 'none'"),
        (lambda: nn.CrossEntropyLoss(reduction="avg"), ValueError, "^CrossEntropyLoss: reduction='avg' is unknown"),
        (lambda: nn.MultiheadAttention(4, 2)(np.ones((3, 4))), TypeError, r"for self-attention write attention\(x, x, x\)"),
        (lambda: nn.init.normal_(nn.Parameter([0.0]), std=-1), ValueError, "normal_: std=-1 is not a standard deviation"),
        (lambda: nn.init.trunc_normal_(nn.Parameter([0.0]), std=-0.1), ValueError, "trunc_normal_: std=-0.1 is not"),
        (lambda: nn.init.uniform_(nn.Parameter([0.0]), 2.0, 1.0), ValueError, "uniform_: a=2.0 must be at most b=1.0"),
        (modules_in_lists_of_a_list, TypeError, r"Net\.more: modules in a plain list are not found"),
        (a_parameter_added_to_a_list_in_a_dictionary, TypeError, r"Net\.more: parameters in a plain dict are not found"),
        (
            an_array_for_a_parameter,
            TypeError,
            r"Linear\.weight is a parameter here, .* assign a Parameter, or write into it: \.weight\.data",
        ),
        (itself, ValueError, r"Block\.net: a module cannot be a part of itself"),
        (no_forward, NotImplementedError, r"Module has no forward\(self, x\)"),
        (a_name_of_a_method, TypeError, r"Net\.train is a method or an attribute of the class"),
        (wrong_shape, ValueError, r"^blocks\.0\.first: Linear\(in_features=3, .*x of shape \(4, 2\) does not fit W of shape \(3, 3\)"),
        (integers, TypeError, r"^blocks\.0\.first: .* int64; write x\.astype\(np\.float32\), or use Embedding"),
        (a_wider_tensor, TypeError, r"write .* model\.astype\(np\.float64\); check\(f, x\) of a function needs both in float64"),
        (calling_a_list, TypeError, r"ModuleList: cannot be called; call its modules in forward\(\), or make it a Sequential"),
        (a_class_in_place_of_a_module, TypeError, r"Sequential: ReLU is a class; make a module of it: ReLU\(\)"),
        (a_list_in_place_of_modules, TypeError, r"is a list; write Sequential\(\*modules\)"),
        (no_such_module, AttributeError, r"ModuleList has no module '7'; it has 0, 1"),
        (no_return, TypeError, r"Silent\.forward returned None; end it with a line that returns the output"),
        (a_tensor_that_is_not_a_parameter, TypeError, r"Net\.scale: a Tensor is not found by parameters\(\); write nn\.Parameter"),
        (a_file_for_a_state, TypeError, r"entries='model\.npz' is not a dictionary of arrays; read a file with tensorgrad\.saving"),
        (a_parameter_in_a_dictionary, TypeError, r"Net\.scales: parameters in a plain dict are not found; write .*ParameterList"),
        (a_module_for_a_buffer, TypeError, r"Block\.count is a buffer here, and 3 is not one; assign a NumPy array"),
        (numbers_for_an_embedding, TypeError, r"Embedding\(3, 2\): embedding: index has dtype float64; give integers"),
        (a_token_out_of_range, IndexError, r"^0: Embedding\(3, 2\): embedding: index 3 at position \(0, 1\) is outside the table's 3 rows"),
        (a_float_for_a_size, TypeError, r"Linear: in_features=2\.5 is not an integer"),
        (an_unknown_argument, TypeError, r"Softmax: unknown argument axis= \(here: dim, as in PyTorch\)"),
        (an_unknown_argument_of_a_parameter, TypeError, r"unknown argument requires_grad= \(a Tensor is a variable unless keep_grad=False"),
        (a_missing_argument, TypeError, r"Linear: missing a required argument: 'out_features'; signature: Linear\(in_features, out_feat"),
        (backward_twice, RuntimeError, r"released by an earlier backward pass; compute it again"),
    ],
)
def test_a_mistake_gets_an_error_that_says_what_to_do(mistake, kind, message):
    with pytest.raises(kind, match=message):
        mistake()


def test_an_error_in_a_users_module_says_in_which_one():
    class Wrong(nn.Module):
        def forward(self, x):
            return x / {}["missing"]

    with pytest.raises(KeyError) as wrong:
        nn.Sequential(nn.ReLU(), Wrong())(np.ones((2, 3)))
    assert wrong.value.__notes__ == ["in 1, a Wrong that was called with ((2, 3))"]
