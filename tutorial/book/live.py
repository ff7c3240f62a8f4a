"""Live chapters: the playground beside the book, in whose Python the reader runs and changes the cells of a chapter.

Each chapter is live. One whose front matter says `numbers: true` needs no NumPy; for another the page may have to fetch it, see
`tutorial.playground.numpy_wheel`.
"""

import json
from importlib import resources
from pathlib import Path

from tutorial.book.reading.chapter import Cell, read, walk

CELLS = '\n<script type="application/json" id="cells"{needs}>{cells}</script>\n'


def add(app):
    """Let Sphinx put the sources of a live chapter's cells into its page, and a link to the playground beside all chapters."""
    app.add_config_value("playground", False, "html")  # whether the site has one
    app.connect("html-page-context", offer)


def offer(app, page, template, context, tree):
    context["playground"] = app.config.playground
    if page.startswith("chapters/") and app.config.playground:
        cells = json.dumps(cells_of(Path(app.srcdir, f"{page}.md")), ensure_ascii=False).replace("</", "<\\/")
        needs = "" if app.env.metadata.get(page, {}).get("numbers") else ' data-needs="numpy"'
        context["body"] += CELLS.format(cells=cells, needs=needs)


def cells_of(path):
    """Return [{source, shown, raises}] of the cells of a chapter. A cell that is not shown prepares others, or shows its result alone."""
    cells = [block for block in walk(read(path).blocks) if isinstance(block, Cell)]
    return [{"source": c.source, "shown": c.shows_code, "raises": "raises-exception" in c.tags} for c in cells]


TEMPLATES = str(resources.files(__package__).joinpath("assets", "templates"))
