"""What Python writes into a page has the fields that the page's scripts know: viz/page/src/types.d.ts."""

import json
import re

import numpy as np

from scalargrad import Value
from tensorgrad import Tensor
from tests.browser import pages
from tests.each import swept
from tests.page_scripts import SRC
from tests.viz.networks_of_others import OTHERS
from tests.viz.script_data import script_data
from viz import play
from viz.page.inner_graphs import SHARED

COMMENT, PARTIAL, WITHIN_BRACKETS = re.compile("//.*"), re.compile(r"Partial<(\w+)>"), re.compile(r"[{[(<][^][{}()<>]*[]})>]")
INTERFACE = re.compile(r"^interface (\w+)(?: extends (Partial )?(\w+))? \{(.*?)^\}", re.MULTILINE | re.DOTALL)
FIELD = re.compile(r"(\w+)(\??): (Partial )?(\w*)")
PAGES = {
    **{name: lambda name=name: pages.page(name) for name in (*pages.SCHEDULES, "matrices", "beside")},
    "functions as nodes": lambda: play(pages.trace("figure1"), functions="nodes"),
    "pictures": lambda: play((Tensor(np.arange(600.0).reshape(2, 300), name="A") * 2).sum()),
    "network": lambda: play(OTHERS["attention"]),
    "not finite": lambda: play(Value(0, name="x").log()),
}


def interfaces():
    """Return {name: {field: (may it be left out, is it only a part, the first word of its type)}}."""
    text, found = PARTIAL.sub(r"Partial \1", COMMENT.sub("", (SRC / "types.d.ts").read_text(encoding="utf-8"))), {}
    for name, part, base, body in INTERFACE.findall(text):
        while body != (body := WITHIN_BRACKETS.sub("", body)):
            pass
        inherited = {field: (bool(part) or optional, *rest) for field, (optional, *rest) in found.get(base, {}).items()}
        found[name] = inherited | {field: (bool(optional), bool(part), kind) for field, optional, part, kind in FIELD.findall(body)}
    return found


def differences(data, name, known, part=False):
    """Yield "Step.why: missing" or "Step.why: not in types.d.ts" for each difference from an interface. In a `part` nothing is missing."""
    if isinstance(data, list):
        for item in data:
            yield from differences(item, name, known, part)
    elif data is not None:
        fields = known[name]
        yield from (f"{name}.{field}: not in types.d.ts" for field in data.keys() - fields.keys())
        yield from (f"{name}.{field}: missing" for field, (optional, *_) in fields.items() if not (optional or part or field in data))
        for field in data.keys() & fields.keys():
            _, some, kind = fields[field]
            if kind in known:
                yield from differences(data[field], kind, known, part or some or kind == "EntryGraph")


@swept("name", PAGES, every=4)
def test_the_fields_of_the_data_are_those_of_their_types(name):
    """Each required one is always there, also in a graph into which the page zooms."""
    data, known = json.loads(script_data(PAGES[name]())), interfaces()
    shared = {field: data[field] for field in SHARED}
    graphs = [data, *({**shared, **graph} for graph in data.get("scalarGraphs", {}).values())]
    assert sorted(set(differences(graphs, "PageData", known))) == []
