"""The tutorial's printed engine and the mended one: where they agree, where only the mended one is right."""

import random
from pathlib import Path

import numpy as np
import pytest

from tensorgrad import Tensor
from tutorial.graphs import mended_engine, printed_engine
from tutorial.reading.chapter import BOOK, Cell, blocks_of

ENGINES = (printed_engine, mended_engine)


class Ours:
    """tensorgrad under the names of the two engines."""

    Variable = staticmethod(lambda rows, keep_grad: Tensor(rows, keep_grad=keep_grad))
    matmul = staticmethod(lambda a, b: a @ b)
    add = staticmethod(lambda a, b: a + b)
    total = staticmethod(lambda a: a.sum())


def gradients(engine, functions, reuse, seed):
    """Return the gradients of leaves in a random program of 2 × 2 matrices. Without reuse each variable is an input once."""
    draw = random.Random(seed)
    new = lambda: engine.Variable(np.array([[draw.randint(-2, 2) for _ in "ab"] for _ in "ab"], float), keep_grad=True)
    leaves = [new() for _ in range(functions + 1)]
    free = list(leaves)
    for _ in range(functions):
        pick = (lambda: draw.choice(free)) if reuse else (lambda: free.pop(draw.randrange(len(free))))
        free.append(getattr(engine, draw.choice(["matmul", "add"]))(pick(), pick()))
    z = engine.total(free[-1])
    (z if engine is Ours else z.node).backward()
    return [None if grad is None else np.asarray(grad).tolist() for x in leaves for grad in [(x if engine is Ours else x.node).grad]]


def test_the_mended_engine_agrees_with_tensorgrad_on_random_programs():
    for seed in range(40):
        assert gradients(mended_engine, 6, True, seed) == gradients(Ours, 6, True, seed), seed


def test_the_printed_engine_is_wrong_or_raises_on_some_programs_that_use_a_variable_twice():
    wrong = raised = 0
    for seed in range(40):
        try:
            wrong += gradients(printed_engine, 6, True, seed) != gradients(Ours, 6, True, seed)
        except AttributeError as error:
            assert "'backward_fn_params'" in str(error) or "'input_nodes'" in str(error)
            raised += 1
    assert wrong > 0 and raised > 0


def test_on_trees_of_products_the_printed_engine_is_right():
    for engine in ENGINES:
        rows = ([[3, 7], [2, 5]], [[2, 0], [0, 4]], [[1, 2], [3, 4]])
        a, b, c = (engine.Variable(np.array(r, float), keep_grad=True) for r in rows)
        engine.total(engine.matmul(engine.matmul(a, b), c)).node.backward()
        assert a.node.grad.tolist() == [[6, 28], [6, 28]]


def test_each_claim_of_the_page_on_the_tutorial_holds(capsys):
    cells = [block.source for block in blocks_of((Path(BOOK) / "the-tutorial.md").read_text(encoding="utf-8")) if isinstance(block, Cell)]
    assert sum("assert" in cell for cell in cells) >= 5
    names = {}
    for cell in cells:
        exec(compile(cell, "the-tutorial.md", "exec"), names)
    assert "dz/db21 = 1·7 + 1·5 + 1·1 = 13" in capsys.readouterr().out


def test_what_is_printed_and_what_is_mended_have_the_same_functions():
    functions = lambda engine: {name for name, item in vars(engine).items() if getattr(item, "__module__", "") == engine.__name__}
    assert functions(printed_engine) == functions(mended_engine)


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.__name__)
def test_a_constant_gets_no_gradient(engine):
    x, w = engine.Variable(np.eye(2), keep_grad=False), engine.Variable(np.eye(2), keep_grad=True)
    engine.total(engine.matmul(x, w)).node.backward()
    assert x.node.grad is None and w.node.grad.tolist() == [[1, 1], [1, 1]]
