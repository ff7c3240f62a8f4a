"""Bad input and accidents: each error names the variable, and says what was given, what was expected and what to write."""

import asyncio
import contextvars
import json
import math
import operator
import re
import signal
import subprocess
import sys
import threading
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import scalargrad as sg
import viz
from scalargrad import AnomalyError, Constant, Trace, Value, backpropagation, detect_anomaly, function, grad, no_grad
from scalargrad.graph import ChangedError
from scalargrad.tracing.schedules import SCHEDULES
from tests.each import each, swept
from tests.interrupted import interrupted
from tests.scalargrad.graphs import chain, figure1
from tests.threads import in_threads

ONE_REAL_NUMBER = "a Value holds one real number (int, float or Fraction), not "


def refused(kind, *parts):
    """Return pytest.raises for a message that has all the parts in this order."""
    return pytest.raises(kind, match="(?s)" + ".*".join(map(re.escape, parts)))


# Anything but a number

NO_REAL_NUMBERS = [
    ("3", ["Value('3'): ", ONE_REAL_NUMBER, "text; convert it first: float('3')"]),
    (None, ["Value(None): ", ONE_REAL_NUMBER, "None; give it a number"]),
    ([1, 2], ["Value([1, 2]): ", ONE_REAL_NUMBER, "a list; make one Value for each number: [Value(a) for a in ...]"]),
    ((1, 2), ["Value((1, 2)): ", ONE_REAL_NUMBER, "a tuple; make one Value for each number"]),
    (1j, ["Value(1j): ", ONE_REAL_NUMBER, "a complex number; keep its real and imaginary parts as two Values"]),
    ({}, ["Value({}): ", ONE_REAL_NUMBER, "a dict"]),
    (Decimal(1), ["Value(Decimal('1')): ", ONE_REAL_NUMBER, "a Decimal"]),
    (np.array([1.0, 2.0]), ["Value(array([1., 2.])): ", ONE_REAL_NUMBER, "an array of shape (2,); make one Value for each number"]),
    (np.array(3.0), ["Value(array(3.)): ", ONE_REAL_NUMBER, "an array of shape (); take its number with .item()"]),
    (np.zeros((100, 100)), ["...): ", ONE_REAL_NUMBER, "an array of shape (100, 100)"]),
]


@each(("data", "parts"), NO_REAL_NUMBERS, ids=[str(data)[:20] for data, _ in NO_REAL_NUMBERS])
def test_a_value_of_anything_but_a_real_number_is_refused(data, parts):
    with refused(TypeError, *parts):
        Value(data)


@each(("data", "parts"), NO_REAL_NUMBERS, ids=[str(data)[:20] for data, _ in NO_REAL_NUMBERS])
@each("made", ["leaf", "constant", "variable in between"])
def test_assigning_anything_but_a_real_number_is_refused_as_in_value(made, data, parts):
    x = Value(2.0) * 3 if made == "variable in between" else Value(6.0, keep_grad=made == "leaf")
    with refused(TypeError, "x.data = ", *parts[1:]):
        x.data = data
    assert x.data == 6.0 and type(x.data) is float


def test_assigning_a_value_to_data_is_refused_by_name():
    x, y = Value(2.0), Value(3.0)
    with refused(TypeError, "x.data = y: a Value holds one real number (int, float or Fraction), not a Value; assign its .data"):
        x.data = y
    with refused(TypeError, "x.data = Value(-1.0): "):
        x.data -= y


@each(("data", "kind"), [(True, int), (np.float32(0.5), float), (np.int64(3), int), (Fraction(1, 3), Fraction)])
def test_assigning_converts_numbers_as_value_does(data, kind):
    x = Value(2.0)
    x.data = data
    assert (x.data, type(x.data)) == (data, kind) == (Value(data).data, type(Value(data).data))


@each("name", [5, 1.5, ["x"], b"x"])
def test_a_name_that_is_not_text_is_refused_when_made_and_when_assigned(name):
    says = refused(TypeError, f"name={name!r} is not text; write name={str(name)!r}")
    with says:
        Value(3.0, name=name)
    x = Value(3.0, name="x")
    with says:
        x.name = name
    assert x.name == "x"
    x.name = None
    assert x.name is None


