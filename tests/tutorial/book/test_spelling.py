"""The chapters and the generated pages have no spelling mistakes that codespell knows. They are in British English."""

import subprocess
import sys

import pytest

from tutorial.reading.chapter import BOOK

pytest.importorskip("codespell_lib", reason="spelling needs codespell: pip install -e '.[test]'")
OURS = "nd,fro,aicraft"  # names and abbreviations that are not mistakes


def check(*paths):
    command = [sys.executable, "-m", "codespell_lib", "--builtin", "clear,rare", "-L", OURS, *map(str, paths)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_the_book_has_no_known_spelling_mistake():
    done = check(*sorted(BOOK.rglob("*.md")))
    assert done.returncode == 0, done.stdout


@pytest.mark.sweep
def test_nor_has_any_generated_page(gathered):
    done = check(*sorted(gathered.rglob("*.md")))
    assert done.returncode == 0, done.stdout


def test_a_mistake_is_found(tmp_path):
    (tmp_path / "page.md").write_text("The deriviative of teh function.")
    assert "teh ==> the" in check(tmp_path / "page.md").stdout
