"""Build the book's site with Sphinx. Every cell runs; a warning is an error."""

import shutil
from importlib import resources
from importlib.util import find_spec
from pathlib import Path

SOURCE = Path(str(resources.files(__package__)))

PACKAGES = ("sphinx", "myst_nb", "furo", "sphinx_design", "sphinx_copybutton", "latex2mathml")


class NoBook(Exception):
    """The book cannot be built. The message says what to do."""


def site(folder) -> Path:
    """Build the site in `folder` and return the path of its first page. What has not changed since the last time is kept.

    Raises NoBook if a package of the extra `tutorial` is missing, or if a cell raises, a link leads nowhere or Sphinx warns.
    """
    missing = [name for name in PACKAGES if not find_spec(name)]
    if missing:
        raise NoBook(f"the book needs the package {missing[0]}: run `pip install -e '.[tutorial]'`")
    from sphinx.cmd.build import build_main

    folder = Path(folder)
    code = build_main(["-q", "-W", "--keep-going", "-b", "html", "-d", str(folder / ".doctrees"), str(SOURCE), str(folder)])
    if code:
        raise NoBook("the book has a mistake: the lines above name the file and the line")
    shutil.copy(str(resources.files("viz").joinpath("page", "assets", "math.woff2")), folder / "_static")
    return folder / "index.html"
