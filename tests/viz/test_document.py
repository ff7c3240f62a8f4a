"""Everything that viz makes is saved, opened and shown in a notebook in one way."""

import re
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest

import viz
from tests.viz.graphs import figure1_trace

TRACE = figure1_trace()
MADE = {
    "page": (viz.play(TRACE), "html"),
    "handout": (viz.handout(TRACE), "html"),
    "animation": (viz.animate(TRACE), "svg"),
    "drawing": (viz.draw(TRACE), "svg"),
}
kinds = pytest.mark.parametrize("kind", MADE)


@kinds
def test_save_returns_the_path_and_writes_the_text(kind, tmp_path):
    document, form = MADE[kind]
    for path in (tmp_path / f"z.{form}", str(tmp_path / f"other.{form}")):
        assert document.save(path) == str(path)
        assert Path(path).read_bytes().decode().endswith(getattr(document, form))


@kinds
def test_open_shows_a_temporary_file_in_the_browser_and_returns_its_path(kind, tmp_path, monkeypatch):
    document, form = MADE[kind]
    shown = []
    monkeypatch.setattr("webbrowser.open", shown.append)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    path = document.open()
    assert path.endswith(f".{form}") and [unquote(address) for address in shown] == [Path(path).as_uri()]
    assert Path(path).read_bytes().decode().endswith(getattr(document, form)) and list(tmp_path.iterdir()) == [Path(path)]


@pytest.mark.parametrize("kind", ["page", "handout"])
def test_a_notebook_shows_html_in_a_frame(kind):
    document, _ = MADE[kind]
    shown = document._repr_html_()
    assert unescape(re.search('srcdoc="(.*?)"', shown, re.S)[1]) == document.html
    assert f'title="{document.title}"' in shown and shown.count("<") == 2


@pytest.mark.parametrize("kind", ["page", "handout", "animation"])
def test_a_document_says_what_it_is_and_how_to_see_it(kind):
    document, form = MADE[kind]
    assert isinstance(document, viz.Document) and document.trace is TRACE
    assert repr(document).startswith(f"<{document.title!r} of <trace of z:")
    assert f"save('z.{form}')" in repr(document) and "open()" in repr(document)
