"""The site is served to this machine only."""

import urllib.request
from urllib.error import HTTPError

import pytest

from tutorial.book.server import served


def test_files_of_the_folder_are_served_and_nothing_else(tmp_path):
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text("the book")
    (tmp_path / "secret").write_text("not in the site")
    with served(tmp_path / "site", 0) as address:
        assert address.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(address + "index.html?go=on") as page:
            assert page.read() == b"the book" and page.headers["Cache-Control"] == "no-cache"
        with pytest.raises(HTTPError, match="404"):
            urllib.request.urlopen(address + "../secret")


def test_if_the_port_is_taken_another_one_is_chosen(tmp_path):
    with served(tmp_path, 0) as first:
        taken = int(first.rstrip("/").rpartition(":")[2])
        with served(tmp_path, taken) as second:
            assert second != first
    with served(tmp_path, taken) as again:
        assert again == first
