"""The numbers in sentences are computed where they stand, below cells that are not shown, too, and the notebook has the same.

What a cell prints stands there as Python printed it, in however many pieces."""

import re
import shutil
from html import unescape

import pytest

from tutorial.book.site import SOURCE, missing_packages, site
from tutorial.reading.chapter import read
from tutorial.reading.notebook import notebook
from tutorial.text.program import Program

HEAD = "---\nfile_format: mystnb\nkernelspec:\n  name: python3\n---\n"
CHAPTER = """# Small

**Time:** 5 minutes.

```{code-cell}
:tags: [remove-cell]
x = 3
```

At first it is {eval}`x`.

```{code-cell}
:tags: [remove-cell]
x = "2 words"
```

Then it is {eval}`x`.

:::{predict} What is {eval}`x`?
:right: 2

- {eval}`len(x)`

  The number of letters.
- {eval}`x`

  That is what it is.
:::

```{code-cell}
x = 5
```

```{code-cell}
PRINTS
```
"""
PRINTS = """print("\\n  one line", end=" in ", flush=True)
print("three pieces,  ", end="", flush=True)
print("and then", flush=True)
print(flush=True)
print("another  ")"""


def printed(page):
    """Return what stands on a page as the print of its only cell that prints."""
    (found,) = re.findall(r'class="output stream.*?<pre>(.*?)</pre>', page, re.S)
    return unescape(re.sub("<[^>]*>", "", found))


@pytest.mark.processes
@pytest.mark.skipif(bool(missing_packages()), reason="needs the extra tutorial")
def test_a_chapter_runs_once_for_its_page_and_its_notebook(tmp_path, monkeypatch):
    monkeypatch.setattr("tutorial.book.site.GENERATED", [])
    monkeypatch.setattr("tutorial.book.teaching.answers.fill", lambda *about: None)
    monkeypatch.setattr("tutorial.book.teaching.files.write", lambda *about: None)
    (tmp_path / "book" / "chapters").mkdir(parents=True)
    shutil.copy(SOURCE / "conf.py", tmp_path / "book")
    (tmp_path / "book" / "index.md").write_text("# Book\n\n```{toctree}\n:numbered:\n\nchapters/small\n```\n")
    chapter = tmp_path / "book" / "chapters" / "small.md"
    chapter.write_text(HEAD + CHAPTER.replace("PRINTS", PRINTS))
    built = site(tmp_path / "site", tmp_path / "book").parent
    page = (built / "chapters" / "small.html").read_text(encoding="utf-8")
    said = re.sub("<[^>]*>", "", page.partition("<article")[2])
    assert printed(page) == Program("small").run(PRINTS).printed
    assert "At first it is 3." in said and "Then it is 2 words." in said and "x = 3" not in said
    assert (built / "notebooks" / "small.ipynb").read_text(encoding="utf-8") == notebook(read(chapter, 1))
