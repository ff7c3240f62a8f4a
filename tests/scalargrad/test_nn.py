"""scalargrad.nn: n-ary neurons give what sums of products give, exactly; SGD is PyTorch's; misuse is named."""

import copy
import gc
import pickle
import random
import re
from fractions import Fraction
from itertools import chain, pairwise

import numpy as np
import pytest

from scalargrad import Constant, Value, detect_anomaly, grad, no_grad
from scalargrad.fast.comparing import number_of
from scalargrad.graph import inputs_first
from scalargrad.modes import AnomalyError
from scalargrad.nn import MLP, SGD, Layer, Module, Neuron
from tensorgrad import Tensor
from tests.each import each


def seeded(seed=0, sizes=(3, [4, 1])):
    random.seed(seed)
    return MLP(*sizes)


def exact(model, seed=1):
    """The model with every parameter a Fraction."""
    rng = random.Random(seed)
    for p in model.parameters():
        p.data = Fraction(rng.randint(-9, 9), rng.randint(1, 9))
    return model


def by_products(model, x):
    """The same model as a graph of multiplications, additions and relus."""
    for layer in model.layers:
        x = [neuron_by_products(n, x) for n in layer.neurons]
    return x[0] if len(x) == 1 else x


def neuron_by_products(n, x):
    y = n.b
    for wi, xi in zip(n.w, x):
        y = y + wi * xi
    return y.relu() if n.nonlin else y


# Construction


def test_parameters_are_drawn_in_the_order_of_layers_neurons_and_weights():
    model = seeded(5, (2, [3, 1]))
    random.seed(5)
    expected = []
    for nin, nout in (2, 3), (3, 1):
        for _ in range(nout):
            expected += [random.uniform(-1, 1) for _ in range(nin)] + [0]
    assert [p.data for p in model.parameters()] == expected


def test_all_but_the_last_layer_have_a_relu():
    assert repr(seeded(0, (2, [2, 1]))) == "MLP of [Layer of [ReLUNeuron(2), ReLUNeuron(2)], Layer of [LinearNeuron(2)]]"


def test_a_module_without_parameters_has_an_empty_list():
    assert Module().parameters() == []


# The graph


def test_a_neuron_is_one_dot_and_one_relu():
    n, x = Neuron(3), [Value(1.0), Value(2.0), Value(3.0)]
    y = n(x)
    assert y.rule.name == "relu" and y.inputs[0].rule.name == "dot"
    assert [*map(id, y.inputs[0].inputs)] == [*map(id, [*n.w, *x, n.b])]
    assert y.inputs[0].partials == (1.0, 2.0, 3.0, *(w.data for w in n.w), 1)


@each("seed", range(5))
def test_value_and_gradients_equal_those_of_sums_of_products_exactly(seed):
    model, x = exact(seeded(seed), seed), [Value(Fraction(1, 2)), Value(Fraction(-2, 3)), Value(Fraction(5, 7))]
    found = []
    for call in model, lambda x: by_products(model, x):
        model.zero_grad()
        for xi in x:
            xi.grad = 0
        z = call(x)
        z.backward()
        found.append([z.data, *(v.grad for v in chain(model.parameters(), x))])
    assert found[0] == found[1]
    assert all(type(number) in (Fraction, int) for number in found[0])
    assert any(number != 0 for number in found[0][1:])


@each(
    "x",
    [[0.5, 2.0], [1, Value(2.0)], np.array([0.5, 2.0]), (Fraction(1, 2), 2), [Value(0.5, keep_grad=False), Value(2.0)]],
    ids=["floats", "mixed", "array", "tuple", "constant"],
)
def test_plain_numbers_and_constants_among_the_inputs_change_nothing_for_the_weights(x):
    n = Neuron(2)
    n.b.data = 5.0
    y, variables = n(x), n([Value(number_of(xi)) for xi in x])
    gradients = []
    for z in y, variables:
        n.zero_grad()
        z.backward()
        gradients.append([p.grad for p in n.parameters()])
    assert y.data == variables.data and gradients[0] == gradients[1]


def test_a_plain_number_in_place_of_a_weight_is_a_constant_of_the_neuron():
    n = Neuron(2, nonlin=False)
    n.w = [Value(3.0), 0.5]
    y = n([Value(2.0), Value(4.0)])
    y.backward()
    assert y.data == 8.0 and n.w[0].grad == 2.0 and n.b.grad == 1.0


