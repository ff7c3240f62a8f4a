"""The data of a page as text, by columns: what all of its graphs have in one field stands together, and so does what steps have in one.

Compression finds again only what it saw in the last 32 kB, and a graph that opens in a page is longer. A page of numbers is a quarter
smaller, a page of many statements a third.
"""

import base64
import json
import re
import string
import zlib
from collections import defaultdict

LEVEL = 7  # of compression: 9 takes three times as long, and saves one byte of sixty
LONGEST_PLAIN = 20_000  # characters; longer data is compressed, and the browser takes a moment to unpack it
HOLDING = "scalarGraphs", "loops"  # fields in which a graph holds those that open in it


def columns(data):
    """Return the data of a page as {field: [[number of a graph, its value]]}. The page is graph 0; where a graph opens, {"graph": number}
    stands for it. In place of a list of steps there are their `fields`.

    >>> columns({"z": 1, "steps": [{"act": "sort"}, {"act": "get", "x": 0}], "scalarGraphs": {1: {"z": 3, "scene": {}}}})
    {'z': [[0, 1], [1, 3]], 'fields': [[0, {'act': ['sort', 'get'], 'x': [None, 0]}]], 'scalarGraphs': [[0, {1: {'graph': 1}}]], \
'scene': [[1, {}]]}
    """
    found, graphs = defaultdict(list), [data]

    def placed(value):
        if isinstance(value, dict) and "scene" in value:
            graphs.append(value)
            return {"graph": len(graphs) - 1}
        if isinstance(value, dict):
            return {key: placed(part) for key, part in value.items()}
        return list(map(placed, value)) if isinstance(value, list) else value

    for n, graph in enumerate(graphs):  # to which `placed` adds
        for field, value in graph.items():
            if field == "steps" and isinstance(value, list):  # of passes of other lengths it is {"each": lists}
                found["fields"].append([n, fields(value)])
            else:
                found[field].append([n, placed(value) if field in HOLDING else value])
    return dict(found)


def fields(steps):
    """Return steps as {field: values}, with None for a step that lacks it; no step has a field that is None."""
    return {field: [step.get(field) for step in steps] for field in dict.fromkeys(field for step in steps for field in step)}


def graphs_of(data):
    """Yield the data of a page's graph and of those that open in it."""
    yield data
    for each in data.get("scalarGraphs", {}).values():
        yield from graphs_of(each)


def as_script(data):
    """Return JSON for a script element: a `<` that does not begin a tag of MathML is written as a number."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return re.sub("<(?!/?m[a-z])", r"\\u003c", text)


# The letters of base 85 as Python writes them, and as data.js reads them: one after another, without "<", which could end the element.
USUAL = (string.digits + string.ascii_uppercase + string.ascii_lowercase + "!#$%&()*+-;<=>?@^_`{|}~").encode()
WRITTEN = bytes([*range(40, 60), *range(61, 126)])


def packed(text):
    """Return the type and the text of a script element that holds JSON. Long text is compressed."""
    if len(text) <= LONGEST_PLAIN:
        return "application/json", text
    return "application/zlib", base64.b85encode(zlib.compress(text.encode(), LEVEL)).translate(bytes.maketrans(USUAL, WRITTEN)).decode()
