"""The engine by itself: what it imports, how long it is, and that its Value differentiates without the rest of the package."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOM = ROOT / "scalargrad"

ALONE = """
import sys, types
room = types.ModuleType("scalargrad")  # in the place of the package, whose __init__.py imports everything
room.__path__ = [{room!r}]
sys.modules["scalargrad"] = room
import scalargrad.engine
"""


def engine_alone(program):
    """Return what a fresh Python prints that has imported scalargrad.engine, and not the package."""
    code = ALONE.format(room=str(ROOM)) + program
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT.anchor).stdout


def test_the_engine_imports_nothing_that_prints_draws_typesets_or_checks():
    loaded = set(engine_alone("print(*[name for name in sys.modules if name.startswith('scalargrad.')])").split())
    assert loaded == {f"scalargrad.{name}" for name in ("engine", "edges", "rules", "rule", "numeric", "graph", "callers")}


def test_the_engine_alone_differentiates():
    printed = engine_alone("""
from scalargrad import rules
from scalargrad.engine import Value
x, w = Value(0.5), Value(2)
z = (rules.tanh(w * x) - x / w + 3 ** x) ** 2
y = rules.dot(z, -x, w, z, abs(x))
y.backward()
print(y.data, x.grad, w.grad, len(y.inputs))
x.grad = w.grad = 0
y.backward(2)
print(x.grad, w.grad)
(Value(10**400) * Value(1.5)).backward()
""")
    from scalargrad import Value, rules

    x, w = Value(0.5), Value(2)
    z = (rules.tanh(w * x) - x / w + 3**x) ** 2
    y = rules.dot(z, -x, w, z, abs(x))
    y.backward()
    assert printed == f"{y.data} {x.grad} {w.grad} 5\n{2 * x.grad} {2 * w.grad}\n"


def to_arithmetic(lines):
    """The lines of the table of rules as far as its arithmetic: enough to go on."""
    return lines[: next(i for i, line in enumerate(lines) if line.startswith("# Powers"))]


def test_the_first_sitting_is_at_most_400_lines():
    """Four files lead to a working backward(): engine.py, edges.py, the first screen of rules.py, and the tutorial's loop."""
    lines = {
        name: (ROOM / f"{name}.py").read_text(encoding="utf-8").splitlines() for name in ("engine", "edges", "rules", "backpropagation")
    }
    lines["rules"] = to_arithmetic(lines["rules"])
    assert len(lines["engine"]) <= 150 and sum(map(len, lines.values())) <= 400, {name: len(text) for name, text in lines.items()}
