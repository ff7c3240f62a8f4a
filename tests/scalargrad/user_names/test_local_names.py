"""named: variables have the names of the locals of the functions that made them; outside a block nothing is recorded."""

import asyncio
import gc
import pickle
import sys
import weakref
from threading import Thread

import numpy as np
import pytest

import tensorgrad as tg
import viz
from scalargrad import Graph, Trace, Value, exp, modes, named, nn, scope, tanh
from scalargrad.user_names.held_items import within
from scalargrad.user_names.local_names import MORE, Local
from scalargrad.user_names.names import name_all
from tensorgrad import Tensor
from tests.each import each

KINDS = pytest.mark.parametrize("kind", [Value, Tensor])


def loss(w, x):
    h = w * x
    y = h.tanh()
    return y


def made(kind):
    return kind(2.0), kind(3.0)


def names(z):
    """The names of a graph, without those that this function's own code has."""
    graph = Graph(z)
    return [name_all(graph)[v] for v in graph.variables]


@KINDS
def test_a_picture_of_a_function_shows_the_names_of_its_locals(kind):
    first, second = made(kind)
    trace = Trace(lambda: loss(first, second))
    assert list(trace.names.values()) == ["first", "second", "h", "y"]


@KINDS
def test_a_block_keeps_the_names_of_the_functions_that_it_calls(kind):
    first, second = made(kind)
    with named():
        z = loss(first, second)
    assert list(Trace(z).names.values()) == ["first", "second", "h", "y"]  # a picture calls all results z
    miss = z
    del z
    assert list(Trace(miss).names.values()) == ["first", "second", "h", "miss"]  # as where the picture is asked for


@KINDS
def test_a_decorated_function_keeps_its_names_in_every_call(kind):
    kept = named()(loss)
    for _ in range(2):
        z = kept(*made(kind))
        assert z.inputs[0].name == "h" and z.name == "y"


@KINDS
def test_outside_a_block_nothing_has_a_name(kind):
    z = loss(*made(kind))
    assert z.name is None and z.inputs[0].name is None and not modes.active


def test_what_a_loop_assigns_is_numbered_from_1():
    def steps(h, w):
        for _ in range(3):
            h = (w * h).tanh()
        return h * w

    first, second = made(Value)
    found = [name for name in Trace(lambda: steps(first, second)).names.values() if name.startswith("h")]
    assert found == ["h_1", "h_2", "h_3"]


def test_a_number_that_another_variable_has_is_passed_over():
    def steps(h, w):
        h1 = w + 1
        for _ in range(2):
            h = (w * h).tanh()
        return h * h1

    first, second = made(Value)
    found = list(Trace(lambda: steps(first, second)).names.values())
    assert len(set(found)) == len(found) and "h1" in found and "h_2" in found


def test_the_function_that_made_a_variable_names_it_and_not_the_one_that_takes_it():
    def inner(taken):
        own = taken * taken
        return own

    def outer(x):
        product = x * x
        return inner(product) + product

    (x,) = made(Value)[:1]
    assert {"product", "own"} < set(Trace(lambda: outer(x)).names.values())


def test_a_result_without_a_name_of_its_own_has_the_outermost_one():
    def product(a, b):
        return a * b

    def squared(taken):
        return taken * taken

    def outer(x):
        area = product(x, x)
        return squared(area)

    (x,) = made(Value)[:1]
    assert "area" in Trace(lambda: outer(x)).names.values()


def test_a_variable_that_layers_pass_on_is_numbered_though_its_function_calls_no_operator():
    def layer(inside):
        return inside * 2

    def model(x):
        for _ in range(2):
            x = layer(x)
        return layer(x)

    start = Value(1.0)
    assert [*Trace(lambda: model(start)).names.values()][:3] == ["start", "x_1", "x_2"]


def test_items_of_lists_keys_and_attributes_are_names():
    class Model:
        def __init__(self):
            self.w, self.params = Value(1.0), {"bias": Value(2.0)}

    def build():
        model = Model()
        hs = [model.w * k for k in (1, 2)]
        bias = model.params["bias"]
        return hs[0] * hs[1] + bias

    assert {"w", "hs[0]", "hs[1]", "bias"} < set(Trace(build).names.values())


def test_a_picture_finds_attributes_and_keys_in_the_callers_code():
    class Model:
        w = b = None

    model, params = Model(), {"gain": Value(3.0)}
    model.w = Value(1.0)
    assert set(Trace(model.w * params["gain"]).names.values()) == {"model.w", "gain", "z"}


