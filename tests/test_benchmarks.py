"""The sweep over all functions runs, misses none that PyTorch has, and writes its table for each machine. Each program says its needs."""

import ast
import os
import re
import sys
from unittest.mock import patch

import numpy as np
import pytest

import tensorgrad as tg
from tensorgrad import Tensor
from tensorgrad.families import PUBLIC
from tests.each import each

with patch.dict(os.environ):  # a benchmark sets one thread, also for the processes that later tests start
    from benchmarks.functions import RESULTS, checked, main, ours, placed, torchs

PROGRAMS = [path for path in sorted(RESULTS.parent.glob("*.py")) if "__main__" in path.read_text(encoding="utf-8")]
OURS = {"scalargrad", "tensorgrad", "viz", "tutorial", "tests", "benchmarks", "numpy"}  # NumPy is installed with them
OLD = "# Results\n\nWords.\n\n## Xeon, 2026-01-02\n\nold\n\n## EPYC, 2026-01-01\n\nkept\n"


def test_a_machine_has_one_section_and_the_newest_comes_first():
    assert placed(OLD, "## EPYC, 2026-03-04", "new") == "# Results\n\nWords.\n\n## EPYC, 2026-03-04\n\nnew\n\n## Xeon, 2026-01-02\n\nold\n"
    assert placed("# Results\n", "## A (R) CPU @ 2, 2026-03-04", "new") == "# Results\n\n## A (R) CPU @ 2, 2026-03-04\n\nnew\n"


@pytest.mark.parametrize("arguments, said", [(["--sizes", "6"], "power of 2"), (["--write", "--only", "exp"], "leave out --only")])
def test_what_cannot_be_measured_or_written_is_said(arguments, said, capsys):
    with pytest.raises(SystemExit):
        main(arguments)
    assert said in capsys.readouterr().err


def test_the_book_says_what_the_table_of_results_says():
    results, book = (path.read_text(encoding="utf-8") for path in (RESULTS, RESULTS.parents[1] / "tutorial" / "book" / "how-fast.md"))
    amd, *_ = re.findall(r"(?ms)^## AMD.*?^- 256²: the median of \d+ is (\S+) of PyTorch's time", results)
    assert f"| {amd} of PyTorch's time | | `python -m benchmarks.functions` |" in book


@pytest.fixture
def torch():
    torch = pytest.importorskip("torch")
    threads = torch.get_num_threads()
    yield torch
    torch.set_num_threads(threads)


@pytest.mark.torch
def test_the_sweep_prints_the_ratios_of_a_function_and_of_its_products(torch, capsys):
    main(["--only", "mm", "--sizes", "4", "--quick"])
    printed = capsys.readouterr().out
    number = r"\d+\.\d\d"
    assert re.search(rf"^\| mm \| {number} \| {number} \|  \|$", printed, re.M)  # HIPS autograd has no mm
    assert len(re.findall(rf"^\| ↳ its products by .* \|  \| {number} \|  \|$", printed, re.M)) == 2
    assert "4²: the median of 1 is" in printed


@pytest.mark.torch
def test_an_unknown_function_is_named(torch):
    with pytest.raises(SystemExit, match="--only mm2: not a function that is measured; choose from: abs, "):
        main(["--only", "mm2", "--sizes", "4"])


@pytest.mark.torch
def test_each_function_that_pytorch_has_is_measured_or_left_out_for_a_reason(torch):
    from benchmarks.function_cases import LEFT_OUT, every
    from tests.tensorgrad.counterparts import EXAMPLES, THEIRS

    cases = every(4, torch)
    measured = {what.partition(",")[0] for what in cases}
    with_peer = {name for name in PUBLIC if name in THEIRS or name in {example.name for example in EXAMPLES}}
    assert measured | LEFT_OUT.keys() == with_peer and not measured & LEFT_OUT.keys()
    for what, (f, theirs, draw) in cases.items():
        arrays = draw()
        G = np.ones(f(tg, *map(Tensor, arrays)).shape, np.float32)
        checked(what, *[make(g, arrays, G)[1]() for make, g in ((ours, f), (torchs, theirs))])


# All programs


def packages(node):
    """Return the packages that a statement imports."""
    names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module]
    return {name.partition(".")[0] for name in names}


@each("path", PROGRAMS, ids=lambda path: path.stem)
def test_a_benchmark_says_what_it_needs_in_its_text_and_when_that_is_missing(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imports = [packages(node) for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    needs = set().union(*imports) - OURS - set(sys.stdlib_module_names)
    said = re.findall(r"(?m)^Needs: (.+)", ast.get_docstring(tree))
    assert needs <= set(re.findall(r"\w+", " ".join(said)))
    assert not said or any(isinstance(node, ast.Call) and ast.unparse(node.func) == "installed" for node in ast.walk(tree))


@each("path", PROGRAMS, ids=lambda path: path.stem)
def test_a_benchmark_on_one_thread_says_so_before_numpy_is_there(path):
    """Threads are set when NumPy loads its BLAS. Two that wait for each other made a network look eight times as slow."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    calls = [i for i, node in enumerate(body) if isinstance(node, ast.Expr) and ast.unparse(node) == "one_thread()"]
    for node in body[: calls[0] if calls else 0]:
        if isinstance(node, ast.Import | ast.ImportFrom):
            assert ast.unparse(node).startswith("from benchmarks.rounds ") or packages(node) <= sys.stdlib_module_names, ast.unparse(node)
