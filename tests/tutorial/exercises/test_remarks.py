"""What a program shows when it is read: each remark is true of its line, and none is made on a right program."""

from tests.each import each, swept
from tutorial.exercises.authored import exercises, find, others
from tutorial.exercises.checking.check import check
from tutorial.exercises.checking.remarks import MOST_SAID, remark
from tutorial.exercises.checking.verdict import WRONG

SUM = "def slope(f, x, h):\n    total = 0\n    for k in (x, h):\n        total += f(k)\n"


@each(
    ("program", "said"),
    [
        (SUM + "        return total", "Line 5 stands inside the loop, so the loop ends in its first turn."),
        (SUM + "        break\n    return total", "Line 5 stands inside the loop, so the loop ends in its first turn."),
        (SUM + "        if k:\n            return total\n    return x * h", ""),
        (SUM + "        if k:\n            continue\n        return total\n    return h", ""),
        (SUM + "    return total\n    total = h", "Line 6 never runs: line 5 ends what comes before it."),
        (SUM + "    total == h\n    return total", "Line 5 compares with ==, and changes nothing. A single = gives a name its value."),
        (SUM + "    total / h\n    return total", "Line 5 computes a value, and nothing takes it."),
        (SUM + "    sorted([h])\n    return total", "Line 5 makes a new value with sorted, and nothing takes it."),
        (SUM + "    k += h\n    return total", ""),
        (SUM + "    total += k * h\n    return total", "Line 5 stands below the loop, so it runs once, with the last k."),
        (SUM + "    return [k * h for k in (1, total)]", ""),
        (SUM.replace("+= f(k)", "= f(k)\n        k = total") + "    return h", "Line 5 makes k the name of something else."),
        (
            SUM.replace("        total", "        total = 0\n        total") + "    return total * h",
            "Line 4 gives total its first value again",
        ),
        (SUM + "    return total ^ h", "In line 5, ^ is not a power. Python writes powers with **."),
        (SUM + "    return total // h", "In line 5, // cuts off the fraction. A single / keeps it."),
        (SUM + "    half = len([h, total]) // 2\n    return half", ""),
        (SUM + "    return slope(f, h, x)", "Line 5 passes h to slope in the place of x."),
        (SUM + "    return total", ""),
        ("def slope(f, x, h):\n    return f(x)", "slope never reads its argument h."),
        ("def slope(f, x, h):\n    h = 1\n    return f(x + h)", "Line 2 gives the argument h another value before anything has read it."),
        ("def slope(f, x, h):\n    y = f(x)\n    return f(x + h)", "Line 2 gives y a value, which nothing reads."),
        ("def slope(f, x, h):\n    f.gard = x\n    return f(x + h)", "Line 2 writes .gard, which nothing reads."),
        ("def slope(f, x, h, seen=[]):\n    return f(x + h)", "The default of seen in line 1 is made once"),
        ("def slope(f, x, h):\n    return f(x + h) - f('x')", "In line 2, 'x' is a text. Without quotes it is the variable."),
        (
            "def slope(f, x, h):\n    n = 0\n    def add():\n        n = f(x) / h\n    add()\n    return n",
            "Line 4 makes a n of its own inside add: the one outside needs `nonlocal n` there.",
        ),
        (
            "def slope(f, x, h):\n    def add():\n        return f(x) / h\n    add()\n    return 1",
            "Line 4 calls add, and nothing takes what it returns.",
        ),
        ("def slope(f, x, h)\n", ""),
    ],
)
def test_a_line_that_does_not_do_what_it_seems_to_do_is_shown(program, said):
    found = remark(program, find("00"))
    assert found.startswith(said) if said else not found or found.startswith("slope never reads"), found


@swept("exercise", exercises(), every=8, ids=lambda exercise: exercise.number)
def test_nothing_is_remarked_of_a_right_program_but_an_argument_that_it_does_not_need(exercise):
    for program in (exercise.solution, *others(exercise)):
        found = remark(program, exercise)
        assert not found or "never reads its argument" in found, found


def test_what_the_given_program_does_is_not_remarked():
    exercise = find("08")
    assert not remark(exercise.given, exercise)
    early = exercise.solution.replace("    return computed", "        return computed")
    assert "stands inside the loop" in remark(early, exercise)


def test_a_wrong_program_hears_its_remark_beside_the_counterexample():
    found = check(find("04"), find("04").solution.replace("    return total", "        return total"))
    assert "Line 7 stands inside the loop, so the loop ends in its first turn." in f"{found.said} {found.asked}"
    unnamed = check(find("00"), "def slope(f, x, h):\n    return f(x) + 7")
    assert unnamed.asked == "slope never reads its argument h." and unnamed.said.startswith("slope is 20. It should be 3.")


def test_the_name_of_a_comprehension_is_not_that_of_the_function_around_it():
    program = (
        "def slope(f, x, h):\n    p = h\n    def near(a):\n        found = [p for p in (a, x)]\n        return found\n    return near(p)\n"
    )
    assert "nonlocal" not in remark(program, find("00"))


def test_a_text_that_is_a_key_of_the_programs_own_dictionary_is_not_taken_for_a_variable():
    program = "def slope(f, x, h):\n    kept = {'x': x}\n    return f(kept['x'])\n"
    assert remark(program, find("00")) == "slope never reads its argument h."
    assert remark("def slope(f, x, h):\n    return f('x') / h + x\n", find("00")).startswith("In line 2, 'x' is a text.")


def test_an_empty_collection_that_counts_as_false_is_shown():
    program = find("39").solution.replace("known = {z: 1} if known is None else known", "known = known or {}")
    found = check(find("39"), program)
    assert found.state == WRONG and "`known or {}` makes a new one each time that known is empty" in found.said + found.asked


def test_self_is_not_an_argument_that_a_method_must_read():
    program = "class Tape:\n    entries = []\n\n    def __init__(self):\n        pass\n"
    assert "self" not in remark(program, find("29"))


def test_a_remark_on_names_with_braces_or_many_letters_is_a_sentence():
    program = SUM.replace("        total", "        {0: total}[0] = 0\n        {0: total}[0] += k\n        total") + "    return total * h"
    assert remark(program, find("00")).startswith("Line 4 gives {0: total}[0] its first value again")
    long = "def slope(f, x, h):\n    " + "a" * 10_000 + " = f(x)\n    return f(x + h)"
    assert len(remark(long, find("00"))) <= MOST_SAID
    assert remark(long + "\n" + "y = 1\n" * 2_000, find("00")) == ""


def test_the_difference_of_sets_is_not_taken_for_a_power():
    program = "def children(edges, x):\n    found = set()\n    for a, b in edges:\n        found ^= {b}\n    return found\n"
    assert "power" not in remark(program, find("01"))


def test_an_attribute_that_is_read_by_its_name_is_read():
    program = "def slope(f, x, h):\n    if not getattr(f, 'seen', False):\n        f.seen = True\n    return f(x + h)\n"
    assert "nothing reads" not in remark(program, find("00")) and "nothing reads" in remark(program.replace("'seen'", "'met'"), find("00"))
