"""A document shows a trace in one file, HTML or SVG, which needs no other file and no network. Knows nothing of what it shows."""

import base64
import hashlib
import html
import os
import re
import tempfile
import webbrowser
from functools import cache
from importlib import resources
from pathlib import Path
from string import Template

from scalargrad.formulas.text import escape
from viz.theme import OF_MARKS, custom_properties
from viz.whole_files import write_file

FONT = "math.woff2"
FRAME_HEIGHT = 680  # pixels, in a notebook


class Document:
    """The text of one file. `save` writes the file, `open` shows it in the browser, and a notebook shows it in place."""

    suffix: str  # of the file's name

    def __init__(self, trace, title, text):
        self.trace, self.title, self.text = trace, title, text

    def __repr__(self):
        return f"<{self.title!r} of {self.trace!r}: {len(self.text):,} characters; save('z{self.suffix}') writes them, open() shows them>"

    def save(self, path) -> str:
        """Write the document to a file and return its path."""
        return write_file(path, self.text)

    def open(self) -> str:
        """Write the document to a temporary file, show it in the browser, and return the path."""
        return open_in_browser(self, self.suffix)


class Page(Document):
    """An HTML file, to be played or printed: `html` is its text."""

    suffix = ".html"
    sandbox = "allow-scripts allow-forms"  # what the frame in a notebook permits

    @property
    def html(self) -> str:
        return self.text

    def _repr_html_(self):
        """Return a frame, so that neither the page nor the notebook can change the other."""
        return (
            f'<iframe srcdoc="{html.escape(self.html)}" sandbox="{self.sandbox}" title="{html.escape(self.title)}" '
            f'width="100%" height="{FRAME_HEIGHT}" style="border:0"></iframe>'
        )


class Picture(Document):
    """An SVG file: `svg` is its text."""

    suffix = ".svg"

    @property
    def svg(self) -> str:
        return self.text

    def _repr_html_(self):
        """Return an image, so that the picture keeps its ids and its style to itself."""
        data = base64.b64encode(self.svg.encode()).decode()
        return f'<img alt="{html.escape(self.title)}" style="max-width:100%" src="data:image/svg+xml;base64,{data}">'


class Animation(Picture):
    """An SVG file that moves."""


def open_in_browser(document, suffix) -> str:
    """Save a document to a temporary file whose name ends in `suffix`, show it in the browser, and return the path."""
    file, path = tempfile.mkstemp(suffix, prefix="backpropagation-")
    os.close(file)
    document.save(path)
    webbrowser.open(Path(path).as_uri())
    return path


# HTML files


def filled(template, *, title, style, scripts=(), own="", **contents):
    """Return the text of an HTML file, whose body is a template from viz/page/assets with its contents.

    The file runs no script but `own`, which stands first and is about this file alone, and `scripts`. It uses no style but `style`.
    """
    scripts = list(scripts)
    style = style.replace("MATH_FONT", font()).replace("THEME_COLOURS;", custom_properties())
    style = style.replace("MARKS_COLOURS", custom_properties(OF_MARKS))
    allowed = policy({"script": [text for text in (own, *scripts) if text], "style": [style]})
    return with_head(
        asset(template), title=escape(title), policy=allowed, style=style, script="</script>\n<script>".join(scripts), own=own, **contents
    )


def with_head(body, *, title, policy, style, **contents):
    """Return the text of an HTML file: the head that all our files have, and the template `body`, with their contents as HTML.

    >>> with_head("<body>$said</body>", title="A", policy="default-src 'none'", style="", said="1 &lt; 2").splitlines()[-1]
    '<body>1 &lt; 2</body>'
    """
    return Template(asset("head.html") + body).substitute(title=title, policy=policy, style=style, **contents)


@cache
def asset(name, package="viz.page"):
    """Return the text of a file in the folder `assets` of a package."""
    return resources.files(package).joinpath("assets", name).read_text(encoding="utf-8")


@cache
def bundle(name, package="viz.page"):
    """Return the script of a page: modules in the folder `src` of a package, bundled by `.ci/page_scripts/build.mjs`."""
    return resources.files(package).joinpath("built", name).read_text(encoding="utf-8")


def surfaces():
    """Return the style sheet of the colours and fonts that pages share, for pages that are not made by `filled`."""
    return asset("surfaces.css").replace("THEME_COLOURS;", custom_properties())


def font():
    """Return the mathematical font as the data of a URL."""
    return base64.b64encode(resources.files("viz").joinpath("page", "assets", FONT).read_bytes()).decode()


def policy(inline):
    """Return a Content-Security-Policy that allows these inline texts, {"script": texts, "style": texts}, and fonts in the file itself.

    The browser runs no other script and loads nothing from outside.
    """
    allowed = [" ".join([f"{kind}-src", *(f"'{digest(text)}'" for text in texts)]) for kind, texts in inline.items() if texts]
    return "; ".join(["default-src 'none'", *allowed, "font-src data:", "base-uri 'none'", "form-action 'none'"])


def digest(text):
    """Return the name by which a Content-Security-Policy allows an inline script or style."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def lean_style(text):
    """Return a style sheet without comments and without spaces that only people need.

    >>> lean_style("a :hover { color: red; margin: 0 1px; } /* red */")
    'a :hover{color:red;margin:0 1px}'
    """
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    text = re.sub(r"\s+", " ", text)
    text = re.sub(r" ?([{};]) ?", r"\1", text)
    return re.sub(r"(?<=[,:]) ", "", text).replace(";}", "}").strip()