def test_a_name_of_its_own_is_kept():
    def build():
        h = Value(1.0, name="mine")
        g = h * 2
        g.name = "also mine"
        return g * 3

    assert {"mine", "also mine"} < set(Trace(build).names.values())


@KINDS
def test_blocks_nest_and_an_exception_ends_them(kind):
    with pytest.raises(ValueError, match="stop"), named(), named():
        loss(*made(kind))
        raise ValueError("stop")
    assert not modes.active and modes.witness.get() is None


def test_another_thread_is_not_watched():
    found = []
    with named():
        worker = Thread(target=lambda: found.append(loss(*made(Value))))
        worker.start()
        worker.join()
    assert found[0].name is None


def test_after_the_block_it_holds_neither_frames_nor_variables():
    class Held:
        pass

    def build():
        held = Held()
        watched.append(weakref.ref(held))
        return loss(*made(Value))

    watched: list = []
    with named() as block:
        z = build()
        assert watched[0]() is not None or sys.version_info  # a block may hold the frame of the last function
    del z
    gc.collect()
    assert watched[0]() is None and block._open == []


def test_it_stops_after_so_many_variables():
    with named(most=3):
        x = Value(1.0)
        for _ in range(3 * MORE):
            x = x * 1.5
        assert not modes.active
    assert not modes.active and x.name is None


def test_a_name_of_a_local_survives_a_pickle_and_stays_weak():
    with named():
        h = Value(1.0)
    again = pickle.loads(pickle.dumps(h))
    assert again.name == "h" and type(again.name) is Local
    other = again
    assert name_all(Graph(other))[other] in {"again", "other"}


def test_attention_is_written_with_q_k_v_scores_and_weights():
    rng = np.random.default_rng(0)
    x, one = Tensor(rng.normal(size=(3, 2))), Tensor(np.eye(2))
    found = Trace(lambda: tg.multi_head_attention(x, x, x, 1, (one, one, one), None, one, None).sum()).names.values()
    assert {"Q", "K", "V", "q", "k", "v", "scores", "weights"} < set(found)


def test_parameters_of_nn_have_their_places_as_names_and_their_scopes_if_two_layers_have_one():
    model = nn.MLP(2, [2, 1])
    assert [p.name for p in model.parameters()] == ["w11", "w12", "b1", "w21", "w22", "b2", "w11", "w12", "b1"]
    found = set(Trace(model([1.0, 2.0]), names={}).names.values())
    assert {"layer1.w11", "layer1.w21", "layer1.b2", "layer2.w12", "layer2.b1"} < found
    assert {p.name for p in nn.Layer(11, 1).parameters()} >= {"w1,1", "w1,11", "b1"}
    assert [p.name for p in nn.Neuron(2).parameters()] == ["w1", "w2", "b"]


def test_one_layer_needs_no_scope_in_its_names():
    layer = nn.Layer(2, 2)
    first, second = layer([1.0, 2.0])
    assert {"w11", "w12", "w21", "w22", "b1", "b2"} < set(Trace(first * second).names.values())


def test_the_same_name_in_two_scopes_is_told_apart_by_the_scope():
    def part(x):
        with scope("encoder"):
            a = Value(1.0, name="a") * x
        with scope("decoder"):
            return Value(2.0, name="a") * a

    assert {"encoder.a", "decoder.a"} < set(Trace(part(Value(3.0))).names.values())


@each("show", [viz.draw, viz.mermaid, viz.play, viz.handout, viz.animate])
def test_every_picture_takes_a_function(show):
    first, second = made(Value)
    assert show(lambda: loss(first, second)) is not None


def test_leaves_that_a_shown_function_makes_keep_their_numbers():
    def total(entries):
        shift = Tensor(np.arange(float(entries)))
        moved = shift + 1
        return moved.sum()

    for entries in (4, 33):
        assert "freed" not in viz.draw(lambda n=entries: total(n)).svg
        assert all(array is not None for array in Trace(lambda n=entries: total(n)).on.arrays.values())
    assert "freed" in viz.draw(total(4)).svg  # the leaf is gone before the drawing begins


