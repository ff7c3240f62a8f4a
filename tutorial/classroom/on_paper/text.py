"""The Markdown of a statement and a program as HTML: formulas in MathML and code in colours, as in the book, without a script."""

from functools import cache

from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from tutorial.text.inline import link_text, replaced
from tutorial.text.mathml import mathml

STYLE = "a11y-high-contrast-light"  # that of the book's theme


@cache
def reader() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"highlight": lambda text, *language: code(text)}).enable("table")
    return made.use(dollarmath_plugin, renderer=formula)


def formula(tex, options) -> str:
    """Return a formula in MathML. A long one on lines of its own scrolls on a phone."""
    if not options["display_mode"]:
        return mathml(tex, "inline")
    return f'<div class="formula" tabindex="0" role="group" aria-label="formula">{mathml(tex, "block")}</div>'


def html(markdown) -> str:
    """Return Markdown as HTML.

    >>> html("`f` is *one* of $n$")
    '<p><code>f</code> is <em>one</em> of <span class="math inline"><math display="inline"><mrow><mi>n</mi></mrow></math></span></p>\\n'
    """
    return reader().render(replaced(markdown, link_text))


def code(text) -> str:
    """Return a program as HTML in colours, without an element around it. Two empty lines are one on paper."""
    return highlight(text.replace("\n\n\n", "\n\n"), PythonLexer(stripnl=False), HtmlFormatter(nowrap=True)).rstrip("\n")


def program(text) -> str:
    return f'<pre class="highlight">{code(text)}</pre>'


def numbered(text) -> str:
    """Return a program whose lines have numbers."""
    lines = "".join(f"<li><code>{line or ' '}</code></li>" for line in code(text).split("\n"))
    return f'<ol class="program highlight">{lines}</ol>'


def colours() -> str:
    """Return the style of the colours of code."""
    return HtmlFormatter(style=STYLE).get_style_defs(".highlight")
