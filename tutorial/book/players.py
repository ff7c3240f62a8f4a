"""Each player of a chapter gets a file of its own, which the browser loads when the reader comes to it.

A notebook shows a page in a frame that holds the whole page as text. The site has the same frame, with the name of a file.
"""

import hashlib
import html
import re
from functools import partial
from pathlib import Path

from viz.files import write_file

FRAME = re.compile(r'<iframe srcdoc="([^"]*)"')
FOLDER = "players"


def in_files(site):
    """Move the text of every frame in the site's pages to a file in the folder `players`."""
    for path in Path(site).rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        if FRAME.search(text):
            up = "../" * (len(path.relative_to(site).parts) - 1)
            write_file(path, FRAME.sub(partial(moved, Path(site), up), text))


def moved(site, up, frame):
    """Write the text of a frame to a file, and return the start of the frame that shows this file. `up` leads to the site's folder."""
    content = html.unescape(frame[1])
    name = f"{FOLDER}/{hashlib.sha256(content.encode()).hexdigest()[:16]}.html"
    (site / FOLDER).mkdir(exist_ok=True)
    write_file(site / name, content)
    return f'<iframe loading="lazy" src="{up}{name}"'