def test_leaves_that_a_loop_makes_keep_their_numbers_though_their_ids_were_those_of_others():
    def layers():
        x = Tensor([[5.0, 3.0], [1.0, 9.0]])
        for _ in range(12):
            w, b = Tensor([[1.0, 0.5], [0.5, 1.0]]), Tensor([0.1, 0.2])
            x = (x @ w + b) * 0.5
        return x.sum()

    assert all(array is not None for array in Trace(layers).on.arrays.values())


def test_after_many_variables_a_line_gives_the_name_that_it_gave_before():
    w = Value(2.0, name="w")

    def model(x):
        hidden = w * x
        return hidden

    def training():
        for k in range(60):
            loss = model(k) * model(k + 1)
        return loss

    with named(30):  # fewer than the loop makes, of which few are alive at once
        loss, later = training(), model(3)
    assert loss.name == "loss" and {x.name for x in loss.inputs} == {later.name} == {"hidden"}


def test_after_many_variables_the_items_of_a_list_that_is_replaced_can_still_be_drawn():
    def training():
        weights = [Value(0.5) for _ in range(3)]
        for k in range(40):
            weights = [w * 0.9 + k for w in weights]
            trace = Trace(sum(weights))
        return trace

    with named(20):
        names = training().names
    assert len({*names.values()}) == len(names) > 200


@each("held", [list, lambda things: {f"key {k}": one for k, one in enumerate(things)}], ids=["a list", "a dictionary"])
def test_an_object_in_a_container_is_not_taken_for_a_variable_whose_id_it_has(held):
    slots = (Value.__basicsize__ - object.__basicsize__) // 8  # as large as a variable, so that it takes the place of one that is gone
    thing = type("Thing", (), {"__slots__": tuple(f"slot{k}" for k in range(slots))})

    def program():
        a = Value(2)
        gone = {id(a * a) for _ in range(9)}
        things = [thing() for _ in range(9)]
        container = held(things)
        return a + 1, len(container) == 9 and any(id(one) in gone for one in things)

    with named():
        z, reused = program()
    assert reused and z.inputs[0].name == "a"


def test_a_name_of_the_user_counts_more_than_one_of_our_functions():
    x, one = Tensor(np.ones((3, 2)), name="x"), Tensor(np.eye(2))

    def attended():
        found = tg.multi_head_attention(x, x, x, 1, (one, one, one), None, one, None)  # our function calls it y
        return found.sum()

    assert "found" in Trace(attended).names.values()


def lost(logits):
    targets = np.zeros(logits.shape)
    return tg.binary_cross_entropy_with_logits(logits, targets) + tg.mse_loss(logits, targets) + tg.cross_entropy(logits, [0, 1])


def blended(logits):
    return tg.max_pool2d(logits.reshape(1, 1, 2, 2), 2).sum() + tg.var(logits) + tg.diff(logits).sum() + tg.gelu(logits).sum()


@each("compute", [lost, blended])
def test_the_locals_of_our_functions_are_no_names_that_the_user_knows(compute):
    w = Tensor([[1.0, -2.0], [0.5, 3.0]])
    assert {*shown(lambda: compute(w * 2 + 1))} - {"z"} == {"w", "logits"}


def shown(f):
    """The names of the picture of f, without v1, v2, … and z, which nobody gave."""
    return [name for name in Trace(f).names.values() if not (name[0] in "vz" and name[1:].isdigit())]


def indexed(name, *indices):
    return {f"{name}{i}" for i in indices}


def test_entries_of_nested_lists_have_the_name_of_the_outermost_and_their_indices():
    def energy():
        theta = [[Value(v) for v in row] for row in ((0.3, -0.5), (1.1, 0.2))]
        s = [[tanh(t) for t in row] for row in theta]
        return s[0][0] * s[0][1] + s[1][0] * s[1][1]

    places = [f"[{i}][{j}]" for i in range(2) for j in range(2)]
    assert set(shown(energy)) - {"z"} == indexed("theta", *places) | indexed("s", *places)


def test_a_list_that_each_pass_replaces_gives_its_name_to_every_pass():
    def rank():
        d = Value(0.85)
        p = [Value(0.5) for _ in range(2)]
        for _ in range(3):
            new = [1 - d for _ in range(2)]
            for j in range(2):
                new[j] = new[j] + d * p[1 - j]
            p = new
        return p[0] * p[1]

    assert set(shown(rank)) - {"d", "z"} == {f"p[{i}]_{k}" for i in range(2) for k in range(4)}


