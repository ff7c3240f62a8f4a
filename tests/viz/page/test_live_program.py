"""Live programs: straight-line JavaScript of a graph, or a sentence that says why there is none. tests/browser runs them."""

import math
import re
from fractions import Fraction

import numpy as np
import pytest

import scalargrad as sg
import tensorgrad as tg
from scalargrad import Trace, Value, function, rules
from scalargrad.formulas.straight_line import is_formula
from scalargrad.rule import Row
from tests.each import each, swept
from tests.page_scripts import SRC
from tests.viz.graphs import figure1_trace
from viz.page.live.program import MOST_VARIABLES, JavaScript, NotLive, Writer
from viz.page.play import with_programs


def live_program(trace):
    return Writer(trace, JavaScript()).source()


def test_a_program_has_one_line_for_each_function_and_each_edge_and_each_total():
    trace = figure1_trace()
    lines = re.findall("const ([a-z]).*;", live_program(trace))
    functions, edges = [v for v in trace.graph.variables if v.inputs], sum(map(len, trace.graph.children.values()))
    assert len(lines) == len(functions) + edges + len(trace.graph.variables)


@each("name", ["sin", "class", "functions", "await", "a b", "1x", "x²", "</script>", "$", "", "max$2", "x\u202ey"])
def test_any_name_becomes_a_name_of_javascript(name):
    x = Value(2.0, name=name)
    found = re.search(r"values: \(\[(.*?)\]\)", live_program(Trace(sg.max(x, x.sin(), 1).sin(), names={})))[1]
    assert re.fullmatch(r"\w+", found) and found not in ("sin", "class", "functions", "await")


def test_two_names_that_differ_only_in_their_signs_stay_apart():
    found = re.search(r"values: \(\[(.*?)\]\)", live_program(Trace(Value(1, name="a+b") * Value(2, name="a-b"), names={})))[1]
    assert len(set(found.split(", "))) == 2


def test_the_page_defines_each_function_that_is_not_a_formula():
    defined = (SRC / "functions.js").read_text(encoding="utf-8")
    for row in rules.TABLE:
        assert is_formula(row) or re.search(rf"\b{row.name}\b", defined), row.name


def test_a_fraction_and_a_large_integer_start_as_the_nearest_float():
    big, third, huge = Value(2**60 + 1, name="a"), Value(Fraction(1, 3), name="b"), Value(10**400, name="c")
    assert f"start: [{float(2**60)}, 0.3333333333333333, Infinity]" in live_program(Trace(sg.sum(big, third, huge), names={}))


def test_numbers_that_are_not_finite_are_written_as_javascript_writes_them():
    x, y = Value(math.inf, name="x"), Value(math.nan, name="y")
    source = live_program(Trace(sg.dot(x, -math.inf, y, math.nan), names={}))
    assert "start: [Infinity, NaN]" in source and "-Infinity" in source and "inf'" not in source


def test_a_constant_is_not_an_input_but_has_a_value_and_a_total():
    x, c = Value(3.0, name="x"), Value(2.0, name="c", keep_grad=False)
    source = live_program(Trace(x * c, names={}))
    assert "{inputs: [0], start: [3.0]" in source and "const c = 2.0;" in source and "dz_dc" in source


def test_the_part_that_a_long_formula_repeats_is_computed_once():
    @function
    def twelve_squares(x):
        for _ in range(12):
            x = x * x
        return x

    source = live_program(Trace(twelve_squares(Value(1.01, name="x")), names={}))
    assert len(source) < 6000 and "_part1" in source


def root(x):
    return math.sqrt(x)


@function
def branching(x):
    return x if x > 0 else -x


cube = Row("cube", lambda x: x * x * x, lambda x, y: 3 * x * x)
own_relu = Row("relu", lambda x: x * x, lambda x, y: 2 * x)


@function
def cube_plus_one(x):
    return cube(x) + 1


by_hand = function(root, partials=lambda x: 1 / (2 * math.sqrt(x)))
ONE = Value(2.0, name="x")
NOT_LIVE = {
    "The function root is not a formula": lambda: by_hand(ONE) * 2,
    "The function branching is not a formula": lambda: branching(ONE) * 2,
    "The function cube is not in the table of rules": lambda: cube(ONE) * 2,
    "The function relu is not in the table of rules": lambda: own_relu(ONE) * 2,
    "The function cube is not in the table": lambda: cube_plus_one(ONE) * 2,
    "a variable whose function is not known": lambda: Value(3.0, (ONE,), (1.5,)) * 2,
    "All inputs of this graph are constants": lambda: Value(2.0, keep_grad=False) * Value(3.0, keep_grad=False),
    f"This graph has 302 variables. The page can nudge graphs of up to {MOST_VARIABLES}.": lambda: sg.sum(*map(Value, range(301))),
    "Arrays can be nudged in the graph of the whole program": lambda: (tg.Tensor(np.ones((2, 2))) * 2).sum(),
    "characters": lambda: many_digits(ONE),
}


@function
def many_digits(x):
    for k in range(20_000):
        x = x * (k + 0.123456789)
    return x


@pytest.mark.parametrize("said", [said if said != "characters" else pytest.param(said, marks=pytest.mark.sweep) for said in NOT_LIVE])
def test_a_graph_without_a_program_says_why_in_a_sentence(said):
    trace = Trace(NOT_LIVE[said](), names={})
    with pytest.raises(NotLive, match=re.escape(said)):
        live_program(trace)


@swept("said", [said for said in NOT_LIVE if said not in ("characters", "Arrays can be nudged in the graph of the whole program")], every=4)
def test_a_page_says_why_its_graph_has_no_program(said):
    trace = Trace(NOT_LIVE[said](), names={})
    data, script = with_programs(trace, None)
    assert said in data["notLive"] and data["notLive"].endswith(".") and "program" not in data and "values" not in script


def test_a_function_by_hand_that_is_a_formula_has_a_program():
    scaled = function(lambda x: x * 3, partials=lambda x: 3)
    assert re.search(r"const \w+ = x\*3;", live_program(Trace(scaled(ONE), names={})))
