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
ROOMS = (SRC, *(ROOT / "tutorial" / room / "src" for room in ("playground", "broken_engine", "book")))  # each imports from those before it
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


def node(*given):
    """Run Node and return its output. Node is on the PATH, or comes with the extra `tutorial`. Without it or its tools skip the test."""
    found = shutil.which("node", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]))
    if not found or not (TOOLS / "node_modules").exists():
        pytest.skip("Node or its tools are missing: npm --prefix .ci/page_scripts ci")
    done = subprocess.run([found, *map(str, given)], cwd=ROOT, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
