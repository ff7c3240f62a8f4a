"""A zip file of submissions is read only if no member leads out of its folder, and only up to its bounds."""

import stat
import zipfile

import pytest

from tests.each import each
from tutorial.classroom.grading.classes import archive
from tutorial.classroom.grading.classes.archive import Refused, programs_in_zip

LINK = (stat.S_IFLNK | 0o777) << 16
BAD = {  # a member: a part of the message
    "../x.py": "leads out",
    "a/../../x.py": "leads out",
    "/etc/x.py": "leads out",
    "C:/x.py": "leads out",
    "a\\..\\x.py": "leads out",
    "a/../notes.txt": "leads out",
    "/".join("d" * 13): "more than 12 folders",
}


def made(path, members, attributes=0):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members:
            about = zipfile.ZipInfo(name)
            about.external_attr = attributes
            file.writestr(about, content, zipfile.ZIP_DEFLATED)
    return path


def test_programs_and_notebooks_are_read_and_nothing_else(tmp_path):
    members = [("c/ada/02.py", "x"), ("c/ada/w.ipynb", "{}"), ("c/ada/film.mp4", "y"), ("__MACOSX/c/._02.py", ""), ("c/.git/h.py", "")]
    found = {str(path): content for path, content in programs_in_zip(made(tmp_path / "z.zip", members))}
    assert found == {"c/ada/02.py": b"x", "c/ada/w.ipynb": b"{}", "c/ada/film.mp4": None}


@each("name", BAD)
def test_a_member_that_leads_out_of_the_folder_refuses_the_whole(name, tmp_path):
    path = made(tmp_path / "z.zip", [("ada/02.py", "x"), (name, "")])
    with pytest.raises(Refused, match=BAD[name]):
        next(programs_in_zip(path))


def test_links_doubles_and_what_is_not_a_zip_file_are_refused(tmp_path):
    with pytest.raises(Refused, match="is a link"):
        next(programs_in_zip(made(tmp_path / "link.zip", [("ada/02.py", "/etc/passwd")], LINK)))
    with pytest.raises(Refused, match="twice"):
        next(programs_in_zip(made(tmp_path / "twice.zip", [("ada/02.py", "x"), ("ada//02.py", "y")])))
    (tmp_path / "not.zip").write_bytes(b"PK\x03\x04 and no more")
    with pytest.raises(Refused, match="not a zip file"):
        next(programs_in_zip(tmp_path / "not.zip"))


def test_a_large_file_is_not_read_and_all_files_have_a_bound(tmp_path, monkeypatch):
    path = made(tmp_path / "z.zip", [("ada/02.py", "0" * 10**7), ("bob/02.py", "ok")])
    assert path.stat().st_size < 20_000
    assert [content for _, content in programs_in_zip(path)] == [None, b"ok"]
    monkeypatch.setattr(archive, "MOST_IN_ALL", 1)
    with pytest.raises(Refused, match="more than 1 bytes"):
        next(programs_in_zip(path))
    monkeypatch.setattr(archive, "MOST_MEMBERS", 1)
    with pytest.raises(Refused, match="2 files"):
        next(programs_in_zip(path))
