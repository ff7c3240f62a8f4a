"""The data of a page by columns: what all of its graphs have in one field stands together, and so does what steps have in one.

Compression finds again only what it saw in the last 32 kB, and a graph that opens in a page is longer. A page of numbers is a quarter
smaller, a page of many statements a third.
"""

from collections import defaultdict

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
