"""The first use of a public name in a chapter leads to its page: in the text `nn.Conv2d` and `conv2d`, in a cell nn.Conv2d and tg.conv2d.

The chapters stay plain: the links are made while Sphinx reads and writes.
"""

import re
from functools import cache

from docutils import nodes

from tensorgrad.families import PUBLIC
from tutorial.book.directives.first_uses import PAGES, WITHOUT, is_open, within
from tutorial.book.reference import rooms, tools
from tutorial.book.reference.sections import target

OTHER_MEANINGS = {"grad"}  # in a chapter it is an attribute or a variable as often
PREFIXES = ("tensorgrad.", "tg.")
IN_A_LINK = tuple({*WITHOUT} - {nodes.literal})
IN_CODE = re.compile(  # it begins with the text that it looks for, which is quick; then it looks back
    r'<span class="n">(?<!<span class="o">\.</span><span class="n">)(?P<first>\w+)</span>'
    r'<span class="o">\.</span><span class="n">(?P<name>\w+)</span>'
)


def add(app):
    """Let Sphinx link the names in the pages that it reads, and in the cells of those that it writes."""
    app.connect("doctree-read", lambda app, page: link(page, address(app.env.docname)) if PAGES.match(app.env.docname) else None)
    app.connect("html-page-context", lambda app, page, template, context, tree: in_cells(page, context) if PAGES.match(page) else None)
    app.connect("env-before-read-docs", lambda *_: places() and None)  # before Sphinx forks


@cache
def places():
    """Return {name: (page, mark on it)} of the public names.

    >>> places()["conv2d"], places()["nn.Conv2d"]
    (('functions/conv2d', ''), ('functions/nn-convolution', 'name-nn-conv2d'))
    """
    found = {name: (f"functions/{name}", "") for name in PUBLIC}
    found |= {name: (tools.file(name).removesuffix(".md"), "") for name in tools.tools()}
    groups = (group for some in rooms.groups().values() for group in some)
    return found | {name: (f"functions/{group.file}", target(name)) for group in groups for name in group.names}


def place(written):
    """Return the place of a name as a chapter writes it, or None.

    >>> place("tg.relu()"), place("grad"), place("x.relu")
    (('functions/relu', ''), None, None)
    """
    name = written.removesuffix("()")
    name = next((name.removeprefix(prefix) for prefix in PREFIXES if name.startswith(prefix)), name)
    return None if name in OTHER_MEANINGS else places().get(name)


def address(page):
    """Return the function that gives the address of a place for a link on a page.

    >>> address("chapters/convolution")("functions/nn-convolution", "name-nn-conv2d")
    '../functions/nn-convolution.html#name-nn-conv2d'
    """
    return lambda file, mark: "../" * page.count("/") + f"{file}.html" + (mark and f"#{mark}")


def link(page, address):
    """Make the first use of each name in the text a link, where a reader sees it."""
    done = set()
    for literal in list(page.findall(nodes.literal)):
        found = place(literal.astext())
        if found and found not in done and not within(literal, IN_A_LINK) and in_open_text(literal):
            done.add(found)
            literal.replace_self(nodes.reference("", "", literal.deepcopy(), refuri=address(*found), internal=True))


def in_open_text(literal):
    """Return whether a name stands in a paragraph that the reader sees, not in a heading or a folded answer."""
    above = literal.parent
    while above is not None and not isinstance(above, nodes.paragraph):
        above = above.parent
    return above is not None and is_open(above)


def in_cells(page, context):
    """Make the first use of each name in the cells of a page a link."""
    done, address_of = set(), address(page)

    def linked(found):
        where = place(f"{found['first']}.{found['name']}")
        if not where or where in done:
            return found[0]
        done.add(where)
        return f'<a class="name" href="{address_of(*where)}">{found[0]}</a>'

    context["body"] = IN_CODE.sub(linked, context["body"])