def test_a_neuron_of_constants_records_nothing():
    n = Neuron(1, nonlin=False)
    n.w, n.b = [Value(2.0, keep_grad=False)], Value(1.0, keep_grad=False)
    y = n([Value(3.0, keep_grad=False)])
    assert type(y) is Constant and y.inputs == () and y.data == 7.0


def test_nothing_is_recorded_under_no_grad():
    with no_grad():
        y = seeded()([1.0, 2.0, 3.0])
    assert y.inputs == ()


def test_an_anomaly_inside_a_neuron_is_found():
    n = Neuron(2)
    n.w[0].data = float("inf")
    with detect_anomaly(), pytest.raises(AnomalyError, match="dot made"):
        n([Value(0.0), Value(1.0)])


def test_a_later_change_of_a_weight_does_not_reach_the_graph():
    n = Neuron(1, nonlin=False)
    n.w[0].data, x = 3.0, Value(2.0)
    y = n([x])
    n.w[0].data = 100.0
    y.backward()
    assert x.grad == 3.0


def test_second_derivatives_go_through_a_model():
    n, x = Neuron(1, nonlin=False), Value(2.0)
    n.w[0].data = 3.0
    y = n([x]) ** 2
    dw = grad(y, n.w[0], create_graph=True)
    assert grad(dw, n.w[0]) == 2 * 2.0**2
    assert grad(dw, x) == 2 * (2 * 3.0 * 2.0)  # d/dx of 2 x (w x + b)


def test_a_layer_of_one_neuron_can_stand_between_others():
    model = exact(seeded(0, (2, [1, 2, 1])))
    x = [Value(Fraction(1)), Value(Fraction(2))]
    assert model(x).data == by_products(model, x).data


def test_an_iterator_of_inputs_reaches_every_neuron():
    layer = Layer(2, 3, nonlin=False)
    assert [y.data for y in layer(map(Value, [1.0, 2.0]))] == [y.data for y in layer([1.0, 2.0])]


def test_a_dropped_model_output_leaves_nothing_to_the_collector():
    model = seeded()
    gc.collect()
    y = model(list(map(Value, [1.0, 2.0, 3.0])))
    y.backward()
    del y
    assert gc.collect() == 0


# Misuse


@each("x", [[1.0], [1.0, 2.0, 3.0, 4.0], []])
def test_a_wrong_number_of_inputs_is_refused(x):
    with pytest.raises(ValueError, match=rf"^ReLUNeuron\(3\): takes 3 inputs, got {len(x)}; give it one number for each input"):
        Neuron(3)(x)
    with pytest.raises(ValueError, match=f"^MLP: takes 3 inputs, got {len(x)}; give it one number for each input"):
        seeded()(x)


@each("xs", [[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], np.ones((2, 3)), [[1.0, 2.0, 3.0]]], ids=["list", "array", "one row"])
def test_several_examples_at_once_are_told_to_come_one_by_one(xs):
    with pytest.raises(ValueError, match=rf"^MLP: takes 3 inputs, got {len(xs)}; give it one example at a time: \[model"):
        seeded()(xs)


def test_one_number_is_the_only_input_of_a_model():
    for x in 2.0, 2, Fraction(2), np.float64(2.0), Value(2.0):
        assert Neuron(1, nonlin=False)(x).inputs[0].data
        assert isinstance(MLP(1, [2, 1])(x), Value)
    with pytest.raises(ValueError, match="^MLP: takes 3 inputs, got 1;"):
        seeded()(2.0)


@each("x", ["abc", None, 1j, object], ids=str)
def test_what_is_no_list_of_numbers_is_refused(x):
    for module in Neuron(3), Layer(3, 2), seeded():
        with pytest.raises(TypeError, match=r"^scalargrad\.nn: .* is not a list of numbers; give a model one number for each input"):
            module(x)


def test_a_tensor_of_inputs_is_refused():
    t = Tensor([1.0, 2.0, 3.0])
    with pytest.raises(TypeError, match=r"^scalargrad\.nn: t is a Tensor, but these neurons take numbers; write t"):
        seeded()(t)


