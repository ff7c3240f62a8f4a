"""The pages that Sphinx reads in parallel, in an order that gives each process as many chapters.

Sphinx sorts them and cuts the list into parts, so that all chapters, whose cells run, would be read by one process.
"""


def add(app):
    """Let Sphinx read the pages in this order."""
    app.connect("env-before-read-docs", lambda app, env, pages: pages.__setitem__(slice(None), shared_out(pages)))


def shared_out(pages):
    """Return the pages with the chapters among them at equal distances.

    >>> shared_out(["chapters/a", "chapters/b", "functions/c", "functions/d", "glossary", "index"])
    ['chapters/a', 'functions/c', 'functions/d', 'chapters/b', 'glossary', 'index']
    """
    chapters = [page for page in pages if page.startswith("chapters/")]
    others = [page for page in pages if not page.startswith("chapters/")]
    places = [(k / len(chapters), page) for k, page in enumerate(chapters)] + [
        ((k + 0.5) / len(others), page) for k, page in enumerate(others)
    ]
    return [page for _, page in sorted(places)]
