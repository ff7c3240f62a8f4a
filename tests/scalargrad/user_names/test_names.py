"""Messages call variables what the user's own code calls them, whichever package stands between."""

import re
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import scalargrad
from scalargrad import AnomalyError, Graph, Trace, Value, detect_anomaly, scope
from scalargrad.callers import is_users
from scalargrad.user_names.names import called, name_all, within_scopes, without_frames
from tensorgrad import Tensor

#: a package that keeps what it is given under a name of its own, and calls us
PACKAGE = """
def convert(theirs):
    held = [theirs]
    return float(theirs)

def convert_one(inner):
    return float(inner[0])

def trace(Trace, theirs):
    return Trace(theirs)

def logarithm(theirs):
    return theirs.log()
"""
PLACES = {
    "an installed package": Path(sysconfig.get_path("purelib"), "theirs.py"),
    "the system's packages": Path("/usr/lib/python3/dist-packages/theirs.py"),
    "a package on Windows": r"C:\\Users\\ada\\venv\\Lib\\site-packages\\theirs\\plot.py",
    "Python's library": Path(re.__file__).with_name("theirs.py"),
    "Python's frozen modules": "<frozen theirs>",
}


@pytest.fixture(params=PLACES)
def theirs(request):
    package: dict = {}
    exec(compile(PACKAGE, str(PLACES[request.param]), "exec"), package)
    return package


@pytest.mark.parametrize("kind", [Value, Tensor])
def test_a_message_names_the_users_variable_and_not_that_of_a_package_between(theirs, kind):
    speed = kind(2.0)
    speeds = [kind(3.0)]
    with pytest.raises(TypeError, match=r"\bspeed\b"):
        theirs["convert"](speed)
    with pytest.raises(TypeError, match=re.escape("speeds[0]")):
        theirs["convert_one"](speeds)


def test_a_trace_takes_its_names_from_the_user(theirs):
    w = Value(2.0)
    loss = w * w
    assert set(theirs["trace"](Trace, loss).names.values()) == {"w", "loss"}


def test_the_line_of_an_anomaly_is_the_users(theirs):
    x = Value(-1.0)
    with detect_anomaly(), pytest.raises(AnomalyError, match=rf"{re.escape(Path(__file__).name)}:\d+: .* where x = -1"):
        theirs["logarithm"](x)


def test_code_in_a_thread_that_python_started_has_its_own_names():
    def ask():
        speed = Value(2.0)
        return float(speed)

    with ThreadPoolExecutor(1) as pool, pytest.raises(TypeError, match=r"\bspeed\b"):
        pool.submit(ask).result()


def test_the_tutorial_is_a_user_even_where_it_is_installed():
    root = Path(scalargrad.__file__).parents[1]
    assert is_users(str(root / "tutorial" / "graphs" / "figure1.py"))
    assert not is_users(str(root / "scalargrad" / "fast" / "value.py"))


def test_what_is_typed_has_names():
    """At a prompt, in a notebook and with -c code has no file."""
    for filename in "<stdin>", "<string>", "<ipython-input-1-abc>", "/tmp/ipykernel_1/2.py":
        typed: dict = {"Value": Value}
        exec(compile("speed = Value(2.0)\ndef ask(): return float(speed)", filename, "exec"), typed)
        with pytest.raises(TypeError, match=r"\bspeed\b"):
            typed["ask"]()


@pytest.mark.skipif("matplotlib" not in sys.modules and not __import__("importlib").util.find_spec("matplotlib"), reason="needs matplotlib")
def test_a_plot_of_tensors_names_the_users_variable():
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    xs, ys = [1.0, 2.0], Tensor([1.0, 4.0])
    losses = [Tensor(1.0), Tensor(2.0)]
    for y, name in (ys, "ys"), (losses, "losses[0]"):
        with pytest.raises(TypeError, match=rf"cannot convert {re.escape(name)} to a plain array: .* write {re.escape(name)}\.data"):
            pyplot.plot(xs, y)


def test_variables_of_nested_scopes_have_the_names_of_all_scopes_before_theirs():
    z = Value(0.0)
    for path in ("layer1", "conv1"), ("layer1", "conv2"), ("layer2", "conv1"):
        with scope(path[0]), scope(path[1]):
            z = z + Value(1.0, name="w")
    names = name_all(Graph(z + Value(1.0, name="w")))
    weights = {v: name for v, name in names.items() if name.endswith("w")}
    assert sorted(weights.values()) == ["layer1.conv1.w", "layer1.conv2.w", "layer2.conv1.w", "w"]
    assert {within_scopes({v: name})[v] for v, name in weights.items()} == {"w"}