@each(
    ("make", "message"),
    [
        (lambda: MLP(3, 1), "MLP: nouts=1 is not a list of layer sizes; write MLP(3, [1])"),
        (lambda: MLP(3, 2.5), "MLP: nouts=2.5 is not a list of layer sizes"),
        (lambda: MLP(3, None), "MLP: nouts=None is not a list of layer sizes"),
        (lambda: MLP(3.0, [1]), "MLP: nin=3.0 is not an integer"),
        (lambda: MLP("3", [1]), "MLP: nin='3' is not an integer"),
        (lambda: MLP(0, [1]), "MLP: nin=0 is out of range; it must be 1 or more"),
        (lambda: MLP(3, [4, -1]), "MLP: nouts[1]=-1 is out of range; it must be 1 or more"),
        (lambda: MLP(3, ["4"]), "MLP: nouts[0]='4' is not an integer"),
        (lambda: MLP(3, "4"), "MLP: nouts[0]='4' is not an integer"),
        (lambda: Layer(2, 0), "Layer: nout=0 is out of range; it must be 1 or more"),
        (lambda: Layer(2.5, 1), "Layer: nin=2.5 is not an integer"),
        (lambda: Neuron(-1), "Neuron: nin=-1 is out of range; it must be 1 or more"),
        (lambda: Neuron([1]), "Neuron: nin=[1] is not an integer"),
    ],
    ids=lambda x: x if isinstance(x, str) else "",
)
def test_sizes_that_are_no_positive_integers_are_refused(make, message):
    with pytest.raises(ValueError if "out of range" in message else TypeError, match=f"^{re.escape(message)}"):
        make()


def test_a_model_without_layers_is_refused():
    with pytest.raises(ValueError, match=r"^MLP: nouts=\[\] has no layer; write MLP\(3, \[1\]\)"):
        MLP(3, [])


def test_sizes_may_be_numpys_integers_and_come_from_a_generator():
    assert repr(MLP(np.int64(2), (n for n in [np.int32(1)]))) == "MLP of [Layer of [LinearNeuron(2)]]"


@each("x", ["3", None, 1j, [1.0]])
def test_an_input_that_is_no_number_is_refused(x):
    with pytest.raises(TypeError, match="dot: cannot combine"):
        Neuron(2)([Value(1.0), x])


# Copying


@each("copied", [copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model))], ids=["deepcopy", "pickle"])
def test_a_copied_model_computes_the_same_and_shares_nothing(copied):
    model, x = seeded(3), [0.5, -1.0, 2.0]
    twin = copied(model)
    assert repr(twin) == repr(model) and twin(x).data == model(x).data
    assert not {*map(id, model.parameters())} & {*map(id, twin.parameters())}
    before = [p.data for p in model.parameters()]
    twin(x).backward()
    SGD(twin.parameters(), lr=0.1).step()
    assert [p.data for p in model.parameters()] == before and all(p.grad == 0 for p in model.parameters())


def test_a_shared_weight_stays_shared_in_a_copy():
    layer = Layer(2, 2)
    layer.neurons[1].w = layer.neurons[0].w
    for twin in copy.deepcopy(layer), pickle.loads(pickle.dumps(layer)):
        assert twin.neurons[0].w[0] is twin.neurons[1].w[0]


# SGD. The gradients are 3, 6, 9, … for a parameter that starts at 10; PyTorch's definitions, by hand


def steps(n, **options):
    p, found = Value(Fraction(10)), []
    sgd = SGD([p], **options)
    for k in range(1, n + 1):
        p.grad = Fraction(3 * k)
        sgd.step()
        found.append(p.data)
    return found


def test_sgd_subtracts_lr_times_the_gradient():
    assert steps(2, lr=Fraction(1, 2)) == [Fraction(17, 2), Fraction(11, 2)]


def test_momentum_remembers_earlier_gradients_without_damping():
    # v = 3, then 3/2 + 6 = 15/2, then 15/4 + 9 = 51/4
    assert steps(3, lr=Fraction(1, 3), momentum=Fraction(1, 2)) == [9, Fraction(13, 2), Fraction(9, 4)]


def test_weight_decay_adds_to_the_gradient_before_momentum():
    # g = 3 + 10/5 = 5, v = 5, p = 5;  g = 6 + 5/5 = 7, v = 7 + 5/2 = 19/2, p = -9/2
    assert steps(2, lr=1, momentum=Fraction(1, 2), weight_decay=Fraction(1, 5)) == [5, Fraction(-9, 2)]


def test_a_parameter_that_is_frozen_after_some_steps_stays_where_it_is_until_it_is_thawed():
    a, b = Value(1.0), Value(2.0)
    sgd, seen = SGD([a, b], lr=0.1, momentum=0.9, weight_decay=0.1), []
    for a.keep_grad in (True, False, False, True):
        sgd.zero_grad()
        (a * a + b * b).backward()
        sgd.step()
        seen.append((a.data, b.data))
    moved = [[x != y for x, y in zip(*pair)] for pair in pairwise(seen)]
    assert moved == [[False, True], [False, True], [True, True]]


