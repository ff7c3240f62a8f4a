"""Each player of a chapter gets a file of its own, which the browser loads when the reader comes to it. They share styles and scripts.

A notebook shows a page in a frame that holds the whole page as text. The site has the same frame, with the name of a file. It has no
`sandbox`, which would keep a page on a disk from its script; the page's own policy still lets it load nothing but its script and style.
"""

import html
import re
from functools import partial
from pathlib import Path

from viz.shared_files import apart, name_by_content, parts_of
from viz.whole_files import write_file

FRAME = re.compile(r'<iframe srcdoc="([^"]*)"( sandbox="[^"]*")?')
FOLDER = "players"
SHOWN = re.compile(rf'<iframe [^>]*?src="(?:\.\./)*{FOLDER}/([^"/]+)"')


def in_files(site):
    """Move the text of every frame in the site's pages to a file in the folder `players`. Files there that no page shows are removed."""
    shown: set = set()
    for path in Path(site).rglob("*.html"):
        if path.parent.name == FOLDER:
            continue
        text = path.read_text(encoding="utf-8")
        if FRAME.search(text):
            up = "../" * (len(path.relative_to(site).parts) - 1)
            text = FRAME.sub(partial(moved, Path(site), up), text)
            write_file(path, text)
        shown.update(SHOWN.findall(text))
    remove_others(Path(site) / FOLDER, shown)


def remove_others(folder, shown):
    """Remove the files of earlier builds: all but the players that are shown, and the styles and scripts that these name."""
    files = {path.name: path for path in folder.glob("*")}
    kept = shown | {part for name in shown & set(files) for part in parts_of(files[name].read_text(encoding="utf-8"))}
    for name in set(files) - kept:
        files[name].unlink()


def moved(site, up, frame):
    """Write the text of a frame to a file, and return the start of the frame that shows this file. `up` leads to the site's folder."""
    content, files = apart(html.unescape(frame[1]))
    files[name := name_by_content(content, "html")] = content
    (site / FOLDER).mkdir(exist_ok=True)
    for file, text in files.items():
        if not (site / FOLDER / file).exists():
            write_file(site / FOLDER / file, text)
    sandbox = (frame[2] or "") if len(files) == 1 else ""
    return f'<iframe loading="lazy" src="{up}{FOLDER}/{name}"{sandbox}'
