"""What Sphinx does once a page, and needs not for a site of 400 pages.

It copies and resolves the whole tree of chapters in the sidebar for each page, to mark the page in it. Nothing is marked on a page that is
not in the tree, such as those of functions: a folder of these has one tree. And it sorts the pages and cuts the list into parts that
processes read side by side, so that one process would read all chapters, or all pages after them, whose cells and commands run.
"""

import warnings
from functools import cache

BEFORE_THE_THEME = 400  # of Sphinx's order of listeners, in which a theme is at 500
GAP = 0.23, 0.4  # of the list of pages: two processes begin with the first parts, and go on from the end of the list to the third part


def add(app):
    """Let Sphinx give the theme a tree that may have been made for another page, and read the pages in another order."""
    make_once()
    app.connect("builder-inited", remember_trees)
    app.connect("env-before-read-docs", lambda app, env, pages: pages.__setitem__(slice(None), shared_out(pages)))


def make_once():
    """Let docutils make its options once, not twice a page, and Pygments the styles of programs once, not for each program.

    And let Sphinx look once which file a page means by the name of a style or of a script, and nbformat not check each cell that MyST-NB
    makes: it checks the notebook that they form.
    """
    from docutils.frontend import OptionParser
    from docutils.utils import DependencyList
    from myst_parser.mdit_to_docutils import base
    from nbformat.v4 import nbbase
    from sphinx.builders import html
    from sphinx.highlighting import PygmentsBridge
    from sphinx.util import docutils

    parsers, formatters, formatter_of = {}, {}, PygmentsBridge.get_formatter

    def settings(*components, defaults=None, read_config_files=False):
        key = (*(each if isinstance(each, type) else type(each) for each in components), repr(defaults), read_config_files)
        if key not in parsers:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)
                parsers[key] = OptionParser(components, defaults, read_config_files)
        found = parsers[key].get_default_values()
        found.record_dependencies = DependencyList()  # of this page
        return found

    def formatter(self, **look):
        key = self.formatter, repr(self.formatter_args), repr(look)
        if key not in formatters:
            formatters[key] = formatter_of(self, **look)
        return formatters[key]

    docutils._get_settings = base.get_default_settings = settings
    PygmentsBridge.get_formatter = formatter
    html._file_checksum = cache(html._file_checksum)
    nbbase.validate = lambda node, ref=None: None


def remember_trees(app):
    trees: dict = {}  # {(folder, options): the tree as HTML}

    @cache
    def listed():
        return {app.config.root_doc}.union(*app.env.toctree_includes.values())

    def share(app, page, template, context, doctree):
        if "toctree" not in context or page in listed():
            return
        make, folder = context["toctree"], page.rpartition("/")[0]

        def tree(**options):
            key = folder, *sorted(options.items())
            if key not in trees:
                trees[key] = make(**options)
            return trees[key]

        context["toctree"] = tree

    app.connect("html-page-context", share, priority=BEFORE_THE_THEME)


def shared_out(pages):
    """Return the pages with those that run programs at equal distances, but for a gap: in it are short pages, and Sphinx reads it last.

    >>> shared_out(["chapters/a", "functions/b", "functions/c", "functions/d", "index"])
    ['chapters/a', 'functions/b', 'functions/c', 'index', 'functions/d']
    """
    short = [page for page in pages if page.startswith("functions/")]
    running = [page for page in pages if not page.startswith("functions/")]
    begin, end = GAP
    places = [(1 - end + begin) * k / len(running) for k in range(len(running))]
    found = [(place + (end - begin) * (place >= begin), page) for place, page in zip(places, running)]
    return [page for _, page in sorted(found + [((k + 0.5) / len(short), page) for k, page in enumerate(short)])]
