"""Every function that writes a file writes it as a whole or not at all."""

import errno
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

import viz
from scalargrad import Value
from tutorial.cli.main import main
from tutorial.training.run import draw_curves
from viz.whole_files import write_file

ROOT = Path(__file__).parents[2]
OLD = "the old content"


def square():
    x = Value(3.0, name="x")
    return x * x


WAYS = {
    "page": ("z.html", lambda path: viz.play(square()).save(path)),
    "handout": ("z.html", lambda path: viz.handout(square()).save(path)),
    "animation": ("z.svg", lambda path: viz.animate(square()).save(path)),
    "drawing": ("z.png", lambda path: viz.draw(square()).save(path)),
    "dot": ("z.gv", lambda path: viz.draw(square()).save(path)),
    "export": ("z.json", lambda path: viz.export(square(), path)),
    "diagrams": ("derivatives.svg", lambda path: main(["--walk", "--svg", str(path.parent)])),
    "curves": ("c.svg", lambda path: draw_curves(SimpleNamespace(losses=[2.0], test_losses=[1.0], accuracies=[]), "a run", path)),
}


def full_disk(descriptor):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def interruption(descriptor):
    raise KeyboardInterrupt


@pytest.mark.parametrize("way", WAYS)
def test_a_full_disk_leaves_the_old_file_whole_and_nothing_beside_it(way, tmp_path, monkeypatch, capsys):
    name, write = WAYS[way]
    path = tmp_path / name
    path.write_text(OLD)
    monkeypatch.setattr(os, "fsync", full_disk)
    try:
        code = write(path)
    except OSError as wrong:
        assert (wrong.errno, wrong.filename) == (errno.ENOSPC, str(path))
    else:
        said = "".join(capsys.readouterr())
        assert "No space left on device" in said and (code == 2 or "No diagrams: " in said)
    assert path.read_text() == OLD
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_an_interruption_leaves_the_old_file_whole(tmp_path, monkeypatch):
    path = tmp_path / "z.txt"
    path.write_text(OLD)
    monkeypatch.setattr(os, "fsync", interruption)
    with pytest.raises(KeyboardInterrupt):
        write_file(path, "new")
    assert path.read_text() == OLD and len(list(tmp_path.iterdir())) == 1


def test_text_that_utf_8_cannot_encode_leaves_the_old_file_whole(tmp_path):
    path = tmp_path / "z.txt"
    path.write_text(OLD)
    with pytest.raises(UnicodeEncodeError):
        write_file(path, "\ud800")
    assert path.read_text() == OLD


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
class TestPermissions:
    def test_a_new_file_follows_the_umask(self, tmp_path):
        code = "import os, sys; from viz.whole_files import write_file; os.umask(0o027); write_file(sys.argv[1], 'new')"
        subprocess.run([sys.executable, "-c", code, str(tmp_path / "z")], check=True, env=os.environ | {"PYTHONPATH": str(ROOT)})
        assert stat.S_IMODE((tmp_path / "z").stat().st_mode) == 0o640

    @pytest.mark.parametrize("mode", [0o600, 0o644, 0o755, 0o666])
    def test_an_old_file_keeps_its_permissions(self, mode, tmp_path):
        path = tmp_path / "z"
        path.write_text(OLD)
        path.chmod(mode)
        write_file(path, "new")
        assert stat.S_IMODE(path.stat().st_mode) == mode and path.read_text() == "new"

    def test_a_link_stays_and_the_file_behind_it_is_replaced(self, tmp_path):
        for behind in ("old", "lacking"):
            target, link = tmp_path / behind, tmp_path / f"link to {behind}"
            if behind == "old":
                target.write_text(OLD)
            link.symlink_to(target)
            write_file(link, "new")
            assert link.is_symlink() and target.read_text() == "new" and not target.is_symlink()

    @pytest.mark.skipif(os.name != "nt" and os.geteuid() == 0, reason="root may do everything")
    def test_a_locked_file_or_folder_raises_permission_error_and_keeps_its_content(self, tmp_path):
        path = tmp_path / "z"
        path.write_text(OLD)
        path.chmod(0o444)
        with pytest.raises(PermissionError, match="z"):
            write_file(path, "new")
        path.chmod(0o644)
        for locked in (0o555, 0o000):
            tmp_path.chmod(locked)
            with pytest.raises(PermissionError, match="z"):
                write_file(path, "new")
        tmp_path.chmod(0o755)
        assert path.read_text() == OLD

    def test_a_pipe_is_written_directly(self, tmp_path):
        os.mkfifo(tmp_path / "pipe")
        read = []
        reader = threading.Thread(target=lambda: read.append((tmp_path / "pipe").read_text()))
        reader.start()
        write_file(tmp_path / "pipe", "new")
        reader.join(60)
        assert read == ["new"] and stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("a" * 300, OSError),
        ("", IsADirectoryError),
        ("folder", IsADirectoryError),
        ("folder/lacking/z", FileNotFoundError),
        ("file/z", NotADirectoryError),
        ("loop/z", OSError),
    ],
)
@pytest.mark.skipif(os.name == "nt", reason="Windows has other errors")
def test_the_error_names_the_path_where_no_file_can_be_written(name, error, tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text(OLD)
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    there = sorted(tmp_path.rglob("*"))
    with pytest.raises(error) as wrong:
        write_file(tmp_path / name, "new")
    assert wrong.value.filename == str(tmp_path / name)
    assert sorted(tmp_path.rglob("*")) == there


def test_all_files_are_written_by_write_file():
    for room in ("scalargrad", "tensorgrad", "viz", "tutorial"):
        for path in (ROOT / room).rglob("*.py"):
            if path.name != "files.py":
                text = path.read_text(encoding="utf-8")
                assert not [word for word in (".write_text(", ".write_bytes(", ".savefig(path") if word in text], path
