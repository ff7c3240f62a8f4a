"""The README as a package index shows it: text in place of the picture, and no links to files.

An index drops pictures that have no address of their own, data: URLs too, and relative links lead nowhere there.
"""

import re
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface

PICTURE = re.compile(r"!\[[^\]]*\]\(tutorial/graphs/figure1\.svg\)")
LINK = re.compile(r"\[([^\]]+)\]\((?!https?:|#)[^)]+\)")


def package_page(root):
    """The README with the text of tutorial/graphs/figure1.txt for its picture."""
    figure = (root / "tutorial" / "graphs" / "figure1.txt").read_text(encoding="utf-8")
    readme = (root / "README.md").read_text(encoding="utf-8")
    return LINK.sub(r"\1", PICTURE.sub(f"```text\n{figure}```", readme))


class PackagePage(MetadataHookInterface):
    def update(self, metadata):
        metadata["readme"] = {"content-type": "text/markdown", "text": package_page(Path(self.root))}