def test_a_value_of_a_value_is_refused_by_name():
    v = Value(3)
    with refused(TypeError, "Value(v): v is a Value already; use v itself, v.data for its number, or v.detach() for a constant"):
        Value(v)
    named = Value(3, name="weight")
    with refused(TypeError, "Value(weight): weight is a Value already"):
        Value(named)


OPERATORS = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv, "pow": operator.pow,
}  # fmt: skip
NOT_NUMBERS = [
    (np.array([1.0, 2.0]), "an array of shape (2,); make one Value for each number: [Value(a) for a in ...]"),
    (np.ones((2, 3)), "an array of shape (2, 3)"),
    (np.array(2.0), "an array of shape (); take its number with .item()"),
    ("3", "text; convert it first: float('3')"),
    (None, "None; give it a number"),
    ([1, 2], "a list; make one Value for each number"),
    (2j, "a complex number; keep its real and imaginary parts as two Values"),
]


@each("name", OPERATORS)
@each(("other", "what"), NOT_NUMBERS, ids=lambda x: type(x).__name__)
@each("keep_grad", [True, False])
def test_a_value_is_combined_only_with_numbers_on_either_side(name, other, what, keep_grad):
    weight = Value(2.0, name="weight", keep_grad=keep_grad)
    for args in [(weight, other), (other, weight)]:
        with refused(TypeError, f"{name}: cannot combine weight with ", "a Value works with Values and real numbers, not with ", what):
            OPERATORS[name](*args)


def test_messages_call_an_unnamed_variable_by_its_name_in_the_users_code():
    rate = Value(2.0)
    with refused(TypeError, "mul: cannot combine rate with '3'"):
        rate * "3"
    layer = [Value(1.0), Value(2.0)]
    with refused(TypeError, "mul: cannot combine layer[1] with '3'"):
        layer[1] * "3"


def test_functions_and_methods_refuse_anything_but_numbers():
    v = Value(2.0, name="v")
    for call in (lambda: sg.maximum(v, "1"), lambda: v.maximum("1"), lambda: sg.dot(v, None), lambda: v.clamp(min="1")):
        with refused(TypeError, ": cannot combine v with ", "a Value works with Values and real numbers, not with "):
            call()


def test_the_wrong_number_of_inputs_is_counted():
    v = Value(2.0)
    with refused(TypeError, "exp takes 1 number, got 2"):
        sg.exp(v, v)
    with refused(TypeError, "elu takes 1 or 2 numbers, got 3"):
        sg.elu(v, 1.0, 2.0)
    with refused(TypeError, "maximum takes 2 numbers, got 1"):
        v.maximum()


# A plain number asked of a variable


@each(
    "ask",
    [float, int, complex, math.exp, math.sqrt, math.floor, math.ceil, math.trunc, range, [1, 2].__getitem__, np.float64],
    ids=lambda f: f.__name__,
)
def test_converting_a_variable_to_a_plain_number_is_refused(ask):
    speed = Value(1)
    with refused(TypeError, "cannot convert speed to a plain number: its derivative would be lost", "x.exp()", "speed.data"):
        ask(speed)


def test_a_constant_can_be_converted_to_a_plain_number():
    assert math.exp(Value(0, keep_grad=False)) == 1.0
    for number in 2, 2.5, Fraction(5, 2):
        constant = Value(number, keep_grad=False)
        for convert in (float, int, complex, math.floor, math.ceil, math.trunc):
            found, expected = convert(constant), convert(number)
            assert (type(found), found) == (type(expected), expected)
    assert [10, 11, 12][Value(2, keep_grad=False)] == 12
    with pytest.raises(TypeError, match="'float' object cannot be interpreted as an integer"):
        range(Value(2.5, keep_grad=False))


# Python's operators and functions


