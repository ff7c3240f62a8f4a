"""The matrices in single numbers: their derivatives are those of the matrices, and the text derives the matrix equations from them."""

import re

import pytest

from scalargrad import Trace
from scalargrad.tracing.schedules import SCHEDULES
from tests.tutorial.cli.test_command_line import encoded
from tutorial.cli.main import main
from tutorial.graphs.bulk_equations import bulk_equations
from tutorial.graphs.matrices import A, B, entries, product
from viz.text.formatter import ASCII, UNICODE

ROWS, COLUMNS = (1, 2), (1, 2)


def written(a=A, b=B, formatter=UNICODE):
    z, variables = entries(a, b)
    return bulk_equations(Trace(z), variables, formatter)


def test_the_graph_has_twelve_variables_and_z_and_each_entry_of_c_is_one_function():
    z, variables = entries()
    graph = Trace(z).graph
    assert len(graph.variables) == 13
    assert {v.name for v in graph.variables} == {"z", *(f"{m}{i}{j}" for m in "abc" for i in ROWS for j in COLUMNS)}
    assert [v.name for v in graph.variables if v.inputs] == ["c11", "c12", "c21", "c22", "z"]
    assert [x.name for x in variables["C"][1][0].inputs] == ["a21", "b11", "a22", "b21"]


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_the_derivatives_of_the_entries_are_the_gradients_of_the_matrices(schedule):
    z, variables = entries()
    computed, matrices = Trace(z, schedule=schedule).computed, product()
    matrices["z"].backward()
    for letter in "AB":
        assert [[computed[x].number for x in row] for row in variables[letter]] == matrices[letter].grad.tolist()


def test_the_text_has_equation_1_for_each_of_the_eight_entries():
    text = written(formatter=ASCII)
    for i in ROWS:
        for j in COLUMNS:
            a = " + ".join(f"dz/dc{i}{k} * Dc{i}{k}/Da{i}{j}" for k in COLUMNS)
            b = " + ".join(f"dz/dc{k}{j} * Dc{k}{j}/Db{i}{j}" for k in ROWS)
            assert f"dz/da{i}{j} = {a}\n" in text and f"dz/db{i}{j} = {b}\n" in text
    assert "= dz/dc₁₁ · a₁₂ + dz/dc₂₁ · a₂₂ = 1 · 7 + 1 · 5 = 12" in written()


def test_each_entry_of_the_matrix_product_is_the_sum_that_equation_1_gives():
    """Multiply the two matrices of names in the text: each sum has the products of the derivative."""
    text = written(formatter=ASCII)
    for letter in "ab":
        block = text[text.index(f"  dz/d{letter.upper()} = [") :].splitlines()
        left, right = zip(*[[part.split() for part in re.findall(r"\[ (.*?) \]", line)] for line in block[2:4]])
        for i in range(2):
            for j in range(2):
                product = {frozenset((left[i][k], right[k][j])) for k in range(2)}
                (symbols,) = re.findall(rf"dz/d{letter}{i + 1}{j + 1} = .*\n *= (.*?) =", text)
                assert {frozenset(term.split(" * ")) for term in symbols.split(" + ")} == product


def test_the_last_lines_hold_the_numbers_of_any_matrices():
    text = written([[1, 2], [3, 4]], [[0.5, -1], [2, 7]], ASCII)
    assert "= [ 1   3 ] [ 1   1 ] = [ 4   4 ]\n          [ 2   4 ] [ 1   1 ]   [ 6   6 ]" in text
    assert "= [ 1   1 ] [ 0.5   2 ] = [ -0.5   9 ]\n          [ 1   1 ] [  -1   7 ]   [ -0.5   9 ]" in text


def test_the_command_walks_through_the_graph_and_prints_the_text(tmp_path, capsys):
    code, (out, err) = main(["entries", "--svg", str(tmp_path)]), capsys.readouterr()
    assert (code, err) == (0, "")
    assert "current node: b₁₂" in out and out.endswith(written() + "\n") and "= Aᵀ dz/dC\n" in out
    code, out = main(["entries", "--json", "--svg", str(tmp_path)]), capsys.readouterr().out
    assert code == 0 and out.startswith("{") and out.rstrip().endswith("}")
    code, out = main(["entries", "-o", str(tmp_path / "entries.html")]), capsys.readouterr().out
    assert code == 0 and (tmp_path / "entries.html").exists() and "dz/dC Bᵀ" in out
    code, out = encoded("ascii", "entries", "--svg", str(tmp_path))
    assert code == 0 and "A^T dz/dC" in out
