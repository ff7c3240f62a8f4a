"""The page computes the places of what is open anew, in JavaScript: the same places as viz/layout does."""

import json

import pytest

from tests.page_scripts import SRC, node
from tests.viz.layout.test_layered import boxes_and_links, random_scopes
from viz.layout.arrangement import arrangement
from viz.layout.places import Spacing, columns_of, places

BETWEEN = 56  # ranks, as in layout.js
SPACING = Spacing(apart=16, gap=14, title=32, side=16)  # as in sizes.js and layout.js
PROGRAM = f"""
const {{ layout }} = await import({json.dumps((SRC / "folding" / "layout.js").as_uri())});
const {{ Model }} = await import({json.dumps((SRC / "folding" / "model.js").as_uri())});
const screen = {{ wide: Infinity, high: Infinity }};
const found = JSON.parse(process.argv[1]).map(data => [...layout(new Model(data), screen).places]);
console.log(JSON.stringify(found));
"""


def data_of(sizes, links, around, parents, arranged):
    """Return the data of a page whose scopes are all open."""
    nodes = [{"wide": w, "high": h + 2 * pad, "scope": scope, "inputs": []} for (w, h, pad), scope in zip(sizes, around)]
    for x, y in links:
        nodes[y]["inputs"].append(x)
    scopes = [{"parent": parent, "ranks": each.entries(), "open": True, "wide": 90, "high": 40} for parent, each in zip(parents, arranged)]
    return {"nodes": nodes, "scopes": scopes}


@pytest.mark.processes
def test_python_and_the_page_place_the_boxes_of_a_graph_alike():
    """Thirty random graphs, each with scopes in scopes, and one that sums in another order place elsewhere."""
    graphs, expected = [], []
    for seed in (*range(30), 109):
        sizes, links = boxes_and_links(seed)
        links = sorted(dict.fromkeys(links), key=lambda link: link[1])
        around, parents = random_scopes(seed, len(sizes), links)
        arranged = arrangement(around, links, parents)
        rooms = [[BETWEEN] * (len(each.order.ranks) - 1) for each in arranged]
        sized = [*sizes, *[(90, 0, 0)] * len(parents)]
        found = places(arranged, sized, columns_of(arranged, sized, rooms, SPACING), SPACING, {})
        graphs.append(data_of(sizes, links, around, parents, arranged))
        expected.append({thing: (x - w / 2, y - h / 2, w, h) for thing, (x, y, w, h) in found.boxes.items()})
    shown = json.loads(node("--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", "--input-type=module", "-e", PROGRAM, json.dumps(graphs)))
    for places_in_python, places_on_page in zip(expected, shown, strict=True):
        on_page = {thing: tuple(at[side] for side in ("x", "y", "wide", "high")) for thing, at in places_on_page}
        assert on_page.keys() == places_in_python.keys()
        assert all(on_page[thing] == pytest.approx(places_in_python[thing], abs=1e-6) for thing in on_page)
