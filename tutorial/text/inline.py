"""What stands within a line of a chapter: code, formulas and roles of MyST such as {eval}, and the text between them."""

import re
from collections.abc import Callable

SPAN = re.compile(
    r"""(?:\{(?P<role>[\w:-]+)\})?(?P<ticks>`+)(?P<content>.+?)(?<!`)(?P=ticks)(?!`)  # code, or a role
    | (?<![\\$\w])\$(?P<tex>[^$\s](?:[^$]*[^$\s\\])?)\$(?![\d$])                       # a formula
    | !?\[(?P<link>[^\]]*)\]\((?P<address>[^)]*)\)                                     # a link, or a picture
    """,
    re.X | re.S,
)
LINK = re.compile(r"(.*?)\s*<[^<>]+>", re.S)
ATTRIBUTES = re.compile(r"(?<=[`\])}])\{[.#][^}]*\}")  # such as [text]{.class}


def replaced(markdown, role: Callable, **replace: Callable):
    """Return Markdown with its spans replaced. `role` gets a role's name and content, `code`, `tex` and `link` theirs.

    A kind of span without a function stays as it is.

    >>> replaced("{eval}`1 + 1` is $x_1$, `code`", lambda name, content: content.upper(), tex=lambda tex: f"<{tex}>")
    '1 + 1 is <x_1>, `code`'
    """

    def one(span):
        if span["role"]:
            return role(span["role"], " ".join(span["content"].split()))
        kind = "code" if span["ticks"] else "tex" if span["tex"] else "link"
        content = span["content"] or span["tex"] or span["link"] or ""
        return replace[kind](content) if kind in replace else span[0]

    return ATTRIBUTES.sub("", SPAN.sub(one, markdown))


def link_text(role, content):
    """Return the text of a role that links to another place: its own text, or the name of that place.

    >>> link_text("term", "leaf"), link_text("doc", "the next chapter <descent>"), link_text("eq", "chain-rule")
    ('leaf', 'the next chapter', '(chain-rule)')
    """
    link = LINK.fullmatch(content)
    return f"({content})" if role == "eq" else link[1] if link else content.rpartition("/")[2]