@each("walk", ["for", "comprehension", "index", "enumerate"])
def test_what_walks_over_a_list_gives_its_items_no_name(walk):
    def total():
        x = [Value(v) for v in (1.0, 1.5, 4.0)]
        y = []
        for v in x:
            y.append(v * v)
        loss = Value(0.0)
        if walk == "for":
            for xi, yi in zip(x, y):
                loss = loss + xi * yi
        elif walk == "enumerate":
            for i, xi in enumerate(x):
                loss = loss + xi * y[i]
        elif walk == "index":
            for i in range(len(x)):
                xi, yi = x[i], y[i]
                loss = loss + xi * yi
        else:
            loss = loss + sum(xi * yi for xi, yi in zip(x, y))
        return loss

    assert {name for name in shown(total) if name[0] in "xyv"} == indexed("x", "[0]", "[1]", "[2]") | indexed("y", "[0]", "[1]", "[2]")


def test_a_variable_that_is_put_into_a_list_keeps_its_first_name():
    def total(xs):
        h, hs = Value(0.0), []
        for x in xs:
            h = tanh(h + x)
            hs.append(h)
        a = Value(1.0)
        b = Value(2.0)
        both = [a, b]
        return sum(hs) * both[0] * both[1]

    found = shown(lambda: total((1, 2, 3)))
    assert {"a", "b", "h_0", "h_1", "h_2", "h_3"} < set(found) and not any("[" in name for name in found)


def test_sums_that_are_appended_to_a_list_all_have_its_name_and_its_pass():
    def program():
        rows, v = [[Value(1.0), Value(2.0)], [Value(3.0), Value(4.0)]], [1.0, 0.5]
        for _ in range(2):
            w = [rows[0][0]]
            for row in rows:
                s = 0.0
                for a, x in zip(row, v):
                    s = s + a * x
                w.append(s)
            v = [w[1] / w[2], w[2] / w[0]]
        return v[0] + v[1]

    names = Trace(program, detail="statements").names.values()
    assert {"w[1]_1", "w[2]_1", "w[1]_2", "w[2]_2"} <= {*names} and not any(name[0] == "s" for name in names)


def test_rows_that_are_appended_have_the_name_of_the_grid():
    def total():
        grid = []
        for i in range(3):
            row = []
            for j in range(2):
                row.append(Value(float(i + j)))
            grid.append(row)
        return sum(map(sum, grid))

    assert set(shown(total)) - {"z"} == {f"grid[{i}][{j}]" for i in range(3) for j in range(2)}


def test_items_of_tuples_of_dictionaries_and_of_arrays_of_objects_have_names():
    def total():
        pair = tuple(Value(float(k)) for k in range(2))
        cells = {(i, 1): Value(float(i)) for i in range(2)}
        params = {"w": [Value(1.0), Value(2.0)]}
        A = np.array([[Value(1.0), Value(2.0)]], dtype=object)
        return sum(pair) + sum(cells.values()) + sum(params["w"]) + A[0, 0] * A[0, 1]

    assert set(shown(total)) - {"z"} == {
        *indexed("pair", "[0]", "[1]"), *indexed("cells", "[0,1]", "[1,1]"), *indexed("w", "[0]", "[1]"), *indexed("A", "[0,0]", "[0,1]"),
    }  # fmt: skip


def test_the_items_of_a_list_in_the_callers_code_have_its_name():
    x = [[Value(1.0), Value(2.0)], [Value(3.0), Value(4.0)]]
    total = 0
    for row in x:
        for xi in row:
            total = total + xi * xi
    assert {name for name in Trace(total).names.values() if "[" in name or "xi" in name} == {
        f"x[{i}][{j}]" for i in range(2) for j in range(2)
    }


def test_items_of_a_list_that_holds_itself_or_is_nested_deep_or_is_long_end():
    def total():
        deep: list = []
        deep.append(deep)
        nest: list = [Value(1.0)]
        for _ in range(5000):
            nest = [nest]
        long = [Value(1.0)] * 10**6
        x = Value(3.0)
        return x * x + long[0]

    assert "x" in shown(total)


