"""Each chapter of the site offers its notebook, which is written again when the chapter has changed."""

import pytest

CHAPTER = "# {title}\n\n**Time:** 5 minutes.\n\n```{{code-cell}}\n1 + 1\n```\n"


@pytest.fixture
def ways():
    from tutorial.book.directives import chapter_links as ways  # it imports MyST-NB, which takes half a second

    return ways


def test_a_notebook_is_written_if_it_is_missing_or_its_chapter_was_read(ways, tmp_path):
    book, site = tmp_path / "book", tmp_path / "site"
    (book / "chapters").mkdir(parents=True)
    site.mkdir()
    kept = {"chapters/one": {}, "chapters/two": {}}
    (book / "index.md").write_text("```{toctree}\n:numbered:\n\nchapters/one\nchapters/two\n```\n")
    for name in ("one", "two"):
        (book / "chapters" / f"{name}.md").write_text(CHAPTER.format(title=name))
    ways.write(book, site, set(), kept)
    for name in ("one", "two"):
        (book / "chapters" / f"{name}.md").write_text(CHAPTER.format(title=f"{name} anew"))
    ways.write(book, site, {"chapters/two", "index"}, kept)
    texts = {path.name: path.read_text(encoding="utf-8") for path in (site / "notebooks").iterdir()}
    assert set(texts) == {"one.ipynb", "two.ipynb"}
    assert "one anew" not in texts["one.ipynb"] and "two anew" in texts["two.ipynb"]


def test_only_chapters_offer_a_notebook_below_their_title(ways):
    pages = {"chapters/one": {"body": "<h1>One</h1><p>text</p>"}, "index": {"body": "<h1>Book</h1>"}}
    for page, context in pages.items():
        ways.offer(page, context)
    head, _, rest = pages["chapters/one"]["body"].partition("</h1>")
    assert head == "<h1>One" and rest.index('href="../notebooks/one.ipynb" download') < rest.index("<p>text")
    assert pages["index"]["body"] == "<h1>Book</h1>"
