"""Names of other libraries are answered with ours; to hasattr, dir, copies, pickles and other imports they do not exist."""

import copy
import importlib
import inspect
import json
import pickle
import pydoc
import re
import subprocess
import sys

import numpy as np
import pytest

import scalargrad
import scalargrad.nn
import tensorgrad
import viz
from scalargrad import Constant, Value
from scalargrad.messages import foreign_names
from scalargrad.messages.foreign_names import by_name
from tensorgrad import Tensor, nn
from tensorgrad.data import DataLoader
from tensorgrad.errors.foreign_names import FROM_NUMPY, INTEGERS, TENSOR, TENSORGRAD
from tests.each import each

PACKAGES = {
    scalargrad: foreign_names.SCALARGRAD,
    scalargrad.nn: foreign_names.LAYERS,
    tensorgrad: TENSORGRAD,
    viz: viz.FOREIGN,
}
OBJECTS = {
    "a Value": (Value(2.0), foreign_names.VALUE),
    "a Constant": (Value(2.0, keep_grad=False), foreign_names.VALUE),
    "a Tensor": (Tensor([2.0]), TENSOR),
    "a constant Tensor": (Tensor([2.0], keep_grad=False), TENSOR),
    "an MLP": (scalargrad.nn.MLP(2, [1]), foreign_names.MODULE),
}
packages = pytest.mark.parametrize(("package", "table"), PACKAGES.items(), ids=lambda x: getattr(x, "__name__", ""))
objects = pytest.mark.parametrize(("thing", "table"), OBJECTS.values(), ids=OBJECTS)


@packages
def test_a_foreign_name_of_a_package_is_answered_and_counts_as_missing(package, table):
    for name, advice in by_name(table).items():
        with pytest.raises(AttributeError) as caught:
            getattr(package, name)
        assert str(caught.value) == f"{package.__name__} has no {name}: {advice}"
        assert caught.value.name == name
        assert not hasattr(package, name)
        assert getattr(package, name, None) is None


@packages
def test_importing_a_foreign_name_is_answered_too(package, table):
    for name, advice in by_name(table).items():
        with pytest.raises(ImportError) as caught:
            exec(f"from {package.__name__} import {name}")
        assert str(caught.value) == f"{package.__name__} has no {name}: {advice}"


@packages
def test_a_package_answers_to_no_name_of_its_own_and_to_no_unknown_one(package, table):
    name = package.__name__
    assert not by_name(table).keys() & vars(package).keys()
    assert not by_name(table).keys() & set(dir(package))
    with pytest.raises(AttributeError, match=f"^module '{name}' has no attribute 'no_such_name'$") as caught:
        package.no_such_name  # noqa: B018
    assert (caught.value.name, caught.value.obj) == ("no_such_name", package)
    with pytest.raises(ImportError, match=f"^cannot import name 'no_such_name' from '{name}'"):
        exec(f"from {name} import no_such_name")
    exec(f"from {name} import *", {})
    assert inspect.getdoc(package) and not hasattr(package, "__wrapped__")


@each(
    "line, message",
    [
        ("import tensorgrad.nn.functional as F", "tensorgrad.nn has no functional: the functions are tensorgrad's"),
        ("from tensorgrad.utils.data import DataLoader", "tensorgrad has no utils: DataLoader and Dataset are in tensorgrad.data"),
        ("from tensorgrad.nn.utils import clip_grad_norm_", "tensorgrad.nn has no utils: clip_grad_norm_ and clip_grad_value_ are in"),
        ("from tensorgrad.autograd import Variable", "tensorgrad has no autograd: write grad(z, x)"),
        ("import tensorgrad.distributed as dist", "tensorgrad has no distributed: training on several processes is in tensorgrad.parallel"),
        ("import scalargrad.optim", "scalargrad has no optim: the optimiser here is scalargrad.nn.SGD(parameters, lr)"),
    ],
)
def test_importing_a_foreign_module_is_answered_too(line, message):
    with pytest.raises(ModuleNotFoundError, match=re.escape(message)) as caught:
        exec(line)
    assert caught.value.name in line


def test_importing_an_unknown_module_says_what_python_says():
    with pytest.raises(ModuleNotFoundError, match=r"^No module named 'tensorgrad\.no_such_name'$"):
        importlib.import_module("tensorgrad.no_such_name")


