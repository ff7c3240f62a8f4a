"""The engine to read: its length, its imports, that it differentiates by itself, and that the Value that users import agrees with it."""

import ast
import math
import operator
import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import scalargrad
from scalargrad import engine, rules
from scalargrad.fast.edges import computed_in_order
from tests.scalargrad.oracles import ORACLES, oracle

ROOT = Path(__file__).parents[2]
ROOM = ROOT / "scalargrad"

ALONE = """
import sys, types
room = types.ModuleType("scalargrad")  # in the place of the package, whose __init__.py imports everything
room.__path__ = [{room!r}]
sys.modules["scalargrad"] = room
from scalargrad import engine
x = engine.Value(0.5)
y = (3 - x.exp()) ** 2
y.backward()
print(y.data, x.grad, *sorted(name for name in sys.modules if name.startswith("scalargrad.")))
"""


def test_the_engine_is_at_most_150_lines_and_imports_only_the_table():
    text = (ROOM / "engine.py").read_text(encoding="utf-8")
    tree = ast.parse(text)
    sort = next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "topological_order")
    imported = [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    assert text.count("\n") <= 150 and sort.end_lineno - sort.lineno < 20 and imported == ["from scalargrad import rules"]


def test_the_engine_and_the_table_alone_differentiate():
    program = ALONE.format(room=str(ROOM))
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT.anchor).stdout.split()
    inner = 3 - math.exp(0.5)
    assert list(map(float, printed[:2])) == [inner**2, 2 * inner * -math.exp(0.5)]
    assert printed[2:] == [f"scalargrad.{name}" for name in ("engine", "numeric", "rule", "rules")]


def test_its_third_sentence_says_what_users_get_where_it_is_and_which_test_proves_it():
    third = engine.__doc__.replace(".py", "").replace("\n", " ").split(". ")[2]
    assert "flat slots" in third and "quick operators" in third and "`fast/value`" in third
    assert "`tests/scalargrad/test_engine`" in third and f"`{test_both_values_agree.__name__}`" in third


def test_each_file_of_the_value_that_users_import_begins_with_what_it_does_beside_the_engine():
    files = [path for path in (ROOM / "fast").glob("*.py") if path.name != "__init__.py"]
    assert not [path.name for path in files if not path.read_text(encoding="utf-8").startswith(('"""Faster: ', '"""Added: '))]


def test_a_chain_of_5_000_functions_goes_backward_and_is_freed():
    x = z = engine.Value(2)
    for _ in range(5_000):
        z = -z
    z.backward()
    assert x.grad == 1
    del z


# The Value that users import agrees with it, to the last digit

OPERATORS = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv, "neg": operator.neg, "abs": abs,
    "pow": operator.pow, "floor_divide": operator.floordiv, "remainder": operator.mod,
}  # fmt: skip
RATIONAL = ["add", "sub", "mul", "neg", "square", "abs", "relu", "maximum", "minimum", "where", "clamp", "sum", "dot", "max"]
EXACT = [getattr(rules, name) for name in RATIONAL]


def told(n):
    """Return a number as text to its last digit; nan equals nan, and -0.0 equals 0."""
    return repr(float(n) + 0.0)


def call(row, args):
    """Apply a function as users write it: by an operator, as a method of its only input, or as a function."""
    if row.name in OPERATORS:
        return OPERATORS[row.name](*args)
    if len(args) == 1 and isinstance(args[0], engine.Operators) and not row.option_of:
        return getattr(args[0], row.name)()
    return row(*args)


def differentiated(Value, seed, called):
    """Return the numbers and gradients of a random graph, of floats or of fractions, with plain numbers among the arguments."""
    rng = random.Random(seed)
    exact = seed % 4 == 0
    made = [Value(Fraction(rng.randint(-9, 9), 4) if exact else rng.uniform(-3, 3)) for _ in range(4)]
    usable = list(made)  # numbers that are not finite, or large, would hide what comes after them
    for row in rng.choices(EXACT if exact else rules.TABLE, k=12):
        numbers = rng.choice(oracle(row).points)
        variable = rng.randrange(len(numbers))
        args = [rng.choice(usable) if rng.random() < 0.7 or i == variable else int(n) if exact else n for i, n in enumerate(numbers)]
        made.append(call(row, args))
        called.add(row.name)
        if math.isfinite(made[-1].data) and abs(made[-1].data) < 1e3:
            usable.append(made[-1])
    z = rules.dot(*usable, 0.5 * usable[-1], *usable[::-1]) if not exact else rules.sum(*usable)
    for _ in range(2):  # gradients of leaves add up
        z.backward()
    return [told(n) for v in (*made, z) for n in (v.data, v.grad)], z


def test_both_values_agree():
    """All functions, at their points and kinks, and 100 random graphs: equal numbers and gradients, nan equal to nan."""
    called: set = set()
    for seed in range(100):
        ours, z = differentiated(engine.Value, seed, called)
        theirs, twin = differentiated(scalargrad.Value, seed, called)
        assert ours == theirs, seed
        orders = [[told(v.data) for v in order if v.inputs] for order in (engine.topological_order(z), computed_in_order(twin))]
        assert orders[0] == orders[1], seed
    assert called == {row.name for row in rules.TABLE}
    for row in rules.TABLE:
        for numbers in [*ORACLES[row.name].points, *[numbers for numbers, _ in ORACLES[row.name].kinks]]:
            found = []
            for Value in engine.Value, scalargrad.Value:
                variables = list(map(Value, numbers))
                y = call(row, variables)
                y.backward()
                found.append([told(n) for n in (y.data, *[x.grad for x in variables])])
            assert found[0] == found[1], (row.name, numbers)