@each("keep_grad", [True, False])
def test_remainder_quotient_and_rounding_are_functions_of_the_graph(keep_grad):
    x, y = Value(7.5, keep_grad=keep_grad), Value(2.0, keep_grad=keep_grad)
    for found, row, args in [
        (x % y, sg.remainder, (x, y)), (x % 2, sg.remainder, (x, 2)), (9 % y, sg.remainder, (9, y)),
        (x // y, sg.floor_divide, (x, y)), (x // 2, sg.floor_divide, (x, 2)), (9 // y, sg.floor_divide, (9, y)),
        (divmod(x, y)[0], sg.floor_divide, (x, y)), (divmod(x, 2)[1], sg.remainder, (x, 2)),
        (divmod(9, y)[0], sg.floor_divide, (9, y)), (divmod(9, y)[1], sg.remainder, (9, y)),
        (round(x), sg.rules.round, (x,)), (x.round(), sg.rules.round, (x,)),
    ]:  # fmt: skip
        expected = row(*args)
        assert (type(found), found.data, found.partials, found.inputs) == (
            type(expected), expected.data, expected.partials, expected.inputs,
        )  # fmt: skip
    assert round(Value(2.346), 2).data == 2.35 and round(Value(1234.0), -2).data == 1200.0


@each(
    ("call", "message"),
    [
        (lambda x: x ^ 2, "^ of x and 2: Python writes powers with **, as in x ** 2"),
        (lambda x: 2 ^ x, "^ of x and 2: Python writes powers with **, as in x ** 2"),
        (lambda x: x @ [1.0], "@ of x and [1.0]: @ multiplies matrices; write x * y for numbers"),
        (lambda x: x[0], "'Value' object is not subscriptable"),  # with a __getitem__ NumPy would take it for a list
        (lambda x: np.array([x, x], float), "cannot convert x to a plain number"),
        (list, "'Value' object is not iterable"),
        (len, "object of type 'Value' has no len()"),
        (lambda x: 3 in x, "argument of type 'Value' is not iterable"),
        (lambda x: sg.exp(x, dim=0), "exp: unknown argument dim=; signature: exp(x)"),
        (lambda x: x.exp(dim=0), "exp: unknown argument dim=; signature: exp(x)"),
        (lambda x: sg.exp(x, x=x), "exp: x is given twice; signature: exp(x)"),
        (lambda x: sg.max(x, axis=0), "max: unknown argument axis=; signature: max(*xs)"),
        (lambda x: sg.clamp(x, high=1), "clamp: unknown argument high= (here: max); signature: clamp(x, min=None, max=None, total=False)"),
        (lambda x: x.clamp(low=1), "clamp: unknown argument low= (here: min); signature: clamp(x, min=None, max=None, total=False)"),
        (
            lambda x: x.leaky_relu(slope=1),
            "leaky_relu: unknown argument slope= (here: negative_slope); signature: leaky_relu(x, negative_s",
        ),
        (lambda x: sg.where(c=1, a=x, b=x), "where: unknown argument c= (here: condition); signature: where(condition, a, b)"),
    ],
    ids=lambda x: x if isinstance(x, str) else "",
)
def test_operations_that_numbers_do_not_have_say_what_to_write(call, message):
    with refused(TypeError, message):
        call(Value(2.0, name="x"))


def test_meaningless_options_are_refused():
    x = Value(2.0)
    with refused(ValueError, "clamp: neither min nor max is given; give one of them, or both"):
        x.clamp()
    with refused(ValueError, "gelu: approximate='exact' is unknown; use 'none' or 'tanh'"):
        x.gelu("exact")


def test_inputs_may_be_given_by_name():
    x = Value(7.0)
    assert sg.clamp(x, min=0, max=5).data == 5 and x.leaky_relu(negative_slope=0.5).data == 7
    y = sg.sub(b=x, a=1)
    assert (y.data, y.partials) == (-6.0, (-1,))


# @function


def test_partials_by_hand_of_the_wrong_number():
    @function(partials=lambda a, b: a)
    def area(a, b):
        return a * b

    with refused(ValueError, "@function area: its partials returned 1 partial for 2 inputs; return one partial for each input"):
        area(Value(2), Value(3))

    @function(partials=lambda a: (a, a, a))
    def cube(a):
        return a**3

    with refused(ValueError, "@function cube: its partials returned 3 partials for 1 input;"):
        cube(Value(2))


def test_a_function_must_return_a_number():
    @function
    def broken(a):
        return [a]

    with refused(TypeError, "@function broken returned [Value(2)]; it must return one number"):
        broken(Value(2))

    @function
    def forgotten(a):
        a + 1

    with refused(TypeError, "@function forgotten returned None; it must return one number"):
        forgotten(Value(2))


def test_the_decorator_refuses_anything_but_a_python_function():
    v = Value(2, name="v")
    for thing, name in ((v, "v"), (3, "3"), (function(lambda a: a), "<function <lambda>>")):
        with refused(TypeError, f"function: {name} is not a plain Python function"):
            function(thing)


# Derivatives that are not there


def test_backward_of_a_constant():
    x = Value(3)
    with no_grad():
        y = x * x
    for z in (y, x.detach(), Value(3, keep_grad=False), Value(3, keep_grad=False) * 2):
        with refused(ValueError, "backward(): ", " is a constant: it was made from constants, detached, or made under no_grad", "make it"):
            z.backward()


def test_grad_with_respect_to_a_variable_that_z_does_not_depend_on():
    x, w = Value(3), Value(4)
    z = x * x
    for create_graph in (False, True):
        with refused(ValueError, "grad: z does not depend on w; make it from that variable itself, not from its .data"):
            grad(z, [x, w], create_graph=create_graph)
    cut = Value(x.data) * 2
    with refused(ValueError, "grad: cut does not depend on x"):
        grad(cut, x)


# Numbers that are not finite


def test_nan_flows_through_as_ieee_says():
    x, y = Value(math.nan), Value(2.0)
    z = x * y + y
    z.backward()
    assert math.isnan(z.data) and x.grad == 2.0 and math.isnan(y.grad)
    assert not x > y and not x < y and x != x and sg.maximum(x, y).data != sg.maximum(x, y).data


def line_after(marker):
    """Return file:line of the line after the marked one."""
    with open(__file__, encoding="utf-8") as text:
        return f"{__file__}:{next(i for i, line in enumerate(text, 2) if line.endswith(f'# {marker}' + chr(10)))}"


def test_detect_anomaly_names_the_first_function_that_made_inf_in_the_forward_pass():
    x = Value(0.0, name="x")
    with detect_anomaly():
        y = x + 1  # forward
        with refused(AnomalyError, "log made -inf in the forward pass at ", ": log(0.0), where x = 0.0") as met:
            (x.log() * y).exp()
    assert f"{__file__}:" in str(met.value)


def test_detect_anomaly_names_the_first_function_that_made_inf_in_the_backward_pass():
    x = Value(0.0, name="x")
    with detect_anomaly():
        # made on the next line
        root = x.sqrt()
        z = root * 3.0 + 1.0
        with refused(
            AnomalyError, "sqrt made inf in the backward pass, for x: upstream 3 times partial inf; sqrt(0.0), where x = 0.0, was made at"
        ) as met:
            z.backward()
    assert line_after("made on the next line") in str(met.value)


def test_nan_inputs_are_found_by_detect_anomaly():
    x, y = Value(math.nan, name="x"), Value(2.0, name="y")
    with detect_anomaly(), refused(AnomalyError, "mul made nan in the forward pass", "mul(nan, 2.0), where x = nan, y = 2.0"):
        x * y


def test_detect_anomaly_lets_finite_numbers_of_every_kind_pass_and_ends_with_its_block():
    with detect_anomaly():
        v = figure1((3, Fraction(1, 3), -2.5, 4))
        v["z"].backward()
    assert v["x2"].grad == 3
    assert Value(0.0).log().data == -math.inf


# Interruptions


class Interrupting(int):
    """A partial that presses Ctrl-C when it is multiplied."""

    def __rmul__(self, other):
        signal.raise_signal(signal.SIGINT)
        return int(self) * other

    __mul__ = __rmul__


def test_ctrl_c_during_backward_says_so_and_the_next_backward_is_right():
    v = figure1()
    v["y1"].partials = (Interrupting(1), 1, 1, 1)
    with pytest.raises(KeyboardInterrupt) as stopped:
        v["z"].backward()
    assert stopped.value.__notes__ == [
        "backward() was interrupted: gradients may be partial; call zero_grad() before the next backward pass"
    ]
    v["y1"].partials = (1, 1, 1, 1)
    v["z"].zero_grad()
    v["z"].backward()
    assert [x.grad for x in v.values()] == [9, 3, 3, 11, 3, 1, 1]


@swept("delay", [0.002, 0.01, 0.03, 0.06], every=4)
def test_after_ctrl_c_at_any_moment_the_next_backward_is_right(delay):
    x, z = chain(200_000)
    with interrupted(delay) as stopped:
        while True:
            z.backward()
    assert all("gradients may be partial; call zero_grad()" in note for note in getattr(stopped.value, "__notes__", []))
    z.zero_grad()
    z.backward()
    assert x.grad == 1


@each("error", [ZeroDivisionError, MemoryError, TypeError])
def test_after_any_error_during_backward_the_next_backward_is_right(error):
    class Failing(int):
        def __rmul__(self, other):
            raise error("from a partial")

    v = figure1()
    v["y2"].partials = (Failing(8),)
    with pytest.raises(error, match="from a partial") as stopped:
        v["z"].backward()
    assert "gradients may be partial" in stopped.value.__notes__[0]
    v["y2"].partials = (8,)
    v["z"].zero_grad()
    v["z"].backward()
    assert v["x4"].grad == 11


def test_after_an_upstream_that_is_not_a_number_the_next_backward_is_right():
    v = figure1()
    with pytest.raises(TypeError):
        v["z"].backward("3")
    v["z"].zero_grad()
    v["z"].backward()
    assert v["x1"].grad == 9


# Threads and tasks


def test_threads_run_backward_on_separate_graphs():
    def work(i):
        x, z = chain(20_000, start=i)
        for _ in range(5):
            z.backward()
        return x.grad

    assert in_threads(4, work) == [5] * 4


def test_threads_run_backward_on_graphs_that_share_variables_and_lose_no_contribution():
    x = Value(1, name="x")
    shared = x
    for _ in range(50):
        shared = shared + 0
    tops = []
    for i in range(4):
        z = shared
        for _ in range(200):
            z = z + x
        tops.append(z * (i + 1))

    def work(i):
        for _ in range(25):
            tops[i].backward()

    in_threads(4, work)
    assert x.grad == 25 * 201 * (1 + 2 + 3 + 4)


def test_no_grad_in_one_thread_is_not_seen_in_another():
    x = Value(3)
    together = threading.Barrier(2)

    def work(i):
        if i == 0:
            with no_grad():
                together.wait()
                y = x * x
                together.wait()
        else:
            together.wait()  # the other thread is inside its block now
            y = x * x
            together.wait()
        return type(y)

    assert in_threads(2, work) == [Constant, Value]


def test_no_grad_in_one_task_is_not_seen_in_another():
    x = Value(3)

    async def without(inside, done):
        with no_grad():
            inside.set()
            await done.wait()
            return x * x

    async def with_gradients(inside, done):
        await inside.wait()
        y = x * x
        done.set()
        return y

    async def both():
        events = asyncio.Event(), asyncio.Event()
        return await asyncio.gather(without(*events), with_gradients(*events))

    constant, variable = asyncio.run(both())
    assert type(constant) is Constant and type(variable) is Value


def test_detect_anomaly_in_one_thread_is_not_seen_in_another():
    with detect_anomaly():
        assert in_threads(1, lambda i: Value(0.0).log().data) == [-math.inf]
    context = contextvars.copy_context()
    assert context.run(lambda: Value(0.0).log().data) == -math.inf


# Comparisons with arrays


def test_comparisons_with_arrays_compare_the_number_with_each_entry():
    v, a = Value(2.0), np.array([1.0, 2.0, 3.0])
    assert (v < a).tolist() == (a > v).tolist() == [False, False, True]
    assert (v >= a).tolist() == (a <= v).tolist() == [True, True, False]
    assert (v == a).tolist() == (a == v).tolist() == [False, True, False]


def test_a_value_is_not_ordered_and_not_equal_to_anything_but_a_number():
    v = Value(2.0)
    assert v != "2" and v is not None and (v == None) is False  # noqa: E711
    for other in ("2", None, [1]):
        with pytest.raises(TypeError, match="not supported between instances"):
            v < other  # noqa: B015


# Graphs start at a variable


STARTS = [sg.Graph, sg.topological_order, sg.ancestors, sg.check, backpropagation, Trace]
ENTRIES = [*STARTS, viz.play, viz.step, viz.walk, viz.animate, viz.handout]


@each("entry", ENTRIES, ids=lambda f: f.__name__)
def test_a_graph_starts_at_a_variable(entry):
    """The error begins with the name of the function that was called, and does not mention second derivatives."""
    for thing, said in (3, "3"), (None, "None"), ("z", "'z'"), (int, "<class 'int'>"):
        with pytest.raises(TypeError) as caught:
            entry(thing)
        assert str(caught.value) == f"{entry.__name__}: {said} is not a variable; start the graph at a Value, made from Values"

    def loss(x):
        return x * x

    name = entry.__name__
    if entry is sg.check:
        said = "loss is a function; give its inputs too, check("
    elif entry in STARTS and entry is not Trace:
        said = f"loss is a function, not a variable; call it first, {name}("
    else:  # these call a function of no arguments
        said = f"loss is a function that takes arguments; write {name}(lambda: loss("
    with refused(TypeError, f"{name}: {said}", "x"):
        entry(loss)


@each("entry", [Trace, viz.play, viz.step, viz.walk, viz.handout], ids=lambda f: f.__name__)
@each(
    ("option", "says"),
    [
        ({"names": range(3)}, "names=range(0, 3) is not a dictionary {variable: name}"),
        ({"names": [("x", 1)]}, "names=[('x', 1)] is not a dictionary {variable: name}"),
        ({"schedule": []}, f"schedule=[] is not text; use one of {', '.join(SCHEDULES)}"),
        ({"schedule": None}, "schedule=None is not text"),
        ({"steps": 5}, "steps=5 must be a generator function of (graph, on)"),
        ({"steps": lambda graph, on: None}, "steps= must be a generator function of (graph, on)"),
    ],
)
def test_an_option_of_a_trace_that_is_of_the_wrong_kind_is_refused_by_name(entry, option, says):
    with refused(TypeError, f"{entry.__name__}: {says}"):
        entry(Value(3.0) * 2, **option)


def test_a_queue_and_a_name_of_the_wrong_kind_are_refused():
    x = Value(3.0)
    with refused(ValueError, "counting: queue=[] is unknown; use 'fifo'"):
        Trace(x * 2, schedule="counting", queue=[])
    with refused(TypeError, "name=5 is not text"):
        Trace(x * 2, names={x: 5})


@each("name", ["a\x1b[2J", "a\r\nb", "a\u202eb"])
def test_the_repr_of_a_trace_sends_nothing_to_the_terminal_that_it_would_obey(name):
    assert repr(Trace(Value(3.0, name=name))).isprintable()


@pytest.mark.parametrize("name", ["a\ud800", "\udfff", "\ude00\ud83d"])
def test_half_of_a_surrogate_pair_in_a_name_is_escaped_in_json(name, tmp_path):
    trace = Trace(Value(3.0, name=name) * 2, names={})
    read = json.loads(trace.to_json().encode())
    assert read["variables"][0]["name"] == name
    assert json.loads(Path(viz.export(trace, tmp_path / "a.json")).read_bytes())["variables"][0]["name"] == name


@each("entry", [sg.Graph, sg.topological_order, backpropagation, Trace], ids=lambda f: f.__name__)
@each("order", [3, object, Value(1.0)], ids=str)
def test_an_order_is_a_list(entry, order):
    with pytest.raises(TypeError, match=rf"^{entry.__name__}: order=.* is not a list of variables; "):
        entry(Value(2.0) * 3, order=order)


def test_the_derivative_of_a_number_says_how_to_differentiate_twice():
    x = Value(2.0, name="x")
    with refused(TypeError, "grad: 12.0 is a number, not a variable; to differentiate a derivative ask for it with create_graph=True"):
        grad(grad(x**3, x), x)
    for thing in 3.0, "x", [3.0]:
        with refused(TypeError, "grad: ", " is not a variable; give the Value that z was made from"):
            grad(x**3, [thing])


AT_A_POINT = [sg.value_and_grad, sg.jacobian, sg.hessian]
ALONG = [sg.vjp, sg.jvp, sg.hvp]


@each("function", AT_A_POINT + ALONG, ids=lambda f: f.__name__)
def test_derivatives_of_a_function_at_a_point_say_which_argument_is_wrong(function):
    name, x = function.__name__, Value(2.0, name="x")
    along, f = ([1.0],) if function in ALONG else (), lambda x: x * x
    for thing, said in (3, "3"), (x, "x"), (None, "None"):
        with refused(TypeError, f"{name}: {said} is not a plain Python function; write "):
            function(thing, *([[2.0], *along] if along else [2.0]))
    with refused(TypeError, f"{name}: the point is missing; give the numbers after the function"):
        function(f, *([[], *along] if along else []))
    if not along:
        return
    role = "upstream" if function is sg.vjp else "direction"
    for thing in 3.0, None, "ab", x:
        with refused(TypeError, f"{name}: point=", " is not a list of numbers"):
            function(f, thing, [1.0])
        with refused(TypeError, f"{name}: {role}=", " is not a list of numbers"):
            function(f, [2.0], thing)
    with refused(ValueError, f"{name}: {role} has length 2; give one number for each ", "put, 1 in all"):
        function(f, [2.0], [1.0, 2.0])


@each("row", [sg.max, sg.logsumexp])
def test_the_largest_of_nothing(row):
    with refused(ValueError, "max and logsumexp need at least one number"):
        row()


@each("upstream", ["3", None, [1.0], 1j])
def test_an_upstream_gradient_is_a_number(upstream):
    x = Value(2.0)
    with pytest.raises(TypeError, match="the upstream gradient is not a real number but "):
        (x * x).backward(upstream)
    assert x.grad == 0


# A number that is changed behind a graph's back


@each("change", ["w", "z"])
def test_a_graph_whose_data_changed_is_not_shown(change):
    w, x = Value(3.0, name="w"), Value(2.0, name="x")
    y = w * x
    z = y + 1
    y.name, z.name = "y", "z"
    Trace(z)
    (w if change == "w" else z).data = 2.0
    with refused(ChangedError, {"w": "y is 6, but mul of w = 2, x = 2 is 4", "z": "z is 2, but add of y = 6 is 7"}[change], "make z again"):
        Trace(z)


def test_a_trace_keeps_its_numbers():
    w, x = Value(3.0, name="w"), Value(2.0, name="x")
    trace = Trace(w * x)
    before = trace.to_json()
    w.data = 5.0
    assert trace.to_json() == before and trace.on.data(w) == 3


def test_a_trace_has_its_own_options():
    trace = Trace(Value(3.0) * 2)
    with refused(TypeError, "the options of a trace cannot change", "make a new one: Trace(z, schedule='tape')"):
        Trace.of(trace, schedule="tape")


# Arguments that are not numbers


NO_NUMBERS = ["abc", b"ab", None, 1j, object(), {"q": 1}, {1}, iter([1]), int, Decimal(1), range(2)]


@each("row", sg.rules.TABLE, ids=lambda row: row.name)
def test_every_function_names_itself_if_an_argument_is_not_a_number(row):
    """This holds for plain numbers and for Values, at each place. Text is not added, and a complex number is not compared."""
    count = len(row.partials) or 2
    for place in range(count):
        for thing in NO_NUMBERS:
            numbers = [0.5] * count
            numbers[place] = thing
            with pytest.raises(TypeError, match=f"^{row.name}: .* is not a number; it takes real numbers and Values$"):
                row(*numbers)
            if count > 1:
                values = [Value(0.5) for _ in range(count)]
                values[place] = thing
                with pytest.raises(TypeError, match=f"^{row.name}: cannot combine "):
                    row(*values)


@each(
    ("make", "message"),
    [
        (lambda x: Value(2.0, label="a"), "Value: unknown argument label= (here: name); signature: Value(data, name=None, keep_grad=True)"),
        (lambda x: Value(2.0, requires_grad=True), "Value: unknown argument requires_grad= (a Value is a variable unless keep_grad=False)"),
        (lambda x: Value(2.0, constant=True), "Value: unknown argument constant= (here: keep_grad=False)"),
        (lambda x: Value(2.0, device="cpu"), "Value: unknown argument device=; signature: Value(data, name=None, keep_grad=True)"),
        (lambda x: Value(math.sin(2.0), (x,), "sin"), "Value(data, inputs, partials, rule): a function is not given by its name"),
        (lambda x: Value(2.0, _children=(x,), _op="+"), "a function is not given by its name and children; "),
        (lambda x: Value(2.0, (x,), 1.0), "Value: partials=1.0 is not a tuple of one partial for each of the 1 inputs"),
    ],
    ids=lambda x: x if isinstance(x, str) else "",
)
def test_arguments_of_other_libraries_for_value_say_what_to_write(make, message):
    with refused(TypeError, message):
        make(Value(2.0))


@pytest.mark.slow
def test_ctrl_c_is_tested_even_where_the_launcher_ignores_it():
    code = "import signal, sys, pytest; signal.signal(signal.SIGINT, signal.SIG_IGN); sys.exit(pytest.main(sys.argv[1:]))"
    options = ["-q", "-m", "not slow", "-p", "no:cacheprovider", "-k", "ctrl_c_during or interrupts_sees or way_out"]
    files = ["tests/scalargrad/test_bad_input.py", "tests/tutorial/cli/test_command_line.py", "tests/viz/terminal/test_stepper.py"]
    done = subprocess.run([sys.executable, "-c", code, *options, *files], cwd=Path(__file__).parents[2], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