ARRAYS = {"of a tensor": lambda: nn.Linear(2, 4).weight.data, "of a loader": lambda: next(iter(DataLoader(np.ones((4, 2)), 4)))[0]}


@each("make", ARRAYS.values())
@each(
    "ask, ours",
    [
        (lambda x: x.size(0), "x.size(0) of PyTorch is x.shape[0] here"),
        (lambda x: x.view(2, -1), "x.view(2, -1) of PyTorch is x.reshape(2, -1)"),
        (lambda x: x.to("cpu"), "on the CPU and without a gradient; leave it out"),
        (lambda x: x.mul_(0.9), "w.data = 0.9 * w.data"),
        (lambda x: x.norm(), "np.linalg.norm(x)"),
        (lambda x: x.float(), "x.astype(np.float32)"),
        (lambda x: x.unsqueeze(1), "x[:, None]"),
        (lambda x: x.eq(1), "x == y"),
    ],
)
def test_arrays_that_the_user_gets_answer_to_pytorchs_names(make, ask, ours):
    with pytest.raises((AttributeError, TypeError), match=re.escape(ours)):
        ask(make())


@each("make", ARRAYS.values())
def test_such_an_array_is_numpys_in_every_other_way(make):
    x = make()
    assert isinstance(x, np.ndarray) and x.size == 8 and json.dumps(x.size) == "8" and not hasattr(x, "numpy") and "mul_" not in dir(x)
    for plain in x + 1, x @ x.T, x.sum(0), x.copy(), copy.deepcopy(x), pickle.loads(pickle.dumps(x)), np.stack([x, x]), x == x, np.exp(x):
        assert type(plain) is np.ndarray
    assert repr(x).startswith("array(") and x.view(x.dtype).shape == x.shape and (Tensor(x).data == x).all()


def test_a_file_of_ours_with_a_foreign_name_is_still_found_by_its_full_name():
    import tensorgrad.tensor as file

    assert file.Tensor is Tensor and importlib.import_module("tensorgrad.tensor") is file
    with pytest.raises(AttributeError, match="tensorgrad has no tensor: write Tensor"):
        tensorgrad.tensor([1.0])


def test_the_first_import_of_a_fresh_python_is_answered():
    program = "from tensorgrad import tensor"
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert told.stderr.endswith(
        "ImportError: tensorgrad has no tensor: write Tensor(data); it copies data; integers, such as labels, stay plain arrays\n"
    )


@objects
def test_a_foreign_name_of_an_object_is_answered_and_counts_as_missing(thing, table):
    for name, advice in by_name(table).items():
        for ask in (lambda: getattr(thing, name), lambda: getattr(type(thing), name)):  # noqa: B023
            with pytest.raises(AttributeError) as caught:
                ask()
            assert str(caught.value) == f"{type(thing).__name__} has no {name}: {advice}"
        assert not hasattr(thing, name)
    assert not by_name(table).keys() & set(dir(thing))
    assert {"__class__", "__doc__"} < set(dir(thing))


@objects
def test_an_object_answers_to_no_name_of_its_own_and_to_no_unknown_one(thing, table):
    for name in by_name(table):
        owner = next(kind for kind in type(thing).__mro__ if name in vars(kind))
        assert isinstance(vars(owner)[name], foreign_names.Elsewhere), f"{name} is ours now: take it out of the table"
    with pytest.raises(AttributeError, match="has no attribute 'no_such_name'"):
        thing.no_such_name  # noqa: B018


@pytest.mark.parametrize("name", ["label", "_backward", "value"])
@pytest.mark.parametrize("kind", [Value, Constant, Tensor])
def test_assigning_to_a_foreign_name_is_answered(kind, name):
    thing = Value(2.0, keep_grad=False) if kind is Constant else kind(2.0)
    with pytest.raises(AttributeError, match=f"{kind.__name__} has no {name}: "):
        setattr(thing, name, "x")


@objects
def test_copies_pickles_and_help_know_nothing_of_foreign_names(thing, table):
    for copied in copy.copy(thing), copy.deepcopy(thing), pickle.loads(pickle.dumps(thing)):
        assert repr(copied) == repr(thing)
    assert "Not here: " in pydoc.render_doc(type(thing))


