"""A learner's engine beside the right one: the first difference is found on a small graph, and each known mistake has its name."""

import pytest

from scalargrad import Value, backpropagation
from tests.each import each, swept
from tests.tutorial.exercises.broken_engine.engines import CLASS, FUNCTION, IN_ONE_FUNCTION, RIGHT, WRONG, without
from tutorial.exercises.broken_engine import known_mistakes
from tutorial.exercises.broken_engine.compare import compare, difference
from tutorial.exercises.broken_engine.engines import ClassEngine, NoEngine, engine_in
from tutorial.exercises.broken_engine.facts import number_text
from tutorial.exercises.broken_engine.probes import many_paths, probes
from tutorial.exercises.broken_engine.programs import Numbers
from tutorial.exercises.broken_engine.words import in_words
from tutorial.misconceptions import MISCONCEPTIONS, MISTAKES, RULES, of_one_function

FILE = "engine.py"


def compared(source):
    namespace = {"__name__": "engine"}
    exec(compile(source, FILE, "exec"), namespace)
    return compare(namespace)


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_engine_agrees_on_all_graphs(name):
    found = compared(RIGHT[name])
    assert found.found is None and found.agreed > 50


@each("name", WRONG)
def test_a_wrong_engine_gets_the_name_of_its_mistake(name):
    found = compared(WRONG[name])
    assert found.name == name.partition(" in a ")[0].partition(" over ")[0]
    assert found.said.id in MISCONCEPTIONS
    assert len(found.found.program.lines) <= 6


@pytest.mark.parametrize("name, function", IN_ONE_FUNCTION)
def test_a_mistake_in_one_function_names_the_function(name, function):
    found = compared(IN_ONE_FUNCTION[name, function])
    assert found.name == name and found.said.title == f"The rule of {function} is wrong"


@swept("name", WRONG, every=3)
def test_the_sentences_hold_the_numbers_of_the_graph(name):
    found = compared(WRONG[name])
    text = in_words(found, FILE)
    assert found.said.title in text and f"[{found.said.id}]" in text and "{" not in text.replace("{x: dz/dx}", "")
    if found.found.first:
        assert number_text(found.found.first.expected) in text and number_text(found.found.first.got) in text


def test_the_example_of_an_overwriting_engine():
    lines = in_words(compared(WRONG["overwrites"])).splitlines()
    assert lines[0] == "The engine overwrites instead of adding"
    assert "    z = a + a" in lines
    assert "    a  3     1           2      <- wrong" in lines
    assert lines[-1] == "Which line writes the derivative of a, and what stood there before?"


def test_a_mistake_without_a_name_gets_the_smallest_graph_a_nudge_and_a_question():
    found = compared(without(CLASS, "self.grad += other.data * out.grad", "self.grad += other.data * out.grad * 1.5"))
    assert found.name is None and str(found.found.program) == "a = Value(3)\nz = a * a\nz.backward()"
    text = in_words(found)
    assert "dz/da is 6. The engine has 7.5. If a grows by 1e-06, z grows 6 times as much." in text and text.endswith("come from?")


def test_two_mistakes_at_once_are_given_no_name():
    assert compared(without(FUNCTION, "+= computed[y]", "= 2 * computed[y]")).name is None


def test_a_wrong_value_is_found_before_the_derivatives():
    found = compared(without(CLASS, "self.data * other.data", "self.data * other.data + 1"))
    assert found.found.what == "value" and "its forward pass is wrong" in in_words(found)


def test_an_error_shows_the_learners_own_line_and_the_smallest_graph():
    found = compared(without(CLASS, "(1 - t * t)", "missing"))
    text = in_words(found, FILE)
    assert "NameError: name 'missing' is not defined" in text and 'File "engine.py", line 29, in backward' in text
    assert "compare.py" not in text and str(found.found.program) == "a = Value(0.5)\nz = a.tanh()\nz.backward()"


def test_a_function_without_a_result_says_so():
    assert "backprop returned None, not a dictionary" in in_words(compared(without(FUNCTION, "return computed", "pass")))


def test_an_engine_that_follows_each_path_is_right_but_slow_and_a_recursion_is_not_as_deep_as_a_long_chain():
    slow, deep = compared(RIGHT["a class that follows each path"]).remarks
    assert slow.startswith("It is right but slow") and deep.endswith("[M27]")
    assert compared(FUNCTION).remarks == ()


def test_a_function_may_read_partials_as_a_call():
    assert compared(without(FUNCTION, "partial[y, x]", "partial(y, x)")).found is None


def test_both_answers_to_a_second_call_are_right():
    assert compared(CLASS).found is None  # adds up
    assert compared(without(CLASS, "v.grad = v.grad * (not v._prev)", "v.grad = 0")).found is None  # begins anew


def test_our_own_engine_is_right():
    found = compare(ClassEngine(Value))
    assert found.found is None and found.untried == () and found.remarks == ()


def test_without_an_engine_the_message_names_the_forms():
    with pytest.raises(NoEngine, match=r"def backprop\(order, children, partial\)"):
        engine_in({"__name__": "engine", "Value": Value, "backpropagation": backpropagation})


def test_programs_come_the_smallest_first_and_are_the_same_each_time():
    sizes = [len(p.lines) for p in probes()]
    assert sizes[0] == 1 and sizes[1] <= 3 and sizes[-3] >= 8
    assert list(probes()) == list(probes())


def test_numbers_agree_with_backward():
    for program in probes():
        variables = Numbers(program).variables
        variables[program.z].backward()
        assert {x: v.grad for x, v in variables.items()} == Numbers(program).totals


def test_every_known_mistake_has_words_and_every_word_belongs_to_a_mistake():
    named = {*known_mistakes.STRUCTURAL, *known_mistakes.AGAIN}
    assert named | {"changes what it reads", "too deep", "not known yet", "partial transposed"} == set(MISTAKES)
    of_functions = {name for operator in known_mistakes.RULES for name, _ in known_mistakes.mistakes_of(operator)}
    assert of_functions == set(RULES)
    assert {m.id for m in MISTAKES.values()} | {id for id, _ in RULES.values()} <= set(MISCONCEPTIONS)
    assert all(of_one_function(name, "a + b").asked for name in RULES)


def test_what_is_said_of_a_rule_is_what_the_engine_does_and_not_what_is_right():
    assert all(does.startswith("It ") for _, does in RULES.values())
    assert "Its rule is wrong. It gives the slope 1 everywhere" in of_one_function("1 everywhere", "relu(a)").said


def test_the_wrong_rules_of_a_function_give_different_numbers():
    for operator in known_mistakes.RULES:
        seen = []
        tried = [p for p in probes() if p.calls == 1 and operator in p.operators and p.operators <= {operator, "+", "*"}]
        for name, ways in known_mistakes.mistakes_of(operator):
            results = [str(list(way(Numbers(p), Numbers(p).totals))) for p in tried for way in ways]
            assert results not in seen, (operator, name)
            seen.append(results)


def test_paths_grow_by_more_than_a_half_with_each_function():
    assert Numbers(many_paths(12)).totals["b"] > 1.5**11


def test_a_difference_on_one_program_lists_each_variable():
    namespace = {"__name__": "engine"}
    exec(WRONG["overwrites"], namespace)
    program = next(p for p in probes(("+",)) if str(p).count("a + a"))
    assert [row.name for row in difference(engine_in(namespace), program).rows] == ["z", "a"]
