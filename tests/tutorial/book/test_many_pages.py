"""The tree in the sidebar is made once for all pages that it does not list."""

from io import StringIO

from sphinx.application import Sphinx
from sphinx.builders import html

from tutorial.book import many_pages

PAGES = {"index": "Book\n====\n\n.. toctree::\n\n   first\n   more/second\n", "first": "First\n=====\n", "more/second": "Second\n======\n"}
PAGES |= {f"more/{name}": f":orphan:\n\n{name}\n=====\n" for name in ("alpha", "beta0", "gamma")}
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
    app.build()
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.html")}, made


def test_pages_outside_the_tree_share_one_and_look_as_before(tmp_path, monkeypatch):
    source = tmp_path / "source"
    for name, text in PAGES.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / f"{name}.rst").write_text(text)
    plain, each = built(source, tmp_path / "plain", monkeypatch)
    shared, made = built(source, tmp_path / "shared", monkeypatch, many_pages)
    assert shared == plain and b'href="../first.html"' in shared[next(path for path in shared if path.stem == "beta0")]
    orphans = [page for page in made if page in ("more/alpha", "more/beta0", "more/gamma")]
    assert len(orphans) == 1 and each.count("more/gamma") == 1
