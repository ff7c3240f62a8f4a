"""Printed tables are straight for names of any script: a Chinese letter takes two columns of a terminal."""

import numpy as np
from rich.cells import cell_len

from scalargrad.formulas.text import columns, in_columns
from tensorgrad import Tensor, memory, nn, optim
from tests.each import each
from tests.viz.names_of_others import NAMES


@each("names", NAMES.values(), ids=list(NAMES))
def test_columns_are_those_of_the_library_that_draws_the_screen(names):
    for name in names:
        assert columns(name) == cell_len(name)
        for width in (4, 11, 12, 25, 60):
            assert cell_len(in_columns(name, width)) == width and in_columns(name, width).endswith(" ")


def ends(table, word):
    """Return the columns at which the cells of a table end below the heading `word`, which is aligned to the right."""
    head = next(line for line in table if word in line)
    end = cell_len(head[: head.index(word)]) + cell_len(word)
    return end, [line for line in table[table.index(head) + 1 :] if line]


def up_to(line, width):
    """Return the beginning of a line that takes so many columns."""
    return next(line[:k] for k in range(len(line) + 1) if cell_len(line[:k]) == width)


@each("name", ["w", "隠れ層の活性化関数の出力の値", "🎉🎈🍎🍐", "重み"])
def test_the_tables_of_memory_and_of_lifetimes_are_straight(name):
    x, w = Tensor([[1.0, 2.0]], keep_grad=False, name="x"), Tensor([[1.0], [1.0]], name=name)
    found = memory(np.tanh(x @ w).sum())
    for table, word in ((str(found).splitlines(), "freed"), (str(found.lifetimes()).splitlines(), "size")):
        end, rows = ends(table, word)
        assert len(rows) > 2 and all(up_to(row, end)[-1] not in " …" and (f"{row} "[len(up_to(row, end))] == " ") for row in rows)


def test_the_table_of_gradients_is_straight():
    network = nn.Sequential()
    network.add_module("隠れ層", nn.Linear(2, 2))
    network.add_module("head", nn.Linear(2, 1))
    optimiser = optim.SGD(network.parameters(), lr=0.1)
    network(np.ones((3, 2), dtype=np.float32)).sum().backward()
    with optim.GradientReport(network) as report:
        optimiser.step()
    end, rows = ends(str(report).splitlines(), "numbers")
    assert [up_to(row, end).split()[-1] for row in rows[:2]] == ["6", "3"]
