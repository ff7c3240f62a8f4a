"""What the book adds to Sphinx: formulas, numbers, questions, exercises, figures, live cells, commands, prints, players in files."""

import gc
import re

from docutils.nodes import SkipNode

from tutorial.book import introduced, many_pages, searched
from tutorial.book.directives import chapter_links, evaluated, exercise, first_uses, linked_names, live, predict, printed, terminal
from tutorial.book.directives.finished_pages import in_files, with_drawings_inside
from tutorial.book.figures import figure
from tutorial.text.mathml import mathml

PARTS = (
    evaluated,
    predict,
    exercise,
    figure,
    terminal,
    first_uses,
    introduced,
    linked_names,
    chapter_links,
    printed,
    live,
    many_pages,
    searched,
)


MATHS = r'(?:<math display="inline">(?:(?!</math>).)*</math>)'
APART = re.compile(rf"(?<![^\s>])[^\s<>]*(?:{MATHS}[^\s<>]*)+", re.S)  # a formula and the marks at it
LONG = re.compile(r'(?<=<span class="pre">)[^<]{30,}(?=</span>)')  # a name that is wider than a phone: it breaks between its parts
OPTION = re.compile(r'<span class="pre">(?=[^<]*-)([^<]{1,24})</span>')  # a short word of code with a hyphen

RARELY = 50_000, 20, 100  # how often Python looks for circles, such as a page. With its own numbers that takes a fifth of the time


def setup(app):
    """Called by Sphinx."""
    gc.set_threshold(*RARELY)
    app.add_html_math_renderer("latex2mathml", (inline, None), (display, None))
    for part in PARTS:
        part.add(app)
    app.extensions["sphinx_multitoc_numbering"].parallel_read_safe = True  # it numbers when all pages have been read
    app.connect("html-page-context", lambda app, page, template, context, tree: keep_together(context))
    app.connect("build-finished", lambda app, error: error or (in_files(app.outdir), with_drawings_inside(app.outdir)))
    return {"env_version": 7, "parallel_read_safe": True, "parallel_write_safe": True}


def inline(self, node):
    """Write a formula in MathML, which a browser shows without a script and without a network."""
    self.body.append(mathml(node.astext(), "inline"))
    raise SkipNode


def display(self, node):
    number = f'<span class="eqno">({node["number"]})</span>' if node.get("number") else ""
    own = f' id="{node["ids"][0]}"' if node["ids"] else ""
    self.body.append(f'<div class="math"{own}>{number}{mathml(node.astext(), "block")}</div>')
    raise SkipNode


def keep_together(context):
    """Let no line break between a formula and the comma after it, nor within a short word of code, such as --resume."""
    if "body" in context:
        body = LONG.sub(lambda found: re.sub(r"(?<=[./_])(?=\w)", "<wbr>", found[0]), context["body"])
        context["body"] = OPTION.sub(r'<span class="pre together">\1</span>', APART.sub(held, body))


def held(found):
    text = found[0]
    return text if text.startswith("<") and text.endswith("</math>") else f'<span class="together">{text}</span>'
