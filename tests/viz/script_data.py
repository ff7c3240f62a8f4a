"""The JSON that a page holds in its script element with the id `data`, plain or compressed."""

import re
import zlib
from base64 import b64decode


def script_data(page):
    """Return the text of the JSON in a page."""
    kind, text = re.search(r'<script type="([^"]+)" id="data">(.*?)</script>', page.html, re.DOTALL).groups()
    return text if kind == "application/json" else zlib.decompress(b64decode(text)).decode()
