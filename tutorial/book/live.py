"""Live chapters: the playground beside the book, in whose Python the reader runs and changes the cells of a chapter.

A chapter is live if its front matter says `live: true`, or, where the playground has NumPy, if it has cells.
"""

import json
from importlib import resources
from pathlib import Path

from tutorial.book.reading.chapter import Cell, read, walk

CELLS = '\n<script type="application/json" id="cells">{cells}</script>\n'


def add(app):
    """Let Sphinx put the sources of a live chapter's cells into its page, and a link to the playground beside all chapters."""
    app.add_config_value("playground", "", "html")  # "numbers", "arrays", or nothing if the site has no playground
    app.connect("html-page-context", offer)


def offer(app, page, template, context, tree):
    context["playground"] = app.config.playground
    if page.startswith("chapters/") and is_live(app.env.metadata.get(page, {}), app.config.playground):
        cells = json.dumps(cells_of(Path(app.srcdir, f"{page}.md")), ensure_ascii=False).replace("</", "<\\/")
        context["body"] += CELLS.format(cells=cells)


def is_live(front_matter, playground):
    """Return whether the cells of a chapter run in a site with this playground.

    >>> is_live({"live": "true"}, "numbers"), is_live({}, "numbers"), is_live({}, "arrays"), is_live({"live": "true"}, "")
    (True, False, True, False)
    """
    return playground == "arrays" or (playground == "numbers" and str(front_matter.get("live", "")).lower() == "true")


def cells_of(path):
    """Return [{source, shown, raises}] of the cells of a chapter. A cell that is not shown prepares others, or shows its result alone."""
    cells = [block for block in walk(read(path).blocks) if isinstance(block, Cell)]
    return [{"source": c.source, "shown": c.shows_code, "raises": "raises-exception" in c.tags} for c in cells]


TEMPLATES = str(resources.files(__package__).joinpath("assets", "templates"))
