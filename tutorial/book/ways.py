"""Below its title each chapter of the site offers its slides, and itself as a notebook."""

from pathlib import Path

from tutorial.book.evaluated import KEPT, Recorded
from tutorial.book.reading.chapter import chapters
from tutorial.book.reading.notebook import notebook
from viz.files import write_file

FOLDER = "notebooks"
WAYS = """
<p class="ways"><button type="button" class="start-slides" title="show as slides (S)" hidden>Slides</button>
<a href="{up}{folder}/{name}.ipynb" download title="run this chapter with Jupyter">Download as notebook</a></p>
"""


def add(app):
    """Let Sphinx write the notebooks of the chapters that it has read, and link to them."""
    read: set[str] = set()
    app.connect("env-get-outdated", lambda app, env, added, changed, removed: read.update(added, changed) or [])
    app.connect("html-page-context", lambda app, page, template, context, tree: offer(page, context))
    app.connect("build-finished", lambda app, error: error or write(Path(app.srcdir), Path(app.outdir), read, app.env.metadata))


def offer(page, context):
    folder, _, name = page.rpartition("/")
    if folder == "chapters":
        links = WAYS.format(up="../", folder=FOLDER, name=name)
        context["body"] = context["body"].replace("</h1>", "</h1>" + links, 1)


def write(book, site, read, kept):
    """Write the notebook of each chapter that was read, or whose notebook is missing. `kept` is what Sphinx keeps of each page."""
    (site / FOLDER).mkdir(exist_ok=True)
    for chapter in chapters(book):
        path = site / FOLDER / f"{chapter.name}.ipynb"
        page = f"chapters/{chapter.name}"
        if page in read or not path.exists():
            write_file(path, notebook(chapter, Recorded(kept[page].get(KEPT, {}))))
