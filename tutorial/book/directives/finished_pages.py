"""Work on the pages that Sphinx has written: each player gets a file of its own, drawings stand inside their pages.

The browser loads a player when the reader comes to it; players share styles and scripts.
A notebook shows a page in a frame that holds the whole page as text. The site has the same frame, with the name of a file. It has no
`sandbox`, which would keep a page on a disk from its script; the page's own policy still lets it load nothing but its script and style.

Inside a page the colours of a drawing follow the theme of the site in every browser; WebKit does not tell it to files.
Its letters can be read: a narrow window does not make a drawing smaller than that, it scrolls sideways. A drawing has its width and
the sizes of its letters in points. The page gets the least width as `--least`, for book.css.
"""

import html
import re
from base64 import b64decode
from functools import partial
from math import ceil
from pathlib import Path

from viz.shared_files import apart, name_by_content, parts_of
from viz.whole_files import write_file

NAMELESS = "drawing"  # what a drawing is called where Sphinx knows only its file
LEAST = 11  # pixels: the size of the smallest letters
IMAGE = re.compile(r'<img alt="([^"]*)"[^>]*? src="(?:([^"]*_images/[^"]+\.svg)|data:image/svg\+xml;base64,([^"]+))"[^>]*>')
WIDTH, LETTERS = re.compile(r'<svg [^>]*?width="([\d.]+)pt"'), re.compile(r'font-size="([\d.]+)"')
STYLE = re.compile(r"<style>(?P<always>[^@]*?)(@media \(prefers-color-scheme: ?dark\) ?\{(?P<dark>.*?)\})?</style>", re.S)
RULE = re.compile(r"([^{}]+)(\{[^{}]*\})")
OWN = re.compile(r"^.*?(?=<svg)|<!--.*?-->\n?|<title>[^<]*</title>\n?| (?:id|role)=\"[^\"]*\"", re.S)  # what a file says of itself
TIP = re.compile(r'<a xlink:title="([^"]*)">')  # a link that leads nowhere


def with_drawings_inside(site):
    """Write into the pages of a site the drawings that they show, and remove their files."""
    shown = set()
    for path in Path(site).rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        shown |= {(path.parent / file).resolve() for _, file, _ in IMAGE.findall(text) if file}
        if (new := IMAGE.sub(partial(inside, path.parent), text)) != text:
            write_file(path, new)
    for path in shown:
        path.unlink()


def inside(folder, image):
    """Return the drawing or the picture that an image names, or holds, as an image of the page."""
    alt, file, data = image.groups()
    svg = (folder / file).resolve().read_text(encoding="utf-8") if file else b64decode(data).decode()
    if 'pt" height' in svg:  # a drawing: its sizes are in points, and its rules hold for its class alone
        scope, look = "", f'style="--least: {least_width_of(svg)}px"'
    else:
        scope, look = ".picture ", 'class="picture" preserveAspectRatio="xMidYMin slice"'  # a slide shows its upper part
    svg = TIP.sub(r"<g><title>\1</title>", OWN.sub("", svg)).replace("</a>", "</g>")
    return themed(svg, scope).replace("<svg ", f'<svg role="img" aria-label="{NAMELESS if alt == file else alt}" {look} ', 1)


def themed(svg, scope=""):
    """Return a drawing whose dark colours follow the site, which may differ from the system. `scope` stands before each of its selectors.

    >>> themed("<style>@media (prefers-color-scheme: dark) {.auto{fill:#181e27}}</style>").count('body[data-theme="dark"] .auto')
    1
    """

    def style(found):
        dark, light = 'body[data-theme="dark"]', 'body:not([data-theme="light"])'
        rules = found["dark"] or ""  # a picture of one theme has none
        site = f"@media screen {{{under(f'{dark} {scope}', rules)}}}"  # paper is light
        system = f"@media screen and (prefers-color-scheme: dark) {{{under(f'{light} {scope}', rules)}}}"
        return f"<style>{under(scope, found['always'])}{site}{system}</style>"

    return STYLE.sub(style, svg)


def under(scope, rules):
    """Return rules of CSS with `scope` before each selector."""
    return "".join(f"{','.join(scope + one for one in selectors.split(','))}{body}" for selectors, body in RULE.findall(rules))


def least_width_of(svg):
    """Return how many pixels wide a drawing must be so that its smallest letters have the least size, or 0 if it has none.

    >>> least_width_of('<svg width="550pt"><text font-size="11.00">z</text><text font-size="14.00">x</text></svg>')
    550
    """
    wide, letters = WIDTH.search(svg), [float(size) for size in LETTERS.findall(svg)]
    return ceil(float(wide[1]) * LEAST / min(letters)) if wide and letters else 0


FRAME = re.compile(r'<iframe srcdoc="([^"]*)"( sandbox="[^"]*")?')
FOLDER = "players"
SHOWN = re.compile(rf'<iframe [^>]*?src="(?:\.\./)*{FOLDER}/([^"/]+)"')


def in_files(site):
    """Move the text of every frame in the site's pages to a file in the folder `players`. Files there that no page shows are removed."""
    shown: set = set()
    for path in Path(site).rglob("*.html"):
        if path.parent.name == FOLDER:
            continue
        text = path.read_text(encoding="utf-8")
        if FRAME.search(text):
            up = "../" * (len(path.relative_to(site).parts) - 1)
            text = FRAME.sub(partial(moved, Path(site), up), text)
            write_file(path, text)
        shown.update(SHOWN.findall(text))
    remove_others(Path(site) / FOLDER, shown)


def remove_others(folder, shown):
    """Remove the files of earlier builds: all but the players that are shown, and the styles and scripts that these name."""
    files = {path.name: path for path in folder.glob("*")}
    kept = shown | {part for name in shown & set(files) for part in parts_of(files[name].read_text(encoding="utf-8"))}
    for name in set(files) - kept:
        files[name].unlink()


def moved(site, up, frame):
    """Write the text of a frame to a file, and return the start of the frame that shows this file. `up` leads to the site's folder."""
    content, files = apart(html.unescape(frame[1]))
    files[name := name_by_content(content, "html")] = content
    (site / FOLDER).mkdir(exist_ok=True)
    for file, text in files.items():
        if not (site / FOLDER / file).exists():
            write_file(site / FOLDER / file, text)
    sandbox = (frame[2] or "") if len(files) == 1 else ""
    return f'<iframe loading="lazy" src="{up}{FOLDER}/{name}"{sandbox}'
