"""The page's JavaScript computes what Python computes: every row, 1,000 random graphs, and the text of numbers."""

import itertools
import json
import math
import random
import struct

import pytest

import scalargrad as sg
from scalargrad import Trace, Value, function, rules
from scalargrad.rule import VariadicRow
from tests.browser import pages
from tests.scalargrad.checking.test_check import POINTS
from tests.scalargrad.graphs import mixed, thirds
from tests.scalargrad.test_special_values import FLOATS, places
from viz.page.live.program import JavaScript, Writer, script_of
from viz.text.formatter import UNICODE
from viz.text.mathml import MATH

# fmt: off
BY_MATH_LIBRARY = {  # rows whose last digits may differ: JavaScript and Python have different libraries
    "pow", "cbrt", "hypot", "exp", "expm1", "log", "log1p", "exp2", "log2", "log10", "logaddexp", "logaddexp2", "xlogy",
    "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "atan2", "sinc",
    "sigmoid", "softplus", "erf", "gelu", "gelu_tanh", "silu", "elu", "logsumexp",
}
# fmt: on
CANCELLING = {"gelu", "silu", "gelu_tanh", "elu"}  # 1 + erf(x) and the like: an error in the last digit of 1 is all that is left
RUN = """({points}) => Object.fromEntries(Object.entries(points).map(([key, xs]) => [key, xs.map(x => {
    const values = programs[key].values(x), partials = programs[key].partials(values);
    return [values, partials, programs[key].totals(partials)];
})]))"""

AS_TEXT = """found => JSON.stringify(found, (_, x) => typeof x !== "number" || (Number.isFinite(x) && !Object.is(x, -0)) ? x
    : Object.is(x, -0) ? "-0" : String(x))"""


def computed_in(page, traces, points):
    """Return {key: [(values, partials, totals) for each point]}, computed in the page."""
    notation = JavaScript()
    script = script_of({key: Writer(trace, notation).source() for key, trace in traces.items()}, notation)
    functions = 'const { functions } = await import("/functions.js");'
    given = f"{{points: {json.dumps(points)}}}"  # a literal, and one text back: the driver looks at each number of a value
    found = json.loads(page.evaluate(f"async () => {{\n{functions}\n{script}\nreturn ({AS_TEXT})(({RUN})({given}));\n}}"))
    return {key: [[list(map(float, numbers)) for numbers in point] for point in many] for key, many in found.items()}


def partials_of(y, numbers, value):
    row = getattr(y.rule, "row", y.rule)
    return row.partials_at(getattr(y.rule, "positions", range(len(numbers))), y.rule.arguments(numbers), value)


def close(row, ours, theirs):
    if theirs != theirs or math.isinf(theirs) or row not in BY_MATH_LIBRARY:
        return ours == theirs or (ours != ours and theirs != theirs)
    return math.isclose(ours, theirs, rel_tol=1e-12, abs_tol=1e-15 if row in CANCELLING else 1e-300)


def assert_each_function_agrees(trace, values, partials, totals, what):
    """Compare each function with Python's at the same inputs. So an error in a last digit is not multiplied by the next functions."""
    graph, place = trace.graph, {v: i for i, v in enumerate(trace.graph.variables)}
    edges = [(y, slot) for x in graph.variables for y, slot in graph.children[x]]
    ours = dict(zip(edges, partials))
    for y in graph.variables:
        if not y.inputs:
            continue
        inputs, value = [values[place[x]] for x in y.inputs], values[place[y]]
        assert close(y.rule.name, value, y.rule(*inputs)), f"{what}: {y.rule.name}{inputs} = {y.rule(*inputs)}, got {value}"
        for slot, partial in enumerate(partials_of(y, inputs, value)):
            assert close(y.rule.name, ours[y, slot], partial) or (y.rule.name == "pow" and inputs[0] != inputs[0]), (
                f"{what}: {y.rule.name}{inputs}: partial {slot} is {partial}, got {ours[y, slot]}"
            )
    for x in graph.variables:
        total = 1 if x is graph.z else 0
        for edge in graph.children[x]:
            total = total + totals[place[edge.child]] * ours[edge]
        assert close("sum", totals[place[x]], total), f"{what}: total of {trace.names[x]} is {total}, got {totals[place[x]]}"


