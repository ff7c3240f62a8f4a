"""The verdict on a program: its state, the smallest probe, the name of the mistake, one mistake at a time."""

import pytest

from tests.each import each
from tutorial.exercises.answers import MOST_PRINTED, Answer
from tutorial.exercises.authored import BREAK, IMPOSTOR, exercises, find, read
from tutorial.exercises.checking.check import Asked, check, known
from tutorial.exercises.checking.feedback import in_words
from tutorial.exercises.checking.page import verdict_page
from tutorial.exercises.checking.verdict import CRASHED, NOT_STARTED, RIGHT, TIMEOUT, WRONG

TEXT = '''"""Sum and product

Statement.
"""
# meta: unit=A minutes=5 difficulty=1 chapter=none call=both


def both(a, b, notes):
    # BEGIN SOLUTION
    s = a + b
    # ~ difference M01: s = a - b
    # ~ twice M03: s = a + a
    p = a * b
    # ~ power M02: p = a**b
    # ~ power-too M03: p = a ** b
    # ~ twice M03: p = a + a
    # END SOLUTION
    return {"sum": s, "product": p}


# FRAME
def framed(a):
    return both(a, a, [])["sum"] / 2


# CHECK
from tutorial.exercises.probes.probe import Probe

HINTS = ("one", "two", "three")
SAID = {
    "difference": "{component} was {got}, expected {expected}, {about}, {input}, {limit}, {sign}",
    "twice": "{got}",
    "power": "{got}",
    "power-too": "{got}",
}


def probes(random):
    for k in (2, 3, random.randint(10, 20)):
        yield Probe((k, k + 1, []), {"limit": k, "sign": {"sum": "+", "product": "*"}}, 1000, f"a is {k}")
'''
EXERCISE = read("99", TEXT)


def both(s, p, more=""):
    return f"def both(a, b, notes):\n    {more}\n    return {{'sum': {s}, 'product': {p}}}\n"


@pytest.mark.parametrize(
    ("program", "state", "title", "line"),
    [
        (EXERCISE.solution, RIGHT, "Right", None),
        (both("b + a", "b * a"), RIGHT, "Right", None),
        (EXERCISE.given, NOT_STARTED, "Not started", None),
        (EXERCISE.given + "# a remark\n", NOT_STARTED, "Not started", None),
        ("", NOT_STARTED, "Not started", None),
        (both(1, 1), WRONG, "sum is wrong", None),
        (both("'5'", "a * b"), WRONG, "sum has the wrong type", None),
        ("def both(a, b, notes):\n    return {'sum': a + b}", WRONG, "product is missing", None),
        (both("a + b", "a * b, 'x': 3"), WRONG, "x should not be there", None),
        ("def both(a, b, notes): return 3", WRONG, "The answer has the wrong type", None),
        (both("a + b", "a * b", "notes.append(1)"), WRONG, "The program changed notes", None),
        (both("missing", "a * b"), CRASHED, "The program raised NameError", 3),
        ("def both(:", CRASHED, "The program raised SyntaxError", 1),
        ("def both(): return 3", CRASHED, "The program raised TypeError", None),
        (both(1, 1, "while True: max(a, b)"), TIMEOUT, "The program takes too long", None),
    ],
)
def test_states(program, state, title, line):
    found = check(EXERCISE, program)
    assert (found.state, found.title, found.line) == (state, title, line)


def test_a_wrong_answer_is_named_with_the_numbers_of_the_smallest_probe():
    found = check(EXERCISE, EXERCISE.wrong["difference"].program)
    assert found.said == "sum was -1, expected 5, a is 2, both(2, 3, []), 2, +".replace("-", "−")
    assert (found.name, found.id, found.component, found.got, found.expected) == ("difference", "M01", "sum", "−1", "5")
    assert found.observed == "sum is −1. It should be 5."


def test_a_mistake_in_one_component_is_named_whatever_the_other_is():
    assert check(EXERCISE, both("a - b", "a")).name == "difference"
    assert check(EXERCISE, both("a + b", "a ** b")).name == "power"  # of two that give the same, the first
    assert check(EXERCISE, both("a", "a ** b")).name == ""


