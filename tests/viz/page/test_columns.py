"""The data of a page stand by columns, and come back as they were."""

import json

from tests.viz.script_data import from_columns
from viz.page.columns import columns


def graph(name, **more):
    return {"z": name, "scene": {"whole": None}, "steps": [{"act": "sort"}, {"act": "get", "x": 0, "said": name}], **more}


def test_graphs_within_graphs_come_back_from_columns():
    passes = {"many": 9, "graphs": {"each": [graph("p"), graph("q")]}}
    data = graph("z", scalarGraphs={"3": graph("a", scalarGraphs={"0": graph("b")}), "5": graph("c")}, loops=[passes], asked=1)
    written = json.loads(json.dumps(columns(data)))
    assert from_columns(written) == data
    assert [n for n, _ in written["fields"]] == [n for n, _ in written["z"]] == list(range(6))


def test_passes_that_differ_in_their_steps_come_back_from_columns():
    together = {"z": 1, "scene": {}, "steps": {"each": [[{"act": "sort"}], [{"act": "sort"}, {"act": "get"}]]}}
    differing = {"z": 2, "scene": {}, "steps": [{"each": [{"act": "get", "x": 1}, {"act": "get"}]}]}
    data = graph("z", loops=[{"graphs": together}, {"graphs": differing}])
    assert from_columns(json.loads(json.dumps(columns(data)))) == data
