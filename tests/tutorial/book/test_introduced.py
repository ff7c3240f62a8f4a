"""A word that a chapter introduces leads to that place, from the index and so from the search."""

import json
import re
from io import StringIO

import pytest
from sphinx.application import Sphinx

from tutorial.book import introduced
from tutorial.book.reference.markdown import index_entry

CHAPTER = "First\n=====\n\n**Step 1.** A **dead branch** gives nothing. Each **logit** is a score. The **dead branch** again.\n"


@pytest.mark.sweep
def test_the_first_place_of_each_word_in_bold_is_in_the_index_and_so_are_public_names(tmp_path):
    source, said = tmp_path / "source", StringIO()
    (source / "chapters").mkdir(parents=True)
    (source / "index.rst").write_text("Book\n====\n\n.. toctree::\n\n   chapters/first\n   modules\n")
    (source / "chapters" / "first.rst").write_text(CHAPTER)
    (source / "modules.md").write_text(f"# Modules\n\n{index_entry('Conv2d (in tensorgrad.nn)', 'nn.Conv2d')}\n")
    site, settings = tmp_path / "site", {"html_theme": "basic", "extensions": ["myst_parser"]}

    def entries():
        app = Sphinx(source, None, site, tmp_path / "trees", "html", settings, status=StringIO(), warning=said)
        introduced.add(app)
        app.build()
        return json.loads(re.search(r"\{.*\}", (site / "searchindex.js").read_text(), re.S)[0])["indexentries"]

    found = entries()
    words = {"dead branch": "word-dead-branch", "logit": "word-logit", "conv2d (in tensorgrad.nn)": "index-0", "nn.conv2d": "index-1"}
    assert {word: place for word, ((_, place, is_main),) in found.items() if is_main} == words and not said.getvalue()
    assert (tmp_path / "site" / "chapters" / "first.html").read_text().count('id="word-dead-branch"') == 1
    (source / "index.rst").write_text((source / "index.rst").read_text() + "\nA new sentence.\n")
    assert entries() == found, "pages that have not changed keep theirs"
