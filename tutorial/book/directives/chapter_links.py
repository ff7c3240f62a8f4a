"""Below its title each chapter of the site offers its slides, and itself as a notebook; a page of recaps is a notebook, too."""

from pathlib import Path

from tutorial.book.directives.evaluated import KEPT, Recorded
from tutorial.reading.chapter import RECAP, with_recaps
from tutorial.reading.notebook import notebook
from viz.whole_files import write_file

FOLDER = "notebooks"
SLIDES = """<button type="button" class="start-slides" title="show as slides (S)" hidden>Slides</button>
<button type="button" class="show-keys" popovertarget="keys" title="all keys (?)">Keys</button>"""
KEYS = """
<dialog id="keys" popover="auto" aria-labelledby="keys-title">
<p id="keys-title">Keys</p><button type="button" popovertarget="keys" popovertargetaction="hide">close</button>
<dl>
<div><dt><kbd>S</kbd></dt><dd>show the chapter as slides</dd></div>
<div><dt><kbd>→</kbd> <kbd>←</kbd></dt><dd>next, previous slide (also <kbd>Page Down</kbd>, <kbd>Page Up</kbd>)</dd></div>
<div><dt><kbd>Esc</kbd></dt><dd>leave the slides, or the editor of a program</dd></div>
<div><dt><kbd>Ctrl</kbd> <kbd>Enter</kbd></dt><dd>run the program in which you type (Mac: <kbd>⌘</kbd>)</dd></div>
<div><dt><kbd>/</kbd></dt><dd>search</dd></div>
<div><dt><kbd>?</kbd></dt><dd>show these keys; in a player, its own</dd></div>
</dl>
</dialog>
"""
WAYS = """
<p class="ways">{slides}
<a href="../{folder}/{name}.ipynb" download title="open this page with Jupyter">Download as notebook</a></p>
"""


def add(app):
    """Let Sphinx write the notebooks of the chapters that it has read, and link to them."""
    read: set[str] = set()
    app.connect("env-get-outdated", lambda app, env, added, changed, removed: read.update(added, changed) or [])
    app.connect("html-page-context", lambda app, page, template, context, tree: offer(page, context))
    app.connect("build-finished", lambda app, error: error or write(Path(app.srcdir), Path(app.outdir), read, app.env.metadata))


def offer(page, context):
    folder, _, name = page.rpartition("/")
    if folder in ("chapters", "recaps"):
        ways = ("", RECAP + name) if folder == "recaps" else (SLIDES, name)
        links = WAYS.format(folder=FOLDER, **dict(zip(("slides", "name"), ways)))
        context["body"] = context["body"].replace("</h1>", "</h1>" + links + KEYS * (folder == "chapters"), 1)


def write(book, site, read, kept):
    """Write the notebook of each page that was read, or whose notebook is missing. `kept` is what Sphinx keeps of each page."""
    (site / FOLDER).mkdir(exist_ok=True)
    for chapter in with_recaps(book):
        path = site / FOLDER / f"{chapter.name}.ipynb"
        if chapter.page in read or not path.exists():
            write_file(path, notebook(chapter, Recorded(kept[chapter.page].get(KEPT, {}))))