def test_of_two_mistakes_with_the_same_part_the_one_in_this_part_alone_is_named():
    exercise = find("09")
    two = exercise.solution.replace("return 1, -1", "return 1, 1").replace("return b, a", "return a, b")
    assert check(exercise, two).name == "sub-sign"  # sub-turned has the same second number, and another first one
    three = two.replace("return (-1,)", "raise NotImplementedError").replace(
        "return 1, 1\n\n\ndef local_mul", "return 1, -1\n\n\ndef local_mul"
    )
    assert check(exercise, three).name == "own-factor"
    assert check(exercise, exercise.solution.replace("return (-1,)", "raise NotImplementedError")).title == "local_neg is missing"


def test_a_mistake_in_one_component_is_named_although_a_probe_of_another_ends_in_an_error():
    exercise = find("10")
    two = exercise.solution.replace("return n * x ** (n - 1)", "return n * out / x").replace("return out\n", "return x\n", 1)
    assert check(exercise, two).name == "exp-input"
    assert check(exercise, exercise.solution.replace("n * x ** (n - 1)", "n * out / x")).name == "pow-divides"


def test_a_mistake_is_named_although_another_probe_ends_in_an_error_in_the_words_of_another_function():
    exercise = find("21")
    assert check(exercise, exercise.solution.replace("G @ B.T", "G.dot(B)")).name == "B-as-it-is"  # as G @ B, it fails for other shapes
    assert check(exercise, exercise.solution.replace("G @ B.T", "G.dot(B)").replace("A.T @ G", "A.dot(G)")).name == "A-as-it-is"


def test_a_mistake_that_shows_on_some_probes_only_has_no_name():
    found = check(EXERCISE, both("a - b if a < 4 else a + b", "a * b"))
    assert (found.state, found.name, found.got) == (WRONG, "", "−1") and found.asked


def test_a_judge_may_accept_several_answers_and_the_mistake_in_another_part_keeps_its_name():
    exercise = find("14")
    own_graph = exercise.given.replace('{"y": ["a", "b"], "z": ["y", "c"]}', '{"h": ["a", "a"], "z": ["h", "h"]}')
    assert own_graph != exercise.given and check(exercise, own_graph).name == "wrong-node"
    found = [check(exercise, exercise.solution.replace('"z": ["y", "y"]', f'"z": ["y", {x}]')) for x in ('"c"', '"a"', '"z"', "3")]
    assert [(verdict.state, verdict.name) for verdict in found] == [(WRONG, "given-graph"), (WRONG, ""), (WRONG, ""), (WRONG, "")]
    assert "notes y, z: each once" in found[1].said and "has a cycle" in found[2].said
    for verdict in found:
        assert verdict.said.startswith("The sort is right now. What is missing is a graph in `failing`.")
        assert "right" not in in_words(verdict).split("failing", 1)[1].split("The sort")[0] and "has two uses?" in verdict.asked


def test_numbers_follow_from_the_seed():
    asked = []

    def ask(program, call, arguments, calls, reply):
        asked.append(arguments)
        return [Answer({"sum": a + b, "product": a * b}) for a, b, _ in arguments]

    for seed in (1, 1, 2):
        assert check(EXERCISE, "def both(): pass", seed, ask).state == RIGHT
    assert asked[0] == asked[1] != asked[2]


def test_a_line_of_the_frame_is_not_the_learners():
    framed = read("99", TEXT.replace("call=both", "call=framed").replace("(k, k + 1, [])", "(k,)"))
    found = check(framed, "def both(a, b, notes):\n    return {'sum': 'x'}\n")
    assert (found.title, found.line) == ("The program raised TypeError", None)


def test_a_wrong_answer_that_is_right_is_found_by_known():
    with pytest.raises(AssertionError, match="the wrong answer difference of exercise 99 is right"):
        known(read("99", TEXT.replace("s = a - b", "s = b + a")))
    assert [verdict.name for verdict in known(find("08"))] == list(find("08").wrong)


def test_a_known_wrong_answer_runs_only_until_it_differs():
    exercise = find("08")
    asked = Asked(exercise, 0)
    found = asked.answers_of(exercise.wrong["overwrite"].program)
    assert asked.verdict(found, 10).name == "overwrite"
    ran = {name: len(theirs.found) for name, theirs in asked.known.items()}
    assert ran.pop("overwrite") == len(asked.probes) > 3 * max(ran.values()) > 0


def test_what_a_program_prints_at_the_smallest_wrong_probe_is_shown_and_a_flood_is_cut():
    found = check(EXERCISE, both("a - b", "a * b", "print('sum of', a, b)"))
    assert found.printed == "sum of 2 3\n" and found.name == "difference"
    assert "    It printed:\n      sum of 2 3" in in_words(found) and "sum of 2 3" in verdict_page(EXERCISE, found).html
    assert check(EXERCISE, both("a + b", "a * b", "print('<b>')")).state == RIGHT
    flood = check(EXERCISE, both("a - b", "a * b", "print('x' * 10**6)"))
    assert len(flood.printed) == MOST_PRINTED and flood.name == "difference"