def test_the_passes_of_a_loop_are_numbered_in_the_order_in_which_they_ran():
    _ran = []  # no name: it begins with _

    def rank():
        p = [Value(0.3 + k) for k in range(3)]
        _ran.append(tuple(p))
        for _ in range(4):
            p = [p[1] * 2, p[2] + p[0], p[0] * p[1]]
            _ran.append(tuple(p))
        return sum(p)

    found = Trace(rank).names
    assert [[found[v] for v in each] for each in _ran] == [[f"p[{i}]_{k}" for i in range(3)] for k in range(5)]


def test_objects_in_a_list_give_names_to_their_attributes():
    class Body:
        pass

    def energy():
        bodies = []
        for k in range(2):
            b = Body()
            b.x, b.v = Value(float(k)), Value(1.0)
            bodies.append(b)
        total = Value(0.0)
        for b in bodies:
            total = total + b.x * b.v
        return total

    assert {name for name in shown(energy) if "." in name} == {f"bodies[{i}].{key}" for i in range(2) for key in "xv"}


def test_the_items_of_one_pass_have_one_number_though_others_are_not_used():
    _ran = []

    def rank():
        d = Value(0.5)
        p = [Value(0.3 + k) for k in range(3)]
        _ran.append(p)
        for _ in range(5):
            p = [p[1] * d, p[2] * d, p[0] * d]
            _ran.append(p)
        return p[0] + p[1]

    found = Trace(rank).names
    for k, p in enumerate(_ran):
        assert [found[v] for v in p if v in found] == [f"p[{i}]_{k}" for i, v in enumerate(p) if v in found]
    assert any(v not in found for p in _ran for v in p)


def test_what_begins_with_plain_numbers_is_numbered_from_1_by_its_passes():
    def momentum():
        w, m = Value(1.0), [0.0, 0.0]
        for _ in range(3):
            m = [0.9 * mi + w for mi in m]
        return m[0] * m[1]

    assert set(shown(momentum)) - {"w", "z"} == {f"m[{i}]_{k}" for i in range(2) for k in (1, 2, 3)}


def test_the_attributes_of_several_objects_of_a_class_are_told_apart_by_their_places():
    class Body:
        def __init__(self, x):
            self.x = Value(x)

    def energy():
        bodies, one = [Body(1.0), Body(2.0)], Body(3.0)
        for b in bodies:
            b.x = b.x * 2
        return bodies[0].x * bodies[1].x * one.x

    assert set(shown(energy)) - {"z"} == {f"bodies[{i}].x_{k}" for i in range(2) for k in range(2)} | {"x"}


def numbers(f):
    """{name: number} in the picture of f."""
    return {name: v.data for v, name in Trace(f).names.items()}


def test_keys_that_several_dictionaries_have_stand_behind_the_names_of_these():
    def viterbi():
        start = {"rain": Value(0.6), "sun": Value(0.4)}
        emit = {"rain": {"walk": Value(0.1), "shop": Value(0.4)}, "sun": {"walk": Value(0.6), "shop": Value(0.3)}}
        best = {s: start[s] * emit[s]["walk"] for s in start}
        best = {s: best[s] * emit[s]["shop"] for s in start}
        return best["rain"] + best["sun"]

    found = numbers(viterbi)
    assert found["start[rain]"] == 0.6 and found["emit[rain][walk]"] == 0.1 and found["emit[sun][shop]"] == 0.3
    assert found["best[sun]_1"] == 0.4 * 0.6 and found["best[sun]_2"] == 0.4 * 0.6 * 0.3
    assert len(found) == 6 + 4 + 1


def test_the_keys_of_one_dictionary_are_names_and_those_of_a_list_of_them_have_their_places():
    def one():
        params = {"w": Value(2.0), "b": Value(0.5)}
        return params["w"] * params["b"]

    def several():
        layers, h = [{"w": Value(2.0), "b": Value(0.5)}, {"w": Value(3.0)}], Value(0.1)
        for layer in layers:
            h = layer["w"] * h
        return h + layers[0]["b"]

    assert {"w", "b"} < set(shown(one))
    assert {"layers[0][w]", "layers[1][w]", "layers[0][b]"} < set(shown(several))


def test_a_key_and_a_local_of_one_name_are_told_apart():
    def loss():
        params, w = {"w": Value(2.0)}, Value(3.0)
        return params["w"] * w

    assert numbers(loss) == {"params[w]": 2.0, "w": 3.0, "z": 6.0}


