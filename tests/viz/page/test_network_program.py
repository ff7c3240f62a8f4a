"""The page computes a graph of arrays as the engine does: values and derivatives, at the start and at other numbers."""

import json
from contextlib import suppress

import numpy as np
import pytest

import tensorgrad as tg
from scalargrad import Trace
from tensorgrad.program.array_program import ArrayProgram
from tensorgrad.program.operations import NoProgram
from tests.page_scripts import ROOT, node
from tests.tensorgrad.cases import every_case
from tests.viz import networks_of_modules
from tests.viz.networks_of_others import OTHERS
from viz.page.live.program import JavaScript, definitions
from viz.page.network_data import network_program

AGREE = 1e-7
MOVED = 1e-3  # how far the leaves move: no case has a kink so near, unless it stands at one


def flat(array):
    return [n if np.isfinite(n) else None for n in np.asarray(array, float).reshape(-1).tolist()]


def run_of(trace, leaves, smooth=True):
    """Return what the engine computes. At other numbers it may have constants, such as a shift, that differ: then only the ends count."""
    on, variables = trace.on, trace.graph.variables
    counts = lambda v: not leaves or v is trace.graph.z or not v.inputs
    return {
        "leaves": leaves,
        "values": [flat(on.data(v)) if counts(v) and on.data(v) is not None else None for v in variables],
        "totals": [flat(trace.computed[v].number) if smooth and counts(v) and v in trace.computed else None for v in variables],
    }


def case_of(loss, arrays, smooth=True):
    """Return the program of loss(tensors) as the page has it, with what the engine computes at the arrays, and at others."""
    runs, found = [], None
    for by in (0.0, MOVED)[: 1 + smooth]:
        numbers = [a + by * np.cos(np.arange(a.size)).reshape(a.shape) for a in arrays]
        tensors = [tg.Tensor(a) for a in numbers]
        trace = Trace(loss(tensors), names={})
        variables = trace.graph.variables
        if found is None:
            program, notation = ArrayProgram(variables, trace.on.arrays, trace.names), JavaScript()
            leaves = [i for i, v in enumerate(variables) if not v.inputs]
            data, rows = network_program(program, leaves, variables.index(trace.graph.z), notation)
            found = {"program": data, "rows": f"(functions => {{ {definitions(notation)} return [{', '.join(rows)}]; }})"}
        place = {id(t.node): k for k, t in enumerate(tensors)}
        given = {i: flat(numbers[place[id(v)]]) for i, v in enumerate(variables) if id(v) in place}
        runs.append(run_of(trace, given if by else {}, smooth))
    return found | {"runs": runs}


def apart(cases, folder):
    """Return {name: [[how far values are apart, how far derivatives are] for each run]}."""
    file = folder / "cases.json"
    file.write_text(json.dumps(cases), encoding="utf-8")
    return json.loads(node(ROOT / "tests/viz/page/src/network/run_programs.mjs", file))


def too_far(cases, folder):
    return {name: worst for name, worst in apart(cases, folder).items() if not np.array(worst, float).max() < AGREE}


def of_functions(cases):
    """Return {name: what case_of returns} of the cases with entries of float64 whose loss depends on them."""
    found = {}
    for k, case in enumerate(cases):
        arrays = case.arrays()
        if any(not np.isfinite(a).all() or a.size == 0 or a.dtype != float for a in arrays) or "ofrank1" in repr(case):
            continue
        with suppress(NoProgram, TypeError):  # an array in between is empty; the loss is a constant
            found[f"{k} {case!r}"] = case_of(case.loss, arrays, case.smooth and case.second)
    return found


@pytest.mark.parametrize("every", [10, pytest.param(1, marks=pytest.mark.sweep)])
def test_the_page_computes_each_function_as_the_engine_does(every, tmp_path):
    functions = {case.name: case for case in every_case() if 0 not in np.concatenate([[1], *map(np.shape, case.arrays())])}
    cases = of_functions([*functions.values()][::every])
    assert len(cases) > 200 / every
    assert not too_far(cases, tmp_path)


@pytest.mark.slow
def test_the_page_computes_every_case_of_a_function_as_the_engine_does(tmp_path):
    cases = of_functions(every_case())
    assert len(cases) > 1500
    assert not too_far(cases, tmp_path)


def test_the_page_computes_networks_as_the_engine_does(tmp_path):
    cases = {}
    for name, network in {**networks_of_modules.SMALL, **OTHERS}.items():
        trace = Trace(network if name in OTHERS else lambda network=network: network()[0])
        notation, variables = JavaScript(), trace.graph.variables
        data, rows = network_program(trace.on.program(), [i for i, v in enumerate(variables) if not v.inputs], len(variables) - 1, notation)
        source = f"(functions => {{ {definitions(notation)} return [{', '.join(rows)}]; }})"
        cases[name] = {"program": data, "rows": source, "runs": [run_of(trace, {})]}
    of_four_bytes = apart({"images": cases.pop("images")}, tmp_path)["images"]
    assert np.max(of_four_bytes) < 1e-4  # the engine rounds to four bytes, the page to eight
    assert not too_far(cases, tmp_path)


def test_a_graph_whose_arrays_are_gone_has_no_program():
    def loss():
        W = tg.Tensor(np.ones((3, 2)), name="W")
        return (W @ np.ones(2)).sum()

    trace = Trace(loss())
    trace.on.arrays = dict.fromkeys(trace.on.arrays)
    with pytest.raises(NoProgram, match="freed"):
        ArrayProgram(trace.graph.variables, trace.on.arrays, trace.names)


def test_a_rule_of_the_user_is_not_taken_for_ours_of_the_same_name():
    @tg.rule(lambda G: 3 * G)
    def mse_loss(x):
        return 3 * x

    x = tg.Tensor([1.0, 2.0])
    trace = Trace(mse_loss(x).sum())
    program = ArrayProgram(trace.graph.variables, {v: trace.on.data(v) for v in trace.graph.variables}, trace.names)
    assert program.operations[0].keys() & {"rows", "code"} or program.operations[0]["kind"] == "scalars"
