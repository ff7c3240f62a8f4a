"""An option that does not fit is refused with the name of the function and of the option."""

import numpy as np
import pytest

import viz
from scalargrad import Trace, Value, scope
from tensorgrad import Tensor
from tests.each import each

X = Value(3.0, name="x")
Z = X * X
GARBAGE = {
    "a number": 3,
    "nan": float("nan"),
    "a complex number": 1j,
    "text": "abc",
    "bytes": b"ab",
    "a list": [1, "a"],
    "a dictionary": {"q": 1},
    "a set": {1},
    "an iterator": iter([1]),
    "an array": np.ones((2, 3)),
    "a tensor": Tensor([1.0, 2.0]),
    "a Value": Value(9.0),
    "a function": lambda q: q,
    "a class": int,
    "an object": object(),
}
FITS = {
    "title": {"text"},
    "seconds": {"a number"},
    "names": {"a dictionary"},
    "gradients": {"a dictionary"},
    "fold": {"text"},
    "expand": {"text"},
    "path": set(),
}
OPTIONS = {
    viz.draw: ["direction", "theme", "partials", "gradients", "names", "fold", "expand", "max_nodes", "depth", "width"],
    viz.mermaid: ["direction", "partials", "names", "max_nodes"],
    viz.animate: ["seconds", "every", "theme"],
    viz.handout: ["title"],
    viz.slides: ["title"],
    viz.play: ["title"],
    viz.walk: ["file"],
    viz.export: ["path", "kind"],
}


def fitting(option, kind):
    return kind in FITS.get(option, ()) or (option in ("max_nodes", "depth", "width") and kind == "a number")


PAIRS = [(function, option) for function, options in OPTIONS.items() for option in options]


@pytest.mark.parametrize(("function", "option"), PAIRS, ids=lambda x: getattr(x, "__name__", x))
def test_an_option_of_the_wrong_type_is_refused_by_name(function, option, tmp_path):
    if function is viz.export:
        call = lambda x: viz.export(Z, **{"path": tmp_path / "z.mmd", option: x})
    else:
        call = lambda x: function(Z, **{option: x})
    for kind, thing in GARBAGE.items():
        if fitting(option, kind) or (option == "path" and kind == "text"):
            continue
        with pytest.raises((TypeError, ValueError), match=f"^{function.__name__}: {option}(=| is )"):
            call(thing)


@each("function", [viz.draw, viz.mermaid])
def test_the_step_of_a_trace_is_an_integer(function):
    for step in "3", 2.5, [1], True:
        with pytest.raises(TypeError, match=f"^{function.__name__}: step=.* is not the number of a step, an integer"):
            function(Trace(Z), step=step)
    function(Trace(Z), step=np.int64(3))


def test_a_list_of_scopes_is_a_list_of_names():
    with scope("layer1"), scope("neuron1"):
        z = X * X
    assert "neuron1" in viz.draw(z, fold=["layer1/neuron*"], expand=("layer1",)).source
    with pytest.raises(TypeError, match=r"^draw: fold=\[3\] is not the name of a scope, or a list of names"):
        viz.draw(Z, fold=[3])
