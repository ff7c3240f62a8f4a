"""What is made once for all pages is what each page had made: the tree in the sidebar, settings, styles of programs."""

from io import StringIO

from myst_parser.mdit_to_docutils import base
from nbformat.v4 import nbbase
from sphinx.application import Sphinx
from sphinx.builders import html
from sphinx.highlighting import PygmentsBridge
from sphinx.util import docutils

from tutorial.book import many_pages

PAGES = {"index": "Book\n====\n\n.. toctree::\n\n   first\n   more/second\n", "more/second": "Second\n======\n"}
PROGRAMS = "::\n\n   x = 2\n\n.. code-block:: c\n   :emphasize-lines: 2\n\n   int x;\n   int y;\n"
PAGES["first"] = f"First\n=====\n\n.. include:: said.txt\n\n{PROGRAMS}"
PAGES |= {f"more/{name}": f":orphan:\n\n{name}\n=====\n" for name in ("alpha", "beta0", "gamma")}
REPLACED = [(docutils, "_get_settings"), (base, "get_default_settings"), (PygmentsBridge, "get_formatter"), (html, "_file_checksum")]
REPLACED += [(nbbase, "validate")]
SETTINGS = {"html_theme": "basic", "html_sidebars": {"**": ["globaltoc.html"]}}


def built(source, folder, monkeypatch, extension=None):
    """Return the pages of a small site, and for which of them a tree was made."""
    made, whole = [], html.global_toctree_for_doc
    monkeypatch.setattr(
        html, "global_toctree_for_doc", lambda env, page, *args, **options: made.append(page) or whole(env, page, *args, **options)
    )
    app = Sphinx(source, None, folder, folder / "trees", "html", SETTINGS, status=StringIO(), warning=None)
    if extension:
        extension.remember_trees(app)
        extension.make_once()
    app.build()
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.html")}, made, app.env.dependencies


def test_pages_outside_the_tree_share_one_and_look_as_before(tmp_path, monkeypatch):
    source = tmp_path / "source"
    for where, name in REPLACED:
        monkeypatch.setattr(where, name, getattr(where, name))  # so that the test ends with what Sphinx has
    for name, text in PAGES.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / f"{name}.rst").write_text(text)
    (source / "said.txt").write_text("Said.\n")
    plain, each, read = built(source, tmp_path / "plain", monkeypatch)
    shared, made, read_too = built(source, tmp_path / "shared", monkeypatch, many_pages)
    assert read_too == read and len(read["first"]) == 1 and "more/second" not in read
    assert shared == plain and b'href="../first.html"' in shared[next(path for path in shared if path.stem == "beta0")]
    orphans = [page for page in made if page in ("more/alpha", "more/beta0", "more/gamma")]
    assert len(orphans) == 1 and each.count("more/gamma") == 1
