"""python -O drops asserts, and -OO also drops docstrings, which hold the formulas of rules. The packages must work all the same."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

pytestmark = pytest.mark.processes

IMPORTS = """
import importlib, pkgutil
import scalargrad, tensorgrad, tutorial, viz

for room in scalargrad, tensorgrad, viz, tutorial:
    for found in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
        if not found.name.endswith("__main__") and ".beside_" not in found.name.rpartition(".")[0]:  # which need PyTorch, or JAX
            importlib.import_module(found.name)
"""

FORMULAS = """
from tensorgrad import rule
from tensorgrad.rule import TABLE

for r in TABLE:
    for slot in range(max(r.arity, 1)):
        left, equals, right = r.formula(slot).partition(" = ")
        print(r.name, slot, left and equals and right.strip() and "has a formula")
"""

BACKWARD = """
import tensorgrad as tg

A = tg.Tensor([[1.0, 2.0], [3.0, 4.0]], name="A")
z = tg.sum(tg.softmax(A @ A) * tg.tanh(A))
print(tg.check(z))
z.backward()
print(A.grad.tolist())
help(tg.softmax)
help(tg.Tensor)
"""


def python(*args):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    done = subprocess.run([sys.executable, *args], capture_output=True, text=True, env=environment, encoding="utf-8")
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_without_asserts_and_docstrings_every_module_imports_and_every_rule_has_a_formula():
    printed = python("-OO", "-c", IMPORTS + FORMULAS).splitlines()
    assert len(printed) > 100 and all(line.endswith("has a formula") for line in printed)


@pytest.mark.parametrize("flag", ["-O", "-OO"])
def test_tensors_are_checked_and_differentiated(flag):
    printed = python(flag, "-c", BACKWARD)
    assert "derivatives agree\n[[" in printed


@pytest.mark.parametrize("flag", ["-O", "-OO"])
def test_the_command_line_walks_through_numbers_and_matrices(flag, tmp_path):
    assert "dz/dx₁ = " in python(flag, "-m", "tutorial", "--svg", str(tmp_path))
    printed = python(flag, "-m", "tutorial", "matrices", "--svg", str(tmp_path))
    formulas = {"-O": "G_BC = Aᵀ dz/dC, G_BE = dz/dE", "-OO": "G_BC = matmul_right(dz/dC, A), G_BE = dz/dE"}
    assert f"calculate: {formulas[flag]}\n" in printed
