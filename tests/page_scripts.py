"""The modules of the pages' scripts, and Node with its tools, which bundle and test them."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SRC = ROOT / "viz" / "page" / "src"
ROOMS = (
    SRC,
    *(ROOT / "tutorial" / room / "src" for room in ("playground", "exercises/broken_engine", "book", "book/figures", "classroom/live")),
)  # each imports from those before it
TOOLS = ROOT / ".ci" / "page_scripts"
IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?:async )?(?:function|const|let|class) (\w+)", re.MULTILINE)


def modules():
    """Return the text of each module of the pages' scripts."""
    return {path: path.read_text(encoding="utf-8") for room in ROOMS for path in sorted(room.rglob("*.js"))}


def imports(path, text):
    """Yield the path and the names of each import of a module."""
    for names, place in IMPORT.findall(text):
        yield (path.parent / place).resolve(), [name.strip() for name in names.split(",") if name.strip()]


def found_node():
    """Return Node's path, or None if it or its tools are missing. Node is on the PATH, or comes with the extra `tutorial`."""
    found = shutil.which("node", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]))
    return found if (TOOLS / "node_modules").exists() else None


def node(*given):
    """Run Node and return its output. Without it or its tools skip the test."""
    found = found_node()
    if not found:
        pytest.skip("Node or its tools are missing: npm --prefix .ci/page_scripts ci")
    done = subprocess.run([found, *map(str, given)], cwd=ROOT, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def check_built_scripts(folder):
    """Build the scripts of the pages, and the still pictures, in an empty folder. Those of the repository must be the same."""
    node(TOOLS / "build.mjs", folder)
    made = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    kept = {path.relative_to(ROOT).as_posix(): path.read_bytes() for room in ROOMS for path in (room.parent / "built").iterdir()}
    assert made.keys() == kept.keys(), f"{sorted(made.keys() ^ kept.keys())}: not in the repository, or not built by build.mjs"
    stale = sorted(name for name in made if made[name] != kept[name])
    assert not stale, f"{stale} are old: npm --prefix .ci/page_scripts run build"