def test_before_the_number_of_a_scope_stands_the_scope_around_it():
    z = 0
    for number in "01":
        with scope("net"), scope("layers"), scope(number), scope("attention"):
            z = z + Value(2.0, name="w") * Value(3.0)
    names = name_all(Graph(z))
    assert {name for v, name in names.items() if v.name == "w"} == {"layers.0.w", "layers.1.w"}


def test_variables_that_are_alone_in_their_scope_have_its_name_beside_several_in_another_scope():
    z = Value(0.0)
    for path, count in ("conv1", 1), ("block", 2), ("fc", 1):
        with scope(path):
            for _ in range(count):
                z = z + Value(1.0, name="w")
    assert sorted(name for name in name_all(Graph(z)).values() if "w" in name) == ["conv1.w", "fc.w", "w", "w_2"]


def test_two_variables_of_one_formula_do_not_look_alike_within_their_scopes():
    with scope("a"):
        u, w = Value(2.0, name="u"), Value(1.0, name="w")
    with scope("b"):
        v = Value(3.0, name="w")
    p, q = w * v, w * u
    names = {w: "a.w", v: "b.w", u: "a.u", p: "p", q: "q"}
    assert within_scopes(names) == {**names, u: "u"}  # a.w·b.w, not w·w
    assert within_scopes({x: names[x] for x in (w, u, q)}) == {w: "w", u: "u", q: "q"}


def test_a_greek_letter_and_its_english_name_in_one_graph_are_told_apart():
    z = Value(1.0, name="theta") * Value(2.0, name="θ")
    assert sorted(Trace(z, names={}).names.values()) == ["theta", "z", "θ_2"]


class Counted(list):
    """Counts how often its items are looked at."""

    looks = 0

    def __iter__(self):
        Counted.looks += 1
        return super().__iter__()


def test_what_a_module_holds_is_looked_at_once_though_many_functions_on_the_stack_are_of_it():
    def recursive():
        module = {"held": Counted([1]), "name": lambda: called(Value(1.0))}
        exec("def recursive(depth): return recursive(depth - 1) if depth else name()", module)
        return module["recursive"]

    assert recursive()(20) == {} and Counted.looks == 1


def test_how_code_writes_an_item_is_asked_for_only_if_it_is_the_variable():
    class Key:
        written = 0

        def __str__(self):
            Key.written += 1
            return "key"

    x = Value(1.0)
    held = {Key(): Value(2.0), Key(): [Value(3.0)]}
    assert called(x) == {x: "x"} and Key.written == 0
    assert list(called(held.popitem()[1][0]).values()) == []
    assert list(called(next(iter(held.values()))).values()) == ["held[key]"] and Key.written == 1


def test_the_results_that_a_notebook_keeps_name_no_variable():
    x = Value(2, name="x")
    results = {6: x * x}
    notebook = {"_oh": results, "Out": results, "name_all": name_all, "Graph": Graph, "square": results[6]}  # IPython's own come first
    exec("names = name_all(Graph(square))", notebook)
    assert set(notebook["names"].values()) == {"x", "square"}
    mine = {"Out": results[6], "name_all": name_all, "Graph": Graph}  # a variable that the user calls so
    exec("names = name_all(Graph(Out))", mine)
    assert set(mine["names"].values()) == {"x", "Out"}


def test_an_array_has_the_shortest_end_of_its_name_that_no_other_array_has():
    z, held = Tensor([0.0, 1.0], name="z"), {}
    for name in "fc1.weight", "net.a.fc2.weight", "net.b.fc2.weight", "net.0.weight", "fc1.gain":
        *path, last = name.split(".")
        with scope(".".join(path)):
            z = z * (w := Tensor([1.0, 2.0], name=last))
            held[w.node] = name
    found = without_frames({v: held.get(v, f"v{i}") for i, v in enumerate(Graph(z).variables)})
    assert [found[w] for w in held] == ["fc1.weight", "a.fc2.weight", "b.fc2.weight", "0.weight", "gain"]