@each("name, call", [*(FROM_NUMPY | INTEGERS).items()])
def test_the_call_that_makes_an_array_works_and_makes_what_the_name_says(name, call):
    with pytest.raises(AttributeError, match=re.escape(call)):
        getattr(tensorgrad, name)
    x, rng = Tensor([[1.0, 2.0]]), np.random.default_rng(0)
    made = eval(call, {"np": np, "rng": rng, "x": x})
    assert isinstance(made, np.ndarray) and (made.dtype.kind == "i" or name not in INTEGERS)
    assert made.shape == (1, 2) if name.endswith("_like") else made.size > 1
    if name in FROM_NUMPY:
        assert Tensor(made).shape == made.shape
    if hasattr(np, name.removesuffix("_like")):
        assert f"np.{name.removesuffix('_like')}(" in call


def test_what_seeds_layers_is_named_for_manual_seed():
    with pytest.raises(AttributeError, match=re.escape("write nn.seed(0) for all layers; data sets and DataLoader take seed=0;")):
        tensorgrad.manual_seed(0)


@each("ask, ours", [(lambda x: x.size(0), "x.shape[0]"), (lambda x: x.size(-1), "x.shape[-1]"), (lambda x: x.size(), "x.shape ")])
def test_the_size_of_pytorch_is_answered_with_the_shape(ask, ours):
    with pytest.raises(TypeError, match=re.escape(f"of PyTorch is {ours}")):
        ask(Tensor(np.ones((2, 3))))
    assert Tensor(np.ones((2, 3))).size == 6 and repr(Tensor(np.ones((2, 3))).size) == "6"


def test_in_forward_the_size_of_a_plain_array_is_answered_too():
    class Flat(nn.Module):
        def forward(self, x):
            return x.reshape(x.size(0), -1)

    with pytest.raises(TypeError) as caught:
        Flat()(np.ones((2, 3)))
    assert "x.size is the number of entries, as in NumPy; write x.shape[0] for x.size(0) of PyTorch" in caught.value.__notes__


def test_a_users_own_class_may_use_a_foreign_name():
    class Labelled(Value):
        pass

    class Net(scalargrad.nn.Module):
        def __init__(self):
            self.weights = [Value(1.0)]

        def forward(self, x):
            return self.weights[0] * x

    x = Labelled(2.0)
    with pytest.raises(AttributeError, match="Labelled has no label: "):
        x.label  # noqa: B018
    x.label = "a"
    assert x.label == "a" and "label" in dir(x)
    assert Net().forward(3.0).data == 3.0


@pytest.mark.parametrize(
    ("program", "ours"),
    [
        ("from scalargrad import Variable", "Value(3.0)"),  # the tutorial
        ("Value(2.0).propagate_grad", ".inputs"),
        ("Tensor(2.0).connect", ".rule"),
        ("Tensor(2.0).clear_grad()", "z.zero_grad()"),
        ("Value(2.0)._prev", ".inputs"),  # micrograd
        ("Value(2.0)._op", ".rule"),
        ("viz.draw_dot(Value(2.0))", "draw(z)"),
        ("import tensorgrad; tensorgrad.set_grad_enabled(False)", "no_grad()"),  # PyTorch
        ("import tensorgrad; tensorgrad.from_numpy([1.0])", "Tensor(data)"),
        ("from tensorgrad import Linear", "from tensorgrad import nn"),
        ("from tensorgrad import SGD", "from tensorgrad import optim"),
        ("Tensor(2.0).requires_grad_()", "keep_grad=False"),
        ("Tensor(2.0).copy()", "t + 0"),
        ("from tensorgrad import elementwise_grad", "grad(f(x).sum(), x)"),  # autograd
        ("from tensorgrad import numpy", "NumPy's own functions"),
        ("from tensorgrad import autograd", "check(z) for gradcheck"),
        ("import tensorgrad; tensorgrad.LongTensor([1])", "labels and masks, are plain arrays"),
        ("import tensorgrad; tensorgrad.utils.data.DataLoader", "DataLoader and Dataset are in tensorgrad.data"),
        ("Tensor(2.0).null_grad()", "t.grad = None"),  # MyGrad
        ("from scalargrad import jit", "program(f)"),  # JAX
        ("from tensorgrad import vmap", "another axis"),
        ("Value(2.0).derivative", ".grad"),  # minitorch
    ],
)
def test_what_a_newcomer_writes_is_answered_with_our_word(program, ours):
    with pytest.raises((AttributeError, ImportError), match=r" has no \w+: ") as caught:
        exec(program, {"Value": Value, "Tensor": Tensor, "viz": viz})
    assert ours in str(caught.value)
