"""Compile every module that this Python has imported. The Python for browsers calls this when a page is built; see `build`."""

import marshal
import os
import sys
import zipfile
from importlib.util import MAGIC_NUMBER

import tutorial.playground.cells
import tutorial.playground.runner  # noqa: F401  # what they import is compiled

HEADER = MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8)  # 1: valid whatever the time and the content of the source


def write(path, ours):
    """Write a zip file of compiled modules. Their names begin with that of the zip file of their sources.

    Those of the packages in `ours` keep their docstrings.
    """
    library, packages = next(entry for entry in sys.path if entry.endswith(".zip")), os.getcwd()
    specs = {spec.name: spec for module in sys.modules.values() if (spec := getattr(module, "__spec__", None))}
    with zipfile.ZipFile(path, "w") as archive:
        for name, spec in sorted(specs.items()):
            if str(spec.origin).endswith(".py") and spec.origin.startswith((library, packages)):
                optimize = 0 if name.split(".")[0] in ours else 2
                code = compile(spec.loader.get_source(name), spec.origin, "exec", dont_inherit=True, optimize=optimize)
                place = spec.origin.replace(library, "stdlib.zip").replace(packages, "packages.zip")
                archive.writestr(zipfile.ZipInfo(f"{place}c"), HEADER + marshal.dumps(code))
