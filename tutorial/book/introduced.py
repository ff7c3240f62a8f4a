"""The words that a chapter introduces, in bold, lead from the index and from the search to the place where it does so."""

import pickle
import re

from docutils import nodes
from sphinx.addnodes import index
from sphinx.application import ENV_PICKLE_FILENAME
from sphinx.transforms import SphinxTransform

from viz.whole_files import write_file

WORD = re.compile(r"[a-z][^.:]*")  # a capital letter begins a paragraph: *Step 1.*
MOST_WORDS = 3


def add(app):
    """Let Sphinx put the words into its index, and find them again for the pages that the next build does not read."""
    app.add_transform(Introduced)
    app.connect("build-finished", lambda app, error: error or keep(app))


def keep(app):
    """Keep the entries of the index on disk. Sphinx 9.0 keeps them before it has collected them, and the search would lose them."""
    write_file(app.doctreedir / ENV_PICKLE_FILENAME, pickle.dumps(app.env, pickle.HIGHEST_PROTOCOL))


class Introduced(SphinxTransform):
    default_priority = 800  # before Sphinx collects the index

    def apply(self):
        """Mark the first place of each word in bold."""
        if not self.env.docname.startswith("chapters/"):
            return
        done: set[str] = set()
        for strong in list(self.document.findall(nodes.strong)):
            word = strong.astext()
            if word not in done and WORD.fullmatch(word) and len(word.split()) <= MOST_WORDS:
                done.add(word)
                place = "word-" + "-".join(re.findall("[a-z0-9]+", word.lower()))
                mark = index(entries=[("single", word, place, "main", None)])
                strong.parent.insert(strong.parent.index(strong), [mark, nodes.target("", "", ids=[place])])