def test_a_key_of_several_dictionaries_or_of_a_plain_local_has_its_dictionary():
    def shop():
        price, amount, tax = {"tea": Value(2.0), "milk": Value(1.2)}, {"tea": 3, "oil": 5}, {"vat": Value(0.2)}
        return price["tea"] * amount["tea"] + price["milk"] * tax["vat"]

    def cooling():
        decay, rates = 0.5, {"decay": Value(0.3), "growth": Value(0.7)}
        return rates["decay"] * decay + rates["growth"]

    assert set(numbers(shop)) == {"price[tea]", "price[milk]", "vat", "v1", "v2", "z"}
    assert {"rates[decay]", "rates[growth]"} < set(numbers(cooling))
    price, amount = {"tea": Value(2.0), "milk": Value(1.2)}, {"tea": 3}
    assert {"price[tea]", "price[milk]"} < set(Trace(price["tea"] * amount["tea"] + price["milk"]).names.values())


def test_what_a_loop_puts_under_a_key_is_numbered_in_the_order_of_its_passes():
    def filtered():
        gain, state = Value(0.5), {"level": 0.0}
        for x in (1.0, 2.0, 3.0):
            state["level"] = gain * x + state["level"]
        return state["level"] ** 2

    assert {"level_1": 0.5, "level_2": 1.5, "level_3": 3.0}.items() < numbers(filtered).items()


def test_a_picture_in_a_block_knows_what_the_functions_held_that_have_returned():
    def errors():
        slope = Value(2.0)
        missed = [slope * x - 1 for x in (1.0, 2.0)]
        return missed[0] * missed[1]

    with named():
        z = errors()
        assert {"slope", "missed[0]", "missed[1]"} < set(Trace(z).names.values())


MODULE = """
k_el, params, pair = Value(0.3), {("a", 1): Value(0.5)}, [Value(2.0), Value(4.0)]

class Model:
    def __init__(self):
        self.w = Value(0.7)
    def loss(self):
        return self.w * k_el

def f():
    flow = k_el * params["a", 1]
    return flow * pair[0] + pair[1]

def around():
    rate, layers = Value(0.2), [Value(0.1)]
    def inner(scale=Value(3.0)):
        return rate * layers[0] + scale
    return inner

inner, loss = around(), Model().loss
"""


@KINDS
@each(
    "called, expected",
    [
        ("f", {"k_el", "params[a,1]", "pair[0]", "pair[1]", "flow", "z"}),
        ("inner", {"rate", "layers[0]", "scale", "z"}),
        ("loss", {"w", "k_el", "z"}),
    ],
)
def test_an_imported_function_has_the_names_of_its_own_module(kind, called, expected):
    module: dict = {"Value": kind, "__name__": "compartments"}
    exec(compile(MODULE, "/home/ada/compartments.py", "exec"), module)
    found, take = [], module[called]
    del module["around"], module["inner"]  # the module keeps what f takes
    del module
    for _ in range(2):  # the second picture has the names of the first
        found.append(set(Trace(take, detail="operations").names.values()) - {"v1", "v2"})
    assert found == [expected, expected]


def test_the_callers_name_of_a_leaf_comes_before_that_of_another_module():
    module: dict = {"Value": Value}
    exec(compile(MODULE, "/home/ada/compartments.py", "exec"), module)
    elimination, f = module["k_el"], module["f"]
    del module
    assert "elimination" in Trace(f).names.values() and elimination.data == 0.3


def test_an_object_that_says_it_has_attributes_and_has_no_dict_holds_nothing():
    async def task():
        return within("task", asyncio.current_task(), lambda x: True)

    assert asyncio.run(task()) == []


def test_a_result_without_a_name_has_that_of_the_function_that_returned_it():
    def density(x, mean):
        return exp(-((x - mean) ** 2))

    def halves(x):
        return x / 2, x / 3

    class Layer:
        def forward(self, x):
            return x * 2

    def loss():
        mean, x = Value(0.5), Value(0.25)
        first = density(x, mean)
        rest = density(x, 0.1) + density(x, 0.2) * (lambda y: y - 1)(x)
        return first * rest + sum(halves(x)) + Layer().forward(mean)

    with named():
        z = loss()
    names = sorted(name for name in name_all(Graph(z)).values() if name[0] != "v")
    assert names == ["density_1", "density_2", "first", "mean", "rest", "x", "z"]
    pair = [name for v, name in name_all(Graph(z)).items() if v.rule and v.rule.name == "div"]
    assert all(name.startswith("v") for name in pair)  # of several results no one is that of the function
