"""A figure that the reader drags or steps. Its still picture is for print, and for a page without scripts.

:::{figure} tangent
Close to a point, a curve is a line. The slope of this line is the derivative.
:::

The caption is also its accessible name.
"""

import json
from collections.abc import Iterable
from functools import cache
from html import escape
from importlib import resources

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

SHARED, STYLE = "figures.js", "fig.css"


class FigureShown(nodes.General, nodes.Element):
    """A figure; in it stands the caption."""


class Figure(SphinxDirective):
    """:::{figure} name, with the caption."""

    required_arguments = 1
    has_content = True

    def run(self):
        (name,) = self.arguments
        if name not in figures():
            raise self.error(f"there is no figure {name!r}; the figures are {', '.join(figures())}, in tutorial/book/figures/src/all.js")
        if not self.content:
            raise self.error(f"the figure {name!r} needs a caption: a sentence that says what it shows")
        return [FigureShown("", *self.parse_content_to_nodes(), name=name)]


@cache
def figures():
    """Return {name: {does, wide, picture, said, facts}}, which `npm run build` writes from the modules.

    >>> figures()["tangent"]["does"]
    'Zoom in until the curve is a line'
    """
    return json.loads(resources.files(__package__).joinpath("built", "figures.json").read_text(encoding="utf-8"))


def scripts(names: Iterable[str]):
    """Return the scripts of a page with these figures: what all of them share, and one for each.

    >>> scripts(["tangent"])
    ['figures.js', 'figure_tangent.js']
    """
    return [SHARED, *(f"figure_{name}.js" for name in names)]


#: what Sphinx copies to the site
FILES = [str(resources.files(__package__).joinpath(*path)) for path in (*(("built", script) for script in scripts(figures())), (STYLE,))]


def add(app):
    """Let Sphinx read and write figures. A page loads its own figures' scripts. (Docutils' own `figure` is an image with a caption.)"""
    app.add_directive("figure", Figure, override=True)
    begin = lambda self, node: self.body.append(opened(node["name"]))
    end = lambda self, node: self.body.append("</figcaption></figure>\n")
    app.add_node(FigureShown, html=(begin, end))
    app.connect("html-page-context", offer)


def opened(name):
    """Return the begin of a figure up to its caption, with its still picture. A script puts the live one below it.

    >>> opened("tangent")[:40]
    '<figure class="fig" data-figure="tangent'
    """
    still = figures()[name]
    shown = f'<p class="fig-does"><b>{escape(still["does"])}.</b></p>{still["picture"]}<p class="fig-said">{still["said"]}</p>'
    return f'<figure class="fig{" wide" * still["wide"]}" data-figure="{name}"><div class="fig-still">{shown}</div><figcaption>'


def offer(app, page, template, context, tree):
    if names := [figure["name"] for figure in tree.findall(FigureShown)] if tree else []:
        for script in scripts(names):
            app.add_js_file(script)
        app.add_css_file(STYLE)
