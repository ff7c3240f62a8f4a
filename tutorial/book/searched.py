"""What the search of the book knows beside Sphinx's index: how else its words are said, and which words a page uses often."""

import json
import re
from collections import Counter
from functools import cache
from math import log

from tutorial.book.reference.asked import said
from viz.whole_files import write_file

FILE = "searched.js"
MOST, LEAST = 50, 3  # words of a page, and uses of each
LONGEST = 0.5  # of the pages; a word of more of them says nothing of one
OTHERS = re.compile(r"^```.*?^```|\$[^$]*\$|\]\([^)]*\)|^:\w+:.*$", re.S | re.M)  # programs, formulas, where links lead, options
WORD = re.compile("[a-z]{3,}")


def add(app):
    """Let the page of the search load what `write` writes, and Sphinx find the stem of a word once, not once for each page."""
    from sphinx.search.en import SearchEnglish  # who writes searched.js needs no Sphinx

    app.add_search_language(type("English", (SearchEnglish,), {"stem": cache(SearchEnglish.stem)}))
    app.connect("html-page-context", lambda app, page, *_: app.add_js_file(FILE) if page == "search" else None)


def write(static, read):
    """Write it for the pages in the folder `read`, but those of functions: their names are in Sphinx's index."""
    texts = {path.relative_to(read).with_suffix("").as_posix(): path.read_text(encoding="utf-8") for path in sorted(read.rglob("*.md"))}
    pages = {page: text for page, text in texts.items() if not page.startswith("functions/")}
    known = {"said": said(), "often": often(pages)}
    write_file(static / FILE, f"const searched = {json.dumps(known, ensure_ascii=False)};\n")


def often(pages):
    """Return {page: {word: uses}} for {page: Markdown}: the words of a page that are most of its own.

    >>> often({"a": "A kernel meets a kernel. The kernel is small.", "b": "The sum."})
    {'a': {'kernel': 3}, 'b': {}}
    """
    counts = {page: Counter(WORD.findall(OTHERS.sub(" ", text).lower())) for page, text in pages.items()}
    having = Counter(word for words in counts.values() for word in words)
    rare = {word: log(len(pages) / count) for word, count in having.items() if count <= LONGEST * len(pages)}
    own = {page: [word for word, count in words.most_common() if count >= LEAST and word in rare] for page, words in counts.items()}
    best = {page: sorted(own[page], key=lambda word: -words[word] * rare[word])[:MOST] for page, words in counts.items()}
    return {page: {word: counts[page][word] for word in words} for page, words in best.items()}
