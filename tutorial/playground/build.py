"""Build the playground: one HTML file that holds Python, the engine, a layout engine and an editor."""

import base64
import gzip
import io
import json
import zipfile
from importlib import metadata, resources
from pathlib import Path
from string import Template

from tutorial.playground.parts import fetched, licences
from viz.document import surfaces

OURS = ("scalargrad", "viz", "tutorial")
OTHERS = ("graphviz", "rich")  # what viz imports
UNUSED = ("_pyrepl/", "ensurepip/", "idlelib/", "multiprocessing/", "pydoc_data/", "tkinter/", "xmlrpc/")  # of Python's library
SENT_TO_PYTHON = ("python.wasm", "stdlib.zip", "packages.zip")
POLICY = "; ".join(
    [
        "default-src 'none'",  # no request leaves the page
        "script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:",  # inline: the player's frame has this policy too, and its own
        "worker-src blob:",
        "style-src 'unsafe-inline'",
        "font-src data:",
        "img-src data: blob:",
        "frame-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
    ]
)


def playground(folder=None) -> str:
    """Return the page as HTML text, at most 10 MB. `folder` holds the parts that npm fetches; see `tutorial.playground.parts`.

    Raises NoParts if a part is missing.
    """
    parts = {name: path.read_bytes() for name, path in fetched(folder).items()}
    parts |= {"packages.zip": stored(files()), "stdlib.zip": stored(library(parts["stdlib.zip"]))}
    return Template(asset("playground.html")).substitute(
        policy=POLICY,
        licences="; ".join(licences()),
        style="\n".join([parts["editor.css"].decode(), surfaces(), asset("playground.css")]),
        editor="\n".join(closed(parts[name].decode()) for name in ("editor.js", "python_mode.js", "brackets.js")),
        script=asset("playground.js"),
        worker=packed(worker(parts).encode()),
        binaries="\n".join(f'<script type="application/gzip" data-part="{name}">{packed(parts[name])}</script>' for name in SENT_TO_PYTHON),
        examples=closed(json.dumps(examples())),
    )


def worker(parts):
    """Return the script of the worker that runs Python: one classic script, because a page from a file can start no other."""
    module = parts["python.mjs"].decode().replace("import.meta.url", '""').replace("export default _createPyodideModule", "")
    info = json.loads(parts["lock.json"])["info"]
    start = asset("worker.js").replace("LOCK", json.dumps({"info": info, "packages": {}}))
    return "\n".join([module, without_map(parts["python.js"].decode()), parts["graphviz.js"].decode(), start])


def without_map(script):
    """Return a script without the line that names its source map, which is not here."""
    return "\n".join(line for line in script.splitlines() if not line.startswith("//# sourceMappingURL"))


def stored(files):
    """Return a zip file that is not compressed: the page compresses it with all the rest, which is a seventh smaller."""
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", zipfile.ZIP_STORED) as archive:
        for name, content in sorted(files):
            archive.writestr(zipfile.ZipInfo(name), content)
    return found.getvalue()


def library(archive):
    """Yield the name and the content of each file of Python's library that a program in a browser can use."""
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        for name in files.namelist():
            if not name.startswith(UNUSED):
                yield name, files.read(name)


def files():
    """Yield the name and the content of each file of the packages that the page's Python imports."""
    for package in OURS:
        root = Path(str(resources.files(package)))
        for path in root.rglob("*"):
            yield from wanted(f"{package}/{path.relative_to(root).as_posix()}", path)
    for distribution in OTHERS:
        for file in metadata.files(distribution) or ():
            if ".dist-info" not in file.parts[0] and ".." not in file.parts:
                yield from wanted(file.as_posix(), Path(str(file.locate())))


def wanted(name, path):
    if path.is_file() and path.suffix != ".pyc":
        yield name, path.read_bytes()


def examples():
    """Return [{title, text}] of the example programs."""
    folder = resources.files(__package__).joinpath("examples")
    found = []
    for name in ORDER_OF_EXAMPLES:
        text = folder.joinpath(f"{name}.py").read_text(encoding="utf-8")
        found.append({"title": text.split('"""')[1], "text": text})
    return found


ORDER_OF_EXAMPLES = ("figure1", "slope", "neuron")


def asset(name):
    return resources.files(__package__).joinpath("assets", name).read_text(encoding="utf-8")


def closed(script):
    """Return a script that cannot end the element it stands in."""
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def packed(content):
    return base64.b64encode(gzip.compress(content, 9, mtime=0)).decode()
