"""The JSON that a page holds in its script element with the id `data`, plain or compressed."""

import json
import re
import zlib
from base64 import b85decode

from viz.page.columns import USUAL, WRITTEN

FROM_PAGE = bytes.maketrans(WRITTEN, USUAL)


def written_data(page):
    """Return the text of the JSON of a page as the page holds it."""
    kind, text = re.search(r'<script type="([^"]+)" id="data">(.*?)</script>', page.html, re.DOTALL).groups()
    return text if kind == "application/json" else unpacked(text)


def unpacked(letters):
    """Return the text that letters of base 85 stand for."""
    return zlib.decompress(b85decode(letters.encode().translate(FROM_PAGE))).decode()


def script_data(page):
    """Return the text of the JSON of a page, with its graphs in their places."""
    found = json.loads(written_data(page))
    return json.dumps(from_columns(found) if "fields" in found else found, ensure_ascii=False)


def from_columns(columns):
    """Return what viz/page/columns.py has written by columns, as fromColumns of viz/page/src/data.js does."""
    graphs = [{} for _ in columns["z"]]

    def placed(value):
        if isinstance(value, dict):
            return graphs[value["graph"]] if "graph" in value else {key: placed(part) for key, part in value.items()}
        return list(map(placed, value)) if isinstance(value, list) else value

    for field, column in columns.items():
        for n, value in column:
            if field == "fields":
                rows = zip(*([(name, value) for value in values] for name, values in value.items()))
                graphs[n]["steps"] = [{name: value for name, value in row if value is not None} for row in rows]
            else:
                graphs[n][field] = placed(value) if field in ("scalarGraphs", "loops") else value
    return graphs[0]