def test_a_program_that_is_the_known_one_is_told_what_it_does_and_one_with_the_same_values_what_it_acts_like():
    exercise = find("00")
    same = check(exercise, exercise.wrong["amount"].program.replace("(f, x, h)", "(g, a, b)").replace("f(x + h) - f(x)", "g(a + b) - g(a)"))
    assert same.said == check(exercise, exercise.wrong["amount"].program).said and "acts as if" not in same.said
    direct = find("04")
    swapped = check(direct, direct.solution.replace("derivative(y, z, c", "derivative(z, y, c"))
    assert swapped.name == "direct-only" and swapped.said.startswith("Your program acts as if you counted only the direct edge to z")
    assert swapped.said.endswith("Line 6 passes z to derivative in the place of x.") and "expected" in swapped.said


def test_a_part_of_a_probe_is_judged_by_itself_and_names_a_mistake_beside_another_one():
    exercise = find("06")
    two = exercise.solution.replace("y in done or any", "any").replace("return done ==", "return done <=")
    found = check(exercise, two)
    assert (found.name, found.component) == ("accepts-missing", "The answer for an order in which a variable is missing")
    repaired = check(exercise, exercise.solution.replace("y in done or any", "any"))
    assert (repaired.name, repaired.component) == ("accepts-duplicates", "The answer for an order with a variable that stands twice")


def test_a_rule_must_be_a_formula_and_not_a_difference_quotient():
    exercise = find("10")
    quotient = "return (math.exp(x + 6e-6) - math.exp(x - 6e-6)) / 1.2e-5"
    found = check(exercise, exercise.solution.replace("    return out\n", f"    {quotient}\n", 1))
    assert (found.state, found.component, found.title) == (WRONG, "exp", "exp is not exact")


def test_one_answer_for_all_inputs_is_not_named_by_one_of_its_parts():
    program = "def figure1(x1, x2, x3, x4):\n    return {'y1': 1, 'y2': 1, 'x1': 5, 'x2': 1, 'x3': 1, 'x4': 3}\n"
    found = check(find("02"), program)
    assert (found.state, found.name, found.asked) == (WRONG, "", "figure1 never reads its argument x1.")
    assert check(find("06"), find("06").wrong["always"].program).name == "always"


def test_a_judged_program_that_returns_nothing_hears_of_return():
    found = check(find("07"), find("07").solution.replace("return notes[::-1]", "print(notes)"))
    assert found.title == "The program returned nothing" and "`return`" in found.asked


def test_what_is_returned_for_some_inputs_alone_is_not_a_missing_return():
    program = "def children(edges, x):\n    found = {y for s, y in edges if s == x}\n    if found:\n        return found\n"
    assert check(find("01"), program).asked.startswith("For other inputs it returns something.")


@each("exercise", [exercise for exercise in exercises() if exercise.kind not in (BREAK, IMPOSTOR)], ids=lambda exercise: exercise.number)
def test_the_right_answers_for_other_numbers_are_wrong(exercise):
    """No program that knows the answers of one seed by heart is right: only a graph or tests that a learner gives are the same for all."""
    learned, asked = Asked(exercise, 1), Asked(exercise, 2)
    found = [learned.right[k % len(learned.right)] for k in range(len(asked.probes))]
    assert asked.first_wrong(found)


def test_of_several_answers_with_the_same_part_the_one_that_begins_there_is_named():
    exercise = find("32")
    two = exercise.solution.replace("before = mode.recording\n", "before = True\n")
    two = two.replace(
        "    try:\n        yield\n    finally:\n        mode.recording = before\n", "    yield\n    mode.recording = before\n"
    )
    assert check(exercise, two).name == "inner-exit"  # also not-after-error, which shows later


def test_an_answer_that_is_mostly_an_error_gets_no_name_for_a_few_zeros():
    exercise = find("24")
    program = exercise.solution.replace("stride * rows", "stride * rows - stride")
    assert program != exercise.solution and check(exercise, program).name == ""


def test_an_error_that_a_program_raises_itself_is_compared_without_its_words():
    exercise = find("31")
    program = exercise.wrong["empty-is-released"].program
    assert check(exercise, program.replace("call that one with retain=True", "too late")).name == "empty-is-released"
