"""Drawings whose letters can be read. A narrow window does not make a drawing smaller than that: the drawing scrolls sideways.

A drawing is a file that has its width and the sizes of its letters in points. The page gets the least width as `--least`, for book.css.
"""

import re
from functools import cache, partial
from math import ceil
from pathlib import Path

from viz.whole_files import write_file

LEAST = 11  # pixels: the size of the smallest letters
IMAGE = re.compile(r'<img ([^>]*?src="([^"]*_images/[^"]+\.svg)")(?: style="--least: \d+px")?')
WIDTH, LETTERS = re.compile(r'<svg [^>]*?width="([\d.]+)pt"'), re.compile(r'font-size="([\d.]+)"')


def with_least_widths(site):
    """Write into the pages of a site, for each of their drawings, the width from which on its letters can be read."""
    for path in Path(site).rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        if IMAGE.search(text) and (new := IMAGE.sub(partial(with_least_width, path.parent), text)) != text:
            write_file(path, new)


def with_least_width(folder, image):
    """Return the begin of the image with its least width, if it has letters."""
    least = least_width((folder / image[2]).resolve())
    return f'<img {image[1]} style="--least: {least}px"' if least else f"<img {image[1]}"


@cache
def least_width(path):
    """Return how many pixels wide a drawing must be so that its smallest letters have the least size, or 0 if it has none."""
    return least_width_of(path.read_text(encoding="utf-8"))


def least_width_of(svg):
    """Return how many pixels wide the text of a drawing must be.

    >>> least_width_of('<svg width="550pt"><text font-size="11.00">z</text><text font-size="14.00">x</text></svg>')
    550
    """
    wide, letters = WIDTH.search(svg), [float(size) for size in LETTERS.findall(svg)]
    return ceil(float(wide[1]) * LEAST / min(letters)) if wide and letters else 0
