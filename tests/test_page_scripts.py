"""The modules of the pages' scripts: what they import is there, without circles; what they compute; the scripts built of them."""

import json
import re
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.page_scripts import EXPORT, IMPORT, ROOMS, ROOT, SRC, TOOLS, check_built_scripts, imports, modules, node
from tests.viz.graphs import figure1_trace
from tests.viz.graphs_of_others import perceptron
from tutorial.book.figures.figure import FILES
from viz import play
from viz.document import bundle
from viz.page.play import ADDED

MODULES = modules()
ENTRIES = {ROOT / name for name in re.findall(r'"(\S+/src/\S+[.]js)"', (TOOLS / "build.mjs").read_text(encoding="utf-8"))}
ENTRIES |= {SRC / f"play_{key}.js" for key in ADDED}
LONGEST = 140


def test_all_modules_are_known():
    """A script in another place would not be checked."""
    assert {path for room in ("viz", "tutorial") for path in (ROOT / room).rglob("*.js") if path.parent.name != "built"} == set(MODULES)


def test_each_module_imports_what_another_one_exports():
    for path, text in MODULES.items():
        assert text.count("\nimport ") + text.startswith("import ") == len(IMPORT.findall(text)), f"{path}: an import in another form"
        for other, names in imports(path, text):
            assert other in MODULES, f"{path}: {other} is not a module"
            assert set(names) <= set(EXPORT.findall(MODULES[other])), f"{path}: {other} does not export one of {names}"


def test_every_export_is_imported_and_every_module_is_part_of_a_page():
    used = {(other, name) for path, text in MODULES.items() for other, names in imports(path, text) for name in names}
    assert {other for other, _ in used} | ENTRIES == set(MODULES)
    assert {(path, name) for path, text in MODULES.items() for name in EXPORT.findall(text)} == used


def test_each_panel_of_the_page_has_its_script():
    named = set(re.findall(r'data-panel="(\w+)"', (ROOT / "viz/page/assets/page.html").read_text(encoding="utf-8")))
    assert named == set(re.findall(r"^  (\w+): \w+Panel,$", (SRC / "panels/panels.js").read_text(encoding="utf-8"), re.M))


def test_a_room_imports_modules_only_of_the_rooms_before_it():
    room_of = lambda path: next(k for k, room in enumerate(ROOMS) if path.is_relative_to(room))
    for path, text in MODULES.items():
        assert all(room_of(other) <= room_of(path) for other, _ in imports(path, text)), path


def test_imports_form_no_circle():
    list(TopologicalSorter({path: {other for other, _ in imports(path, text)} for path, text in MODULES.items()}).static_order())


def test_an_editor_finds_the_types_of_every_module():
    """It looks for tsconfig.json in the module's folder and upwards, and would take no names of types.d.ts without it."""
    for path in MODULES:
        found = next((folder / "tsconfig.json" for folder in path.parents if (folder / "tsconfig.json").exists()), None)
        assert found and (found.parent / json.loads(found.read_text())["extends"]).resolve() == TOOLS / "tsconfig.json", path


def test_lines_are_not_too_long():
    assert [f"{path}:{k}" for path, text in MODULES.items() for k, line in enumerate(text.splitlines(), 1) if len(line) > LONGEST] == []


@pytest.mark.processes
def test_the_modules_compute_what_they_should():
    """In Node, without a page: numbers, nudges, the layout of folded graphs, links to programs, a teacher's minutes."""
    node("--test", "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", *sorted((ROOT / "tests").rglob("*.test.mjs")))


def test_the_built_scripts_are_those_of_the_modules(tmp_path):
    check_built_scripts(tmp_path)


def test_pages_are_small():
    assert len(play(figure1_trace()).html.encode()) < 283_000 and len(play(perceptron).html.encode()) < 330_000
    assert len(bundle("explore.js").encode()) < 30_000
    assert len(bundle("book.js", "tutorial.book").encode()) < 37_200
    shared, *others = [len(Path(path).read_bytes()) for path in FILES if path.endswith(".js")]
    assert shared + max(others) < 18_000, "a chapter with one figure"