def test_every_row_is_in_javascript_what_it_is_in_python(modules):
    """At zeros, kinks, infinities, nan, the tiny and the huge."""
    points = {row.name: points_of(row) for row in rules.TABLE}
    traces = {row.name: Trace(row(*[Value(0.5) for _ in range(arity(row))]), names={}) for row in rules.TABLE}
    found = computed_in(modules, traces, points)
    for row in rules.TABLE:
        for point, numbers in zip(points[row.name], found[row.name], strict=True):
            assert_each_function_agrees(traces[row.name], *numbers, f"{row.name}{point}")


def points_of(row):
    kinks = [point[: arity(row)] for point in POINTS if len(point) >= arity(row)]
    special = itertools.product((0.0, 1.0, math.inf, math.nan), repeat=3) if arity(row) == 3 else []
    return [*places(row, FLOATS), *kinks, *special]


def arity(row):
    return {"dot": 4, "max": 3, "sum": 3, "logsumexp": 3}[row.name] if isinstance(row, VariadicRow) else len(row.partials)


@function
def with_many_rows(a, b):
    return sg.logsumexp(a, b, a * b) + sg.sigmoid(a) * sg.max(a, b) - sg.gelu(b, approximate="tanh")


CONSTANTS = [
    (1, lambda a: a * 0), (1, lambda a: 0 * a + 1), (1, lambda a: a**2), (1, lambda a: a**-1), (1, lambda a: a**0), (1, lambda a: a**0.5),
    (1, lambda a: 2**a), (1, lambda a: 3 - a), (1, lambda a: a / 7), (1, lambda a: 1 / a), (1, lambda a: -a), (1, lambda a: a % 3),
    (1, lambda a: a // 2), (1, lambda a: sg.clamp(a, -1, 2)), (1, lambda a: sg.clamp(a, max=0.5, total=True)),
    (1, lambda a: sg.round(a, 1)), (1, lambda a: sg.softplus(a, 2, 20)), (1, lambda a: sg.sqrt(a, total=True)),
    (2, lambda a, b: sg.dot(a, 0, b, -2.5)), (2, mixed), (3, thirds), (2, with_many_rows), (1, lambda a: sg.leaky_relu(a, 0)),
]  # fmt: skip
FUNCTIONS = [(arity(row), row) for row in rules.TABLE] + 3 * CONSTANTS
SPECIAL = [0.0, -0.0, 1.0, -1.0, 2.5, 1e-9, 1e300, math.inf, -math.inf, math.nan]


def random_graph(dice):
    """A graph of any functions of the table, with constants, shared inputs and functions of the user."""
    made = [Value(dice.uniform(-2, 2), name=f"x{i}") for i in range(dice.randint(1, 4))]
    made.append(Value(dice.choice([0, 2, -0.5]), name="c", keep_grad=False))
    for _ in range(dice.randint(3, 15)):
        count, f = dice.choice(FUNCTIONS)
        made.append(f(*dice.choices(made, k=count)))
    return Trace(sg.sum(*made), names={})


def test_hundreds_of_random_graphs_are_in_javascript_what_they_are_in_python(modules):
    dice = random.Random(10)
    traces = {str(k): random_graph(dice) for k in range(400)}
    points = {}
    for key, trace in traces.items():
        start = [v.data for v in trace.graph.variables if not v.inputs and v.keep_grad]
        points[key] = [start, *([dice.choice([dice.uniform(-3, 3), dice.choice(SPECIAL)]) for _ in start] for _ in range(3))]
    found = computed_in(modules, traces, points)
    for key, trace in traces.items():
        for point, numbers in zip(points[key], found[key], strict=True):
            assert_each_function_agrees(trace, *numbers, f"graph {key} at {point}")


def test_at_the_starting_point_the_page_has_the_numbers_of_its_own_data(visit, saved):
    for name in ("figure1", "square", "ten children", "two layers", "hostile", "random3"):
        trace, player = pages.trace(name), visit(saved(name))
        values, partials, totals = player.page.evaluate(
            "() => { const {live} = player.run, v = live.values(live.start), p = live.partials(v); return [v, p, live.totals(p)]; }"
        )
        assert values == pytest.approx([v.data for v in trace.graph.variables], rel=1e-14)
        assert totals == pytest.approx([trace.computed[v].number for v in trace.graph.variables], rel=1e-12)
        assert_each_function_agrees(trace, values, partials, totals, name)


def written_numbers():
    """Thousands of floats: the usual ones, ties of the sixth digit, edges of the notations, and random bits."""
    dice = random.Random(6)
    yield from [
        0.0,
        -0.0,
        0.1 + 0.2,
        1e-9,
        1e16,
        math.inf,
        -math.inf,
        math.nan,
        0.5,
        -2.5,
        1 / 3,
        34.0,
        999999.5,
        9999995.0,
        0.0001,
        0.00001,
    ]
    yield from (float(n) for n in range(-50, 1001))
    yield from (
        float(f"{m}e{e}") for m, e in itertools.product((1, -1.5, 9.99999, 9.999995, 1.000005, 123456.5, 123455.5), range(-320, 309, 7))
    )
    yield from (n + 0.5 for n in (100000, 100001, 123456, 123457, 999998, 999999))
    yield from (5.0 * n for n in range(200001, 200301))
    yield from (dice.uniform(-10, 10) * 10 ** dice.randint(-12, 12) for _ in range(3000))
    yield from (round(dice.uniform(-100, 100), dice.randint(0, 7)) for _ in range(3000))
    yield from struct.unpack("1000d", dice.randbytes(8000))


def test_numbers_are_written_as_python_writes_them(modules):
    numbers = list(written_numbers())
    found = modules.evaluate(
        """async numbers => {
            const { written, writtenMath } = await import("/numbers.js");
            return numbers.map(x => [written(x), writtenMath(x).outerHTML]);
        }""",
        numbers,
    )
    for number, (text, mathml) in zip(numbers, found, strict=True):
        assert text == UNICODE.number(number), repr(number)
        assert mathml == MATH.number(number), repr(number)


def masses(stiffness, last):
    """Six masses in a row, which springs hold together, over eight steps: each step of the loop computes twelve numbers of the former."""
    places, speeds = [Value(float(i), name=f"p{i}") for i in range(5)] + [last], [0.0] * 6
    for _ in range(8):
        around = [-1.0, *places, 6.0]
        forces = [stiffness * (around[i] - 2 * around[i + 1] + around[i + 2]) for i in range(6)]
        speeds = [speed + 0.1 * sg.sin(force) for speed, force in zip(speeds, forces)]
        places = [place + 0.1 * speed for place, speed in zip(places, speeds)]
    return sum(speed * speed for speed in speeds)


def test_the_passes_of_a_loop_of_many_numbers_give_what_the_program_gives(modules):
    start, other = (2.25, 5.3), (1.7, 4.6)
    trace = Trace(lambda: masses(*map(Value, start)), detail="statements")
    writer = Writer(trace, JavaScript())
    assert len(writer.source()) < 80_000  # formulas of all partials would have 339,000 characters
    places = [[float(number) for number in writer.start]]
    places.append([dict(zip(start, other)).get(x, x) for x in places[0]])
    found = computed_in(modules, {"z": trace}, {"z": places})["z"]
    for numbers, (values, _, totals) in zip((start, other), found):
        given = [Value(number) for number in numbers]
        z = masses(*given)
        z.backward()
        at = dict(zip(trace.graph.variables, zip(values, totals)))
        assert math.isclose(at[trace.graph.z][0], z.data, rel_tol=1e-12)
        ours = {value: total for v, (value, total) in at.items() if not v.inputs}
        assert all(math.isclose(ours[x.data], x.grad, rel_tol=1e-9, abs_tol=1e-12) for x in given)
