"""Everything that viz makes is saved, opened and shown in a notebook in one way."""

import re
from functools import cache
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest

import viz
from tests.each import each
from tests.viz.graphs import figure1_trace

TRACE = figure1_trace()
KINDS = {
    "page": (viz.play, "html"),
    "handout": (viz.handout, "html"),
    "animation": (viz.animate, "svg"),
    "drawing": (viz.draw, "svg"),
}
kinds = pytest.mark.parametrize("kind", KINDS)


@cache
def made(kind):
    make, form = KINDS[kind]
    return make(TRACE), form


@kinds
def test_save_returns_the_path_and_writes_the_text(kind, tmp_path):
    document, form = made(kind)
    for path in (tmp_path / f"z.{form}", str(tmp_path / f"other.{form}")):
        assert document.save(path) == str(path)
        assert Path(path).read_bytes().decode().endswith(getattr(document, form))


@kinds
def test_open_shows_a_temporary_file_in_the_browser_and_returns_its_path(kind, tmp_path, monkeypatch):
    document, form = made(kind)
    shown = []
    monkeypatch.setattr("webbrowser.open", shown.append)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    path = document.open()
    assert path.endswith(f".{form}") and [unquote(address) for address in shown] == [Path(path).as_uri()]
    assert Path(path).read_bytes().decode().endswith(getattr(document, form)) and list(tmp_path.iterdir()) == [Path(path)]


@each("kind", ["page", "handout"])
def test_a_notebook_shows_html_in_a_frame(kind):
    document, _ = made(kind)
    shown = document._repr_html_()
    assert unescape(re.search('srcdoc="(.*?)"', shown, re.S)[1]) == document.html
    assert f'title="{document.title}"' in shown and shown.count("<") == 2


@each("kind", ["page", "handout", "animation"])
def test_a_document_says_what_it_is_and_how_to_see_it(kind):
    document, form = made(kind)
    assert isinstance(document, viz.Document) and document.trace is TRACE
    assert repr(document).startswith(f"<{document.title!r} of <trace of z:")
    assert f"save('z.{form}')" in repr(document) and "open()" in repr(document)
