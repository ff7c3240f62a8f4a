"""A chapter of the built site as slides in one file, which needs no other file and no network."""

import html
import re
from base64 import b64encode
from functools import partial
from mimetypes import guess_type
from pathlib import Path

from viz.shared_files import together

FIGURES = re.compile(r'<script src="[^"]*?_static/(figure\w+\.js)')  # only in a chapter that has figures
SCRIPT = "one_file.js"  # without what is about the site: its chapters, its playground, the reader's progress
PARTS = re.compile(r"(<title>.*?</title>)(.*?)<body>.*?(<article.*</article>)", re.S)
STYLE = re.compile(r'<link rel="stylesheet"[^>]*? href="([^"?]*)[^"]*"[^>]*>|(<style>.*?</style>)', re.S)
IMPORT, ADDRESS = re.compile(r"@import url\(([\w.]+)\);"), re.compile(r"url\(([\w.]+)\)")
OF_THE_SITE = re.compile(r'<script type="application/json".*?</script>|<a href="[^"]*" download.*?</a>', re.S)
LINK = re.compile(r'<a [^>]*?href="(?!#|\w+:)[^"]*"[^>]*>')  # to another page of the site
FRAME, IMAGE = re.compile(r'(<iframe[^>]*?) src="([^"]*)"'), re.compile(r'(<img[^>]*?) src="(?!data:)([^"]*)"')

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
{title}
{styles}
</head>
<body data-theme="auto" data-opens="slides">
<div class="page"><div class="main"><div class="content"><div class="article-container">
{article}
</div></div></div></div>
<script>
{script}</script>
</body>
</html>
"""


def one_file(page) -> str:
    """Return a page of the built site as one file that opens as slides: its styles, scripts, pictures and players stand in it.

    Links to other pages become plain text.
    """
    page = Path(page)
    text = page.read_text(encoding="utf-8")
    ((title, head, article),) = PARTS.findall(text)
    styles = "\n".join(own or f"<style>\n{styles_of(page.parent / name)}\n</style>" for name, own in STYLE.findall(head))
    script = "".join((page.parent.parent / "_static" / name).read_text(encoding="utf-8") for name in [SCRIPT, *FIGURES.findall(text)])
    return PAGE.format(title=title, styles=styles, article=alone(article, page.parent), script=script)


def styles_of(path):
    """Return a style sheet with the sheets and fonts that it names."""
    text = IMPORT.sub(lambda found: styles_of(path.parent / found[1]), path.read_text(encoding="utf-8"))
    return ADDRESS.sub(lambda found: f"url({data(path.parent / found[1])})", text)


def alone(article, folder):
    """Return the text of a chapter with its pictures and players."""
    article = LINK.sub("<a>", OF_THE_SITE.sub("", article))
    article = IMAGE.sub(lambda found: f'{found[1]} src="{data(folder / found[2])}"', article)
    return FRAME.sub(partial(with_player, folder), article)


def with_player(folder, frame):
    path = folder / frame[2]
    beside = lambda name: path.with_name(name).read_text(encoding="utf-8")
    content = together(beside(path.name), beside)
    return f'{frame[1]} srcdoc="{html.escape(content)}"'


def data(path):
    """Return the address that holds the content of a file."""
    return f"data:{guess_type(path.name)[0]};base64,{b64encode(path.read_bytes()).decode()}"
