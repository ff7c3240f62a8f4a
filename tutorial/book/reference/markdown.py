"""Write Markdown from what has other marks: docstrings, formulas, drawings."""

import re
from inspect import Parameter, cleandoc, signature
from pathlib import Path
from textwrap import dedent, fill

from scalargrad.formulas.notations import MATHML
from scalargrad.formulas.symbols import render

ORPHAN = "---\norphan: true\n---\n"  # a page that no table of contents lists
WIDTH = 88  # characters of code in a line of the page
SPECIAL = re.compile(r"""([\\*_{}\[\]<>#|~$"'^@:])""")


def is_listed(page, book):
    """Return whether the table of contents in `book`/index.md lists a page: a small book of a test has no generated pages."""
    index = Path(book, "index.md")
    return index.exists() and f"\n{page}\n" in index.read_text(encoding="utf-8")


def escaped(text):
    r"""Return plain text as Markdown. Text between backticks stays code, and name="text" becomes code.

    >>> print(escaped("x (*batch, n) in `W_1`"))
    x (\*batch, n) in `W_1`
    """
    pieces = re.sub(r"""(?<!`)\b\w+="[^"`]*"(?!`)""", r"`\g<0>`", text).split("`")
    return "`".join(piece if k % 2 else SPECIAL.sub(r"\\\1", piece) for k, piece in enumerate(pieces))


def paragraphs(docstring):
    """Return the paragraphs of a docstring without its examples, as plain text; a list or indented lines are one paragraph.

    >>> paragraphs("Return 1.\\n\\n- a: one\\n- b: two\\n\\n>>> f()\\n1")
    ['Return 1.', '- a: one\\n- b: two']
    """
    text = re.sub(r"^>>> .*?(?:\n\n|\Z)", "\n", cleandoc(docstring or ""), flags=re.M | re.S)
    return [part for part in re.split(r"\n\s*\n", text.strip()) if part.strip()]


def as_markdown(paragraph):
    """Return a paragraph as Markdown. Indented lines below a sentence are formulas, each on a line of its own; others stay as they are.

    >>> print(as_markdown("    for x in y:\\n        f(x)"))
    ```text
    for x in y:
        f(x)
    ```
    """
    said, *lines = paragraph.split("\n")
    if all(line.startswith("    ") for line in (said, *lines)):
        return "\n".join(["```text", dedent(paragraph), "```"])
    formulas = [line.strip() for line in lines if line.startswith("    ")]
    if formulas and len(formulas) == len(lines):
        return "\n".join([escaped(said), "", "```text", *formulas, "```"])
    return "\n".join(("- " + escaped(line[2:])) if line.startswith("- ") else escaped(line) for line in paragraph.split("\n"))


def signature_block(name, thing):
    """Return the call of a function or a class as a block of Markdown, in lines that fit the page."""
    call = fill(f"{name}{plain_signature(thing)}", WIDTH, subsequent_indent=4 * " ", break_long_words=False, break_on_hyphens=False)
    return f"```text\n{call}\n```"


def first_sentence(docstring):
    return paragraphs(docstring)[0].partition("\n")[0]


def plain_signature(function, bound=False):
    """Return the signature of a function without the types; that of a bound method does not name the object.

    >>> plain_signature(as_markdown), plain_signature(as_markdown, bound=True)
    ('(paragraph)', '()')
    >>> plain_signature(lambda default=object(): default)
    '(default=...)'
    """
    known = signature(function)
    named = [parameter.replace(annotation=Parameter.empty) for parameter in known.parameters.values()]
    text = str(known.replace(parameters=named[bound:], return_annotation=Parameter.empty))
    return re.sub(r"<object object at \w+>", "...", re.sub(r"<class '(\w+)'>", r"\1", text))  # its address differs from build to build


def index_entry(*names):
    """Return the marks by which the index and the search lead to a page, under each of these names. `!` says that it is the main place.

    >>> print(index_entry("softmax"))
    ```{index} ! single: softmax
    ```
    """
    return "\n".join(f"```{{index}} ! single: {name}\n```" for name in names)


def display(*formulas):
    """Return a formula of symbols, or an equation between several, on a line of its own, in MathML."""
    return f'<div class="math"><math display="block">{"<mo>=</mo>".join(render(formula, MATHML) for formula in formulas)}</math></div>'