@pytest.mark.torch
@pytest.mark.parametrize("options", [{}, {"momentum": 0.9}, {"weight_decay": 0.1}, {"momentum": 0.9, "weight_decay": 0.1}])
def test_sgd_is_that_of_pytorch(options):
    torch = pytest.importorskip("torch")
    ours, theirs = Value(3.0), torch.tensor(3.0, dtype=torch.float64, requires_grad=True)
    sgd, reference = SGD([ours], lr=0.05, **options), torch.optim.SGD([theirs], lr=0.05, **options)
    for _ in range(10):
        for p, optimiser in (ours, sgd), (theirs, reference):
            optimiser.zero_grad()
            ((p - 1) * (p - 1) * p).backward()
            optimiser.step()
    assert ours.data == pytest.approx(theirs.item(), rel=1e-12)


def test_zero_grad_of_module_and_optimiser_start_all_gradients_anew():
    model = seeded()
    for zero_grad in model.zero_grad, SGD(model.parameters(), lr=0.1).zero_grad:
        model([1.0, 2.0, 3.0]).backward()
        assert any(p.grad != 0 for p in model.parameters())
        zero_grad()
        assert all(p.grad == 0 for p in model.parameters())


def test_a_step_after_create_graph_leaves_plain_numbers():
    x = Value(3.0)
    (x * x).backward(create_graph=True)
    SGD([x], lr=0.25).step()
    assert type(x.data) is float and x.data == 1.5


def test_the_learning_rate_may_change_between_steps():
    x = Value(1.0)
    sgd = SGD([x], lr=0.5)
    for sgd.lr in 0.5, 0.25:
        x.grad = 1.0
        sgd.step()
    assert x.data == 0.25


def test_parameters_may_come_from_a_generator():
    x = Value(1.0)
    sgd = SGD((v for v in [x]), lr=1)
    for _ in range(2):
        x.grad = 1
        sgd.step()
    assert x.data == -1


def test_equal_parameters_are_not_taken_for_one():
    assert len(SGD([Value(0), Value(0)], lr=1).parameters) == 2


x = Value(1.0, name="x")


@each(
    "parameters, message",
    [
        ([], "no parameters"),
        ([1.0], "parameter 0 is a float"),
        ([x, Value(2.0, name="c", keep_grad=False)], "parameter 1, c, is a constant"),
        ([x, x * 2], "parameter 1, .*was made by mul"),
        ([x, x], "more than once"),
    ],
)
def test_what_cannot_be_trained_is_refused(parameters, message):
    with pytest.raises(ValueError, match=message):
        SGD(parameters, lr=0.1)


@each(
    ("make", "message"),
    [
        (lambda model: SGD(model), "SGD: MLP of [Layer of [LinearNeuron(2)]] is not a list of parameters"),
        (lambda model: SGD(model, lr=0.1), "SGD: MLP of [Layer of [LinearNeuron(2)]] is not a list of parameters"),
        (lambda model: SGD(model.parameters, lr=0.1), "SGD: a method is not a list of parameters; write model.parameters()"),
        (lambda model: SGD(None, lr=0.1), "SGD: None is not a list of parameters"),
        (lambda model: SGD(x, lr=0.1), "SGD: x is one parameter; write a list: [x]"),
        (lambda model: SGD(model.parameters()), "SGD: lr, the learning rate, is missing; write SGD(model.parameters(), lr=0.1)"),
        (lambda model: SGD(model.parameters(), lr="0.1"), "SGD: lr='0.1' is not a number"),
        (lambda model: SGD(model.parameters(), lr=0.1, momentum=None), "SGD: momentum=None is not a number"),
    ],
    ids=lambda x: x if isinstance(x, str) else "",
)
def test_an_optimiser_of_the_wrong_things_is_told_what_to_write(make, message):
    with pytest.raises(TypeError, match=f"^{re.escape(message)}"):
        make(MLP(2, [1]))


@each("option", ["lr", "momentum", "weight_decay"])
@each("number", [-0.1, float("nan")])
def test_a_negative_setting_is_refused(option, number):
    with pytest.raises(ValueError, match=f"{option}=.*0 or more"):
        SGD([x], **{"lr": 0.1, option: number})


def test_the_graph_of_a_model_has_two_variables_a_neuron_and_its_leaves():
    model = seeded(0, (2, [16, 16, 1]))
    made = [v for v in inputs_first(model([Value(1.0), Value(2.0)])) if v.inputs]
    assert len(made) == 16 * 2 + 16 * 2 + 1
