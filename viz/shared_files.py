"""A page whose style and script stand in files beside it, so that many pages share them; and the page as one file again.

`Page.save` writes one file. A site of many pages is a third as large if they share these two: they are nearly all of a page.
A page may have several scripts, each a file, of which the first is in all players. A browser loads such files for a page that was
opened from a disk, too, but not into a frame with the attribute `sandbox`.
"""

import hashlib
import re
from collections.abc import Callable

from viz.document import digest

STYLE, SCRIPT = re.compile(r"<style>(.*?)</style>", re.S), re.compile(r"<script>((?:(?!</?script).)*)</script>", re.S)
SCRIPTS = re.compile(r"(?:<script>(?:(?!</?script).)*</script>\s*)+(?=</body>)", re.S)  # the last ones, which stand together
SHEET, SOURCE = re.compile(r'<link rel="stylesheet" href="([^"]*)">'), re.compile(r'<script src="([^"]*)"></script>')
SELF = "'self'"  # in the page's policy: from the folder or the server of the page alone


def apart(page: str) -> tuple[str, dict[str, str]]:
    """Return the text of a page without its style and its last scripts, and the files {name: text} from which it takes them.

    The names follow from the texts, so equal texts are one file. A page without a script stays as it is.

    >>> page, files = apart("<style>b {}</style><body><script>let a</script></body>")
    >>> re.sub("[0-9a-f]{16}", "…", page)
    '<link rel="stylesheet" href="….css"><body><script src="….js"></script></body>'
    >>> together(page, files.get) == "<style>b {}</style><body><script>let a</script></body>"
    True
    """
    style, scripts = STYLE.search(page), SCRIPTS.search(page)
    if not (style and scripts):
        return page, {}
    texts = SCRIPT.findall(scripts[0])
    sheet, sources = name_by_content(style[1], "css"), [name_by_content(text, "js") for text in texts]
    page = page.replace(f"<style>{style[1]}</style>", f'<link rel="stylesheet" href="{sheet}">', 1)
    for source, text in zip(sources, texts):
        page = page.replace(f"<script>{text}</script>", f'<script src="{source}"></script>', 1)
    for kind in ([style[1]], texts):
        page = page.replace(" ".join(f"'{digest(text)}'" for text in kind), SELF, 1)
    return page, {sheet: style[1], **dict(zip(sources, texts))}


def together(page: str, read: Callable[[str], str]) -> str:
    """Return the text of a page that `apart` has made as one file again. `read` returns the text of a file beside it."""
    sheet, sources = SHEET.search(page), list(SOURCE.finditer(page))
    if not (sheet and sources):
        return page
    style, scripts = read(sheet[1]), [read(source[1]) for source in sources]
    page = page.replace(sheet[0], f"<style>{style}</style>", 1)
    for source, script in zip(sources, scripts):
        page = page.replace(source[0], f"<script>{script}</script>", 1)
    return allowing(allowing(page, "script", scripts), "style", [style])


def parts_of(page: str) -> list[str]:
    """Return the names of the files from which a page that `apart` has made takes its style and its scripts.

    >>> parts_of('<link rel="stylesheet" href="a.css"><script src="b.js"></script>')
    ['a.css', 'b.js']
    """
    return SHEET.findall(page) + SOURCE.findall(page)


def allowing(page, kind, texts):
    """Return a page whose policy allows these inline texts in place of files beside it."""
    digests = " ".join(f"'{digest(text)}'" for text in texts)
    return re.sub(rf"({kind}-src[^;]*?){SELF}", rf"\g<1>{digests}", page, count=1)


def name_by_content(text, ending):
    return f"{hashlib.sha256(text.encode()).hexdigest()[:16]}.{ending}"
