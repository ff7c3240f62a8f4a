"""The tree of chapters in the sidebar is made once for all pages of a folder that it does not list, such as those of functions.

Sphinx copies and resolves the whole tree for each page, to mark the page in it. Nothing is marked on a page that is not in the tree.
"""

from functools import cache

BEFORE_THE_THEME = 400  # of Sphinx's order of listeners, in which a theme is at 500


def add(app):
    """Let Sphinx give the theme a tree that may have been made for another page."""
    app.connect("builder-inited", remember)


def remember(app):
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
