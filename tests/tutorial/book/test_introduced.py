"""A word that a chapter introduces leads to that place, from the index and so from the search."""

import json
import re
from io import StringIO

from sphinx.application import Sphinx

from tutorial.book import introduced

CHAPTER = "First\n=====\n\n**Step 1.** A **dead branch** gives nothing. Each **logit** is a score. The **dead branch** again.\n"


def test_the_first_place_of_each_word_in_bold_is_in_the_index(tmp_path):
    source = tmp_path / "source"
    (source / "chapters").mkdir(parents=True)
    (source / "index.rst").write_text("Book\n====\n\n.. toctree::\n\n   chapters/first\n")
    (source / "chapters" / "first.rst").write_text(CHAPTER)
    app = Sphinx(source, None, tmp_path / "site", tmp_path / "trees", "html", {"html_theme": "basic"}, status=StringIO(), warning=None)
    introduced.add(app)
    app.build()
    found = json.loads(re.search(r"\{.*\}", (tmp_path / "site" / "searchindex.js").read_text(), re.S)[0])["indexentries"]
    assert {word: [place[1] for place in places] for word, places in found.items()} == {
        "dead branch": ["word-dead-branch"],
        "logit": ["word-logit"],
    }
    assert (tmp_path / "site" / "chapters" / "first.html").read_text().count('id="word-dead-branch"') == 1
