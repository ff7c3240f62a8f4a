"""The folder that Sphinx reads holds the book and the generated pages, and only what has changed is written."""

import os

import pytest

from tutorial.book import site


@pytest.fixture
def book(tmp_path, monkeypatch):
    monkeypatch.setattr(site, "GENERATED", [])
    book = tmp_path / "book"
    (book / "chapters").mkdir(parents=True)
    (book / "conf.py").write_text("language = 'en'")
    (book / "site.py").write_text("not a page")
    for name in ("one", "two"):
        (book / "chapters" / f"{name}.md").write_text(f"# {name}")
    return book


def test_only_a_changed_page_is_written_again(book, tmp_path, monkeypatch):
    monkeypatch.setattr(site, "GENERATED", [lambda book, folder: [("functions/sin.md", "# sin")]])
    folder = tmp_path / "read"
    site.gather(book, folder)
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*.*")}
    assert names == {"conf.py", "chapters/one.md", "chapters/two.md", "functions/sin.md"}
    for path in folder.rglob("*.*"):
        os.utime(path, (1, 1))
    (book / "chapters" / "two.md").write_text("# another")
    site.gather(book, folder)
    assert {path.name for path in folder.rglob("*.*") if path.stat().st_mtime != 1} == {"two.md"}
    assert (folder / "chapters" / "two.md").read_text() == "# another"


def test_a_page_that_is_gone_is_removed(book, tmp_path):
    folder = tmp_path / "read"
    site.gather(book, folder)
    (book / "chapters" / "one.md").unlink()
    site.gather(book, folder)
    assert [path.name for path in folder.rglob("*.md")] == ["two.md"]


def test_a_book_that_cannot_be_written_to_is_read(book, tmp_path):
    for path in (book / "chapters" / "one.md", book / "chapters", book):
        path.chmod(0o555 if path.is_dir() else 0o444)
    site.gather(book, tmp_path / "read")
    site.gather(book, tmp_path / "read")
    assert os.access(tmp_path / "read" / "chapters" / "one.md", os.W_OK)
